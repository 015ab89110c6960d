"""The script of a workflow's step, from tables to a table: in a process of its own."""

import re
import threading
import time
from pathlib import Path

import attack
import pyarrow as pa
import pytest
from script_here import TABLE

from prepsql.errors import InputError, SandboxError
from prepsql.sandbox import SCRIPT_CHARACTERS, Limits, Status, job_server, run_scalar, run_transform

SAME = "def transform(df, pd, np):\n    return df"
# each way out that attacks try: files, the network, other programs, processes, memory, time, the report, the end
ATTACKS = re.compile(
    r"(read_(absolute|hidden|relative|tasks|with_pandas)|proc_parent_environ|environment_in_memory|overwrite_file"
    r"|delete_(file|input)|make_file_outside|socket_(tcp|unix)|fork|exec|subprocess_run|kill_parent|ptrace_parent"
    r"|memory_numpy|huge_(file|stdout)|endless_(catching|sleep)|exit_(politely|silently)|crash|forge_garbage"
    r"|deep_recursion|change_package)"
)
REUSED = [each for each in attack.attacks("python") if ATTACKS.fullmatch(each.path.stem)]
LEFT = "\n\ndef transform(df, pd, np):\n    import os, pyarrow as pa\n"


@pytest.fixture(scope="module")
def served():
    """A server for scripts, None where it can't be had: then each has a process of its own."""
    with job_server("pandas", hidden=attack.SECRETS) as server:
        yield server


@pytest.fixture(scope="module")
def plain():
    """The same, with nothing hidden."""
    with job_server("pandas") as server:
        yield server


def test_one_table_is_a_frame_and_several_a_dict():
    other = pa.table({"id": [3, 1], "name": ["c", "a"]})
    code = (
        "def transform(tables, pd, np):\n    print(list(tables))\n"
        "    return tables['left one'].merge(tables['right'], on='id', how='left')[['id', 'name']]"
    )
    done = run_transform(code, {"left one": TABLE, "right": other}, "python")
    assert (done.outcome.status, done.outcome.message) == (Status.OK, "")
    assert done.outcome.stdout == "['left one', 'right']\n"
    assert done.table.to_pydict() == {"id": [1, 2, 3], "name": ["a", None, "c"]}
    assert done.outcome.outputs == ()


def test_frames_have_the_types_of_a_candidates_frames():
    table = TABLE.append_column("sum", pa.array([1, 2, None], pa.decimal128(38, 0)))
    table = table.append_column("small", pa.array([1, 2, 3], pa.int16()))
    done = run_transform(
        "def transform(df, pd, np):\n    print([str(t) for t in df.dtypes], [type(v).__name__ for v in df['paid']])\n"
        "    print(type(df.index).__name__)\n    return df",
        {"df": table},
        "python",
    )
    types = ["int64", "float64", "datetime64[ns]", "object", "object", "float64", "int64"]
    assert done.outcome.stdout == f"{types} ['bool', 'float', 'bool']\nRangeIndex\n"
    assert [str(kind) for kind in done.table.schema.types[-2:]] == ["int64", "int16"]


def test_sql_is_one_select_over_tables_by_their_names():
    tables = {"input": TABLE, "other one": pa.table({"id": [2], "x": ["é"]})}
    # a macro of the library is at hand as well
    done = run_transform(
        'SELECT i.id, title_case(x) AS x FROM input i LEFT JOIN "other one" USING (id) ORDER BY 1', tables, "sql"
    )
    assert (done.outcome.status, done.outcome.message) == (Status.OK, "")
    assert done.table.to_pydict() == {"id": [1, 2, 3], "x": [None, "É", None]}
    twins = run_transform("SELECT 1 AS a", {"t": TABLE, "T": TABLE}, "sql").outcome
    assert twins.message.startswith("two tables are called 't' and 'T', which SQL can't tell apart")


@pytest.mark.parametrize("language", ["python", "sql"])
def test_rows_keep_their_order(language):
    numbers = [n * 7919 % 200_003 for n in range(200_000)]
    code = {"python": SAME, "sql": "SELECT * FROM t"}[language]
    assert run_transform(code, {"t": pa.table({"n": numbers})}, language).table["n"].to_pylist() == numbers


def test_a_function_of_one_row_gives_one_value_a_row():
    done = run_scalar("def transform(row):\n    return f\"{row['note']}{row['id']}\"", TABLE, "VARCHAR")
    assert (done.outcome.status, done.outcome.message) == (Status.OK, "")
    assert done.table.to_pydict() == {"value": ["a1", "b2", "a3"]}
    late = run_scalar("def transform(row):\n    return 1 // (row['id'] - 2)", TABLE)
    assert (late.outcome.status, late.outcome.line, late.table) == (Status.FAILED, 2, None)
    assert late.outcome.message.startswith("row 2 (id=2, amount=None, ")


def test_long_code_is_refused_unrun():
    code = "def transform(df, pd, np):\n    raise ValueError\n"
    code += "#" * (SCRIPT_CHARACTERS - len(code))
    assert run_transform(code, {"t": TABLE}, "python").outcome.status == Status.FAILED
    for done in (run_transform(code + "#", {"t": TABLE}, "python"), run_scalar(code + "#", TABLE)):
        assert done.outcome.status == Status.REFUSED
        assert "1,501 characters, more than 1,500: make it two steps" in done.outcome.message


def test_what_cannot_go_in_is_an_error():
    with pytest.raises(InputError, match="at least one table"):
        run_transform(SAME, {}, "python")
    with pytest.raises(InputError, match="two columns 'a'"):
        run_transform(SAME, {"t": pa.table([[1], [2]], names=["a", "a"])}, "python")
    with pytest.raises(InputError, match="no columns"):
        run_transform(SAME, {"t": pa.table({})}, "python")
    with pytest.raises(InputError, match=r"table 't': column 'a' is of type decimal256.*: cast it before"):
        run_transform(SAME, {"t": pa.table({"a": pa.array([1], pa.decimal256(50))})}, "python")
    with pytest.raises(InputError, match="can't return INT: choose one of BIGINT"):
        run_scalar(SAME, TABLE, "INT")


def test_odd_types_go_in():
    table = pa.table(
        {"e": pa.array(["x", None]).dictionary_encode(), "n": pa.nulls(2), "f": pa.array([1.5, 2], "float16")}
    )
    for code, language in ((SAME, "python"), ("SELECT * FROM t", "sql")):
        done = run_transform(code, {"t": table}, language)
        assert done.outcome.message == ""
        assert done.table.to_pydict() == {"e": ["x", None], "n": [None, None], "f": [1.5, 2.0]}


def test_calls_side_by_side_repeat_and_do_not_meet(jobs):
    results = {}

    def run(number):
        code = (
            f"def transform(df, pd, np):\n    return pd.DataFrame({{'n': [{number}], 's': [str({{'x', 'y', 'z'}})]}})"
        )
        results[number] = run_transform(code, {"df": TABLE}, "python").table.to_pydict()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [results[n]["n"] for n in range(3)] == [[0], [1], [2]]
    assert len({tuple(result["s"]) for result in results.values()}) == 1
    assert list(jobs.iterdir()) == []


def test_limits_and_stop_end_a_script(jobs):
    endless = "def transform(row):\n    while True:\n        pass"
    assert run_scalar(endless, TABLE, limits=Limits(seconds=3)).outcome.status == Status.TIMED_OUT
    wide = "def transform(df, pd, np):\n    return pd.DataFrame({'a': np.zeros(1_000_000)})"
    assert run_transform(wide, {"t": TABLE}, "python", limits=Limits(file_mb=4)).outcome.status == Status.FILE_TOO_LARGE
    stop = threading.Event()
    threading.Timer(0.5, stop.set).start()
    start = time.monotonic()
    with pytest.raises(SandboxError, match="was stopped"):
        run_scalar(endless, TABLE, stop=stop)
    assert time.monotonic() - start < 20
    assert list(jobs.iterdir()) == []


@pytest.mark.parametrize("each", REUSED, ids=lambda each: each.path.stem)
def test_attack_from_a_script(each, served):
    assert attack.attempt(each, as_script=True, server=served) == []


@pytest.mark.parametrize(
    "each",
    [pytest.param(a, id=a.path.stem, marks=() if n % 10 == 0 else pytest.mark.slow) for n, a in enumerate(REUSED)],
)
def test_attack_from_a_script_in_a_process_of_its_own(each, jobs):
    assert attack.attempt(each, as_script=True) == []
    assert list(jobs.iterdir()) == []
    assert attack.left(str(jobs)) == []


def test_many_ways_of_attack_are_tried():
    assert len(REUSED) >= 25


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ("os.symlink(SECRET, '../out/result.arrow')", r"PermissionError|Errno 30|Errno 1\b"),
        ("open('../out/result.arrow', 'wb').write(b'junk')", "the result is no Arrow table"),
        ("open('../out/more.arrow', 'wb').write(b'')", "no result was left"),
        ("print(open(SECRET).read())", "PermissionError|FileNotFoundError"),
        ("pass", "no result was left"),
    ],
)
def test_a_forged_result_is_not_taken(tmp_path, body, says, plain):
    secret = tmp_path / "secret"
    secret.write_text("token")
    forged = (
        '    for n in range(3, 200):\n        try:\n            os.write(n, b\'{"status": "ok", "message": ""}\')\n'
        "        except OSError:\n            pass\n    os._exit(0)"
    )
    report = b'{"status": "ok", "message": ""}'
    code = f"SECRET, OK = {str(secret)!r}, {report!r}{LEFT}    {body}\n{forged}"
    done = run_transform(code, {"df": TABLE}, "python", server=plain)
    assert done.outcome.status == Status.FAILED
    assert re.search(says, done.outcome.message), done.outcome.message
    assert done.table is None
    assert "token" not in done.outcome.stdout


def test_hidden_paths_stay_hidden():
    hidden = Path(pa.__file__).with_name("ipc.py").with_name("conftest.py")
    code = f"def transform(df, pd, np):\n    open({str(hidden)!r})"
    done = run_transform(code, {"df": TABLE}, "python", hidden=[hidden])
    assert re.match("PermissionError|FileNotFoundError", done.outcome.message)

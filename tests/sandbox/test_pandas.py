"""pandas programs: what solve gets, what it may return, and how its errors read."""

import textwrap

import pytest

from prepsql.sandbox import Status, run_code


@pytest.fixture
def run(inputs, out):
    """Run in a process of its own, for what is printed and what is left."""
    return lambda program: run_code(textwrap.dedent(program), inputs, out, "pandas")


@pytest.fixture
def report(inside):
    """Run in this process, for what is said."""
    return lambda program: inside("pandas", textwrap.dedent(program))


def test_tables_have_the_types_that_read_csv_gives(run, out):
    outcome = run("""
        import pandas as pd

        def solve(tables):
            typed, raw = tables["input_01"], tables["raw_input_01"]
            print([str(t) for t in typed.dtypes], [str(t) for t in raw.dtypes], sorted(tables))
            print([type(v).__name__ for v in typed["paid"]], [type(v).__name__ for v in typed["note"]])
            print(tables["input_02"]["code"].tolist(), raw["amount"].tolist())
            return {"output_01": typed}
    """)
    assert outcome.status == Status.OK, outcome.message
    names = ["input_01", "input_02", "raw_input_01", "raw_input_02"]
    assert outcome.stdout.splitlines() == [
        f"['int64', 'float64', 'datetime64[ns]', 'object', 'object'] {['object'] * 5} {names}",
        "['bool', 'float', 'bool'] ['str', 'str', 'float']",
        "['007', '010'] ['10', '', '30']",
    ]
    assert (out / "output_01.csv").read_text().splitlines()[1] == "1,10.0,2024-01-01,True,a"


@pytest.mark.parametrize(
    ("signature", "kind"),
    [
        ("inputs_dir", "PosixPath"),
        ("inputs_dir: Path", "PosixPath"),
        ("where: 'Path'", "PosixPath"),
        ("where: pathlib.Path", "PosixPath"),
        ("folder", "PosixPath"),
        ("tables", "dict"),
        ("dirs: dict", "dict"),
        ("t: 'dict[str, pd.DataFrame]'", "dict"),
        ("frames, *, strict=True", "dict"),
    ],
)
def test_the_first_parameter_decides(report, signature, kind):
    outcome = report(f"""
        import pathlib
        from pathlib import Path

        def solve({signature}):
            raise ValueError(type({signature.partition(":")[0].partition(",")[0]}).__name__)
    """)
    assert outcome.message.splitlines()[0] == f"ValueError: {kind}"


def test_the_folder_holds_the_files_as_they_are(run, inputs, out):
    outcome = run("""
        import pandas as pd

        def solve(inputs_dir):
            return {"output_01.csv": pd.read_csv(inputs_dir / "input_02.csv", dtype=str)}
    """)
    assert outcome.status == Status.OK, outcome.message
    assert (out / "output_01.csv").read_bytes() == (inputs / "input_02.csv").read_bytes()


@pytest.mark.parametrize(
    ("program", "says"),
    [
        ("x = 1", "the program has no function solve: define solve"),
        ("solve = 3", "no function solve"),
        ("def solve():\n    return {}", "solve takes no argument"),
        ("def solve(tables):\n    pass", "solve returned NoneType"),
        ("def solve(tables):\n    return {}", "an empty dict"),
        ("def solve(tables):\n    return tables['input_01']", "solve returned DataFrame"),
        ("def solve(tables):\n    return {'result': tables['input_01']}", "the key 'result'"),
        ("def solve(tables):\n    return {'output_01': tables['input_01']['id']}", "'output_01' is a Series"),
        ("def solve(tables):\n    return {'input_01': tables['input_01']}", "the key 'input_01'"),
    ],
)
def test_a_wrong_shape_is_explained(report, out, program, says):
    outcome = report(program)
    assert outcome.status == Status.FAILED
    assert says in outcome.message
    assert not out.exists()


def test_an_error_shows_the_programs_own_lines_alone(report):
    outcome = report("""\
        def amount(frame):
            return frame["ammount"]

        def solve(tables):
            return {"output_01": amount(tables["input_01"])}
    """)
    assert outcome.status == Status.FAILED
    assert outcome.line == 2
    assert outcome.message.splitlines() == [
        "KeyError: 'ammount'",
        '  solve.py, line 5, in solve: return {"output_01": amount(tables["input_01"])}',
        '  solve.py, line 2, in amount: return frame["ammount"]',
    ]


def test_a_syntax_error_has_its_line(report):
    outcome = report("import os\n\ndef solve(tables)\n    return {}\n")
    assert (outcome.status, outcome.line) == (Status.FAILED, 3)
    assert outcome.message.splitlines() == ["SyntaxError: expected ':'", "  solve.py, line 3: def solve(tables)"]


def test_names_and_values_of_any_script_survive(run, out):
    outcome = run("""
        import pandas as pd

        def solve(inputs_dir):
            print("héllo", "\\udc80")
            return {"output_é 日本": pd.DataFrame({"ключ": ["ñ, \\n\\"x\\""]})}
    """)
    assert outcome.stdout == "héllo \ufffd\n"
    assert [path.name for path in outcome.outputs] == ["output_é 日本.csv"]
    assert pd_read(outcome.outputs[0]) == [["ключ"], ['ñ, \n"x"']]


def test_runs_repeat(run, out):
    program = """
        import pandas as pd

        def solve(inputs_dir):
            return {"output_01": pd.DataFrame({"a": list({"x", "y", "z", "w", "v"})})}
    """
    assert run(program).status == Status.OK
    first = (out / "output_01.csv").read_bytes()
    assert run(program).status == Status.OK
    assert (out / "output_01.csv").read_bytes() == first


def pd_read(path):
    import csv

    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.reader(file))

"""Writing: the same table, the same bytes; what is written reads back; a failure leaves nothing behind."""

import resource
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import duckdb
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from prepsql.errors import WriteError
from prepsql.tables import load_records, read, write_csv


@pytest.fixture
def con():
    with duckdb.connect() as connection:
        yield connection


def test_values_as_written(con, tmp_path):
    relation = con.sql("""
        SELECT * FROM (VALUES
          (1, 0.1::DOUBLE, 1.10::DECIMAL(5, 2), DATE '2020-01-01', TIMESTAMP '2020-01-01 10:00:00.5', true,
            'a,b', [1, 2]),
          (2, -1.5e-7, 0, NULL, '2020-01-01', false, 'say "x"', []),
          (3, 1e20, NULL, NULL, '0001-01-01', NULL, '', NULL),
          (-4, -12345678901234567890.0, NULL, NULL, NULL, NULL, 'é;', NULL)
        ) t(n, "a b", d, "x,y", ts, b, "q""q", l)""")
    assert write_csv(relation, tmp_path / "x.csv") == 4
    assert (tmp_path / "x.csv").read_bytes().decode() == (
        'n,a b,d,"x,y",ts,b,"q""q",l\n'
        '1,0.1,1.10,2020-01-01,2020-01-01 10:00:00.5,true,"a,b","[1,2]"\n'
        '2,-0.00000015,0.00,,2020-01-01 00:00:00,false,"say ""x""",[]\n'
        "3,100000000000000000000.0,,,0001-01-01 00:00:00,,,\n"
        '-4,-12345678901234567000.0,,,,,"é;",\n'
    )


def test_an_empty_cell_alone_is_no_blank_line(con, tmp_path):
    assert write_csv(con.sql("SELECT unnest(['a', '', NULL]) AS x"), tmp_path / "x.csv") == 3
    assert (tmp_path / "x.csv").read_bytes() == b'x\na\n""\n""\n'
    assert read(tmp_path / "x.csv").relation.fetchall() == [("a",), ("",), ("",)]


def test_columns_that_differ_in_case_and_no_rows(con, tmp_path):
    assert write_csv(con.sql("SELECT 1 AS a, 2 AS A WHERE false"), tmp_path / "x.csv") == 0
    assert (tmp_path / "x.csv").read_bytes() in (b"a,A\n", b"a,A_1\n")


def test_order_and_bytes_are_those_of_the_table(con, tmp_path):
    con.execute("CREATE TABLE t AS SELECT i, hash(i)::DOUBLE / 7 AS x FROM range(200000) r(i) ORDER BY hash(i)")
    for name in ("a.csv", "b.csv"):
        write_csv(con.table("t"), tmp_path / name)
    assert (tmp_path / "a.csv").read_bytes() == (tmp_path / "b.csv").read_bytes()
    rows = con.execute("SELECT i FROM t ORDER BY rowid").fetchall()
    assert [(int(line.split(",")[0]),) for line in (tmp_path / "a.csv").read_text().splitlines()[1:]] == rows


TEXT = st.text(st.sampled_from("ab1 ,;|\t\"\n\r\0\ufeffé中#'[]="), max_size=5)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.integers(1, 4).flatmap(lambda n: st.lists(st.lists(TEXT, min_size=n, max_size=n), max_size=6)),
    st.sampled_from(["a", "\ufeffa", "a;b", "a\nb", ' "a"', "é|"]),
)
@example([["1;2"], ["3;4"]], "a;b")
@example([["x|1", "y"], ["z|2", "w"]], "a|b")
def test_what_is_written_reads_back(tmp_path, rows, first):
    columns = [first, "b", "c", "d"][: len(rows[0]) if rows else 2]
    with duckdb.connect() as con:
        load_records(con, "t", columns, rows)
        assert write_csv(con.table("t"), tmp_path / "x.csv") == len(rows)
        table = read(tmp_path / "x.csv", con, "u")
        assert list(table.columns) == columns
        assert [list(row) for row in table.relation.fetchall()] == rows


@pytest.mark.parametrize("name", ["sep=x", "sep=;", "SEP=,", "sep=:", "sep=|", "sep= "])
@pytest.mark.parametrize("cells", [[], ["10:30", "axb", "a;b"], ["", "x"], ["sep=;", 'a "b" c']])
def test_a_column_named_like_a_directive_reads_back(con, tmp_path, name, cells):
    load_records(con, "t", [name], [[cell] for cell in cells])
    write_csv(con.table("t"), tmp_path / "x.csv")
    table = read(tmp_path / "x.csv", con, "u")
    assert (table.columns, [cell for (cell,) in table.relation.fetchall()]) == ((name,), cells)


def test_two_writers_of_one_file_do_not_meet(tmp_path):
    path = tmp_path / ("x" * 245 + ".csv")

    def write(text):
        with duckdb.connect() as con:
            return write_csv(con.sql(f"SELECT '{text}' AS a FROM range(200000)"), path)

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(write, "abcdefgh")) == {200_000}
    assert list(tmp_path.iterdir()) == [path]
    assert len(set(path.read_text().splitlines()[1:])) == 1


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(st.none() | st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=10))
@example([1.2345678901234567e300, -5e-324])
@example([None, -0.0, 1.7976931348623157e308, 1e16, 0.1 + 0.2])
def test_doubles_are_exact_and_have_no_exponent_and_null_is_empty(tmp_path, numbers):
    with duckdb.connect() as con:
        con.execute("CREATE TABLE t (n INTEGER, x DOUBLE)")
        con.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(numbers)))
        write_csv(con.table("t"), tmp_path / "x.csv")
        tiny = any(x is not None and abs(x) == 5e-324 for x in numbers)
        typed = any(x is not None for x in numbers)
        assert tiny or read(tmp_path / "x.csv", con, "u").types()["x"] == ("DOUBLE" if typed else "VARCHAR")
    cells = [line.split(",")[1] for line in (tmp_path / "x.csv").read_text().splitlines()[1:]]
    assert [float(cell) if cell else None for cell in cells] == numbers
    assert not any("e" in cell for cell in cells)


@pytest.mark.parametrize("place", ["nowhere/x.csv", "file/x.csv", "folder"])
def test_a_place_that_cannot_be_written(con, tmp_path, place):
    (tmp_path / "file").write_text("x")
    (tmp_path / "folder").mkdir()
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(WriteError, match="can't be written") as raised:
        write_csv(con.sql("SELECT 1 AS a"), tmp_path / place)
    assert str(tmp_path / place) in str(raised.value)
    assert sorted(tmp_path.rglob("*")) == before


def test_a_query_that_fails_leaves_the_older_file(con, tmp_path):
    path = tmp_path / "x.csv"
    path.write_text("old")
    with pytest.raises(duckdb.Error):
        write_csv(con.sql("SELECT CASE WHEN i < 100000 THEN i ELSE error('no') END AS a FROM range(200000) r(i)"), path)
    assert [p.read_text() for p in tmp_path.iterdir()] == ["old"]


FULL = """
    import sys, duckdb
    from prepsql.errors import WriteError
    from prepsql.tables import write_csv
    try:
        write_csv(duckdb.connect().sql("SELECT * FROM range(1000000)"), sys.argv[1])
    except WriteError as error:
        print(error)
"""


def run_full(path, **options):
    command = [sys.executable, "-c", textwrap.dedent(FULL), str(path)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)


def test_a_file_beyond_the_limit_leaves_nothing(tmp_path):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = run_full(tmp_path / "x.csv", preexec_fn=limit)
    assert done.stdout.startswith(f"{tmp_path / 'x.csv'}: can't be written (File too large)"), done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_leaves_nothing(tmp_path):
    script = (
        "import subprocess, sys; from pathlib import Path\n"
        "disk = Path(sys.argv[1])\n"
        "subprocess.run(['mount', '-t', 'tmpfs', '-o', 'size=100k', 'tmpfs', disk], check=True)\n"
        f"exec({textwrap.dedent(FULL)!r}.replace('sys.argv[1]', 'disk / \"x.csv\"'))\n"
        "print(list(disk.iterdir()))\n"
    )
    command = ["unshare", "--mount", "--map-root-user", sys.executable, "-c", script, str(tmp_path)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        pytest.skip("no unshare here: a full disk can't be made")
    if "unshare" in done.stderr or "mount" in done.stderr:
        pytest.skip("no right to mount a small disk here")
    told, left = done.stdout.splitlines()
    assert "x.csv: can't be written (No space left on device)" in told
    assert left == "[]"

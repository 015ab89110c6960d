"""Safe types: over all rows, and only where nothing is lost or guessed."""

import datetime as dt

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql.errors import InputError
from prepsql.tables import load_inputs, load_records, read, safe_types, typed_sql


@pytest.fixture(scope="module")
def con():
    with duckdb.connect() as connection:
        yield connection


def typed(con, cells):
    load_records(con, "t", ["x"], [[cell] for cell in cells])
    types = safe_types(con, "t", ["x"])
    return types["x"], [x for (x,) in con.execute(typed_sql("t", types)).fetchall()]


@pytest.mark.parametrize(
    ("cells", "kind", "values"),
    [
        (["1", "-5", "0", ""], "BIGINT", [1, -5, 0, None]),
        (["9223372036854775807", "-9223372036854775808"], "BIGINT", [2**63 - 1, -(2**63)]),
        (["1.5", "2", ".5", "-0.25"], "DOUBLE", [1.5, 2.0, 0.5, -0.25]),
        (["0.30000000000000004"], "DOUBLE", [0.1 + 0.2]),
        (["1e-05", "2.5E+10"], "DOUBLE", [1e-05, 2.5e10]),
        (["100000000000000000000.0", "0.00012345678901234567"], "DOUBLE", [1e20, 1.2345678901234567e-4]),
        (["0.0", "0." + "0" * 400, "1" + "0" * 308 + ".0"], "DOUBLE", [0.0, 0.0, 1e308]),
        (["true", "FALSE", ""], "BOOLEAN", [True, False, None]),
        (["2020-02-29", ""], "DATE", [dt.date(2020, 2, 29), None]),
        (["2020-01-01 10:00"], "TIMESTAMP", [dt.datetime(2020, 1, 1, 10)]),
        (["2020-01-01T10:00:00.25"], "TIMESTAMP", [dt.datetime(2020, 1, 1, 10, 0, 0, 250000)]),
        (["2020-01-01T10:00:00Z"], "TIMESTAMP", [dt.datetime(2020, 1, 1, 10)]),
    ],
)  # fmt: skip
def test_a_type_where_every_cell_is_sure(con, cells, kind, values):
    assert typed(con, cells) == (kind, values)


@pytest.mark.parametrize(
    "cells",
    [
        ["01"], ["-0"], ["+5"], ["5."], ["1_000"], [" 5"], ["5\n"], ["1E5"], ["1e5"], ["1,5"], ["nan"], ["inf"],
        ["9223372036854775808"], ["-9223372036854775809"], ["0.300000000000000041"], ["1.0e+400"], ["1.5e-400"],
        ["1" + "0" * 400 + ".0"], ["-1" + "0" * 400 + ".0"], ["0." + "0" * 400 + "1"], ["0." + "0" * 322 + "123"],
        ["1.5", "1234567890123456"], ["1", "x"], ["1", "true"], ["t"], ["yes"], ["true", "0"],
        ["2020-02-30"], ["2020-1-1"], ["0000-01-01"], ["01/02/2020"], ["03/04/2020"], ["16-07-68"],
        ["2020-01-01", "2020-01-01 10:00"], ["2020-01-01T10:00Z", "2020-01-01T10:00"], ["2020-01-01 24:00"],
        ["2020-01-01T10:00:00+02:00"], ["2020-01-01 10:00:00.1234567"], ["10:00"],
        ["12345678901234567890"], ["01220"], ["41_10_1"], ["1.299,99"], ["-$3"], ["($3)"], ["12 %"], ["NA"], ["null"],
    ],
)  # fmt: skip
def test_whatever_is_doubtful_stays_exact_text(con, cells):
    assert typed(con, cells) == ("VARCHAR", cells)


def test_a_column_without_text_is_varchar(con):
    assert typed(con, ["", None]) == ("VARCHAR", [None, None])


def test_one_odd_cell_in_the_last_row_decides(con):
    assert typed(con, [*map(str, range(50_000)), "050"])[0] == "VARCHAR"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.floats(allow_nan=False, allow_infinity=False, width=64), min_size=1, max_size=20))
def test_doubles_come_back_exactly_or_stay_text(con, numbers):
    kind, values = typed(con, list(map(repr, numbers)))
    assert kind == "VARCHAR" or values == numbers


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-(10**20), 10**20), min_size=1, max_size=20))
def test_integers_come_back_exactly_or_stay_text(con, numbers):
    kind, values = typed(con, list(map(str, numbers)))
    assert kind == ("BIGINT" if all(-(2**63) <= n < 2**63 for n in numbers) else "VARCHAR")
    assert [int(value) for value in values] == numbers


def test_names_that_look_like_sql_words(con):
    names = ["cell", "shown", "fixed", 'a "cell" b', "rowid"]
    load_records(con, "t", names, [["1", "2.5", "x", "true", "7"]])
    types = safe_types(con, "t", names)
    assert list(types.values()) == ["BIGINT", "DOUBLE", "VARCHAR", "BOOLEAN", "BIGINT"]
    assert con.execute(typed_sql("t", types)).fetchall() == [(1, 2.5, "x", True, 7)]


def test_inputs_are_two_tables_each(tmp_path):
    (tmp_path / "input_01.csv").write_text("id,zip,n\n1,01220,\n2,01221,3\n")
    (tmp_path / "in put.jsonl").write_text('{"a": 1, "b": "NA"}\n')
    with duckdb.connect() as con:
        first, second = load_inputs(con, [tmp_path / "input_01.csv", tmp_path / "in put.jsonl"])
        assert (first.name, second.name) == ("raw_input_01", "raw_in put")
        assert con.execute("SELECT *, rowid FROM raw_input_01").fetchall() == [
            ("1", "01220", "", 0),
            ("2", "01221", "3", 1),
        ]
        assert con.execute("SELECT *, rowid FROM input_01").fetchall() == [(1, "01220", None, 0), (2, "01221", 3, 1)]
        assert con.execute('SELECT * FROM "in put"').fetchall() == [(1, "NA")]


@pytest.mark.parametrize("names", [("a/x.csv", "b/X.tsv"), ("a/x.csv", "a/raw_x.csv")])
def test_inputs_that_would_share_a_table(tmp_path, names):
    for name in names:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("a\n1\n")
    with duckdb.connect() as con, pytest.raises(InputError, match="rename one of the files"):
        load_inputs(con, [tmp_path / name for name in names])


def test_a_table_of_a_thousand_columns(tmp_path):
    path = tmp_path / "wide.csv"
    path.write_text(",".join(f"c{i}" for i in range(1000)) + "\n" + ",".join(['"1\n"'] + ["1"] * 999) + "\n")
    table = read(path)
    assert table.types() == {f"c{i}": "BIGINT" if i else "VARCHAR" for i in range(1000)}

"""What the scripts of a workflow may give back: one fixture a case, its first line says what comes of it."""

import re
from pathlib import Path

import pyarrow as pa
import pytest
from script_here import TABLE, run_here

from prepsql.sandbox import Status

SCRIPTS = Path(__file__).resolve().parent.parent / "fixtures" / "sandbox" / "scripts"


@pytest.mark.parametrize("path", sorted(SCRIPTS.glob("*/*")), ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_script(path):
    code = path.read_text(encoding="utf-8")
    status, _, says = re.match(r"(?:#|--) expect: (.*)", code)[1].partition(" ")
    report, table = run_here(path.parent.name, code)
    assert report.status == status, report.message
    if status == Status.OK and path.parent.name == "scalar":
        assert (table.column_names, str(table["value"].type)) == (["value"], says)
    elif status == Status.OK:
        assert ", ".join(f"{field.name}: {field.type}" for field in table.schema) == says
    else:
        assert table is None
        assert re.search(says, report.message), report.message
        assert len(report.message) < 1000


@pytest.mark.parametrize(
    ("returns", "value", "says"),
    [
        ("BIGINT", "1", "int64"),
        ("BIGINT", "1.0", "gives float in row 1, but BIGINT is wanted"),
        ("BIGINT", "True", "gives bool in row 1"),
        ("DOUBLE", "1", "double"),
        ("DOUBLE", "'1'", "gives str in row 1, but DOUBLE is wanted"),
        ("VARCHAR", "'a' if row['id'] > 1 else None", "string"),
        ("VARCHAR", "row['id']", "gives int in row 1, but VARCHAR is wanted"),
        ("BOOLEAN", "row['paid']", "bool"),
        ("DATE", "row['day']", "date32[day]"),
        ("DATE", "__import__('datetime').datetime(2024, 1, 1)", "gives datetime in row 1, but DATE is wanted"),
        ("TIMESTAMP", "__import__('datetime').datetime(2024, 1, 1)", "timestamp[us]"),
        ("TIMESTAMP", "__import__('datetime').datetime.now(__import__('datetime').UTC)", "a datetime with a time zone"),
        ("DATE", "None", "date32[day]"),
        ("VARCHAR", "float('nan')", "string"),
        ("BIGINT", "2**70", "holds a value that doesn't fit int"),
    ],
)
def test_the_type_wanted_is_kept(returns, value, says):
    report, table = run_here("scalar", f"def transform(row):\n    return {value}", returns=returns)
    if table is None:
        assert says in report.message
    else:
        assert str(table["value"].type) == says


def test_a_function_of_one_row_gets_plain_values():
    report, table = run_here(
        "scalar", "def transform(row):\n    return ' '.join(type(v).__name__ for v in row.values())"
    )
    assert report.status == Status.OK, report.message
    assert table["value"].to_pylist() == [
        "int int date str bool",
        "int NoneType date str NoneType",
        "int int date str bool",
    ]


def test_an_error_far_down_names_its_row():
    table = pa.table({"n": range(25_000)})
    report, _ = run_here("scalar", "def transform(row):\n    return 1 // (row['n'] - 23456)", table)
    assert report.message.startswith("row 23457 (n=23456): ZeroDivisionError")


def test_no_rows_are_no_fault():
    empty = TABLE.slice(0, 0)
    for kind, code in (("python", "def transform(df, pd, np):\n    return df"), ("sql", "SELECT * FROM df")):
        report, table = run_here(kind, code, empty)
        assert report.status == Status.OK, report.message
        assert (table.num_rows, table.column_names) == (0, TABLE.column_names)
    assert run_here("scalar", "def transform(row):\n    return 1", empty, "BIGINT")[1].num_rows == 0


def test_columns_that_sql_cannot_tell_apart_are_named():
    report, _ = run_here("sql", "SELECT 1 AS a", pa.table({"a": [1], "A": [2]}))
    assert (
        report.message == "table 'df' has columns 'a' and 'A', which SQL can't tell apart: rename one before the script"
    )

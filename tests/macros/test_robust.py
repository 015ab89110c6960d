"""No value makes a macro raise: garbage is null."""

import math
from datetime import date, datetime

import duckdb
import pytest
import sqlglot

from prepsql.macros import library
from prepsql.macros.library import INNER

# what each type can hold that is out of the ordinary
ODD = {
    "VARCHAR": [
        "",
        " ",
        "\x00",
        "a\x00b",
        "💩👩\u200d🚀",
        "\u0301",
        "é" * 3000,
        "9" * 400,
        "-" * 50,
        "1e400",
        "nan",
        "-inf",
        "infinity",
        "0000-00-00",
        "2024-02-30",
        "9999-12-31",
        "5881580-07-10",
        "290309-12-22 (BC)",
        "99:99",
        "2024-01-01T99:99:99+99:99",
        "1:00+99:99",
        "5/3/2024 10:00 -9999",
        "%",
        "\\1",
        "(((",
        "[",
        "*",
        "+",
        "1-",
        "00",
        "١٢",
        "𝟙",
        "<a",
        "&amp;",
        "@",
        "x@",
        "ǅ",
        "ß",
        "İ",
        "١٠/٠٣/٢٠٢٤",
        "\u2028",
        "\ufeff",
        "1/1/1",
        "١",
        "IIII",
        "-9223372036854775809",
        "2958465.999999",
        None,
    ],
    "DOUBLE": [
        0.0,
        -0.0,
        1e308,
        -1e308,
        5e-324,
        math.nan,
        math.inf,
        -math.inf,
        2.0**63,
        -(2.0**63),
        1e17,
        60.0,
        2958465.9999999,
        None,
    ],
    "BIGINT": [0, -1, 2**63 - 1, -(2**63) + 1, 10**11, 10**14, 10**17, 59, 60, None],
    "DATE": [date(1, 1, 1), date(9999, 12, 31), date(2000, 2, 29), None],
    "TIMESTAMP": [datetime(1, 1, 1), datetime(9999, 12, 31, 23, 59, 59, 999_999), None],
}
PUBLIC = [macro.name for macro in library().values() if macro.topic not in INNER]


def over_a_column(name):
    """Return calls of a macro, as in its examples, with the first argument, and all of them, from a column x."""
    for call, _ in library()[name].examples:
        tree = sqlglot.parse_one(call, dialect="duckdb")
        if tree.name.lower() == name:
            break
    arguments = tree.expressions
    arguments[0].replace(sqlglot.exp.column("x"))
    return tree.sql(dialect="duckdb")


@pytest.mark.parametrize("name", PUBLIC)
def test_no_value_raises(con, name):
    call = over_a_column(name)
    taken = 0
    for kind, values in ODD.items():
        query = f"SELECT {call} FROM (SELECT unnest(?::{kind}[]) AS x)"
        try:
            con.execute(f"DESCRIBE SELECT {call} FROM (SELECT NULL::{kind} AS x)").fetchall()
        except duckdb.BinderException:
            continue  # not a type for it, which is said before any row
        assert len(con.execute(query, [values]).fetchall()) == len(values)
        taken += 1
    assert taken

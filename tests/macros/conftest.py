"""What the tests of this room share."""

import duckdb
import pytest

from prepsql.macros import install


@pytest.fixture(scope="session")
def con():
    with duckdb.connect() as con:
        install(con)
        yield con


@pytest.fixture(scope="session")
def column(con):
    """Evaluate an expression over a column x (and, where rows are tuples, y and z) of one type each."""

    def column(expression, values, *types):
        types = types or ("VARCHAR",)
        rows = [value if len(types) > 1 else (value,) for value in values]
        names = "xyz"[: len(types)]
        cells = ", ".join(f"unnest(?::{kind}[]) AS {name}" for name, kind in zip(names, types, strict=True))
        listed = [list(part) for part in zip(*rows, strict=True)]
        return [got for (got,) in con.execute(f"SELECT {expression} FROM (SELECT {cells})", listed).fetchall()]

    return column

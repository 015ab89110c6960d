"""The same table for pandas and for DuckDB, and the same value of both."""

import datetime
import math
import re
from collections.abc import Iterable
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import pyarrow as pa

from prepsql.macros.library import install, library
from prepsql.sqltext import quote
from prepsql.workflow.pandas_text import Translated, translate_expression
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

FIXTURES = Path(__file__).resolve().parents[2] / "fixtures" / "exchange"
FAMILIES = {
    "BIGINT": "integer",
    "DOUBLE": "float",
    "VARCHAR": "text",
    "TIMESTAMP": "timestamp",
    "BOOLEAN": "boolean",
}


def lines(name: str) -> list[str]:
    """The lines of a fixture file without its comments."""
    text = (FIXTURES / name).read_text(encoding="utf-8")
    return [line for line in text.splitlines() if line and not line.startswith("#")]


def orders() -> pd.DataFrame:
    return pd.read_csv(FIXTURES / "orders.csv", parse_dates=["day", "due"])


MACROS = [name for name in library() if name.startswith(("python_", "pandas_", "numpy_")) or name == "strip_space"]


def connect() -> duckdb.DuckDBPyConnection:
    """A database with the macros that translations call."""
    con = duckdb.connect(config={"threads": 1})
    install(con, MACROS)
    return con


def load(con: duckdb.DuckDBPyConnection, df: pd.DataFrame) -> None:
    """Make the table df, with its rows' order in row_order."""
    table = pa.Table.from_pandas(df, preserve_index=False)
    con.register("arrow_df", table)
    casts = [f"{quote(c)}::TIMESTAMP AS {quote(c)}" if df[c].dtype.kind == "M" else quote(c) for c in df.columns]
    con.execute(
        f"CREATE OR REPLACE TABLE df AS SELECT {', '.join(casts)}, row_number() OVER () AS row_order FROM arrow_df"
    )


def families(df: pd.DataFrame) -> dict[str, Value]:
    kinds = {"i": "integer", "f": "float", "M": "timestamp", "b": "boolean", "O": "text"}
    return {
        c: Value(column_name(c), kinds[df[c].dtype.kind], nullable=df[c].dtype.kind not in "ib") for c in df.columns
    }


def by_pandas(text: str, df: pd.DataFrame) -> list[object]:
    """What pandas makes of an expression."""
    result = eval(text, {"df": df.copy(), "pd": pd, "np": np, "math": math, "re": re})
    if isinstance(result, pd.DataFrame):
        result = result[result.columns[0]]
    return [plain(v) for v in pd.Series(result).tolist()]


def translated(text: str, df: pd.DataFrame, **options: bool) -> Translated:
    return translate_expression(text, families(df), order="row_order", **options)


def by_sql(text: str, df: pd.DataFrame, con: duckdb.DuckDBPyConnection) -> list[object]:
    """What DuckDB makes of its translation."""
    sql = translated(text, df).sql
    rows = con.execute(f"SELECT {sql} FROM df ORDER BY row_order").fetchall()
    return [plain(row[0]) for row in rows]


def plain(value: object) -> object:
    """A value as a plain Python one; whatever is null is None."""
    if value is None or (not isinstance(value, (list, str)) and pd.isna(value)):
        return None
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, float, np.number)):
        return float(value)
    if isinstance(value, pd.Timestamp):
        return value.to_pydatetime()
    if isinstance(value, datetime.date) and not isinstance(value, datetime.datetime):
        return datetime.datetime(value.year, value.month, value.day)
    return value


def same(left: Iterable[object], right: Iterable[object]) -> bool:
    return all(
        a == b or (isinstance(a, float) and isinstance(b, float) and math.isclose(a, b, rel_tol=1e-9, abs_tol=1e-12))
        for a, b in zip(left, right, strict=True)
    )

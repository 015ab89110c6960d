"""Run one SELECT over a step's tables, in a DuckDB that can reach nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from prepsql.sandbox import exchange
from prepsql.sandbox.child import sql
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.script import query
from prepsql.sandbox.outcome import Limits, Status
from prepsql.sqltext import create_as, select


def run(text: str, folder: Path, limits: Limits, names: Sequence[str]) -> Report:
    """Run the query and leave its table in `folder`; raise Fault for its errors."""
    sys.setrecursionlimit(sql.DEPTH)
    with sql.connect(folder, limits) as con:
        for name, file in zip(names, exchange.files(folder / "inputs", len(names)), strict=True):
            load(con, name, exchange.read(file))
        statement = query(con, text, {name.lower() for name in names})
        con.execute(sql.LOCK)
        try:
            table = con.sql(statement.text).to_arrow_table()
        except (duckdb.Error, RuntimeError, MemoryError) as failure:
            raise Fault(sql.explain(con, statement, failure)) from None
    exchange.write(_carried(table), folder / "out" / exchange.RESULT)
    return Report(Status.OK)


def load(con: duckdb.DuckDBPyConnection, name: str, table: pa.Table) -> None:
    """Make a table of DuckDB's own, which has row numbers; raise Fault where SQL can't tell two columns apart."""
    seen: dict[str, str] = {}
    for column in table.column_names:
        if column.lower() in seen:
            twins = f"{seen[column.lower()]!r} and {column!r}"
            message = f"table {name!r} has columns {twins}, which SQL can't tell apart: rename one before the script"
            raise Fault(Report(Status.FAILED, message))
        seen[column.lower()] = column
    con.register("prepsql_given", table)
    con.execute(create_as(name, select(["*"], "prepsql_given")))
    con.unregister("prepsql_given")


def _carried(table: pa.Table) -> pa.Table:
    columns: dict[str, pa.ChunkedArray] = {}
    for name, values in zip(table.column_names, table.columns, strict=True):
        if name in columns:
            raise Fault(Report(Status.FAILED, f"column {name!r} comes twice: give one another name with AS"))
        kind = values.type
        if pa.types.is_dictionary(kind):
            values = values.cast(kind.value_type)
        elif pa.types.is_null(kind):
            values = values.cast(pa.string())
        elif pa.types.is_timestamp(kind) and kind.tz:
            values = values.cast(pa.timestamp(kind.unit, "UTC"))
        if not exchange.carried(values.type):
            raise Fault(
                Report(Status.FAILED, f"column {name!r} is {kind}, which no table can carry: CAST it AS VARCHAR")
            )
        columns[name] = values
    return pa.table(columns)

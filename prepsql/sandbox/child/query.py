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
            table = _bound(con, statement.text).to_arrow_table()
        except (duckdb.Error, RuntimeError, MemoryError) as failure:
            raise Fault(sql.explain(con, statement, failure)) from None
    exchange.write(_result(table), folder / "out" / exchange.RESULT)
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


def _bound(con: duckdb.DuckDBPyConnection, text: str) -> duckdb.DuckDBPyRelation:
    try:
        return con.sql(text)
    except duckdb.Error:
        con.execute(text)  # whose message says the line too
        raise


def _result(table: pa.Table) -> pa.Table:
    names = table.column_names
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        raise Fault(Report(Status.FAILED, f"two columns are called {twice!r}: give one another name with AS"))
    try:
        return exchange.plain(table)
    except exchange.Uncarried as reason:
        raise Fault(Report(Status.FAILED, f"{reason}: CAST it AS VARCHAR")) from None

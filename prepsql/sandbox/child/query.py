"""Run one SELECT over a step's tables, in a DuckDB that can reach nothing else."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

import duckdb
import pyarrow as pa

from prepsql.macros import install, named_in
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
        install(con, named_in(text))
        _distinct(names, "two tables are called")
        spare = "_".join(["given", *names])  # longer than each name, so none of them
        for name, file in zip(names, exchange.files(folder / "inputs", len(names)), strict=True):
            table = exchange.read(file)
            _distinct(table.column_names, f"table {name!r} has columns")
            con.register(spare, table)
            con.execute(create_as(name, select(["*"], spare)))  # a table of its own has row numbers
            con.unregister(spare)
        install(con, named_in(text))
        statement = query(con, text, {name.lower() for name in names})
        con.execute(sql.LOCK)
        try:
            table = _result(_bound(con, statement.text).to_arrow_table())
            exchange.write(table, folder / "out" / exchange.RESULT)
        except (duckdb.Error, RuntimeError, MemoryError, OSError) as failure:
            raise Fault(sql.explain(con, statement, failure)) from None
    return Report(Status.OK)


def _distinct(names: Sequence[str], what: str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        twin = seen.setdefault(name.lower(), name)
        if twin != name:
            message = f"{what} {twin!r} and {name!r}, which SQL can't tell apart: rename one before the script"
            raise Fault(Report(Status.FAILED, message))


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

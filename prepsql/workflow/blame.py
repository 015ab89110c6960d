"""Which step of a chain failed, and on which rows."""

from __future__ import annotations

import json
from string import Template
from typing import Any

import duckdb

from prepsql.errors import MemoryLimitError, WorkflowError
from prepsql.sqltext import create_as, drop, quote
from prepsql.workflow.compile import Chain, Compiled
from prepsql.workflow.describe import with_ctes
from prepsql.workflow.expression import parse
from prepsql.workflow.operators.base import Scope

_MOST = 5
_CANDIDATES = 200
_TRY = Template("SELECT rowid FROM $table WHERE TRY(($text)) IS NULL LIMIT $most")
_ONE = Template("SELECT ($text) FROM $table WHERE rowid = $row")
_SHOW = Template("SELECT $columns FROM $table WHERE rowid = $row")


def explain(con: duckdb.DuckDBPyConnection, chain: Chain, name: str, failure: duckdb.Error) -> WorkflowError:
    """Return the error of a chain that ends in step `name`: the step at fault, its SQL, the cause, up to five rows.

    The steps are made tables one after the other until one fails; that is what it costs to know.
    """
    cause = " ".join(str(failure).split("\nLINE")[0].split())
    if isinstance(failure, duckdb.OutOfMemoryException):
        return MemoryLimitError(f"step '{name}', or one before it: {cause}")
    made: list[str] = []
    try:
        for compiled in chain.ancestors(name):
            try:
                con.execute(create_as(f"blame {compiled.step.name}", _over(compiled, made))).fetchall()
            except duckdb.Error as wrong:
                return _error(con, compiled, made, chain, wrong)
            made.append(compiled.step.name)
    except duckdb.Error:
        pass  # what it was stands in `failure`
    finally:
        for step in made:
            con.execute(drop(f"blame {step}")).fetchall()
    return WorkflowError(f"step '{name}': {cause}")


def _over(compiled: Compiled, made: list[str]) -> str:
    """Return a step's SELECT over the tables that stand for those before it."""
    sources = [source for source in dict.fromkeys(compiled.step.inputs.values()) if source in made]
    ctes = [
        Template("$name AS (SELECT * FROM $table)").substitute(name=quote(s), table=quote(f"blame {s}"))
        for s in sources
    ]
    return with_ctes(ctes, compiled.sql) if ctes else compiled.sql


def _error(
    con: duckdb.DuckDBPyConnection, compiled: Compiled, made: list[str], chain: Chain, failure: duckdb.Error
) -> WorkflowError:
    step = compiled.step
    cause = " ".join(str(failure).split("\nLINE")[0].split())
    message = f"step '{step.name}': {cause}"
    source = step.inputs.get("in", "")
    table = f"blame {source}" if source in made else source
    rows: list[dict[str, Any]] = []
    if source and step.operator:
        scope = Scope(step.name, {"in": chain.done[source].relation})
        for text in step.operator.expressions(scope):
            if text.columns is None or set(map(str.lower, text.columns)) >= parse(text.text).names:
                rows = _rows(con, table, text.text)
            if rows:
                message = f"step '{step.name}', {text.parameter}: {cause}"
                break
    if rows:
        message += f"; rows: {', '.join(json.dumps(row, default=str, ensure_ascii=False) for row in rows)}"
    return WorkflowError(f"{message}; its SQL: {' '.join(compiled.sql.split())}")


def _rows(con: duckdb.DuckDBPyConnection, table: str, text: str) -> list[dict[str, Any]]:
    """Return the columns that an expression names, of up to five rows on which it fails."""
    found = parse(text)
    if found.windows or found.fault:
        return []
    try:
        query = _TRY.substitute(table=quote(table), text=text, most=_CANDIDATES)
        candidates = con.execute(query).fetchall()
    except duckdb.Error:
        return []
    columns = sorted({parts[0] for parts, _, _ in found.columns})
    rows: list[dict[str, Any]] = []
    for (row,) in candidates:
        try:
            con.execute(_ONE.substitute(text=text, table=quote(table), row=row)).fetchall()
        except duckdb.Error:
            show = _SHOW.substitute(columns=", ".join(map(quote, columns)) or "rowid", table=quote(table), row=row)
            rows.append(dict(zip(columns or ["row"], con.execute(show).fetchall()[0], strict=True)))
        if len(rows) == _MOST:
            break
    return rows

"""Which step of a chain failed, and on which rows."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from string import Template
from typing import Any

import duckdb

from prepsql.errors import MemoryLimitError, WorkflowError
from prepsql.sqltext import create_as, drop, quote
from prepsql.workflow.compile import Chain, Compiled
from prepsql.workflow.describe import with_ctes
from prepsql.workflow.document import Step
from prepsql.workflow.expression import parse
from prepsql.workflow.operators.base import Operator, Scope, Text
from prepsql.workflow.relation import HIDDEN, Demand, Relation
from prepsql.workflow.render import render
from prepsql.workflow.wording import cause

_MOST = 5
_WIDE = 200
_PART = "blame part"
# TRY gives null where the expression fails, and a hash is never null itself
_FAILS = Template("SELECT rowid FROM $table WHERE TRY(hash(($text\n))) IS NULL ORDER BY rowid LIMIT $most")
_PROBE = Template("SELECT max(hash(($text\n))) FROM $table WHERE rowid >= $start AND rowid < $end")
_SHOW = Template("SELECT $cells FROM $table WHERE rowid IN ($rows) ORDER BY rowid")


def explain(con: duckdb.DuckDBPyConnection, chain: Chain, name: str, failure: duckdb.Error) -> WorkflowError:
    """Return the error of a chain that ends in step `name`: the step at fault, its SQL, the cause, up to five rows.

    The steps are made tables one after the other until one fails; that is what it costs to know.
    """
    reason = cause(failure)
    if isinstance(failure, duckdb.OutOfMemoryException):
        return MemoryLimitError(f"step '{name}', or one before it: out of memory, {reason}")
    made: list[str] = []
    if isinstance(failure, duckdb.InterruptException):
        return WorkflowError(f"step '{name}', or one before it: {reason}")
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
        for table in (*(f"blame {step}" for step in made), _PART):
            con.execute(drop(table)).fetchall()
    return WorkflowError(f"step '{name}': {reason}")


def _over(compiled: Compiled, made: list[str]) -> str:
    """Return a step's SELECT over the tables that stand for those before it."""
    sources = [source for source in dict.fromkeys(compiled.step.inputs.values()) if source in made]
    ctes = [
        Template("$name AS (SELECT * FROM $table)").substitute(name=quote(s), table=quote(f"blame {s}"))
        for s in sources
    ]
    return with_ctes(ctes, compiled.sql) if ctes else compiled.sql


def cells_error(con: duckdb.DuckDBPyConnection, name: str, types: Mapping[str, str]) -> WorkflowError:
    """Return the error of a table whose cells don't fit the types that a step declares for its columns."""
    for column, kind in types.items():
        text = Template("CAST($cell AS $kind)").substitute(cell=quote(column), kind=kind)
        rows = _rows(con, name, text, [column], "rowid + 1")
        if rows:
            return WorkflowError(f"step '{name}', columns.{column}: cells that aren't {kind}; rows: {_shown(rows)}")
    return WorkflowError(f"step '{name}', columns: what the code returns doesn't fit the declared types")


def _error(
    con: duckdb.DuckDBPyConnection, compiled: Compiled, made: list[str], chain: Chain, failure: duckdb.Error
) -> WorkflowError:
    """Return the error of a step, with the expression at fault where one by itself fails on some rows."""
    step = compiled.step
    place, rows = "", ""
    if step.operator and "in" in step.inputs:
        source = step.inputs["in"]
        relation = chain.done[source].relation
        for text in (*step.operator.calls(Scope(step.name, {"in": relation})), *_texts(step.operator, relation)):
            table = _before(con, step, text.parameter, relation, f"blame {source}" if source in made else source)
            number = "" if "promote_header" in step.params or text.parameter == "having" else _number(relation, chain)
            found = _rows(con, table, text.text, sorted(_columns(text.text)), number) if table else []
            if found:
                place, rows = f", {text.parameter}", f"; rows: {_shown(found)}"
                break
        else:
            texts = _texts(step.operator, relation)
            place = f", {texts[0].parameter}" if len(texts) == 1 else ""
    elif "condition" in step.params:
        place = ", condition"
    sql = " ".join(compiled.sql.split())
    return WorkflowError(f"step '{step.name}'{place}: {cause(failure)}{rows}; its SQL: {sql}")


def _texts(operator: Operator, relation: Relation) -> list[Text]:
    return list(operator.expressions(Scope("", {"in": relation})))


def _columns(text: str) -> set[str]:
    return {parts[-1] for parts, _, _ in parse(text).columns}


def _before(con: duckdb.DuckDBPyConnection, step: Step, parameter: str, relation: Relation, table: str) -> str:
    """Return the table that a parameter's expression sees, '' where what comes before fails too."""
    assert step.operator is not None
    earlier = step.operator.before(parameter)
    if earlier is None:
        return table
    sql = render(earlier.lower(Scope(step.name, {"in": relation}, Demand.ROWS)).shape)
    cte = Template("$name AS (SELECT * FROM $table)").substitute(name=quote(relation.name), table=quote(table))
    try:
        con.execute(create_as(_PART, with_ctes([cte], sql))).fetchall()
    except duckdb.Error:
        return ""
    return _PART


def _number(relation: Relation, chain: Chain) -> str:
    """Return the expression for a row's number in the file that it comes from, '' where it isn't at hand."""
    if chain.steps[relation.name].kind == "input":
        return "rowid + 1"
    key = relation.order[0].column if len(relation.order) == 1 else ""
    came_from_file = key.removeprefix(HIDDEN) in chain.steps and key in relation.hidden
    return f"{quote(key)} + 1" if came_from_file else ""


def _rows(
    con: duckdb.DuckDBPyConnection, table: str, text: str, columns: Sequence[str], number: str
) -> list[dict[str, Any]]:
    """Return up to five rows on which an expression fails: their number where `number` gives it, and `columns`."""
    found = parse(text)
    if found.windows or found.fault or found.aggregates:
        return []
    names = [*(["row"] if number else []), *columns]
    cells = ", ".join([*([number] if number else []), *map(quote, columns)])
    query = _FAILS.substitute(table=quote(table), text=text, most=_MOST)
    try:
        failing = [row for (row,) in con.execute(query).fetchall()]
    except duckdb.Error:
        failing = list(_halved(con, table, text))
    try:
        query = _SHOW.substitute(cells=cells or "rowid", table=quote(table), rows=", ".join(map(str, failing)))
        rows = con.execute(query).fetchall() if failing and cells else []
    except duckdb.Error:
        return []
    return [dict(zip(names, row, strict=True)) for row in rows]


def _halved(con: duckdb.DuckDBPyConnection, table: str, text: str) -> Iterator[int]:
    """Yield the first rows on which an expression fails, by halves: TRY lets overflows and error() through."""

    def fails(start: int, end: int) -> bool:
        query = _PROBE.substitute(table=quote(table), text=text, start=start, end=end)
        try:
            con.execute(query).fetchall()
        except duckdb.Error:
            return True
        return False

    start, last = 0, con.table(quote(table)).count("*").fetchall()[0][0]
    for _ in range(_MOST):
        if not fails(start, last):
            return
        low, high = start, last
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if fails(low, middle) else (middle, high)
        yield low
        start = low + 1


def _shown(rows: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(_short(json.dumps(row, default=str, ensure_ascii=False)) for row in rows)


def _short(text: str) -> str:
    return text if len(text) <= _WIDE else text[: _WIDE - 1] + "…"

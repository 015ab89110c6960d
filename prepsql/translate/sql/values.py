"""VALUES: rows that stand in the query become an input step's data."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from string import Template
from typing import Any

import duckdb

from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.engine import engine

_PLAIN = {"VARCHAR", "BIGINT", "INTEGER", "DOUBLE", "BOOLEAN"}
_VALUES = Template("SELECT * FROM (VALUES $rows) AS given")


def inline(ctx: Context, rows: Sequence[Sequence[Node]], names: Sequence[str]) -> Rows:
    """Add the input step of VALUES, columns called as `names` say, else col0, col1, …; return its rows."""
    if not rows:
        raise Unsayable("VALUES without rows")
    lens = Lens(ctx.text, _no_column)
    listed = ", ".join("(" + ", ".join(lens.write(cell) for cell in row) + ")" for row in rows)
    called = [names[i] if i < len(names) else f"col{i}" for i in range(len(rows[0]))]
    return constant(ctx, _VALUES.substitute(rows=listed), called, ctx.wanted or "values")


def constant(ctx: Context, query: str, names: Sequence[str], wanted: str) -> Rows:
    """Add the input step of a query without tables; return its rows."""
    try:
        found = engine().sql(query)
        cells = found.fetchall()
        types = [str(kind) for kind in found.types]
    except duckdb.Error as bad:
        raise Unsayable(f"VALUES that fail ({' '.join(str(bad).split())[:80]})") from bad
    known = [kind if any(row[i] is not None for row in cells) else "" for i, kind in enumerate(types)]
    data = [{name: _json(cell) for name, cell in zip(names, row, strict=True)} for row in cells]
    if not data:
        raise Unsayable("a table without rows")
    step = ctx.steps.add_data(data, wanted)
    types_there = ctx.steps.types(step)
    casts = [
        {"col": name, "type": kind}
        for name, kind, told in zip(names, types, known, strict=True)
        if types_there[name] != kind and (kind not in _PLAIN or not told) and kind != '"NULL"'
    ]
    if casts:
        step = ctx.steps.add("project", {"cast": casts}, {"in": step}, f"typed_{step}")
    return Rows(step, tuple(Column(name, "", name) for name in names))


def _no_column(node: Node) -> str:
    raise Unsayable("VALUES that name columns")


def _json(cell: Any) -> Any:
    if cell is None or isinstance(cell, bool | int | str):
        return cell
    if isinstance(cell, float):
        return cell if cell == cell and abs(cell) != float("inf") else str(cell)
    if isinstance(cell, datetime.date | datetime.datetime | datetime.time):
        return cell.isoformat(sep=" ") if isinstance(cell, datetime.datetime) else cell.isoformat()
    if isinstance(cell, list | dict | tuple | bytes | datetime.timedelta):
        raise Unsayable("VALUES of lists, structures or intervals")
    return str(cell)

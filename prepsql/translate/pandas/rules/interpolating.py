"""Nulls filled by a line between the values before and after."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, Rows, SeriesSymbol, Symbol
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.pandas_text.windows import Window

_BEFORE, _AFTER = "ROWS UNBOUNDED PRECEDING", "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"


def between(rows: Rows, value: Value, keys: Sequence[Value], direction: str = "forward", order: str = "") -> Value:
    """Return the values with each null on the line between its neighbours; after the last one that stays on.

    With direction 'both' the first one holds before it too. The line goes by the places of rows.
    """
    if not value.nullable:
        return value
    x = rows.define("value", number(value.exact(), "interpolate"))
    over = Window(order, tuple(keys), False)
    place = rows.define("place", Value(over.over("row_number()", rows=True), "integer", False))
    there = rows.define(
        "place_there", Value(bind("CASE WHEN x IS NOT NULL THEN p END", x=x.sql, p=place.sql), "integer")
    )
    parts = {}
    for name, function, frame in (("before", "last_value", _BEFORE), ("after", "first_value", _AFTER)):
        for what, one in (("", x), ("_place", there)):
            call = over.over(bind(f"{function}(x IGNORE NULLS)", x=one.sql), rows=True, frame=frame)
            parts[name + what] = rows.define(name + what, Value(call, one.family)).sql
    line = bind("v + (w - v) * (p - i) / (j - i)", v=parts["before"], w=parts["after"], p=place.sql,
                i=parts["before_place"], j=parts["after_place"])  # fmt: skip
    last = bind("v IS NOT NULL AND w IS NULL", v=parts["before"], w=parts["after"])
    whens = f"WHEN x IS NOT NULL THEN x WHEN {last} THEN {parts['before']}"
    if direction == "both":
        whens += f" WHEN {parts['before']} IS NULL THEN {parts['after']}"
    return Value(bind(f"(CASE {whens} ELSE l END)::DOUBLE", x=x.sql, l=line), "float")


def _direction(method: Any, limit_direction: Any, **more: Any) -> str:
    if method != "linear" or any(one is not None for one in more.values()):
        raise NotTranslatable("interpolate by another method")
    if limit_direction not in (None, "forward", "both"):
        raise NotTranslatable("interpolate backward")
    return str(limit_direction or "forward")


def of_column(
    hooks: Any, result: Any, symbol: SeriesSymbol, method: Any = "linear", *, limit_direction: Any = None,
    limit: Any = None, limit_area: Any = None,
) -> Symbol:  # fmt: skip
    """The nulls of a column."""
    direction = _direction(method, limit_direction, limit=limit, limit_area=limit_area)
    value = between(symbol.rows, symbol.value, (), direction)
    return replace(symbol, value=symbol.rows.define(symbol.name or "value", value))


def of_table(
    hooks: Any, result: Any, frame: FrameSymbol, method: Any = "linear", *, limit_direction: Any = None,
    limit: Any = None, limit_area: Any = None,
) -> Symbol:  # fmt: skip
    """The nulls of all columns."""
    direction = _direction(method, limit_direction, limit=limit, limit_area=limit_area)
    found = {x: frame.rows.define(x, between(frame.rows, value, (), direction)) for x, value in frame.columns.items()}
    return frame.with_columns(found)

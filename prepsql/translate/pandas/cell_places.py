"""Parts of a text at places that depend on the data."""

from __future__ import annotations

from typing import Any

from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbols import Cell, fails_unless, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made


def _counted(place: Value, size: str) -> str:
    """Return a place in a text as a number from 0 on: a negative one counts from the end."""
    if isinstance(place.constant, int) and place.constant >= 0:
        return str(place.constant)
    return bind("CASE WHEN x < 0 THEN greatest(x + n, 0) ELSE x END", x=place.sql, n=size)


def between(text: Value, start: Any, stop: Any) -> Cell:
    """Return the characters between places that depend on the data."""
    size = made("length(x)", "integer", text, x=text.sql).sql
    places = [value_thing(0 if start is None else start), value_thing(0 if stop is None else stop)]
    if text.family != "text" or any(one.family != "integer" or one.nullable for one in places):
        raise refuse("a slice at a place that is no whole number")
    low, high = (_counted(one, size) for one in places)
    if stop is None:
        return Cell(made("substr(x, a + 1)", "text", text, x=text.sql, a=low))
    if low == "0":
        return Cell(made("left(x, b)", "text", text, x=text.sql, b=high))
    return Cell(made("substr(x, a + 1, greatest(b - a, 0))", "text", text, x=text.sql, a=low, b=high))


def at(text: Value, place: Value) -> Cell:
    """Return the character at a place that depends on the data."""
    if text.family != "text" or place.family != "integer" or place.nullable:
        raise refuse("the character at a place that is no whole number")
    size = made("length(x)", "integer", text, x=text.sql).sql
    inside = made("i >= -n AND i < n", "boolean", text, nullable=False, i=place.sql, n=size)
    fails_unless(inside, IndexError)
    return Cell(made("substr(x, CASE WHEN i < 0 THEN i + n ELSE i END + 1, 1)", "text", text, nullable=False,
                     x=text.sql, i=place.sql, n=size))  # fmt: skip

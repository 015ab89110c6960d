"""Some of a group's rows by their places: the first, the last, those between, one of those that are the same."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from prepsql.translate.pandas.forks import refuse
from prepsql.workflow.pandas_text import windows
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Value

if TYPE_CHECKING:
    from prepsql.translate.pandas.groups import Part


def window(part: Part, more: Sequence[Value] = ()) -> windows.Window:
    """Return the window of a part's rows, in its order; the group's other rows have one of their own.

    With `more` columns it has the rows alone in which these are the same.
    """
    rows = part.group.frame.rows
    keys = [rows.define("key" if label is None else label, value) for label, value in part.group.keys]
    if part.mask is not None:
        keys.append(replace(rows.define("kept", part.mask), nullable=False))
    order = [
        replace(key, value=rows.define("order", key.value)) if has_window(key.value.sql) else key for key in part.order
    ]
    return windows.Window(", ".join(key.term() for key in order), (*keys, *more), part.group.dropna)


def number(part: Part, last: bool = False) -> Value:
    """Return the place of each row of a part among them, from 1 (or counted from the end)."""
    over = window(part)
    sql = over.over("row_number()", rows=True)
    if last:
        sql = f"{over.over('count(*)')} - {sql} + 1"
    return part.group.frame.rows.define("number", Value(sql, "integer", False))


def first(part: Part, n: object, last: bool = False) -> Part:
    """Return the first rows, or the last; all but so many of the others where n is negative."""
    if not isinstance(n, int):
        raise refuse("a number of rows that hangs on the data")
    if n >= 0:
        return part.where(Value(f"{number(part, last).sql} <= {n}", "boolean", False))
    return part.where(Value(f"{number(part, not last).sql} > {-n}", "boolean", False))


def at(part: Part, place: int) -> Part:
    """Return the one row at a place, counted from the end where it is negative."""
    found = number(part, place < 0)
    return part.where(Value(f"{found.sql} = {place + 1 if place >= 0 else -place}", "boolean", False))


def between(part: Part, key: slice) -> Part:
    """Return the rows of a slice of places."""
    if key.step not in (None, 1):
        raise refuse("rows of a group by a step")
    for bound in (key.start, key.stop):
        if bound is not None and not isinstance(bound, int):
            raise refuse("rows of a group up to a place that hangs on the data")
    found = part
    tests = []
    if key.stop is not None:
        place = number(part, key.stop < 0)
        tests.append(f"{place.sql} {'<=' if key.stop >= 0 else '>'} {abs(key.stop)}")
    if key.start:
        place = number(part, key.start < 0)
        tests.append(f"{place.sql} {'>' if key.start >= 0 else '<='} {abs(key.start)}")
    for test in tests:
        found = found.where(Value(test, "boolean", False))
    return found


def distinct(part: Part, values: Sequence[Value], keep: object = "first") -> Part:
    """Return one row of those in which some columns are the same: the first, the last; with False none of several."""
    rows = part.group.frame.rows
    over = window(part, [replace(rows.define("value", value), nullable=False) for value in values])
    if keep is False:
        sql = over.over("count(*)")
    elif keep in ("first", "last"):
        sql = over.over("row_number()", rows=True)
        sql = f"{over.over('count(*)')} - {sql} + 1" if keep == "last" else sql
    else:
        raise refuse("drop_duplicates of a group by this")
    seen = rows.define("seen", Value(sql, "integer", False))
    return part.where(Value(f"{seen.sql} = 1", "boolean", False))


def frequency(part: Part, value: Value) -> Value:
    """Return how often each row's value comes up among a part's rows."""
    rows = part.group.frame.rows
    value = rows.define("value", value)
    sql = window(part, [replace(value, nullable=False)]).over("count(*)")
    return rows.define("frequency", Value(sql, "integer", False))

"""What a dict that a loop fills has under a key before a row: what was stored last, the greatest, or anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Ending
from prepsql.translate.pandas.rows import Rows
from prepsql.translate.pandas.rules import state_runs
from prepsql.translate.pandas.symbols import value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, constant, made
from prepsql.workflow.pandas_text.windows import Window

_BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
_NOTHING = Value("NULL", "null", True)


def now_and_then(rows: Rows, key: Value, stores: Sequence[bool], endings: Sequence[Ending], mark: str) -> Value | None:
    """Return whether a key is there before a row, which only some ways store."""
    ways: dict[tuple[tuple[str, bool], ...], tuple[Way, bool]] = {}
    for each, one in zip(endings, stores, strict=True):
        plain = [(test, truth) for test, truth in each.conditions.decisions if mark not in test.sql]
        known = ways.setdefault(tuple((test.sql, truth) for test, truth in plain), (Way.of(plain), one))
        if known[1] is not one:
            return None
    # ways that only the state parts: what they have in common is all that is left of them
    for longer in sorted(ways, key=len, reverse=True):
        shorter = next((longer[:end] for end in range(len(longer)) if longer[:end] in ways), None)
        if shorter is not None:
            if ways[shorter][1] is not ways[longer][1]:
                return None
            del ways[longer]
    found = forks.one_value([(way, constant(one)) for way, one in ways.values()])
    found = rows.define("stores", replace(found, nullable=False))
    sql = f"count(*) FILTER (WHERE {found.sql}) OVER (PARTITION BY {key.sql} {_BEFORE})"
    number = rows.define("times", Value(sql, "integer", False))
    return made("x > 0", "boolean", number, nullable=False, x=number.sql)


def last(
    rows: Rows, key: Value, ways: Sequence[tuple[Way, Any]], start: Any, family: Family, marked: str, mark: str,
    there: Any,
) -> Value | Family | None:  # fmt: skip
    """Return what was stored last under a key, or the greatest or least; its family where that is another one.

    On ways that store nothing is what is carried; `there` says whether the key is there, where the program asks.
    """
    known = None if there is None else value_thing(there).sql
    ways = state_runs.whatever(ways, mark)
    chosen = any(marked in _text(one) for _, one in ways)
    if chosen or any(marked in test.sql for way, _ in ways for test, _ in way.decisions):
        absent = [] if known is None else [bind("NOT x", x=known), known]
        first = constant(start) if chosen and known is None and start is not None else None
        found = state_runs.extreme(rows, "last", ways, first, family, marked, Window(), key.sql, absent)
        if isinstance(found, str) or found is None or first is not None:
            return found
        return replace(found, nullable=start is None, none=start is None)
    new = [cells.value_of([Ending(Way.of(()), one)]) for _, one in ways if not hasattr(one, "added")]
    tests = [test.sql for way, _ in ways for test, _ in way.decisions]
    if not new or any(mark in sql for sql in (*tests, *(value.sql for value in new))):
        return None
    nullable = any(value.nullable for value in new)
    # where the program has seen that the key is there, a null is one that was stored
    default = None if start is None else constant(start)
    if nullable and (start is None or known is None):
        whole = not any(hasattr(one, "added") for _, one in ways)
        if default is None or not whole or default.family != family:
            return None
        return _before(rows, key, ways, default)
    return _last(rows, key, ways, start, family, nullable, known)


def _before(rows: Rows, key: Value, ways: Sequence[tuple[Way, Any]], default: Value) -> Value | Family:
    """Return what the row before of the same key has stored, which may be null; a default where there is none."""
    stored = forks.one_value([(way, cells.value_of([Ending(Way.of(()), one)])) for way, one in ways])
    if stored.family != default.family:
        return stored.family
    stored = rows.define("stored", replace(stored, cell=False))
    sql = Window(keys=(key,)).over(f"lag({stored.sql}, 1, {default.sql})", rows=True)
    return rows.define("last", Value(sql, stored.family, stored.nullable))


def _text(one: Any) -> str:
    """Return the SQL of what is stored, nothing for what goes on as it was."""
    return value_thing(one).sql if isinstance(one, cells.Cell) and not hasattr(one, "added") else ""


def _last(
    rows: Rows, key: Value, ways: Sequence[tuple[Way, Any]], start: Any, family: Family, nullable: bool,
    known: str | None,
) -> Value | Family | None:  # fmt: skip
    some = any(hasattr(one, "added") for _, one in ways)
    values = [(way, _NOTHING if hasattr(one, "added") else cells.value_of([Ending(Way.of(()), one)]))
              for way, one in ways]  # fmt: skip
    stored = forks.one_value(values)
    if stored.family != family:
        return stored.family
    over = f"PARTITION BY {key.sql}"
    if some and nullable:
        boxes = [(way, value if value is _NOTHING else Value(f"{{'v': {value.sql}}}", cast(Family, "box"), False))
                 for way, value in values]  # fmt: skip
        box = rows.define("stored", forks.one_value(boxes))
        sql = f"struct_extract(last_value({box.sql} IGNORE NULLS) OVER ({over} {_BEFORE}), 'v')"
    else:
        stored = rows.define("stored", replace(stored, cell=False))
        sql = f"last_value({stored.sql} IGNORE NULLS) OVER ({over} {_BEFORE})" if some else (
            f"lag({stored.sql}) OVER ({over})")  # fmt: skip
    if start is None:
        return rows.define("last", Value(sql, family, True, none=True))
    if known is None or (not nullable and family in ("integer", "float", "text") and (family == "text") is (
        isinstance(start, str))):  # fmt: skip
        sql = bind("coalesce(x, y)", x=sql, y=value_thing(start).sql)
    return rows.define("last", Value(sql, family, nullable))

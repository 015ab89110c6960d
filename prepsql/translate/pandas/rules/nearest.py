"""Rows with the nearest row of another table: merge_asof as a join by a condition, of which the best match stays."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import free_name
from prepsql.translate.pandas.rows import FrameSymbol, Rows, Symbol, after, chosen, distinct, of_columns, settled
from prepsql.translate.pandas.rules.joining import frame_of, listed, side_by_side
from prepsql.translate.pandas.things import constant_thing, step_of
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, TIMES, Value, column, common_family

_PLACE = ("place",)


def merge_asof(
    hooks: Any, result: Any, left: Any, right: Any, on: Any = None, left_on: Any = None, right_on: Any = None,
    by: Any = None, left_by: Any = None, right_by: Any = None, suffixes: Any = ("_x", "_y"), tolerance: Any = None,
    allow_exact_matches: bool = True, direction: str = "backward",
) -> FrameSymbol:  # fmt: skip
    """Each left row with the right row whose key is nearest: before it, after it, or either."""
    one, other = _numbered(frame_of(hooks, left)), distinct(replace(_numbered(frame_of(hooks, right)), index=()))
    mine, theirs = (on, on) if on is not None else (left_on, right_on)
    left_by, right_by = ([] if one is None else listed(one) for one in (by or left_by, by or right_by))
    names = {label: one.rows.name(label, value) for label, value in one.columns.items()}
    taken = set(one.rows.columns)
    right_names, renamed = {}, {}
    for label, value in other.columns.items():
        name = other.rows.name(label, value)
        right_names[label] = free_name(name, taken)
        taken.add(right_names[label])
        renamed[right_names[label]] = name
    source = chosen(other.rows, renamed, "to_match")
    columns = of_columns(one.rows.columns)
    columns |= {name: replace(value, nullable=True) for name, value in of_columns(source.columns).items()}
    match = _Match(columns[names[mine]], columns[right_names[theirs]], columns[right_names[_PLACE]], direction)
    tests = [bind("x = y", x=columns[names[a]].sql, y=columns[right_names[b]].sql)
             for a, b in zip(left_by, right_by, strict=True)]  # fmt: skip
    tests += match.tests(tolerance, allow_exact_matches)
    params = {"how": "left", "condition": " AND ".join(tests) or "TRUE", "select_left": list(one.rows.columns),
              "select_right": list(right_names.values())}  # fmt: skip
    joined = Rows("join", params, {"left": one.rows, "right": source}, columns, wanted="matches")
    best = {"keys": [names[_PLACE]], **match.best()}
    rows = after(joined, "dedup", best, wanted="nearest")
    first = {label: rows.columns[name] for label, name in names.items() if label != _PLACE}
    second = {label: rows.columns[name] for label, name in right_names.items() if label != _PLACE}
    same = [a for a, b in zip([mine, *left_by], [theirs, *right_by], strict=True) if a == b]
    return FrameSymbol(rows, side_by_side(first, second, same, suffixes), (), True)


def _numbered(frame: FrameSymbol) -> FrameSymbol:
    """Return the frame with the place of each row as a column."""
    return settled(frame.with_columns({_PLACE: frame.rows.places(), **frame.columns}))


class _Match:
    """How a left key and a right key meet."""

    def __init__(self, left: Value, right: Value, place: Value, direction: str) -> None:
        family = common_family([left, right], "a key")
        if family not in (*NUMERIC, *TIMES) or direction not in ("backward", "forward", "nearest"):
            raise NotTranslatable(f"merge_asof by {family}")
        self.left, self.right, self.place, self.direction = left, right, place, direction
        self.times = family in TIMES

    def _bound(self, template: str, **more: str) -> str:
        return bind(template, l=self.left.sql, r=self.right.sql, p=self.place.sql, **more)

    def tests(self, tolerance: Any, exact: bool) -> list[str]:
        """Return the conditions."""
        equal = "=" if exact else ""
        tests = {"backward": [f"r <{equal} l"], "forward": [f"r >{equal} l"]}.get(
            self.direction, [] if exact else ["r <> l"]
        )
        more: dict[str, str] = {}
        if tolerance is not None:
            step = step_of(pd.Timedelta(tolerance)).sql if self.times else column(constant_thing(tolerance)).sql
            more = {"t": step}
            tests += ["r >= l - t"] if self.direction != "forward" else []
            tests += ["r <= l + t"] if self.direction != "backward" else []
        return [self._bound(test, **more) for test in tests]

    def best(self) -> dict[str, Any]:
        """Return which match stays: of equal keys the last one before, the first one after."""
        if self.direction != "nearest":
            order = [{"expr": self.right.sql}, {"expr": self.place.sql}]
            return {"keep": "last" if self.direction == "backward" else "first", "order_by": order}
        gap = "abs(epoch_us(l) - epoch_us(r))" if self.times else "abs(l - r)"
        terms = (gap, "r > l", "CASE WHEN r > l THEN p ELSE -p END")
        return {"keep": "first", "order_by": [{"expr": self._bound(term)} for term in terms]}


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.merge_asof": merge_asof}

"""The fill of a project step: rows for combinations or for dates that are missing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import Field, model_validator

from prepsql.sqltext import literal
from prepsql.workflow import shape
from prepsql.workflow.operators.base import Model, Scope, duplicates, lacking, misfit, problem
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import OrderKey
from prepsql.workflow.reserved import column_name

_UNIT = re.compile("second|minute|hour|day|week|month|quarter|year", re.IGNORECASE)
_STEP = re.compile(rf"\s*\d+\s*({_UNIT.pattern})s?\s*", re.IGNORECASE)
_END = re.compile(r"\s*\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?\s*")
_STILL = re.compile(r"\s*(-|0+(\.0*)?(\D|$))")


class Range(Model):
    """Every value of `col` from the smallest to the largest, or from `start` to `end`, `step` apart.

    For a date or timestamp `step` is an interval such as `1 day` or `15 minutes`, for a number a number. `by` names
    columns: each of their combinations gets a range of its own, from its own smallest to its own largest.
    """

    col: str
    start: str | int | None = None
    end: str | int | None = None
    step: str | int = 1
    by: list[str] = Field(default_factory=list)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield steps and ends that aren't written as they must be."""
        if isinstance(self.step, str) and not _STEP.fullmatch(self.step):
            unit = _UNIT.search(self.step)
            mend = f"write '1 {unit[0].lower()}'" if unit else "write a number and a unit, such as '1 day'"
            yield problem(scope, "fill.range.step", "bad_value", f"{self.step!r} isn't a span of time", mend)
        for name, end in (("start", self.start), ("end", self.end)):
            if isinstance(end, str) and not _END.fullmatch(end):
                yield problem(
                    scope, f"fill.range.{name}", "bad_value", f"{end!r} isn't a date or timestamp",
                    "write 2024-01-31, or 2024-01-31 18:00",
                )  # fmt: skip

    @model_validator(mode="after")
    def _forward(self) -> Range:
        if _STILL.match(str(self.step)):
            raise misfit(
                "step", f"a step of {self.step!r} leads nowhere: it must be more than 0", "give one, such as 1"
            )
        return self


class Fill(Model):
    """Rows that are missing are added, null in all other columns; those that are there stay.

    `keys`: every combination of the values that these columns have. `range`: every value in between; rows whose value
    isn't one of them (null, say) stay too. The result is in the order of the filled columns, nulls last; rows that
    share them stay in the order that they had.
    """

    keys: list[str] | None = Field(default=None, min_length=2)
    range: Range | None = None

    @model_validator(mode="after")
    def _one(self) -> Fill:
        if (self.keys is None) == (self.range is None):
            fault = lacking if self.keys is None else misfit
            raise fault("keys", "fill has either keys (two or more columns) or range", "give one of them")
        return self

    @model_validator(mode="after")
    def _apart(self) -> Fill:
        twice = duplicates(self.keys or ())
        if twice:
            raise misfit("keys", f"'{twice[0][1]}' is there twice", "leave one out")
        return self

    def named(self) -> Iterator[tuple[str, str]]:
        """Yield parameter and name of each column."""
        for position, name in enumerate(self.keys or ()):
            yield f"keys[{position}]", name
        if self.range:
            yield "range.col", self.range.col
            for position, name in enumerate(self.range.by):
                yield f"range.by[{position}]", name

    def lower(
        self, rows: Any, columns: list[str], name: Callable[[str], str], hidden: str, kind: str
    ) -> tuple[Any, tuple[OrderKey, ...]]:
        """Return the grid of what there should be, left-joined with what there is; `kind` is the range's type."""
        hidden = f"{hidden}_fill"
        if self.keys:
            keys = [name(key) for key in self.keys]
            grid = shape.distinct(shape.project(rows, [shape.keep([(keys[0], f"{hidden}_0")])]))
            for position, key in enumerate(keys[1:], start=1):
                values = shape.distinct(shape.project(rows, [shape.keep([(key, f"{hidden}_{position}")])]))
                made = [shape.keep([f"{hidden}_{i}" for i in range(position + 1)])]
                grid = shape.join(grid, values, "cross", "", made)
        else:
            keys, grid = self._range(rows, name, hidden, kind)
        on = " AND ".join(
            f"{column_name(f'{hidden}_{i}')} IS NOT DISTINCT FROM {column_name(key)}" for i, key in enumerate(keys)
        )
        places = {key: f"{hidden}_{i}" for i, key in enumerate(keys)}
        items = shape.keep([(places.get(column, column), column) for column in columns])
        return shape.join(grid, rows, "left", on, [items]), tuple(map(OrderKey, keys))

    def _range(self, rows: Any, name: Callable[[str], str], hidden: str, kind: str) -> tuple[list[str], Any]:
        assert self.range is not None
        given, column = self.range, name(self.range.col)
        by = [name(key) for key in given.by]
        low = f"min({column_name(column)})" if given.start is None else _bound(given.start, kind)
        high = f"max({column_name(column)})" if given.end is None else _bound(given.end, kind)
        # without a single aggregate it would be a row each row
        whole = {} if by or given.start is None or given.end is None else {f"{hidden}_rows": "count(*)"}
        ends = shape.group(rows, by, {f"{hidden}_low": low, f"{hidden}_high": high, **whole})
        ends_at = f"{column_name(hidden + '_low')}, {column_name(hidden + '_high')}"
        step = str(given.step) if isinstance(given.step, int) else f"INTERVAL {literal(given.step)}"
        series = f"unnest(generate_series({ends_at}, {step}))"
        if not isinstance(given.step, int):
            series = f"CAST({series} AS {kind})"
        pairs = shape.keep([(key, f"{hidden}_{i}") for i, key in enumerate(by)])
        items: list[shape.SqlColumns | tuple[str, str]] = [pairs] if by else []
        wanted = shape.project(ends, [*items, (f"{hidden}_{len(by)}", series)])
        have = shape.project(rows, [shape.keep([(key, f"{hidden}_{i}") for i, key in enumerate([*by, column])])])
        whole = shape.project(shape.union([wanted, have]), [shape.keep((), star=True)])
        return [*by, column], shape.distinct(whole)


def _bound(value: str | int, kind: str) -> str:
    return str(value) if isinstance(value, int) else f"CAST({literal(value)} AS {kind})"

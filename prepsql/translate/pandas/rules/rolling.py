"""Windows that move along the rows: rolling and expanding, of a column or by groups."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules.aligning import place
from prepsql.workflow.pandas_text import windows
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value

_FUNCTIONS: Mapping[str, tuple[str, int]] = {
    "sum": ("sum(x)", 1), "mean": ("avg(x)", 1), "min": ("min(x)", 1), "max": ("max(x)", 1), "count": ("count(x)", 0),
    "std": ("stddev_samp(x)", 2), "var": ("var_samp(x)", 2), "median": ("median(x)", 1),
}  # fmt: skip


@dataclass(frozen=True)
class Span:
    """The rows that a window takes: how many, how many values it needs, whether it lies around its row."""

    size: int | None
    needed: int
    centred: bool = False

    def frame(self) -> str:
        """Return the frame of a window."""
        if self.size is None:
            return "ROWS UNBOUNDED PRECEDING"
        ahead = (self.size - 1) // 2 if self.centred else 0
        behind = self.size - 1 - ahead
        start = f"{behind} PRECEDING" if behind else "CURRENT ROW"
        return f"ROWS BETWEEN {start} AND {f'{ahead} FOLLOWING' if ahead else 'CURRENT ROW'}"

    def value(self, name: str, over: windows.Window, x: Value) -> Value:
        """Return a function of the window beside each row."""
        if name not in _FUNCTIONS:
            raise NotTranslatable(f"rolling {name}")
        template, least = _FUNCTIONS[name]
        x = number(x.exact(), name)
        call = over.over(bind(template, x=x.sql), rows=True, frame=self.frame())
        count = over.over(bind("count(x)", x=x.sql), rows=True, frame=self.frame())
        # the numbers that pandas' windows give are floats
        sql = bind("CASE WHEN c >= n THEN y::DOUBLE END", c=count, y=call, n=str(max(self.needed, least)))
        return Value(sql, "float", True)


def span(window: Any = None, min_periods: Any = None, center: bool = False) -> Span:
    """Return what the arguments of rolling say."""
    if not isinstance(window, int):
        raise NotTranslatable("rolling by a length of time")
    return Span(window, window if min_periods is None else int(min_periods), center)


def expanding_span(min_periods: int = 1) -> Span:
    """Return what the arguments of expanding say."""
    return Span(None, int(min_periods))


@dataclass(frozen=True, eq=False)
class Rolling(AccessorSymbol):
    """`.rolling(…)` or `.expanding(…)` of a column, or of groups with one column picked."""

    span: Span = Span(None, 1)


def rolling(hooks: Any, result: Any, symbol: Any, *given: Any, **named: Any) -> Rolling:
    """A window that moves along."""
    return Rolling(symbol, "rolling", span(*given, **named))


def expanding(hooks: Any, result: Any, symbol: Any, *given: Any, **named: Any) -> Rolling:
    """A window from the first row on."""
    return Rolling(symbol, "rolling", expanding_span(*given, **named))


def call(symbol: Rolling, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any) -> Symbol:
    """Return what a function of a moving window gives."""
    if given or named:
        raise NotTranslatable(f"rolling {name} with arguments")
    base = symbol.base
    if isinstance(base, SeriesSymbol):
        x = base.rows.short(name, base.value)
        value = base.rows.define(name, symbol.span.value(name, windows.Window(), x))
        return SeriesSymbol(base.rows, value, result.name, base.index, base.fresh)
    if not isinstance(base, GroupsSymbol) or base.picked is None or not isinstance(result, pd.Series):
        raise NotTranslatable("rolling of a table")
    return _of_groups(symbol, base, name, result)


def _of_groups(symbol: Rolling, groups: GroupsSymbol, name: str, result: pd.Series[Any]) -> Symbol:
    """Return one value a row, group by group; the keys are levels before the index."""
    assert groups.picked is not None
    frame = groups.frame
    rows = frame.rows
    keys = groups.key_columns()
    x = rows.define(groups.picked[0], frame.column(groups.picked[0]))
    value = rows.define(name, symbol.span.value(name, windows.Window("", keys), x))
    own = frame.index or (IndexLevel(None, place(frame)),)
    levels = [IndexLevel(label, key) for (label, _), key in zip(groups.keys, keys, strict=True)]
    table = settled(FrameSymbol(rows, {"value": value}, (*levels, *own), False))
    order = [{"expr": key.sql} for key in keys]
    table = moved(table, after(table.rows, "sort", {"order_by": order}, wanted="by_group"))
    return table.series("value", result.name)


METHODS = {"rolling": rolling, "expanding": expanding}

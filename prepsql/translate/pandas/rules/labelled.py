"""Labels that come of columns, and all combinations of them: `unique()`, lists of values, MultiIndex.from_product."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    chosen,
    moved,
    settled,
)
from prepsql.translate.pandas.rules import calendars, group_products, reindexing
from prepsql.translate.pandas.rules.lookups import LookupSymbol
from prepsql.translate.pandas.rules.loops import LoopSymbol, RowListSymbol, loop_of
from prepsql.workflow.pandas_text.value import Value


def column_of(hooks: Any, thing: Any) -> SeriesSymbol | None:
    """Return a list of values as a column of rows in its order, None for another thing or an order that isn't known."""
    symbol = hooks.symbol(thing)
    if isinstance(symbol, SeriesSymbol):
        return symbol
    if isinstance(symbol, LookupSymbol) and symbol.order and len(thing) == symbol.length:
        frame = settled(FrameSymbol(symbol.rows, {"value": symbol.key}, (), True))
        if symbol.order == "sorted":
            order = [{"expr": frame.columns["value"].sql}]
            frame = moved(frame, after(frame.rows, "sort", {"order_by": order}, wanted="in_order"), fresh=True)
        return frame.only()
    if isinstance(symbol, LoopSymbol | RowListSymbol) and isinstance(thing, list):
        loop = loop_of(hooks, thing)
        element = loop.element() if loop is not None else None
        if loop is not None and isinstance(element, cells.Cell) and isinstance(element.thing, Value):
            return SeriesSymbol(loop.frame.rows, loop.frame.rows.define("value", element.thing), None, (), True)
    return None


def from_product(hooks: Any, result: Any, iterables: Any, sortorder: Any = None, names: Any = None) -> AccessorSymbol:
    """All combinations of labels, as an index."""
    if not isinstance(iterables, list | tuple) and not hasattr(iterables, "__len__"):
        raise NotTranslatable("combinations of these")
    sides = [_side(hooks, one, at) for at, one in enumerate(list(iterables))]
    rows, keys = group_products.crossed(sides)
    index = tuple(IndexLevel(name, key) for name, key in zip(result.names, keys, strict=True))
    return AccessorSymbol(FrameSymbol(rows, {}, index, False), "levels")


def _side(hooks: Any, labels: Any, at: int) -> Rows:
    found = column_of(hooks, labels)
    if found is None:
        if hooks.symbol(labels) is not None or hooks.derived.of_data(hooks, labels):
            raise NotTranslatable("combinations of labels of the data whose order isn't known")
        days = calendars.days_of(labels) if isinstance(labels, pd.DatetimeIndex) else None
        rows, value = (days.rows, days.value) if days is not None else reindexing.listed(labels)
    else:
        rows, value = found.rows, found.value
    names = {f"key_{at}": rows.name("key", value), f"place_{at}": rows.name("place", rows.places())}
    if len(set(names.values())) < 2:
        raise NotTranslatable("combinations of the places of rows")
    return chosen(rows, names, "side")


def level_values(symbol: AccessorSymbol, level: Any) -> SeriesSymbol:
    """Return a level of an index as a column."""
    base = symbol.base
    names = [one.name for one in base.index]
    at = names.index(level) if level in names else level
    if not isinstance(at, int):
        raise NotTranslatable("a level that isn't there")
    return SeriesSymbol(base.rows, base.index[at].value, names[at], base.index, False)


def bind_levels(hooks: Any, symbol: AccessorSymbol, result: Any) -> None:
    """Say what `index.levels` are: the values of each key of groups, in order."""
    base = symbol.base
    if base.rows.kind != "aggregate":
        return
    for level, real in zip(base.index, result, strict=True):
        found = group_products.there(base.rows, level.value, 0)
        order = [{"expr": found.columns["key_0"].sql}]
        rows = after(found, "sort", {"order_by": order}, wanted="in_order")
        hooks.bind(real, SeriesSymbol(rows, rows.columns["key_0"], level.name, (), True))


CALLS: Mapping[str, Callable[..., Symbol | None]] = {"pd.from_product": from_product}

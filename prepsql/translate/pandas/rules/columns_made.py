"""Columns that a program makes itself: pd.Series of a list, a constant or a dict; one value out of many."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    IndexLevel,
    ScalarSymbol,
    SeriesSymbol,
    Symbol,
)
from prepsql.translate.pandas.rules import listing
from prepsql.translate.pandas.rules.locating import sliced
from prepsql.translate.pandas.rules.lookups import elements
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.value import column

_LABEL, _VALUE = ("label",), ("value",)


def series_of(
    hooks: Any, result: Any, data: Any = None, index: Any = None, dtype: Any = None, name: Any = None
) -> Symbol | None:
    """pd.Series()."""
    if isinstance(data, Mapping) and index is None:
        return _of_dict(hooks, result, data)
    base = hooks.symbol(index) if index is not None else None
    if isinstance(data, Mapping) or (index is not None and not isinstance(base, SeriesSymbol)):
        return None
    if isinstance(base, SeriesSymbol):
        if isinstance(data, pd.Series):
            raise NotTranslatable("a column under other labels")
        value = column(thing(hooks, data, base.rows))
        return SeriesSymbol(base.rows, value, name, base.index, base.fresh)
    symbol = hooks.symbol(data)
    if isinstance(symbol, SeriesSymbol):
        plain = not isinstance(data, pd.Series)
        return SeriesSymbol(
            symbol.rows, symbol.value, result.name, () if plain else symbol.index, plain or symbol.fresh
        )
    return _of_list(hooks, data)


def _of_list(hooks: Any, data: Any) -> SeriesSymbol | None:
    """Return a list of what rows are made of, or of distinct values, as a column; None for another list."""
    if hooks.symbol(data) is None:
        return None
    loop = elements(hooks, data)
    if loop is None or loop.start:
        return None
    element = loop.element()
    if not isinstance(element, cells.Cell):
        raise NotTranslatable("a column of rows")
    value = loop.frame.rows.define("value", column(element.thing).exact())
    return SeriesSymbol(loop.frame.rows, value, None, (), True)


def _of_dict(hooks: Any, result: Any, data: Mapping[Any, Any]) -> SeriesSymbol | None:
    rows = [{_LABEL: label, _VALUE: value} for label, value in data.items()]
    shown = pd.DataFrame(columns=pd.Index([_LABEL, _VALUE], tupleize_cols=False), index=range(len(rows)))
    found = listing.listed(hooks, shown, rows)
    if found is None:
        return None
    return SeriesSymbol(
        found.rows, found.columns[_VALUE], result.name, (IndexLevel(None, found.columns[_LABEL]),), False
    )


def one_of(hooks: Any, base: Any, key: Any) -> ScalarSymbol | None:
    """Return an element of an array or list that was made of a column, None where it is none."""
    symbol = hooks.symbol(base)
    if isinstance(symbol, AccessorSymbol) and symbol.kind == "mode" and key == 0 and not isinstance(key, bool):
        value = symbol.base.value
        return ScalarSymbol(symbol.base.rows, "mode", value, value.family, value.nullable)
    if not isinstance(base, np.ndarray | list) or not isinstance(key, int | np.integer) or isinstance(key, bool):
        return None
    found = symbol if isinstance(symbol, SeriesSymbol) else _of_list(hooks, base)
    return None if found is None else at_place(found, int(key))


def at_place(symbol: SeriesSymbol, at: int) -> ScalarSymbol:
    """Return the cell of a column at a place, counted from the end where it is below 0."""
    frame = sliced(FrameSymbol(symbol.rows, {_VALUE: symbol.value}), slice(at, at + 1 if at != -1 else None))
    [value] = frame.columns.values()
    return ScalarSymbol(frame.rows, "max", value, value.family, value.nullable)


def item(hooks: Any, result: Any, symbol: SeriesSymbol) -> ScalarSymbol:
    """Take the one cell of a column that has no other."""
    return ScalarSymbol(symbol.rows, "max", symbol.value, symbol.value.family, symbol.value.nullable)


def mode(hooks: Any, result: Any, symbol: SeriesSymbol, *, dropna: bool = True) -> AccessorSymbol:
    """Take what comes up most often."""
    if not dropna:
        raise NotTranslatable("a mode that may be null")
    return AccessorSymbol(symbol, "mode")


CALLS: dict[str, Callable[..., Any]] = {"pd.Series": series_of}
SERIES_METHODS: dict[str, Callable[..., Any]] = {"item": item, "mode": mode}

"""Which rule speaks of a call, an attribute, a subscript, an operator or a store."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, GroupsSymbol, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import (
    accessors,
    building,
    calendars,
    categories,
    columns_made,
    cutting,
    dummies,
    frames,
    group_places,
    grouping,
    interpolating,
    joining,
    labelled,
    leveled,
    list_totals,
    locating,
    lookups,
    loops,
    margins,
    nearest,
    numbers,
    pairings,
    places,
    resampling,
    reshaping,
    rolling,
    row_places,
    series,
    summaries,
    text_files,
    times,
    uniting,
    whole,
    windowing,
)
from prepsql.translate.pandas.rules import values as of_values
from prepsql.translate.pandas.rules.group_loops import GroupLoop
from prepsql.translate.pandas.things import path_of

_METHODS: Mapping[type, Mapping[str, Callable[..., Symbol | None]]] = {
    FrameSymbol: {
        **rolling.METHODS,
        **whole.METHODS,
        **frames.METHODS,
        **joining.METHODS,
        **reshaping.METHODS,
        **loops.FRAME_METHODS,
        **lookups.FRAME_METHODS,
        **resampling.FRAME_METHODS,
        **summaries.FRAME_METHODS,
        "xs": leveled.cross_section,
        "interpolate": interpolating.of_table,
    },
    SeriesSymbol: {
        **rolling.METHODS,
        **series.METHODS,
        **resampling.FRAME_METHODS,
        "interpolate": interpolating.of_column,
        **summaries.SERIES_METHODS,
        "xs": leveled.cross_section,
        **loops.SERIES_METHODS,
        **lookups.SERIES_METHODS,
        **columns_made.SERIES_METHODS,
    },
    GroupsSymbol: {
        **grouping.METHODS,
        **windowing.METHODS,
        **rolling.METHODS,
        **group_places.METHODS,
        **resampling.GROUP_METHODS,
    },
    AccessorSymbol: {},
    ScalarSymbol: {},
    rolling.Rolling: {},
    lookups.LookupSymbol: lookups.METHODS,
    GroupLoop: {"items": lambda hooks, result, symbol: symbol},
}
_CALLS: Mapping[str, Callable[..., Symbol | None]] = {
    **building.CALLS, **joining.CALLS, **reshaping.CALLS, **loops.CALLS, **times.CALLS, **categories.CALLS,
    "open": text_files.opened, **lookups.CALLS, **numbers.CALLS, **calendars.CALLS, **nearest.CALLS, **uniting.CALLS,
    **cutting.CALLS, **dummies.CALLS, **margins.CALLS, **labelled.CALLS, **series.CALLS, **row_places.CALLS,
    **pairings.CALLS, **columns_made.CALLS, **list_totals.CALLS,
}  # fmt: skip


def call_rule(hooks: Any, function: Any, given: Sequence[Any], named: Mapping[str, Any], result: Any) -> Symbol | None:
    """Return what a function's result stands for."""
    path = path_of(function) or _name_of(function)
    if path in _CALLS:
        return _applied(_CALLS[path], path, hooks, result, given, named)
    if isinstance(function, np.vectorize) and len(given) == 1:
        return series.vectorized(hooks, result, hooks.symbol(given[0]), function.pyfunc)
    if any(_known(hooks, one) for one in (*given, *named.values())):
        return of_values.call(hooks, path, given, named, result)
    return None


def _known(hooks: Any, value: Any) -> bool:
    """Return whether a thing, or one in a list of things, stands for something."""
    if isinstance(value, list | tuple) and len(value) < 100:
        return any(_known(hooks, one) for one in value)
    return hooks.symbol(value) is not None


def _name_of(function: Any) -> str:
    module = str(getattr(function, "__module__", "")).partition(".")[0]
    prefix = {"pandas": "pd.", "numpy": "np."}.get(module, "")
    return f"{prefix}{getattr(function, '__name__', '')}"


def method_rule(
    hooks: Any, symbol: Symbol | None, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """Return what a method's result stands for."""
    if symbol is None:
        function = getattr(base, name, None)
        if type(base).__name__ == "module" or base is pd.DataFrame or base is pd.MultiIndex:
            return call_rule(hooks, function, given, named, result)
        if isinstance(base, Path) or id(base) in hooks.texts:
            lines: Symbol | None = text_files.method(hooks, base, name, given, named, result)
            return lines
        return None
    if type(symbol) not in _METHODS:
        return None
    if isinstance(symbol, AccessorSymbol):
        return accessors.call(hooks, symbol, name, given, named, result)
    if isinstance(symbol, ScalarSymbol):
        return numbers.method(hooks, base, name, given, named)
    result = base if named.get("inplace") is True else result
    named = {key: value for key, value in named.items() if key != "inplace"}
    rule = _METHODS[type(symbol)].get(name)
    if rule is not None:
        return _applied(rule, f".{name}", hooks, result, [symbol, *given], named)
    if isinstance(symbol, SeriesSymbol):
        return of_values.method(hooks, symbol, name, given, named, result)
    if isinstance(symbol, GroupsSymbol):
        return windowing.window(hooks, symbol, name, given, named, result)
    raise NotTranslatable(f".{name}() of a {type(base).__name__}")


def _applied(
    rule: Callable[..., Symbol | None],
    what: str,
    hooks: Any,
    result: Any,
    given: Sequence[Any],
    named: Mapping[str, Any],
) -> Symbol | None:
    """Call a rule: its own parameters are the arguments that are understood; it gets the hooks and the result."""
    try:
        inspect.signature(rule).bind(hooks, result, *given, **named)
    except TypeError as wrong:
        raise NotTranslatable(f"{what}: {wrong}") from None
    return rule(hooks, result, *given, **named)


def attribute_rule(hooks: Any, base: Any, name: str, result: Any) -> Symbol | None:
    """Return what an attribute stands for."""
    if isinstance(hooks.symbol(base), ScalarSymbol):
        return numbers.attribute(hooks, base, name)
    return accessors.attribute(hooks, hooks.symbol(base), name, result)


def item_rule(hooks: Any, base: Any, key: Any, result: Any) -> Symbol | None:
    """Return what base[key] stands for."""
    one = columns_made.one_of(hooks, base, key)
    if one is not None:
        return one
    symbol = hooks.symbol(base)
    if isinstance(symbol, SeriesSymbol) and isinstance(key, int | np.integer) and not isinstance(key, bool):
        return locating.cell_at(hooks, base, symbol, key)
    return places.item(hooks, hooks.symbol(base), key, result)


def store_rule(hooks: Any, base: Any, key: Any, value: Any) -> Symbol | None:
    """Return what base stands for after base[key] = value; a key that starts with a point is an attribute."""
    return places.store(hooks, hooks.symbol(base), base, key, value)


def operator_rule(hooks: Any, operator: str, *operands: Any, result: Any = None) -> Symbol | None:
    """Return what an operator's result stands for."""
    return of_values.operate(hooks, operator, operands, result)

"""`.str`, `.dt`, `.loc` and the like, and what a frame or a series has as attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import is_zoned
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, GroupsSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import (
    categories,
    labelled,
    list_columns,
    locating,
    patterns,
    rolling,
    summaries,
    times,
    zones,
)
from prepsql.translate.pandas.rules.aligning import levels
from prepsql.translate.pandas.rules.values import SCOPE, series, thing
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text.dates import as_time
from prepsql.workflow.pandas_text.value import Accessor, Parts, Thing, column, constant

_KINDS = ("str", "dt", "loc", "iloc", "at", "iat", "cat")


def attribute(hooks: Any, symbol: Symbol | None, name: str, result: Any) -> Symbol | None:
    """Return what `symbol.name` stands for; nothing for facts such as `shape` and `columns`."""
    if isinstance(symbol, FrameSymbol | SeriesSymbol) and name in _KINDS:
        return AccessorSymbol(symbol, name)
    if isinstance(symbol, FrameSymbol) and name == "T" and "T" not in symbol.columns:
        return summaries.transposed(hooks, result, symbol)
    if isinstance(symbol, FrameSymbol) and name in symbol.columns:
        return symbol.series(name)
    if isinstance(symbol, AccessorSymbol) and symbol.kind == "mode":
        return symbol if name in ("iloc", "loc", "values") else None
    if isinstance(symbol, AccessorSymbol) and symbol.kind == "row" and name in symbol.base.columns:
        return locating.cell_of_row(symbol, name)
    if isinstance(symbol, FrameSymbol | SeriesSymbol) and name == "index" and len(symbol.index) < 2:
        label = symbol.index[0].name if symbol.index else None
        return SeriesSymbol(symbol.rows, levels(symbol)[0], label, symbol.index, symbol.fresh)
    if isinstance(symbol, FrameSymbol | SeriesSymbol) and name == "index":
        return AccessorSymbol(FrameSymbol(symbol.rows, {}, symbol.index, False), "levels")
    if isinstance(symbol, AccessorSymbol) and symbol.kind == "levels":
        if name == "levels":
            labelled.bind_levels(hooks, symbol, result)
        return None
    if isinstance(symbol, SeriesSymbol):
        if name in ("values", "array"):
            return symbol
        if name == "codes":
            return categories.codes(hooks, result, symbol, _categories(hooks, symbol))
        if name == "index" or not isinstance(result, pd.Series):
            return None
    if isinstance(symbol, AccessorSymbol) and isinstance(symbol.base, SeriesSymbol):
        if symbol.kind == "dt" and is_zoned(symbol.base.value):
            return zones.of_clock(hooks, symbol.base, result,
                                  lambda base: attribute(hooks, AccessorSymbol(base, "dt"), name, result))  # fmt: skip
        if symbol.kind == "dt" and symbol.base.value.family == "period":
            return series(hooks, symbol.base, result, times.period(name, symbol.base.value))
        if symbol.kind == "cat" and name == "codes":
            return categories.codes(hooks, result, symbol.base, _categories(hooks, symbol.base))
        if symbol.kind == "cat" or (symbol.kind == "dt" and not isinstance(result, pd.Series | pd.DataFrame)):
            return None
        made = calls.attribute(SCOPE, _accessor(symbol), name)
        return _series(hooks, symbol, result, made)
    if isinstance(symbol, rolling.Rolling) and not isinstance(symbol.base, SeriesSymbol):
        return rolling.picked(symbol, name)
    if isinstance(symbol, GroupsSymbol) and name in symbol.frame.columns:
        return replace(symbol, picked=[name], one=True)
    return None


def call(
    hooks: Any, symbol: AccessorSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """Return what a method of an accessor gives."""
    if isinstance(symbol, rolling.Rolling):
        return rolling.call(symbol, name, given, named, result)
    if symbol.kind == "levels":
        if name != "get_level_values" or len(given) != 1:
            raise NotTranslatable(f".{name}() of an index of several levels")
        return labelled.level_values(symbol, given[0])
    if symbol.kind == "row" and name == "get" and given and given[0] in symbol.base.columns:
        return locating.cell_of_row(symbol, given[0])
    if not isinstance(symbol.base, SeriesSymbol):
        raise NotTranslatable(f".{symbol.kind}.{name}() of a table")
    rows = symbol.base.rows
    if symbol.kind == "cat":
        return categories.changed(hooks, result, symbol.base, name, [*given, *named.values()])
    if symbol.kind == "dt" and name in ("tz_localize", "tz_convert") and (given or named):
        return zones.localized(hooks, symbol.base, name, given, named, result)
    if symbol.kind == "dt" and is_zoned(symbol.base.value):

        def rule(base: SeriesSymbol) -> Symbol | None:
            return call(hooks, AccessorSymbol(base, "dt"), name, given, named, result)

        return zones.of_clock(hooks, symbol.base, result, rule)
    if symbol.kind == "str" and list_columns.holds(symbol.base) and getattr(symbol.base, "parts", None) is None:
        return list_columns.call(hooks, result, symbol.base, name, given, named)
    if symbol.kind == "str" and name in patterns.RULES:
        return patterns.RULES[name](hooks, result, symbol.base, *given, **named)
    if symbol.kind == "str" and name == "partition" and isinstance(result, pd.DataFrame) and given:
        return patterns.partition(hooks, result, symbol.base, *given)
    if symbol.kind == "dt" and symbol.base.value.family == "period" and name != "strftime":
        return series(hooks, symbol.base, result, times.period(name, symbol.base.value))
    arguments = [thing(hooks, one, rows) for one in given]
    options = {key: thing(hooks, one, rows) for key, one in named.items()}
    expand = named.get("expand") is True or (name in ("extract", "partition") and isinstance(result, pd.DataFrame))
    try:
        made = calls.call(SCOPE, _accessor(symbol), name, arguments, options)
    except NotTranslatable as why:
        if symbol.kind == "str" and isinstance(result, pd.Series):
            return patterns.by_python(hooks, result, symbol.base, name, given, named, why)
        raise
    if isinstance(made, Accessor) and made.kind == "iso" and isinstance(result, pd.DataFrame):
        found = {label: column(calls.attribute(SCOPE, made, label)) for label in result.columns}
        return FrameSymbol(rows, found, symbol.base.index, symbol.base.fresh)
    if isinstance(result, pd.DataFrame):
        return _expanded(symbol.base, result, made) if expand else None
    return _series(hooks, symbol, result, made)


def _categories(hooks: Any, symbol: SeriesSymbol) -> list[Any]:
    for thing_, known in hooks.symbols.values():
        if known is symbol and isinstance(getattr(thing_, "dtype", None), pd.CategoricalDtype):
            return list(thing_.dtype.categories)
    raise NotTranslatable("categories that aren't known")


def _expanded(base: SeriesSymbol, result: pd.DataFrame, made: Thing) -> FrameSymbol:
    """Return the frame of the parts of a text; how many there are is the data's to say."""
    if isinstance(made, Parts):
        columns = {label: column(calls.subscript(SCOPE, made, constant(at))) for at, label in enumerate(result.columns)}
    elif result.shape[1] == 1:
        columns = {result.columns[0]: column(made)}
    else:
        raise NotTranslatable("extract of several groups")
    return FrameSymbol(base.rows, columns, base.index, base.fresh)


def _accessor(symbol: AccessorSymbol) -> Thing:
    if symbol.kind == "str" or symbol.kind == "dt":
        parts = getattr(symbol.base, "parts", None)
        return Accessor("str" if symbol.kind == "str" else "dt", parts or symbol.base.value)
    if symbol.kind == "iso":
        return Accessor("iso", as_time(symbol.base.value))
    raise NotTranslatable(f".{symbol.kind}")


def _series(hooks: Any, symbol: AccessorSymbol, result: Any, made: Thing) -> Symbol | None:
    if isinstance(made, Parts):
        return PartsSymbol(symbol.base.rows, column(made), symbol.base.name, symbol.base.index, symbol.base.fresh, made)
    if isinstance(made, Accessor):
        return AccessorSymbol(symbol.base, made.kind)
    return series(hooks, symbol.base, result, made)


class PartsSymbol(SeriesSymbol):
    """The pieces of a text, of which `.str[i]` takes one."""

    def __init__(self, rows: Any, value: Any, name: Any, index: Any, fresh: bool, parts: Parts) -> None:
        super().__init__(rows, value, name, index, fresh)
        object.__setattr__(self, "parts", parts)

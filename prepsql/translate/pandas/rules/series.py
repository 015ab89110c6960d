"""Methods of a series that pandas text doesn't know, because they look at functions or give tables."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Mapping
from dataclasses import replace
from types import MethodDescriptorType, ModuleType
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    ScalarSymbol,
    SeriesSymbol,
    Symbol,
)
from prepsql.translate.pandas.rules import (
    aggregates,
    applying,
    frames,
    group_categories,
    grouping,
    locating,
    opening,
    picking,
    places,
    reindexing,
    reshaping,
    whole,
    widening,
)
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.values import SCOPE, series, thing
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text import columns as of_columns_
from prepsql.workflow.pandas_text.columns import choose
from prepsql.workflow.pandas_text.value import Value, common_family, constant, made
from prepsql.workflow.reserved import column_name


def mapped(hooks: Any, result: Any, symbol: SeriesSymbol, func: Any, **named: Any) -> Symbol | None:
    """What a function, a dict or a series gives for each value."""
    other = hooks.symbol(func)
    if isinstance(other, SeriesSymbol):
        return _looked_up(symbol, other)
    if isinstance(func, pd.Series):
        raise NotTranslatable("map by a series whose origin isn't understood")
    args = named.pop("args", ())
    named.pop("convert_dtype", None)
    ignored = named.pop("na_action", None) == "ignore"
    if cells.is_own(func):
        found = applying.to_cells(hooks, result, symbol, func, args, named)
        if not ignored:
            return found
        if not isinstance(found, SeriesSymbol):
            raise NotTranslatable("several columns of a map that leaves nulls")
        kept = choose(of_columns_.not_na(symbol.value), found.value, constant(None))
        return replace(found, value=symbol.rows.short(symbol.name or "value", kept))
    owner = getattr(func, "__self__", None)
    of_python = owner is not None or isinstance(func, type | MethodDescriptorType)
    if callable(func) and of_python and (owner is builtins or not isinstance(owner, ModuleType)):
        return applying.to_cells(hooks, result, symbol, func, args, named)
    if isinstance(func, Mapping) and ignored:
        raise NotTranslatable("a map that leaves nulls")
    return series(hooks, symbol, result, calls.call(SCOPE, symbol.value, "map", [thing(hooks, func, symbol.rows)], {}))


def vectorized(hooks: Any, result: Any, symbol: Any, function: Any) -> Symbol:
    """np.vectorize of one column."""
    if not isinstance(symbol, SeriesSymbol) or not cells.is_own(function):
        raise NotTranslatable("np.vectorize of this function")
    return applying.to_cells(hooks, pd.Series(result), symbol, function, (), {})


def _looked_up(symbol: SeriesSymbol, other: SeriesSymbol) -> SeriesSymbol:
    """Return the value of another series whose index is this one's value: a join."""
    if len(other.index) > 1:
        raise NotTranslatable("map by a series whose index has several levels")
    keys = [other.index[0].value if other.index else place(other)]
    value = symbol.rows.looked_up(symbol.name or "found", [symbol.value], other.rows, keys, other.value)
    return replace(symbol, value=value)


def to_frame(hooks: Any, result: Any, symbol: SeriesSymbol, name: Any = None, index: bool = True) -> FrameSymbol:
    """A table of one column."""
    found = symbol.framed(result.columns[0])
    return found if index else replace(found, index=(), fresh=True)


def of_two_indexes(kept_if: str) -> Callable[..., Symbol]:
    """Return the rule of difference or intersection of labels: in order, once each."""

    def rule(hooks: Any, result: Any, symbol: SeriesSymbol, other: Any, sort: Any = None) -> Symbol:
        theirs = hooks.symbol(other)
        if not isinstance(theirs, SeriesSymbol) or not result.is_monotonic_increasing or sort is not None:
            raise NotTranslatable("labels of two indexes whose order isn't known")
        if symbol.value.nullable or theirs.value.nullable:
            symbol.rows.assume("no nulls among the labels")
        there = contained(symbol, theirs)
        test = there if kept_if == "intersection" else made("NOT x", "boolean", there, nullable=False, x=there.sql)
        frame = places.kept(symbol.framed(_OWN), test)
        frame = picking.drop_duplicates(hooks, result, FrameSymbol(frame.rows, frame.columns, (), True))
        frame = picking.sort_values(None, None, frame, [_OWN])
        value = frame.columns[_OWN]
        return SeriesSymbol(frame.rows, value, result.name, (IndexLevel(result.name, value),), False)

    return rule


def reset_index(
    hooks: Any, result: Any, symbol: SeriesSymbol, level: Any = None, *, drop: bool = False, name: Any = None
) -> Symbol:
    """The index becomes columns, or goes."""
    if drop and level is not None and len(symbol.index) > 1:
        return frames.reset_index(hooks, result.to_frame(symbol.name), symbol.framed(), level, drop=True).only()
    if drop:
        return replace(symbol, index=(), fresh=True)
    return frames.reset_index(hooks, result, symbol.framed(result.columns[-1]), level)


def of_frame(method: Callable[..., FrameSymbol], **fixed: Any) -> Callable[..., Symbol]:
    """Return the rule that does to a series what a method does to a table of it."""

    def rule(hooks: Any, result: Any, symbol: SeriesSymbol, **named: Any) -> Symbol:
        return method(hooks, result, symbol.framed(), **fixed, **named).only()

    return rule


def sort_values(hooks: Any, result: Any, symbol: SeriesSymbol, *, ascending: Any = True, **more: Any) -> Symbol:
    """The values in order."""
    return picking.sort_values(hooks, result, symbol.framed(), [symbol.name], ascending=ascending, **more).only()


def copy(hooks: Any, result: Any, symbol: SeriesSymbol, deep: bool = True) -> Symbol:
    """The same column."""
    return symbol


def rename(hooks: Any, result: Any, symbol: SeriesSymbol, index: Any = None) -> Symbol:
    """The column under another name."""
    return replace(symbol, name=result.name)


def nothing(hooks: Any, result: Any, symbol: SeriesSymbol, *given: Any, **named: Any) -> None:
    """A list, a dict or the like: plain values."""
    return


def value_counts(
    hooks: Any, result: Any, symbol: SeriesSymbol, normalize: bool = False, sort: bool = True, ascending: bool = False,
    bins: Any = None, dropna: bool = True,
) -> Symbol:  # fmt: skip
    """How often each value is there, the most frequent first; ties in the order in which values come up."""
    if bins is not None:
        raise NotTranslatable("value_counts of pieces")
    frame = FrameSymbol(symbol.rows, {"value": symbol.value}, (), True)
    keys = [(result.index.names[0], symbol.value)]
    if isinstance(result.index.dtype, pd.CategoricalDtype):
        if not dropna:
            raise NotTranslatable("value_counts of categories and nulls")
        counted = group_categories.counted(hooks, GroupsSymbol(frame, keys), result.index)
    else:
        counted = grouping.counted(GroupsSymbol(frame, keys, sort=False, dropna=dropna))
    if sort:
        counted = picking.sort_values(hooks, result, counted, ["count"], ascending=bool(ascending))
    value = counted.columns["count"]
    if normalize:
        share = made("x / sum(x) OVER ()", "float", value, x=value.sql)
        value = counted.rows.define("proportion", share)
    return SeriesSymbol(counted.rows, value, result.name, counted.index, False)


def isin(hooks: Any, result: Any, symbol: SeriesSymbol, values: Any) -> Symbol | None:
    """Whether a value is in a list, or in a column of any table."""
    other = hooks.symbol(values)
    if not isinstance(other, SeriesSymbol):
        found = calls.call(SCOPE, symbol.value, "isin", [thing(hooks, values, symbol.rows)], {})
        return series(hooks, symbol, result, found)
    return replace(symbol, value=contained(symbol, other))


def contained(symbol: SeriesSymbol, other: SeriesSymbol) -> Value:
    """Return whether a value is in another column: a join with its distinct values; NaN is NaN there, and None None."""
    nulls = symbol.value.nullable and other.value.nullable and symbol.value.none == other.value.none
    table = FrameSymbol(other.rows, {"value": other.value})
    table = picking.drop_duplicates(None, None, table if nulls else picking.dropna(None, None, table))
    key = table.columns["value"]
    common_family([symbol.value, key], "isin")
    there = table.rows.define("there", Value("TRUE", "boolean", False)) if nulls else key
    found = symbol.rows.looked_up("found", [symbol.value], table.rows, [key], there, nulls)
    return of_columns_.not_na(found)


def reindex(hooks: Any, result: Any, symbol: SeriesSymbol, index: Any = None, *, fill_value: Any = None) -> Symbol:
    """One value a label of a list."""
    frame = symbol.framed("value" if symbol.name is None else symbol.name)
    return replace(reindexing.rows_by(hooks, result, frame, index, fill_value).only(), name=symbol.name)


def largest(ascending: bool) -> Callable[..., Symbol]:
    """Return the rule of nlargest or nsmallest, in which nulls come last."""

    def rule(hooks: Any, result: Any, symbol: SeriesSymbol, n: int = 5, keep: str = "first") -> Symbol:
        found = picking.largest(ascending)(hooks, result, symbol.framed(_OWN), n, [_OWN], keep)
        return replace(found.only(), name=symbol.name)

    return rule


_OWN = ("value",)


def extreme(greatest: bool) -> Callable[..., Symbol]:
    """Return the rule of idxmax or idxmin: the label of the first row with the greatest or least value."""

    def rule(hooks: Any, result: Any, symbol: SeriesSymbol) -> Symbol:
        label = symbol.rows.define("label", locating.labels_of(symbol.framed()))
        frame = FrameSymbol(symbol.rows, {"value": symbol.value, "label": label}, (), symbol.fresh)
        frame = picking.head(
            hooks, result, picking.sort_values(hooks, result, frame, ["value"], ascending=not greatest), 1
        )
        found = frame.columns["label"]
        return ScalarSymbol(frame.rows, "max", found, found.family, found.nullable)

    return rule


def place_of_extreme(greatest: bool) -> Callable[..., Symbol]:
    """Return the rule of argmax or argmin: the place of the first row with the greatest or least value."""

    def rule(hooks: Any, result: Any, symbol: SeriesSymbol) -> Symbol:
        if symbol.value.nullable and not isinstance(hooks.base, pd.Series):
            raise NotTranslatable("argmax of an array with nulls")
        numbered = SeriesSymbol(symbol.rows, symbol.value, symbol.name, (), True)
        return extreme(greatest)(hooks, result, numbered)

    return rule


def one_cell(hooks: Any, result: Any, symbol: SeriesSymbol) -> Symbol | None:
    """The one value of a column of one row."""
    if isinstance(result, pd.Series):
        return symbol
    if hooks.base is not None and len(hooks.base) != 1:
        raise NotTranslatable("a column of one row")
    if len(symbol.rows.params) and symbol.rows.kind != "aggregate":
        symbol.rows.assume("one row there")
    value = symbol.rows.define("value", symbol.value)
    return ScalarSymbol(symbol.rows, "max", value, value.family, value.nullable)


def argsort(hooks: Any, result: Any, symbol: SeriesSymbol, axis: Any = -1, kind: Any = None) -> Symbol:
    """The places of rows in the order of a column."""
    if symbol.value.nullable:
        raise NotTranslatable("argsort where there are nulls")
    frame = FrameSymbol(symbol.rows, {"order": symbol.value, "place": symbol.rows.places()}, (), symbol.fresh)
    return picking.sort_values(hooks, result, frame, ["order"]).series("place")


def np_argsort(hooks: Any, result: Any, a: Any, axis: Any = -1, kind: Any = None) -> Symbol | None:
    """The same of an array."""
    symbol = hooks.symbol(a)
    return argsort(hooks, result, symbol) if isinstance(symbol, SeriesSymbol) else None


def droplevel(hooks: Any, result: Any, symbol: SeriesSymbol, level: Any, axis: Any = 0) -> Symbol:
    """Without levels of the index."""
    return replace(frames.droplevel(hooks, result, symbol.framed(_OWN), level, axis).only(), name=symbol.name)


def quantile(hooks: Any, result: Any, symbol: SeriesSymbol, q: Any = 0.5) -> Symbol:
    """The value below which a share of a column lies."""
    if isinstance(q, list) and isinstance(result, pd.Series) and not hooks.derived.of_data(hooks, q):
        from prepsql.translate.pandas.rules import summaries

        return summaries.quantiles(hooks, result, symbol, q)
    if not isinstance(q, float | int) or hooks.symbol(q) is not None:
        raise NotTranslatable("several quantiles")
    value = symbol.rows.define(symbol.name or "value", symbol.value)
    made_of, family, nullable = aggregates.measure("quantile", value, "quantile")
    found = Value(column_name("quantile"), family, nullable)
    one = Rows("aggregate", {"aggs": [{**made_of, "q": float(q)}]}, {"in": symbol.rows}, {"quantile": found},
               wanted="quantile")  # fmt: skip
    return ScalarSymbol(one, "max", found, family, nullable, found)


def sort_index(hooks: Any, result: Any, symbol: SeriesSymbol, **named: Any) -> Symbol:
    """The values in the order of the index."""
    return picking.sort_index(hooks, result, symbol.framed(), **named).only()


def groupby(hooks: Any, result: Any, symbol: SeriesSymbol, by: Any = None, **named: Any) -> Symbol:
    """Groups of a column's values, by levels of its index or other columns."""
    label = "value" if symbol.name is None else symbol.name
    frame = symbol.framed(label)
    groups = opening.groupby(hooks, result, frame, by, **named)
    return replace(groups, picked=[label], one=True)


def explode(hooks: Any, result: Any, symbol: SeriesSymbol, ignore_index: bool = False) -> Symbol:
    """Lists become rows."""
    label = "value" if symbol.name is None else symbol.name
    found = reshaping.explode(hooks, result, symbol.framed(label), label, ignore_index).only()
    return replace(found, name=symbol.name)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    "explode": explode, "map": mapped, "apply": mapped, "to_frame": to_frame, "groupby": groupby, "isin": isin,
    "reindex": reindex, "nlargest": largest(False), "nsmallest": largest(True), "idxmax": extreme(True),
    "idxmin": extreme(False), "quantile": quantile, "tail": of_frame(picking.tail), **widening.SERIES_METHODS,
    "sort_index": sort_index, "rename_axis": whole.rename_axis, "reset_index": reset_index,
    "copy": copy, "rename": rename, "argmax": place_of_extreme(True), "argmin": place_of_extreme(False),
    "argsort": argsort, "difference": of_two_indexes("difference"),
    "intersection": of_two_indexes("intersection"), "droplevel": droplevel, "item": one_cell, "squeeze": one_cell,
    "drop_duplicates": of_frame(picking.drop_duplicates), "dropna": of_frame(picking.dropna),
    "sort_values": sort_values, "value_counts": value_counts, "head": of_frame(picking.head),
    **dict.fromkeys(("tolist", "to_list", "unique", "to_dict", "to_numpy"), nothing),
}  # fmt: skip
CALLS: dict[str, Callable[..., Symbol | None]] = {"np.argsort": np_argsort}

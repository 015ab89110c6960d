"""Methods of a frame that put its rows in an order, or keep some of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import known
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules import categories, locating, querying
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, constant


def order_keys(by: list[Value], ascending: list[bool], na_position: str = "last") -> list[dict[str, Any]]:
    """Return the keys of a sort step."""
    return [
        {"expr": known(value, "an order").sql}
        | ({} if up else {"asc": False})
        | ({"nulls": "first"} if na_position == "first" and value.nullable else {})
        for value, up in zip(by, ascending, strict=True)
    ]


def sort_values(
    hooks: Any, result: Any, frame: FrameSymbol, by: Any, *, axis: Any = 0, ascending: Any = True, kind: Any = None,
    na_position: str = "last", ignore_index: bool = False, key: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows in an order."""
    labels = list(by) if isinstance(by, list | tuple) else [by]
    if axis not in (0, "index"):
        raise NotTranslatable("sort_values of columns")
    levels = {level.name: level.value for level in frame.index}
    values = [frame.columns[label] if label in frame.columns else levels[label] for label in labels]
    if key is not None:
        frame, values = _by_function(hooks, frame, labels, key)
    else:
        values = [categorical(hooks, result, label, value) for label, value in zip(labels, values, strict=True)]
    up = list(ascending) if isinstance(ascending, list | tuple) else [bool(ascending)] * len(labels)
    frame = settled(frame)
    rows = after(frame.rows, "sort", {"order_by": order_keys(values, up, na_position)}, wanted="sorted")
    return moved(frame, rows, fresh=ignore_index)


def _by_function(hooks: Any, frame: FrameSymbol, labels: list[Any], key: Any) -> tuple[FrameSymbol, list[Value]]:
    """Return what a function of the program gives for the columns of an order."""
    table = hooks.base
    found = []
    for label in labels:
        given = (table[label] if isinstance(table, pd.DataFrame) else table).copy()
        if not isinstance(given, pd.Series) or label not in frame.columns:
            raise NotTranslatable("sort_values by a key function of the index")
        hooks.bind(given, frame.series(label))
        answer = hooks.call(hooks.line, key, given)
        symbol = hooks.symbol(answer)
        if not isinstance(symbol, SeriesSymbol) or isinstance(answer.dtype, pd.CategoricalDtype):
            raise NotTranslatable("sort_values by a key function")
        found.append(frame.rows.define("order", column(thing(hooks, answer, frame))))
    return frame, found


def categorical(hooks: Any, result: Any, label: Any, value: Value) -> Value:
    """Return the key of a column by which pandas sorts it: categories go in their own order."""
    values = result[label] if isinstance(result, pd.DataFrame) and label in result.columns else None
    if isinstance(result, pd.Series) and label == result.name and label not in result.index.names:
        values = result
    if values is None and isinstance(result, pd.DataFrame | pd.Series) and label in result.index.names:
        values = result.index.get_level_values(label)
    return in_their_order(hooks, values, value)


def in_their_order(hooks: Any, values: Any, value: Value) -> Value:
    """Return the place of a value among the categories of a column or level, the value itself where it has none."""
    kind = getattr(values, "dtype", None)
    if not isinstance(kind, pd.CategoricalDtype):
        return value
    found = categories.listed(kind)
    categories.declared(hooks, found)
    return categories.place(value, found)


def sort_index(
    hooks: Any, result: Any, frame: FrameSymbol, *, axis: Any = 0, ascending: Any = True, kind: Any = None,
    level: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Rows in the order of the index, or columns in that of their labels."""
    if axis in (1, "columns"):
        return frame.with_columns({label: frame.column(label) for label in result.columns})
    levels = [level.value for level in frame.index] or [place(frame)]
    real = [result.index.get_level_values(at) for at in range(result.index.nlevels)]
    levels = [in_their_order(hooks, one, value) for one, value in zip(real, levels, strict=True)]
    if level is not None:
        names = [one.name for one in frame.index]
        if isinstance(level, list) or level not in names or isinstance(ascending, list | tuple):
            raise NotTranslatable("sort_index by several levels")
        first = names.index(level)
        levels = [levels[first], *levels[:first], *levels[first + 1 :]]
    up = list(ascending) if isinstance(ascending, list | tuple) else [bool(ascending)] * len(levels)
    frame = settled(frame)
    return moved(frame, after(frame.rows, "sort", {"order_by": order_keys(levels, up)}, wanted="sorted"))


def head(hooks: Any, result: Any, frame: FrameSymbol, n: int = 5) -> FrameSymbol:
    """The first rows."""
    return locating.sliced(frame, slice(0, n), hooks)


def tail(hooks: Any, result: Any, frame: FrameSymbol, n: int = 5) -> FrameSymbol:
    """The last rows."""
    if hooks is not None and hooks.symbol(n) is not None:
        raise NotTranslatable("the last rows, as many as the data say")
    return locating.sliced(frame, slice(-n, None)) if n else kept(frame, constant(False))


def largest(ascending: bool) -> Callable[..., FrameSymbol]:
    """Return the rule of nlargest or nsmallest: the first rows in an order."""

    def rule(hooks: Any, result: Any, frame: FrameSymbol, n: int, columns: Any, keep: str = "first") -> FrameSymbol:
        if keep == "all":
            frame = _with_ties(frame, _labels(frame, columns), n, ascending)
            return sort_values(hooks, result, frame, columns, ascending=ascending)
        if keep != "first":
            raise NotTranslatable("nlargest whose ties are the last")
        return head(hooks, result, sort_values(hooks, result, frame, columns, ascending=ascending), n)

    return rule


def _with_ties(frame: FrameSymbol, labels: list[Any], n: int, ascending: bool) -> FrameSymbol:
    """Return the rows with the greatest or least values, so many or more where some are the same."""
    values = [frame.column(label) for label in labels]
    if len(values) > 1 or values[0].nullable:
        raise NotTranslatable("nlargest with ties of several columns or of nulls")
    rank = Value(f"rank() OVER (ORDER BY {values[0].sql}{'' if ascending else ' DESC'})", "integer", False)
    return kept(frame, Value(f"{frame.rows.define('rank', rank).sql} <= {int(n)}", "boolean", False))


def _labels(frame: FrameSymbol, subset: Any) -> list[Any]:
    """Return the labels of a subset, all where none is given."""
    if subset is None:
        return list(frame.columns)
    return [subset] if isinstance(subset, str) else list(subset)


def duplicated(hooks: Any, result: Any, frame: FrameSymbol, subset: Any = None, keep: Any = "first") -> SeriesSymbol:
    """Whether a row is there before (or after: keep='last'; or twice: keep=False)."""
    labels = _labels(frame, subset)
    keys = ", ".join(frame.rows.define(label, known(frame.column(label), "a key")).sql for label in labels)
    number, count = f"row_number() OVER (PARTITION BY {keys})", f"count(*) OVER (PARTITION BY {keys})"
    sql = f"{count} > 1" if keep is False else (f"{number} > 1" if keep == "first" else f"{number} < {count}")
    value = frame.rows.define("duplicated", Value(sql, "boolean", False))
    return SeriesSymbol(frame.rows, value, None, frame.index, frame.fresh)


def query(hooks: Any, result: Any, frame: FrameSymbol, expr: str, engine: Any = None) -> FrameSymbol:
    """The rows for which a condition in text holds."""
    return kept(frame, querying.condition(hooks, frame, expr))


def drop_duplicates(
    hooks: Any, result: Any, frame: FrameSymbol, subset: Any = None, *, keep: Any = "first", ignore_index: bool = False
) -> FrameSymbol:
    """One row of those that are the same."""
    labels = _labels(frame, subset)
    frame = settled(frame)
    keys = [frame.rows.name(label, known(frame.column(label), "a key")) for label in labels]
    params = {"keys": list(dict.fromkeys(keys)), "keep": "none" if keep is False else keep}
    return moved(frame, after(frame.rows, "dedup", params, wanted="distinct"), fresh=ignore_index)


def dropna(
    hooks: Any, result: Any, frame: FrameSymbol, *, axis: Any = 0, how: Any = "any", subset: Any = None,
    thresh: Any = None, ignore_index: bool = False,
) -> FrameSymbol:  # fmt: skip
    """Without rows that have nulls."""
    if axis not in (0, "index"):
        raise NotTranslatable("dropna of columns")
    labels = _labels(frame, subset)
    if thresh is not None:
        parts = [bind("(x IS NOT NULL)::INTEGER", x=frame.column(label).sql) for label in labels]
        return replace(
            kept(frame, Value(f"{' + '.join(parts)} >= {int(thresh)}", "boolean", False)), fresh=ignore_index
        )
    tests = [bind("x IS NOT NULL", x=frame.column(label).sql) for label in labels if frame.column(label).nullable]
    if not tests or (how == "all" and len(tests) < len(labels)):
        return replace(frame, fresh=frame.fresh)
    joined = (" AND " if how == "any" else " OR ").join(tests)
    made = kept(frame, Value(joined, "boolean", False))
    if how == "any":
        filled = {label: replace(made.columns[label], nullable=False) for label in labels}
        made = made.with_columns({**made.columns, **filled})
    return replace(made, fresh=ignore_index)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    "sort_values": sort_values, "sort_index": sort_index, "head": head, "tail": tail, "nlargest": largest(False),
    "nsmallest": largest(True), "duplicated": duplicated, "drop_duplicates": drop_duplicates, "dropna": dropna,
    "query": query, "eval": querying.evaluated,
}  # fmt: skip

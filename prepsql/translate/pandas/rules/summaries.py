"""Tables of few rows that tell of all columns of another: describe, several aggregates, a table turned round."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.groups import Group, GroupColumn, Part
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    chosen,
    distinct,
    of_columns,
)
from prepsql.translate.pandas.rules import reindexing, widening
from prepsql.translate.pandas.rules.grouping import add, name_of
from prepsql.translate.pandas.rules.values import SCOPE
from prepsql.translate.pandas.rules.whole import by_columns, totals
from prepsql.translate.pandas.things import constant_thing, path_of
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, Name, Value, column, common_family, constant, made

_SHARES = {"25%": 0.25, "50%": 0.5, "75%": 0.75}
_EMPTY = {"sum": "0", "any": "FALSE", "all": "TRUE", "prod": "1"}
Wanted = tuple[str, float | None]


def _measured(one: Rows, rows: Rows, wanted: Wanted, value: Value, name: str) -> Value:
    """Return a reduction of a column as a column of a table of one row."""
    function, share = wanted
    found = add(one, rows, function, value, name)
    if share is not None:
        one.params["aggs"][-1]["q"] = share
    if function in _EMPTY:
        found = made(f"coalesce(x, {_EMPTY[function]})", found.family, found, nullable=False, x=found.sql)
    return found


def _one_row(rows: Rows) -> Rows:
    return Rows("aggregate", {"aggs": []}, {"in": rows}, {}, wanted="totals")


def by_statistics(frame: FrameSymbol, wanted: Mapping[str, Wanted], labels: Sequence[Any]) -> FrameSymbol:
    """Return one row a statistic, by its name, with the columns of some labels."""
    one = _one_row(frame.rows)
    rows, key = reindexing.listed(list(wanted))
    found: dict[Any, Value] = {}
    for label in labels:
        value = frame.column(label)
        parts = {name: _measured(one, frame.rows, how, value, f"{name} of {label}") for name, how in wanted.items()}
        family = common_family(list(parts.values()), "statistics of a column")
        whens = " ".join(
            bind("WHEN n THEN y", n=constant(name).sql, y=rows.beside(f"{name} of {label}", one, part).sql)
            for name, part in parts.items()
        )
        nullable = any(part.nullable for part in parts.values())
        found[label] = rows.define(label, Value(bind(f"CASE x {whens} END", x=key.sql), family, nullable))
    return FrameSymbol(rows, found, (IndexLevel(None, key),), False)


def _described(names: Sequence[Any]) -> dict[str, Wanted]:
    plain = {"count", "mean", "std", "min", "max"}
    found: dict[str, Wanted] = {}
    for name in names:
        if name in plain:
            found[name] = (name, None)
        elif isinstance(name, str) and name.endswith("%"):
            found[name] = ("quantile", float(name[:-1]) / 100)
        else:
            raise NotTranslatable("describe of what aren't numbers")
    return found


def describe(hooks: Any, result: Any, frame: FrameSymbol, percentiles: Any = None) -> Symbol:
    """Count, mean, spread, extremes and quarters of columns of numbers."""
    labels = list(result.columns)
    if any(frame.column(label).family not in NUMERIC for label in labels):
        raise NotTranslatable("describe of what aren't numbers")
    found = by_statistics(frame, _described(list(result.index)), labels)
    return found.with_columns({x: _float(found.rows, x, value) for x, value in found.columns.items()})


def _float(rows: Rows, label: Any, value: Value) -> Value:
    if value.family == "float":
        return value
    return rows.define(label, made("x::DOUBLE", "float", value, x=value.sql))


def describe_series(hooks: Any, result: Any, symbol: SeriesSymbol, percentiles: Any = None) -> Symbol:
    """The same of a column."""
    frame = describe(hooks, result.to_frame("value"), symbol.framed("value"))
    assert isinstance(frame, FrameSymbol)
    return frame.series("value", result.name)


def agg(hooks: Any, result: Any, frame: FrameSymbol, func: Any, axis: Any = 0) -> Symbol:
    """Reductions of each column by name, several of them one below the other."""
    if axis not in (0, "index"):
        raise NotTranslatable("agg of rows")
    if isinstance(func, list) and isinstance(result, pd.DataFrame):
        names = [name_of(one) for one in func]
        return by_statistics(frame, {name: (name, None) for name in names}, list(result.columns))
    if not isinstance(result, pd.Series):
        raise NotTranslatable("agg of a table")
    functions = func if isinstance(func, Mapping) else dict.fromkeys(frame.columns, func)
    if any(isinstance(one, list) for one in functions.values()):
        raise NotTranslatable("agg of a table by several functions")
    return by_columns(frame, {label: (name_of(functions[label]), frame.column(label)) for label in functions})


def agg_series(hooks: Any, result: Any, symbol: SeriesSymbol, func: Any) -> Symbol:
    """Several reductions of a column, one below the other."""
    if not isinstance(func, list) or not isinstance(result, pd.Series):
        raise NotTranslatable("agg of a column")
    names = [name_of(one) for one in func]
    found = by_statistics(symbol.framed("value"), {name: (name, None) for name in names}, ["value"])
    return found.series("value", result.name)


def quantiles(hooks: Any, result: Any, symbol: SeriesSymbol, q: Any) -> Symbol:
    """Several shares of a column, one below the other."""
    one = _one_row(symbol.rows)
    rows, key = reindexing.listed([float(share) for share in q])
    whens = []
    for share in q:
        part = _measured(one, symbol.rows, ("quantile", float(share)), symbol.value, f"quantile {share}")
        whens.append(bind("WHEN n THEN y", n=constant(float(share)).sql, y=rows.beside(f"q {share}", one, part).sql))
    value = rows.define("value", Value(bind(f"CASE x {' '.join(whens)} END", x=key.sql), "float"))
    return SeriesSymbol(rows, value, result.name, (IndexLevel(None, key),), False)


def transposed(hooks: Any, result: Any, frame: FrameSymbol) -> FrameSymbol:
    """A table turned round: which columns it has, the data say."""
    if len(frame.index) > 1 or not result.columns.is_unique or not len(result.columns) or result.shape[1] > 60:
        raise NotTranslatable("a table turned round")
    if len(frame.columns) == 1 and not isinstance(next(iter(frame.columns)), str):
        [(label, value)] = frame.columns.items()
        found = transposed(hooks, result, frame.with_columns({"0": value}))
        return FrameSymbol(found.rows, found.columns, (), True) if label == 0 else found
    if any(not isinstance(label, str) for label in frame.columns) or not isinstance(result.columns, pd.Index):
        raise NotTranslatable("a table turned round whose labels aren't texts")
    base = distinct(frame if frame.index else _numbered(frame))
    [level] = base.index
    family = common_family(list(base.columns.values()), "columns that become rows")
    names = {"turned key": base.rows.name("key", level.value)}
    names |= {label: base.rows.name(label, value) for label, value in base.columns.items()}
    source = chosen(base.rows, names, "to_turn")
    params = {"mode": "longer", "id_cols": ["turned key"], "value_vars": list(base.columns), "names_to": "turned label",
              "values_to": "turned value"}  # fmt: skip
    nullable = any(value.nullable for value in base.columns.values())
    longer = Rows(
        "pivot", params, {"in": source},
        {**of_columns({"turned key": source.columns["turned key"]}),
         "turned label": Value('"turned label"', "text", False),
         "turned value": Value('"turned value"', family, nullable)},
        wanted="longer",
    )  # fmt: skip
    longer_frame = FrameSymbol(longer, {"turned value": longer.columns["turned value"]}, (), True)
    value = longer.columns["turned value"]
    shown = {label: ("max", value, [label]) for label in result.columns}
    by = [("rows", longer.columns["turned key"])]
    place = longer.define("turned place", _place(longer.columns["turned label"], list(base.columns)))
    keys = [("turned place", place), (None, longer.columns["turned label"])]
    found = widening.wide(longer_frame, keys, by, shown)
    return FrameSymbol(found.rows, found.columns, found.index[1:], False)


def _numbered(frame: FrameSymbol) -> FrameSymbol:
    from prepsql.translate.pandas.rules.aligning import place

    return FrameSymbol(frame.rows, frame.columns, (IndexLevel(None, place(frame)),), False)


def _place(label: Value, labels: Sequence[Any]) -> Value:
    whens = " ".join(bind("WHEN x THEN n", x=constant(one).sql, n=str(at)) for at, one in enumerate(labels))
    return Value(bind(f"CASE x {whens} END", x=label.sql), "integer", False)


def apply_columns(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, args: Sequence[Any], named: Mapping[str, Any]
) -> Symbol:
    """Return what a function gives for each column of a table: a column, or one cell."""
    if isinstance(result, pd.Series):
        return _reduced(frame, func, args, named)
    if not isinstance(result, pd.DataFrame) or list(result.columns) != list(frame.columns):
        raise NotTranslatable("apply of each column that gives other columns")
    if not result.index.equals(hooks.base.index):
        raise NotTranslatable("apply of each column that gives other rows")
    found = {}
    group = Group(frame, [])
    for label, value in frame.columns.items():
        if cells.is_own(func):
            endings = cells.traced(func, GroupColumn(Part(group), value), *args, **named)
            first = endings[0].result
            if (
                len(endings) > 1
                or not isinstance(first, GroupColumn)
                or first.part.mask is not None
                or first.part.order
            ):
                raise NotTranslatable("apply of each column that gives other rows, or now this, now that")
            made_of = column(first.value).exact()
        else:
            path = path_of(func)
            if path is None or args:
                raise NotTranslatable("apply of this function to each column")
            options = {key: constant_thing(one) for key, one in named.items()}
            made_of = column(calls.call(SCOPE, Name(path), "", [value], options))
        found[label] = frame.rows.define(label, made_of)
    return frame.with_columns(found)


def _reduced(frame: FrameSymbol, func: Any, args: Sequence[Any], named: Mapping[str, Any]) -> Symbol:
    if not cells.is_own(func):
        if args or named:
            raise NotTranslatable("apply of this function to each column")
        return by_columns(frame, {label: (name_of(func), value) for label, value in frame.columns.items()})
    one = _one_row(frame.rows)
    group = Group(frame, [], one)
    found = {}
    for label, value in frame.columns.items():
        endings = cells.traced(func, GroupColumn(Part(group), value), *args, **named)
        found[str(label)] = one.define(f"{label} in all", cells.value_of(endings))
    return totals(one, found, {str(label): label for label in frame.columns})


FRAME_METHODS: dict[str, Callable[..., Symbol | None]] = {
    "describe": describe, "agg": agg, "aggregate": agg, "transpose": transposed,
}  # fmt: skip
SERIES_METHODS: dict[str, Callable[..., Symbol | None]] = {"describe": describe_series, "agg": agg_series}

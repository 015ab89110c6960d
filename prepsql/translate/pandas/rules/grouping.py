"""What is done to groups of rows: aggregates that give a row a group, and windows beside the rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, IndexLevel, Rows, SeriesSymbol, Symbol, of_columns
from prepsql.translate.pandas.rules.aggregates import measure
from prepsql.translate.pandas.rules.values import SCOPE, series, thing
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text.value import Groups, Value, constant
from prepsql.workflow.reserved import column_name

# one aggregate: the label of the result, the label it is of (None: of rows), and the function
Wanted = tuple[Any, Any, str]


def aggregated(hooks: Any, groups: GroupsSymbol, result: Any, wanted: Sequence[Wanted]) -> FrameSymbol:
    """Return one row a group, ordered by the keys, with the aggregates; the keys are the index or columns."""
    rows = groups.frame.rows
    if not groups.sort:
        raise NotTranslatable("groups in the order in which they come up")
    keys = [(label, rows.name("key" if label is None else label, value)) for label, value in groups.keys]
    columns = of_columns({name: rows.columns[name] for _, name in keys})
    made: dict[Any, Value] = {}
    aggs = []
    for label, source, function in wanted:
        name = _free(_joined(label), columns)
        value = None if source is None else groups.frame.column(source)
        agg, family, nullable = measure(function, value, name)
        aggs.append(agg)
        columns[name] = Value(column_name(name), family, nullable)
        made[label] = columns[name]
    params: dict[str, Any] = {"group_keys": [name for _, name in keys], "aggs": aggs}
    if groups.dropna and any(value.nullable for _, value in groups.keys):
        params["null_group"] = "drop"
    by = "_and_".join(str(label) for label, _ in keys[:2])
    grouped = Rows("aggregate", params, {"in": rows}, columns, wanted=f"by_{by}")
    levels = [(label, grouped.columns[name]) for label, name in keys]
    if groups.as_index:
        return FrameSymbol(grouped, made, tuple(IndexLevel(label, value) for label, value in levels), False)
    return FrameSymbol(grouped, {**dict(levels), **made}, (), True)


def _joined(label: Any) -> str:
    return "_".join(str(part) for part in label if part != "") if isinstance(label, tuple) else str(label)


def _free(wanted: str, taken: Mapping[str, Value]) -> str:
    lowered = {name.lower() for name in taken}
    name, number = wanted or "value", 1
    while name.lower() in lowered:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _labels(groups: GroupsSymbol) -> list[Any]:
    keys = [label for label, _ in groups.keys]
    return list(groups.picked) if groups.picked is not None else [x for x in groups.frame.columns if x not in keys]


def _function_of(function: Any) -> str:
    if isinstance(function, str):
        return function
    names = {sum: "sum", max: "max", min: "min", len: "size", list: "list"}
    found = names.get(function) if function in names else getattr(function, "__name__", "")
    known = {"mean", "median", "std", "var", "nunique", "sum", "min", "max", "first", "last", "size", "count", "list"}
    if found not in known or function.__module__ not in ("builtins", "numpy"):
        raise NotTranslatable("an aggregate by a function of the program")
    return found


def reduce(name: str) -> Callable[..., Symbol]:
    """Return the rule of an aggregate by name."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol, numeric_only: bool = False) -> Symbol:
        labels = _labels(groups)
        if numeric_only:
            labels = [label for label in labels if label in result.columns]
        return _shaped(hooks, groups, result, [(label, label, name) for label in labels])

    return rule


def _shaped(hooks: Any, groups: GroupsSymbol, result: Any, wanted: Sequence[Wanted]) -> Symbol:
    frame = aggregated(hooks, groups, result, wanted)
    if isinstance(result, pd.Series):
        label = wanted[0][0]
        return SeriesSymbol(frame.rows, frame.columns[label], result.name, frame.index, frame.fresh)
    return frame


def size(hooks: Any, result: Any, groups: GroupsSymbol) -> Symbol:
    """How many rows a group has."""
    label = "size" if isinstance(result, pd.Series) else result.columns[-1]
    return _shaped(hooks, groups, result, [(label, None, "size")])


def agg(hooks: Any, result: Any, groups: GroupsSymbol, func: Any = None, **named: Any) -> Symbol:
    """Several aggregates."""
    wanted: list[Wanted] = []
    if func is None:
        for label, given in named.items():
            source, function = given if isinstance(given, tuple) else (_labels(groups)[0], given)
            wanted.append((label, source, _function_of(function)))
    elif isinstance(func, Mapping):
        for source, functions in func.items():
            for function in functions if isinstance(functions, list) else [functions]:
                name = _function_of(function)
                several = isinstance(result.columns, pd.MultiIndex)
                wanted.append(((source, name) if several else source, source, name))
    elif isinstance(func, list):
        several = isinstance(getattr(result, "columns", None), pd.MultiIndex)
        for source in _labels(groups):
            wanted += [
                ((source, _function_of(f)) if several else _function_of(f), source, _function_of(f)) for f in func
            ]
    else:
        wanted = [(label, label, _function_of(func)) for label in _labels(groups)]
    return _shaped(hooks, groups, result, wanted)


def window(
    hooks: Any, groups: GroupsSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """Return what a function of groups gives beside the rows, by the rules of pandas text."""
    frame = groups.frame
    rows = frame.rows
    keys = tuple(rows.define("key" if label is None else label, value) for label, value in groups.keys)
    picked = None
    if groups.picked is not None:
        if len(groups.picked) != 1:
            raise NotTranslatable(f"groupby.{name}() of several columns")
        label = groups.picked[0]
        picked = rows.define(label, frame.column(label))
    elif name != "cumcount":
        raise NotTranslatable(f"groupby.{name}() of all columns")
    function = given[0] if name == "transform" and given else None
    if function is not None and not isinstance(function, str):
        given = [_function_of(function)]
    things = [thing(hooks, one, rows) for one in given]
    options = {key: thing(hooks, one, rows) for key, one in named.items()}
    made = calls.call(SCOPE, Groups(keys, groups.dropna, picked), name, things, options)
    if isinstance(result, pd.DataFrame):
        raise NotTranslatable(f"groupby.{name}() of several columns")
    return series(hooks, frame, result, made)


def head(hooks: Any, result: Any, groups: GroupsSymbol, n: int = 5) -> FrameSymbol:
    """The first rows of each group."""
    from prepsql.translate.pandas.rules.places import kept

    rows = groups.frame.rows
    keys = ", ".join(rows.define(label, value).sql for label, value in groups.keys)
    place = rows.define("place", Value(f"row_number() OVER (PARTITION BY {keys})", "integer", False))
    return kept(groups.frame, Value(f"{place.sql} <= {n}", "boolean", False))


def nth_first(name: str) -> Callable[..., Symbol]:
    """Return the rule of first or last of all columns."""
    return reduce(name)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    **{name: reduce(name) for name in (
        "sum", "mean", "median", "min", "max", "count", "nunique", "std", "var", "first", "last", "prod", "any", "all",
    )},
    "size": size, "agg": agg, "aggregate": agg, "head": head,
}  # fmt: skip
_ = constant

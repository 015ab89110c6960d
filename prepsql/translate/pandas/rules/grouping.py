"""Aggregates of groups of rows, which give a row a group."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cell_items, cells
from prepsql.translate.pandas.groups import REDUCTIONS, Group, GroupColumn, Part
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    Symbol,
    after,
    moved,
    of_columns,
    settled,
)
from prepsql.translate.pandas.rules import categories, group_categories
from prepsql.translate.pandas.rules.aggregates import measure
from prepsql.workflow.pandas_text.sql import bind, has_window
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

# one aggregate: the label of the result, the label it is of (None: of rows), and the function
Wanted = tuple[Any, Any, Any]


def grouped_rows(groups: GroupsSymbol) -> Rows:
    """Return the rows of an aggregate, one a group, ordered by the keys, that has the keys so far."""
    rows = groups.frame.rows
    names = [rows.name("key", value) for value in groups.key_columns()]
    columns = of_columns({name: rows.columns[name] for name in names})
    params: dict[str, Any] = {"group_keys": names, "aggs": []}
    # whole numbers without nulls may have some in other inputs
    if groups.dropna and any(value.nullable or value.family == "integer" for _, value in groups.keys):
        params["null_group"] = "drop"
        columns = {name: replace(value, nullable=False) for name, value in columns.items()}
    by = "_and_".join(str(label) for label, _ in groups.keys[:2])
    return Rows("aggregate", params, {"in": rows}, columns, wanted=f"by_{by}")


def aggregated(hooks: Any, groups: GroupsSymbol, result: Any, wanted: Sequence[Wanted]) -> FrameSymbol:
    """Return one row a group, ordered by the keys, with the aggregates; the keys are the index or columns."""
    grouped = grouped_rows(groups)
    group = Group(groups.frame, groups.keys, grouped, dropna=groups.dropna)
    made: dict[Any, Value] = {}
    if groups.unobserved and not all(isinstance(function, str) for _, _, function in wanted):
        raise NotTranslatable("a function of groups of categories, some of which have no rows")
    for label, source, function in wanted:
        value = None if source is None else groups.frame.column(source)
        if isinstance(function, str):
            made[label] = _named(hooks, groups, grouped, function, source, value, _joined(label))
        else:
            assert value is not None
            endings = cells.traced(function, GroupColumn(Part(group), value))
            made[label] = grouped.define(_joined(label), cells.value_of(endings))
    if groups.unobserved:
        return group_categories.filled(groups, grouped, made, {label: function for label, _, function in wanted})
    return of_groups(groups, grouped, made)


def _named(
    hooks: Any, groups: GroupsSymbol, grouped: Rows, function: str, source: Any, value: Value | None, wanted: str
) -> Value:
    """Add an aggregate by name; the least and greatest of categories are those of their places."""
    kind = group_categories.kind_of(groups, source)
    if kind is None or function not in ("min", "max") or value is None:
        return add(grouped, groups.frame.rows, function, value, wanted)
    found = categories.listed(kind)
    categories.declared(hooks, found)
    place = groups.frame.rows.define("place", categories.numbered(value, found))
    top = add(grouped, groups.frame.rows, function, place, f"place of {wanted}")
    return grouped.define(wanted, categories.back(top, found))


def add(grouped: Rows, rows: Rows, function: str, value: Value | None, wanted: str) -> Value:
    """Add an aggregate and return its column."""
    name = grouped.name_for(wanted or "value")
    if value is not None and has_window(value.sql):
        value = rows.define(wanted, value)
    if function == "prod" and value is not None and value.family == "float":
        # what a product of floats is hangs on their order, which an aggregate doesn't keep
        each = add(grouped, rows, "list", value, f"{wanted} of")
        filled = bind("list_filter(x, lambda v: v IS NOT NULL)", x=each.sql) if value.nullable else each.sql
        product = bind("list_reduce(x, lambda a, b: a * b, 1.0::DOUBLE)", x=filled)
        return grouped.define(wanted, Value(product, "float", False))
    agg, family, nullable = measure(function, value, name)
    grouped.params["aggs"].append(agg)
    item = cell_items.of_values(value) if function == "list" and value is not None else None
    grouped.columns[name] = Value(column_name(name), family, nullable and not item, item=item)
    return grouped.columns[name]


def counted(groups: GroupsSymbol) -> FrameSymbol:
    """Return how many rows each group has."""
    grouped = grouped_rows(groups)
    return of_groups(groups, grouped, {"count": add(grouped, groups.frame.rows, "size", None, "count")})


def of_groups(groups: GroupsSymbol, grouped: Rows, made: Mapping[Any, Value]) -> FrameSymbol:
    """Return the table of one row a group: the keys are its index or columns."""
    names = grouped.params["group_keys"]
    made, grouped = group_categories.ordered(groups, grouped, made)
    if not groups.sort:
        rows = groups.frame.rows
        first = add(
            grouped, rows, "min", rows.define("place", Value("row_number() OVER ()", "integer", False)), "first"
        )
        frame = settled(FrameSymbol(grouped, dict(enumerate(made.values()))))
        grouped_in_order = after(grouped, "sort", {"order_by": [{"expr": first.sql}]}, wanted="in_order")
        moved_frame = moved(frame, grouped_in_order)
        made, grouped = dict(zip(made, moved_frame.columns.values(), strict=True)), grouped_in_order
    levels = [(label, grouped.columns[name]) for (label, _), name in zip(groups.keys, names, strict=True)]
    if groups.as_index:
        return FrameSymbol(grouped, made, tuple(IndexLevel(label, value) for label, value in levels), False)
    depth = max((len(label) for label in made if isinstance(label, tuple)), default=1)
    if depth > 1:
        levels = [((label, *[""] * (depth - 1)), value) for label, value in levels]
    return FrameSymbol(grouped, {**dict(levels), **made}, (), True)


def _joined(label: Any) -> str:
    return "_".join(str(part) for part in label if part != "") if isinstance(label, tuple) else str(label)


def _labels(groups: GroupsSymbol) -> list[Any]:
    keys = [label for label, _ in groups.keys]
    return list(groups.picked) if groups.picked is not None else [x for x in groups.frame.columns if x not in keys]


_BUILTINS = {sum: "sum", max: "max", min: "min", len: "size", list: "list", any: "any", all: "all"}


def function_of(function: Any) -> Any:
    """Return the name of an aggregate, or the function of the program that gives it."""
    if isinstance(function, str):
        return function
    if isinstance(function, Hashable) and function in _BUILTINS:
        return _BUILTINS[function]
    owner = getattr(function, "__self__", None)
    if isinstance(owner, str) and function.__name__ == "join":
        return joining(owner)
    if cells.is_own(function):
        return function
    found = getattr(function, "__name__", "")
    if found not in REDUCTIONS or str(getattr(function, "__module__", "")) != "numpy":
        raise NotTranslatable(f"an aggregate by {found or function}")
    return found


def joining(separator: str) -> Callable[..., Any]:
    """Return `separator.join` as a function that can be traced."""

    def join(values: Any) -> Any:
        return values.joined(separator)

    join.__code__ = join.__code__.replace(co_filename=cells.PROGRAM)
    return join


def name_of(function: Any) -> str:
    """Return the label that pandas gives to what a function of an aggregate gives."""
    known = function_of(function)
    return known if isinstance(known, str) else str(getattr(function, "__name__", "value"))


def reduce(name: str) -> Callable[..., Symbol]:
    """Return the rule of an aggregate by name."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol, numeric_only: bool = False, min_count: int = -1) -> Symbol:
        labels = _labels(groups)
        if min_count > 0:
            if name != "sum" or min_count > 1:
                raise NotTranslatable("an aggregate of at least so many values")
            return _shaped(hooks, groups, result, [(label, label, "sum_or_null") for label in labels])
        if numeric_only:
            labels = [label for label in labels if label in result.columns]
        return _shaped(hooks, groups, result, [(label, label, name) for label in labels])

    return rule


def _shaped(hooks: Any, groups: GroupsSymbol, result: Any, wanted: Sequence[Wanted]) -> Symbol:
    frame = aggregated(hooks, groups, result, wanted)
    if isinstance(result, pd.Series):
        return frame.series(wanted[0][0], result.name)
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
            wanted.append((label, source, function_of(function)))
    elif isinstance(func, Mapping):
        for source, functions in func.items():
            for function in functions if isinstance(functions, list) else [functions]:
                several = isinstance(result.columns, pd.MultiIndex)
                shown = (source, name_of(function)) if several else source
                wanted.append((shown, source, function_of(function)))
    elif isinstance(func, list):
        several = isinstance(getattr(result, "columns", None), pd.MultiIndex)
        for source in _labels(groups):
            wanted += [((source, name_of(f)) if several else name_of(f), source, function_of(f)) for f in func]
    else:
        wanted = [(label, label, function_of(func)) for label in _labels(groups)]
    return _shaped(hooks, groups, result, wanted)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    **{name: reduce(name) for name in (
        "sum", "mean", "median", "min", "max", "count", "nunique", "std", "var", "first", "last", "prod", "any", "all",
    )},
    "size": size, "agg": agg, "aggregate": agg,
}  # fmt: skip

"""Rows become columns with filtered aggregates: several values, functions or levels; and levels that become rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells as cells_
from prepsql.translate.pandas.groups import Group, GroupColumn, Part
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    chosen,
    distinct,
    moved,
    of_columns,
    settled,
)
from prepsql.translate.pandas.rules import picking
from prepsql.translate.pandas.rules.grouping import add, function_of, grouped_rows, name_of
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import thing
from prepsql.translate.pandas.things import SQL_TYPES, constant_thing, family_of
from prepsql.workflow.pandas_text import columns as column_rules
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, column, common_family, made

Cells = Mapping[Any, tuple[Any, Value | None, Sequence[Any]]]
"""The cells of a wide table by label: the function, what it is of, and the categories of its rows."""


def wide(
    frame: FrameSymbol, keys: Sequence[tuple[Any, Value]], by: Sequence[tuple[Any, Value]], cells: Cells,
    fill_value: Any = None, keep_nulls: str = "",
) -> FrameSymbol:  # fmt: skip
    """Return one row a combination of keys, ordered by them, with a column a combination of categories.

    A cell without rows is null, or `fill_value`. With `keep_nulls` null keys have rows too, the 'first' or the 'last'.
    """
    needed = by if keep_nulls else (*keys, *by)
    tests = [bind("x IS NOT NULL", x=value.sql) for _, value in needed if value.nullable]
    carried = {**frame.columns, **{("key", at): value for at, (_, value) in enumerate((*keys, *by))}}
    carried |= {("cell", label): value for label, (_, value, _) in cells.items() if value is not None}
    frame = settled(frame.with_columns(carried))
    if tests:
        frame = kept(frame, Value(" AND ".join(tests), "boolean", False))
    names = [label for label, _ in (*keys, *by)]
    found = [frame.columns["key", at] for at in range(len(names))]
    rows = frame.rows
    groups = GroupsSymbol(frame, list(zip(names[: len(keys)], found[: len(keys)], strict=True)), dropna=not keep_nulls)
    grouped = grouped_rows(groups)
    columns: dict[Any, Value] = {}
    for label, (function, value, categories) in cells.items():
        source = None if value is None else frame.columns["cell", label]
        wanted = "_".join(str(part) for part in label) if isinstance(label, tuple) else str(label)
        parts = list(zip(found[len(keys) :], categories, strict=True)) if categories else []
        if not isinstance(function, str):
            columns[label] = _by_function(frame, groups, grouped, function, source, parts, wanted, fill_value)
            continue
        value = add(grouped, rows, function, source, wanted)
        agg = grouped.params["aggs"][-1]
        conditions = [_equal(one, category) for one, category in parts]
        if agg.get("filter"):
            conditions.append(agg["filter"])
        if conditions:
            agg["filter"] = " AND ".join(conditions)
        columns[label] = _filled(grouped, rows, value, function, categories and conditions, fill_value)
    levels = zip(groups.keys, grouped.params["group_keys"], strict=True)
    grouped.note = f"holds for inputs with the same values of {', '.join(map(str, names[len(keys) :]))}" if by else ""
    made = FrameSymbol(grouped, columns, tuple(IndexLevel(x, grouped.columns[n]) for (x, _), n in levels), False)
    if keep_nulls != "first" or not any(level.value.nullable for level in made.index):
        return made
    made = settled(made)
    order = [{"expr": level.value.sql, "nulls": "first"} for level in made.index]
    return moved(made, after(made.rows, "sort", {"order_by": order}, wanted="nulls_first"))


def _by_function(
    frame: FrameSymbol, groups: GroupsSymbol, grouped: Rows, function: Any, source: Value | None, parts: Any,
    wanted: str, fill_value: Any,
) -> Value:  # fmt: skip
    """Return a cell that a function of the program gives for the rows of a category, null where there are none."""
    assert source is not None
    group = Group(frame, groups.keys, grouped, dropna=groups.dropna)
    part = Part(group)
    for one, category in parts:
        part = part.where(Value(_equal(one, category), "boolean", False))
    value = cells_.value_of(cells_.traced(function, GroupColumn(part, source)))
    if not parts:
        return grouped.define(wanted, value)
    there = group.reduced("size", part, None).thing
    assert isinstance(there, Value)
    value = made("CASE WHEN n > 0 THEN x END", value.family, value, nullable=True, x=value.sql, n=there.sql)
    if fill_value is not None and fill_value == fill_value:
        value = column_rules.fill_na(value, constant_thing(fill_value))
    return grouped.define(wanted, value)


def in_order(hooks: Any, frame: FrameSymbol, index: pd.Index) -> FrameSymbol:
    """Return a table with its rows in the order of its index' categories, where that isn't the order of the values."""
    levels = [index.get_level_values(at) for at in range(index.nlevels)]
    by = [picking.in_their_order(hooks, one, mine.value) for one, mine in zip(levels, frame.index, strict=True)]
    if [one.sql for one in by] == [level.value.sql for level in frame.index]:
        return frame
    frame = settled(frame)
    order = [{"expr": one.sql} for one in by]
    return moved(frame, after(frame.rows, "sort", {"order_by": order}, wanted="in_order"))


def _equal(value: Value, category: Any) -> str:
    other = column(constant_thing(category))
    return bind("x AND", x=operators.named("eq", value, other).sql).removesuffix(" AND")


def _filled(
    grouped: Rows, rows: Rows, value: Value, function: str, conditions: Sequence[str], fill_value: Any
) -> Value:
    """Return a cell that is null, or the value given for it, where there are no rows."""
    if not conditions:
        return value
    value = Value(value.sql, value.family, True)
    empty = fill_value is None or fill_value != fill_value
    if function in ("count", "size", "nunique") and (empty or fill_value != 0):
        there = add(grouped, rows, "size", None, "rows")
        grouped.params["aggs"][-1]["filter"] = " AND ".join(conditions)
        value = made("CASE WHEN n > 0 THEN x END", "integer", value, nullable=True, x=value.sql, n=there.sql)
    if empty:
        return value
    return column_rules.fill_na(value, constant_thing(fill_value))


def _listed(value: Any) -> list[Any]:
    return list(value) if isinstance(value, list | tuple) else ([] if value is None else [value])


def pivot_table(
    hooks: Any, result: Any, frame: FrameSymbol, values: Any, index: Any, columns: Any, aggfunc: Any, fill_value: Any,
    keep_nulls: str = "",
) -> FrameSymbol:  # fmt: skip
    """A pivot of several values, functions or categories, or of none."""
    keys = [_key(hooks, frame, label) for label in _listed(index)]
    by = [_key(hooks, frame, label) for label in _listed(columns)]
    several = isinstance(values, list) or values is None or isinstance(aggfunc, Mapping)
    cells: dict[Any, tuple[Any, Value | None, Sequence[Any]]] = {}
    functions = aggfunc if isinstance(aggfunc, list) else None
    nested = isinstance(aggfunc, Mapping) and any(isinstance(one, list) for one in aggfunc.values())
    for label in result.columns:
        parts = list(label) if isinstance(label, tuple) else [label]
        if any(part != part for part in parts):
            raise NotTranslatable("a pivot with a column for nulls")
        function = function_of(functions[[name_of(f) for f in functions].index(parts.pop(0))]) if functions else None
        source = parts.pop(0) if several or not by else values
        if function is None:
            given = aggfunc[source] if isinstance(aggfunc, Mapping) else aggfunc
            if nested:
                listed = given if isinstance(given, list) else [given]
                given = listed[[name_of(f) for f in listed].index(parts.pop(0))]
            function = function_of(given)
        if len(parts) != len(by):
            raise NotTranslatable("a pivot with such columns")
        cells[label] = (function, frame.column(source), parts)
    if not keys:
        raise NotTranslatable("a pivot without an index")
    return in_order(hooks, wide(frame, keys, by, cells, fill_value, keep_nulls), result.index)


def _key(hooks: Any, frame: FrameSymbol, label: Any) -> tuple[Any, Value]:
    if isinstance(hooks.symbol(label), SeriesSymbol):
        return label.name, column(thing(hooks, label, frame))
    return label, frame.column(label)


def unstack(hooks: Any, result: Any, symbol: Any, level: Any = -1, fill_value: Any = None) -> FrameSymbol:
    """A level of the index becomes columns."""
    if not isinstance(result, pd.DataFrame) or len(symbol.index) < 2:
        raise NotTranslatable("unstack of one level")
    names = [one.name for one in symbol.index]
    at = level % len(names) if isinstance(level, int) else names.index(level)
    by = symbol.index[at]
    keys = [(one.name, one.value) for place, one in enumerate(symbol.index) if place != at]
    cells: dict[Any, tuple[Any, Value | None, Sequence[Any]]] = {}
    if isinstance(symbol, SeriesSymbol):
        frame = symbol.framed("value")
        cells = {label: ("max", symbol.value, [label]) for label in result.columns}
    else:
        frame = symbol
        for label in result.columns:
            source = label[0] if len(label) == 2 else label[:-1]
            cells[label] = ("max", frame.column(source), [label[-1]])
    lacking = any((codes == -1).any() for codes in hooks.base.index.codes)
    nulls = "first" if lacking else "last"
    found = wide(frame, keys, [(by.name, by.value)], cells, fill_value, nulls)
    return in_order(hooks, found, result.index)


def _label_type(frame: FrameSymbol, result: Any) -> Family | None:
    """Return the type of the labels that become rows, None for texts."""
    labels = list(frame.columns)
    if not isinstance(result, pd.Series) or not labels:
        raise NotTranslatable("stack of columns of several levels")
    if all(isinstance(label, str) for label in labels):
        return None
    kind = family_of(pd.Series(labels))
    if kind not in ("integer", "timestamp") or len({str(label) for label in labels}) < len(labels):
        raise NotTranslatable("stack of columns whose labels are of several types")
    return kind


def stack(
    hooks: Any, result: Any, frame: FrameSymbol, level: Any = -1, dropna: bool = True, future_stack: bool = False
) -> Symbol:
    """Columns become a level of the index, row by row; nulls go."""
    kind = _label_type(frame, result)
    frame = distinct(frame)
    family = common_family(list(frame.columns.values()), "columns that become rows")
    if not frame.index:
        raise NotTranslatable("stack of a table without an index")
    ids = {f"level {at}": level.value for at, level in enumerate(frame.index)}
    names = {**{name: frame.rows.name(name, value) for name, value in ids.items()},
             **{str(label): frame.rows.name(label, value) for label, value in frame.columns.items()}}  # fmt: skip
    if len(set(names.values())) < len(names):
        raise NotTranslatable("stack of a column that is the index too")
    source = chosen(frame.rows, names, "to_stack")
    nullable = any(value.nullable for value in frame.columns.values())
    columns = {**of_columns({name: source.columns[name] for name in ids}),
               "stacked label": Value('"stacked label"', "text", False),
               "stacked value": Value('"stacked value"', family, nullable)}  # fmt: skip
    pivoted = {"mode": "longer", "id_cols": list(ids), "value_vars": list(map(str, frame.columns)),
               "names_to": "stacked label", "values_to": "stacked value"}  # fmt: skip
    longer = Rows("pivot", pivoted, {"in": source}, columns, wanted="stacked")
    levels = [IndexLevel(level.name, longer.columns[name]) for level, name in zip(frame.index, ids, strict=True)]
    label = longer.columns["stacked label"]
    if kind is not None:
        label = longer.define("stacked label", Value(bind(f"x::{SQL_TYPES[kind]}", x=label.sql), kind, False))
    levels.append(IndexLevel(result.index.names[-1], label))
    found = FrameSymbol(longer, {"value": longer.columns["stacked value"]}, tuple(levels), False)
    if dropna and not future_stack:
        found = kept(found, column_rules.not_na(found.columns["value"]))
    return found.series("value", result.name)


FRAME_METHODS: dict[str, Callable[..., Symbol | None]] = {"unstack": unstack, "stack": stack}
SERIES_METHODS: dict[str, Callable[..., Symbol | None]] = {"unstack": unstack}

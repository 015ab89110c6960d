"""Columns become rows, rows become columns, lists become rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cell_items
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    IndexLevel,
    Rows,
    Symbol,
    after,
    distinct,
    moved,
    of_columns,
    settled,
)
from prepsql.translate.pandas.rows import chosen as chosen_columns
from prepsql.translate.pandas.rules import mixes, widening
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.things import SQL_TYPES
from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name

_AGGS = {"sum": "sum", "mean": "avg", "count": "count", "min": "min", "max": "max", "first": "first", "last": "last",
         "median": "median", "nunique": "count_distinct", "size": "count"}  # fmt: skip


def melt(
    hooks: Any, result: Any, frame: Any, id_vars: Any = None, value_vars: Any = None, var_name: Any = None,
    value_name: str = "value", ignore_index: bool = True,
) -> FrameSymbol:  # fmt: skip
    """Columns become rows, column by column."""
    frame = frame if isinstance(frame, FrameSymbol) else hooks.symbol(frame)
    if not ignore_index:
        return _melt_with_index(hooks, result, frame, id_vars, value_vars, value_name)
    frame = distinct(frame)
    ids = [] if id_vars is None else ([id_vars] if isinstance(id_vars, str) else list(id_vars))
    chosen = [x for x in frame.columns if x not in ids] if value_vars is None else (
        [value_vars] if isinstance(value_vars, str) else list(value_vars)
    )  # fmt: skip
    name = str(result.columns[-2])
    frame, family = mixes.family_of(frame, chosen, "columns that become rows")
    frame = distinct(frame)
    return _by_pivot(frame, ids, chosen, name, value_name, family)


def _melt_with_index(
    hooks: Any, result: Any, frame: FrameSymbol, id_vars: Any, value_vars: Any, value_name: str
) -> FrameSymbol:
    """Return the melted rows under the labels that they had."""
    from prepsql.translate.pandas.rules.aligning import levels

    own = {("level", at): value for at, value in enumerate(levels(frame))}
    ids = [] if id_vars is None else ([id_vars] if isinstance(id_vars, str) else list(id_vars))
    if value_vars is None:
        value_vars = [label for label in frame.columns if label not in ids]
    made = melt(hooks, result, frame.with_columns({**own, **frame.columns}), [*own, *ids], value_vars, None, value_name)
    names = [level.name for level in frame.index] or [None]
    index = tuple(IndexLevel(name, made.columns[label]) for name, label in zip(names, own, strict=True))
    return FrameSymbol(made.rows, {x: made.columns[x] for x in result.columns}, index, False)


def _by_pivot(
    frame: FrameSymbol, ids: list[Any], chosen: list[Any], name: str, value_name: str, family: Any
) -> FrameSymbol:
    """Return the rows of a longer pivot, put in pandas' order: column by column."""
    rows = frame.rows
    place = rows.define("place", Value("row_number() OVER ()", "integer", False))
    labels = {str(label): rows.name(label, frame.column(label)) for label in chosen}
    if len(labels) < len(chosen):
        raise NotTranslatable("labels that are one as text")
    id_names = {label: rows.name(label, frame.column(label)) for label in ids}
    place_name = rows.name("place", place)
    kept = list(dict.fromkeys([*id_names.values(), place_name, *labels.values()]))
    renamed = {old: new for new, old in labels.items() if old != new}
    source: Rows = rows
    if set(kept) != set(rows.columns) or renamed:
        source = chosen_columns(rows, {renamed.get(old, old): old for old in kept}, "to_unpivot")
    final = {label: renamed.get(old, old) for label, old in id_names.items()}
    columns = {n: Value(column_name(n), source.columns[n].family, source.columns[n].nullable)
               for n in [*final.values(), place_name]}  # fmt: skip
    if name in columns or value_name in columns:
        raise NotTranslatable("melt into a column that is there")
    columns[name] = Value(column_name(name), "text", False)
    columns[value_name] = Value(column_name(value_name), family, any(frame.column(x).nullable for x in chosen))
    params = {"mode": "longer", "id_cols": [*dict.fromkeys([*final.values(), place_name])],
              "value_vars": list(labels), "names_to": name, "values_to": value_name}  # fmt: skip
    longer = Rows("pivot", params, {"in": source}, columns, wanted="longer")
    order = longer.define("column_place", Value(_places(name, list(labels)), "integer", False))
    ordered = after(longer, "sort", {"order_by": [{"expr": order.sql}, {"expr": column_name(place_name)}]},
                    wanted="longer_in_order")  # fmt: skip
    made = {label: ordered.columns[n] for label, n in final.items()}
    return FrameSymbol(
        ordered, {**made, name: ordered.columns[name], value_name: ordered.columns[value_name]}, (), True
    )


def _places(name: str, labels: list[str]) -> str:
    from prepsql.sqltext import literal

    whens = " ".join(f"WHEN {literal(label)} THEN {at}" for at, label in enumerate(labels, 1))
    return f"CASE {column_name(name)} {whens} END"


def pivot_table(
    hooks: Any, result: Any, frame: Any, values: Any = None, index: Any = None, columns: Any = None,
    aggfunc: Any = "mean", fill_value: Any = None, observed: Any = None, dropna: bool = True, margins: bool = False,
    margins_name: str = "All",
) -> FrameSymbol:  # fmt: skip
    """Rows become columns: which, the data say."""
    frame = settled(frame if isinstance(frame, FrameSymbol) else hooks.symbol(frame))
    function = aggfunc if isinstance(aggfunc, str) else getattr(aggfunc, "__name__", "")
    if dropna is not True:
        raise NotTranslatable("pivot_table that keeps empty columns")
    frame = _told(frame, result, values, aggfunc)
    if margins:
        from prepsql.translate.pandas.rules import margins as of_margins

        if not isinstance(values, str) or isinstance(aggfunc, Mapping | list) or observed is False:
            raise NotTranslatable("pivot_table with totals of several values")
        keys, by = (
            [(x, frame.column(x)) for x in (side if isinstance(side, list) else [side])] for side in (index, columns)
        )
        value = frame.column(values)
        return of_margins.with_totals(frame, result, keys, by, function, value, fill_value, margins_name)
    lacking = _lacking(hooks, frame, (index, columns), observed)
    plain = all(isinstance(one, str) for one in (values, index, columns))
    if lacking and plain and function in ("sum", "count", "nunique"):
        return _of_categories(hooks, result, frame, values, index, columns, function, "index" in lacking)
    if lacking and (function not in ("min", "max", "mean", "median", "first", "last") or lacking == {"index"}):
        raise NotTranslatable("pivot_table of categories, some of which have no rows")
    simple = function in ("sum", "mean", "min", "max", "median") and isinstance(index, str | list)
    if (
        not simple
        or any(one is None or isinstance(one, list) for one in (values, columns))
        or isinstance(result.columns, pd.MultiIndex)
    ):
        return widening.pivot_table(hooks, result, frame, values, index, columns, aggfunc, fill_value)
    return widening.in_order(hooks, _wider(frame, result, values, index, columns, function, fill_value), result.index)


_NULL_OF_NULLS = ("mean", "min", "max", "median", "first", "last")


def _told(frame: FrameSymbol, result: Any, values: Any, aggfunc: Any) -> FrameSymbol:
    """Return the rows that have a value: pandas leaves out groups of which an aggregate gives nulls alone."""
    if isinstance(aggfunc, Mapping):
        sources, functions = (
            list(aggfunc),
            [f for one in aggfunc.values() for f in (one if isinstance(one, list) else [one])],
        )
    elif values is None:
        return frame
    else:
        sources = list(values) if isinstance(values, list) else [values]
        functions = list(aggfunc) if isinstance(aggfunc, list) else [aggfunc]
    names = [one if isinstance(one, str) else getattr(one, "__name__", "") for one in functions]
    found = [frame.columns[x] for x in sources if x in frame.columns]
    if not found or not all(one.nullable for one in found) or not set(names) <= set(_NULL_OF_NULLS):
        return frame
    from prepsql.translate.pandas.rules.places import kept

    return settled(kept(frame, Value(" OR ".join(f"{one.sql} IS NOT NULL" for one in found), "boolean", False)))


def _of_categories(
    hooks: Any, result: Any, frame: FrameSymbol, values: str, index: str, columns: str, function: str, filled: bool
) -> FrameSymbol:
    """Return a pivot in which each category has its row or column, with 0 where there are no rows."""
    from prepsql.translate.pandas.rules import categories, reindexing

    if not filled and frame.column(columns).nullable:
        raise NotTranslatable("pivot_table of categories and nulls")
    cells = {label: (function, frame.column(values), [label]) for label in result.columns}
    keys, by = [(index, frame.column(index))], [(columns, frame.column(columns))]
    found = widening.wide(frame, keys, by, cells, 0)
    if not filled:
        return found
    kind = result.index.dtype
    if not isinstance(kind, pd.CategoricalDtype):
        raise NotTranslatable("pivot_table of categories, some of which have no rows")
    names = categories.listed(kind)
    categories.declared(hooks, names)
    return reindexing.rows_by(hooks, result, found, names, 0)


def _lacking(hooks: Any, frame: FrameSymbol, labels: tuple[Any, Any], observed: Any) -> set[str]:
    """Return which of a pivot's index and columns have categories that may have no rows, if those count."""
    found: set[str] = set()
    if observed:
        return found
    table = hooks.base
    for where, given in zip(("index", "columns"), labels, strict=True):
        for label in given if isinstance(given, list) else [given]:
            values = table[label] if isinstance(table, pd.DataFrame) and label in table.columns else label
            if isinstance(getattr(values, "dtype", None), pd.CategoricalDtype):
                found.add(where)
    return found


def pivot(hooks: Any, result: Any, frame: Any, *, columns: Any, index: Any = None, values: Any = None) -> FrameSymbol:
    """Rows become columns, each cell of one row."""
    frame = settled(frame if isinstance(frame, FrameSymbol) else hooks.symbol(frame))
    if index is None:
        levels = {("level", at): level for at, level in enumerate(frame.index)}
        frame = frame.with_columns({**frame.columns, **{x: level.value for x, level in levels.items()}})
        made_of = widening.pivot_table(hooks, result, frame, values, list(levels), columns, "max", None, "first")
        named = tuple(IndexLevel(old.name, new.value) for old, new in zip(frame.index, made_of.index, strict=True))
        return replace(made_of, index=named)
    return widening.pivot_table(hooks, result, frame, values, index, columns, "max", None, "first")


def _wider(
    frame: FrameSymbol, result: pd.DataFrame, values: Any, index: Any, columns: Any, function: str, fill_value: Any
) -> FrameSymbol:
    rows = frame.rows
    keys = list(index) if isinstance(index, list) else [index]
    names = {label: rows.name(label, frame.column(label)) for label in keys}
    if any(frame.column(label).nullable for label in (*keys, columns)):
        from prepsql.translate.pandas.rules.places import kept

        tests = " AND ".join(f"{frame.column(x).sql} IS NOT NULL" for x in (*keys, columns) if frame.column(x).nullable)
        frame = settled(kept(frame, Value(tests, "boolean", False)))
        rows = frame.rows
        names = {label: rows.name(label, frame.column(label)) for label in keys}
    category = frame.column(columns)
    if category.family not in ("text", "integer", "boolean"):
        raise NotTranslatable(f"a pivot whose columns are {category.family}")
    labels = [str(label) for label in result.columns]
    if any(label in names.values() for label in labels):
        raise NotTranslatable("a pivot whose new columns are there already")
    value = frame.column(values)
    params = {
        "mode": "wider", "index": list(names.values()), "columns": rows.name(columns, category),
        "values": rows.name(values, value), "agg": _AGGS[function], "fill_value": fill_value,
        "column_values": list(map(_plain, result.columns)),
    }  # fmt: skip
    made = of_columns({name: rows.columns[name] for name in names.values()})
    family = value.family if function in ("sum", "min", "max", "first", "last") else "float"
    family = "integer" if function in ("count", "nunique", "size") else family
    made |= {label: Value(column_name(label), family, fill_value is None) for label in labels}
    known = ", ".join(labels[:5]) + (", …" if len(labels) > 5 else "")
    note = f"holds for inputs with the same values of {columns}: {known}"
    wider = Rows("pivot", params, {"in": rows}, made, wanted=f"by_{columns}", note=note)
    levels = tuple(IndexLevel(label, wider.columns[name]) for label, name in names.items())
    shown = dict(zip(result.columns, labels, strict=True))
    return FrameSymbol(wider, {label: wider.columns[name] for label, name in shown.items()}, levels, False)


def _plain(label: Any) -> Any:
    return label.item() if hasattr(label, "item") else label


def explode(hooks: Any, result: Any, frame: FrameSymbol, column: Any, ignore_index: bool = False) -> FrameSymbol:
    """Lists become rows; a list without elements, or a null, leaves a row with null."""
    if isinstance(column, list) and len(column) == 1:
        [column] = column
    if isinstance(column, list):
        return _explode_several(frame, column, ignore_index)
    if frame.column(column).family == "struct":
        frame = frame.with_columns({**frame.columns, column: cell_items.spread_out(frame.column(column))})
    if frame.column(column).family not in ("list", "null"):
        if frame.column(column).family in SQL_TYPES:
            return replace(frame, index=(), fresh=True) if ignore_index else frame
        raise NotTranslatable("explode of what isn't a column of lists")
    if not ignore_index and not frame.index:
        frame = replace(frame, index=(IndexLevel(None, place(frame)),))
    frame = settled(frame)
    name = frame.rows.name(column, frame.column(column))
    rows = after(frame.rows, "project", {"explode": {"col": name}}, wanted="exploded")
    rows.passes = None
    rows.columns[name] = cell_items.exploded(frame.column(column), column_name(name))
    found = moved(frame, rows, fresh=ignore_index)
    return replace(found, index=()) if ignore_index else found


def _explode_several(frame: FrameSymbol, labels: list[Any], ignore_index: bool) -> FrameSymbol:
    """Return lists of the same lengths side by side as rows."""
    if any(frame.column(label).family != "list" for label in labels):
        raise NotTranslatable("explode of several columns, some of which aren't of lists")
    if not ignore_index and not frame.index:
        frame = replace(frame, index=(IndexLevel(None, place(frame)),))
    frame = distinct(frame)
    first, *rest = [frame.rows.name(label, frame.column(label)) for label in labels]
    at = frame.rows.name_for("position")
    rows = after(frame.rows, "project", {"explode": {"col": first, "position": at}}, wanted="exploded")
    rows.passes = None
    rows.columns[first] = Value(column_name(first), "text", True)
    rows.columns[at] = Value(column_name(at), "integer", True)
    found = moved(frame, rows, fresh=ignore_index)
    columns = dict(found.columns)
    for label, name in zip(labels[1:], rest, strict=True):
        element = Value(f"list_extract({column_name(name)}, {column_name(at)})", "text", True)
        columns[label] = rows.define(label, element)
    return replace(found.with_columns(columns), index=() if ignore_index else found.index)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    "melt": melt, "pivot_table": pivot_table, "pivot": pivot, "explode": explode,
    **widening.FRAME_METHODS,
}  # fmt: skip
CALLS: dict[str, Callable[..., Symbol | None]] = {
    "pd.melt": melt, "pd.pivot_table": pivot_table,
}  # fmt: skip

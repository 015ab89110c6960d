"""Methods of a frame that keep it one table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.carried import known
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules import applying, categories, locating, querying, reindexing
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import kept, stored, with_column
from prepsql.translate.pandas.rules.values import thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import columns as of_columns
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Pairs, Value, column, constant


def copy(hooks: Any, result: Any, frame: FrameSymbol, deep: bool = True) -> FrameSymbol:
    """The same table."""
    return frame


def rename(
    hooks: Any, result: Any, frame: FrameSymbol, mapper: Any = None, *, columns: Any = None, axis: Any = None,
    errors: str = "ignore", copy: Any = None, index: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Other labels."""
    if index is not None or (mapper is not None and axis not in (1, "columns")):
        raise NotTranslatable("rename of rows")
    given = columns if columns is not None else mapper
    names = {label: (given(label) if callable(given) else given.get(label, label)) for label in frame.columns}
    return frame.with_columns({names[label]: value for label, value in frame.columns.items()})


def drop(
    hooks: Any, result: Any, frame: FrameSymbol, labels: Any = None, *, columns: Any = None, axis: Any = 0,
    errors: str = "raise", index: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Without some columns."""
    gone = columns if columns is not None else (labels if axis in (1, "columns") else None)
    if gone is None:
        return reindexing.without(hooks, frame, labels if index is None else index)
    names = [gone] if isinstance(gone, str) or not isinstance(gone, list | tuple | set | pd.Index) else list(gone)
    return frame.with_columns({label: value for label, value in frame.columns.items() if label not in names})


def assign(hooks: Any, result: Any, frame: FrameSymbol, **named: Any) -> FrameSymbol:
    """More columns; a function is given the table so far."""
    table = hooks.base
    for label, value in named.items():
        if callable(value):
            if not cells.is_own(value):
                raise NotTranslatable("assign by a function of another library")
            value = hooks.run_on(value, frame, table)
        with hooks.silent():
            table = table.assign(**{label: value})
        frame = with_column(frame, label, stored(hooks, frame, value))
    return frame


def insert(hooks: Any, result: Any, frame: FrameSymbol, loc: int, column: Any, value: Any, *rest: Any) -> FrameSymbol:
    """A column at a place."""
    made = with_column(frame, column, stored(hooks, frame, value))
    labels = list(frame.columns)
    labels.insert(loc, column)
    return made.with_columns({label: made.columns[label] for label in labels})


def reset_index(
    hooks: Any, result: Any, frame: FrameSymbol, level: Any = None, *, drop: bool = False, names: Any = None
) -> FrameSymbol:
    """The index becomes columns, or goes."""
    if level is not None and len(frame.index) > 1:
        return _without_levels(result, frame, level, drop)
    if drop:
        return replace(frame, index=(), fresh=True)
    if not frame.index:
        return replace(frame.with_columns({result.columns[0]: place(frame), **frame.columns}), fresh=True)
    labels = list(result.columns)[: len(frame.index)]
    levels = dict(zip(labels, (level.value for level in frame.index), strict=True))
    return FrameSymbol(frame.rows, {**levels, **frame.columns}, (), True)


def _without_levels(result: Any, frame: FrameSymbol, level: Any, drop: bool) -> FrameSymbol:
    """Return the table with some levels of the index as columns, or without them."""
    names = [one.name for one in frame.index]
    wanted = level if isinstance(level, list | tuple) else [level]
    places = {one % len(names) if isinstance(one, int) and one not in names else names.index(one) for one in wanted}
    left = tuple(one for at, one in enumerate(frame.index) if at not in places)
    gone = [one.value for at, one in enumerate(frame.index) if at in places]
    columns = {} if drop else dict(zip(list(result.columns)[: len(gone)], gone, strict=True))
    return replace(frame.with_columns({**columns, **frame.columns}), index=left, fresh=not left)


def pop(hooks: Any, result: Any, frame: FrameSymbol, item: Any) -> FrameSymbol:
    """Without a column, which is given."""
    hooks.bind(result, SeriesSymbol(frame.rows, frame.column(item), item, frame.index, frame.fresh))
    return frame.with_columns({label: value for label, value in frame.columns.items() if label != item})


def set_index(
    hooks: Any, result: Any, frame: FrameSymbol, keys: Any, *, drop: bool = True, append: bool = False
) -> FrameSymbol:
    """Columns become the index."""
    labels = list(keys) if isinstance(keys, list) else [keys]
    if append or any(not isinstance(label, Hashable) or label not in frame.columns for label in labels):
        raise NotTranslatable("set_index of what aren't columns")
    levels = tuple(IndexLevel(label, frame.column(label)) for label in labels)
    left = {label: value for label, value in frame.columns.items() if not drop or label not in labels}
    return FrameSymbol(frame.rows, left, levels, False)


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
    if key is not None or axis not in (0, "index"):
        raise NotTranslatable("sort_values by a key function")
    levels = {level.name: level.value for level in frame.index}
    values = [frame.columns[label] if label in frame.columns else levels[label] for label in labels]
    values = [categorical(result, label, value) for label, value in zip(labels, values, strict=True)]
    up = list(ascending) if isinstance(ascending, list | tuple) else [bool(ascending)] * len(labels)
    frame = settled(frame)
    rows = after(frame.rows, "sort", {"order_by": order_keys(values, up, na_position)}, wanted="sorted")
    return moved(frame, rows, fresh=ignore_index)


def categorical(result: Any, label: Any, value: Value) -> Value:
    """Return the key of a column by which pandas sorts it: categories go in their own order."""
    values = result[label] if isinstance(result, pd.DataFrame) and label in result.columns else None
    if values is None or not isinstance(values.dtype, pd.CategoricalDtype):
        return value
    return categories.place(value, list(values.cat.categories))


def sort_index(
    hooks: Any, result: Any, frame: FrameSymbol, *, axis: Any = 0, ascending: Any = True, kind: Any = None
) -> FrameSymbol:
    """Rows in the order of the index, or columns in that of their labels."""
    if axis in (1, "columns"):
        return frame.with_columns({label: frame.column(label) for label in result.columns})
    levels = [level.value for level in frame.index] or [place(frame)]
    up = list(ascending) if isinstance(ascending, list | tuple) else [bool(ascending)] * len(levels)
    frame = settled(frame)
    return moved(frame, after(frame.rows, "sort", {"order_by": order_keys(levels, up)}, wanted="sorted"))


def head(hooks: Any, result: Any, frame: FrameSymbol, n: int = 5) -> FrameSymbol:
    """The first rows."""
    return locating.sliced(frame, slice(0, n))


def tail(hooks: Any, result: Any, frame: FrameSymbol, n: int = 5) -> FrameSymbol:
    """The last rows."""
    return locating.sliced(frame, slice(-n, None)) if n else kept(frame, constant(False))


def largest(ascending: bool) -> Callable[..., FrameSymbol]:
    """Return the rule of nlargest or nsmallest: the first rows in an order."""

    def rule(hooks: Any, result: Any, frame: FrameSymbol, n: int, columns: Any, keep: str = "first") -> FrameSymbol:
        if keep != "first":
            raise NotTranslatable("nlargest with ties")
        return head(hooks, result, sort_values(hooks, result, frame, columns, ascending=ascending), n)

    return rule


def chosen_columns(hooks: Any, result: Any, frame: FrameSymbol, *given: Any, **named: Any) -> FrameSymbol:
    """Some columns, in an order that pandas says."""
    if named.get("axis") in (0, "index"):
        raise NotTranslatable("rows chosen by their labels")
    return frame.with_columns({label: frame.column(label) for label in result.columns})


def get(hooks: Any, result: Any, frame: FrameSymbol, key: Any, default: Any = None) -> Symbol | None:
    """A column, if there is one."""
    if not isinstance(key, Hashable) or key not in frame.columns:
        return None
    return SeriesSymbol(frame.rows, frame.columns[key], key, frame.index, frame.fresh)


def duplicated(hooks: Any, result: Any, frame: FrameSymbol, subset: Any = None, keep: Any = "first") -> SeriesSymbol:
    """Whether a row is there before (or after: keep='last'; or twice: keep=False)."""
    labels = list(frame.columns) if subset is None else ([subset] if isinstance(subset, str) else list(subset))
    keys = ", ".join(frame.rows.define(label, frame.column(label)).sql for label in labels)
    number, count = f"row_number() OVER (PARTITION BY {keys})", f"count(*) OVER (PARTITION BY {keys})"
    sql = f"{count} > 1" if keep is False else (f"{number} > 1" if keep == "first" else f"{number} < {count}")
    value = frame.rows.define("duplicated", Value(sql, "boolean", False))
    return SeriesSymbol(frame.rows, value, None, frame.index, frame.fresh)


def reindex(
    hooks: Any, result: Any, frame: FrameSymbol, labels: Any = None, *, columns: Any = None, index: Any = None,
    axis: Any = 0, fill_value: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Columns by a list, null where there is none."""
    if axis in (1, "columns"):
        labels, columns = None, labels
    rows = labels if labels is not None else index
    if rows is not None:
        frame = reindexing.rows_by(hooks, result, frame, rows, fill_value)
    if columns is None:
        return frame
    empty = column(constant_thing(fill_value))
    made = {label: frame.columns.get(label, empty) for label in result.columns}
    return frame.with_columns({label: frame.rows.define(label, value) for label, value in made.items()})


def query(hooks: Any, result: Any, frame: FrameSymbol, expr: str) -> FrameSymbol:
    """The rows for which a condition in text holds."""
    return kept(frame, querying.condition(hooks, frame, expr))


def drop_duplicates(
    hooks: Any, result: Any, frame: FrameSymbol, subset: Any = None, *, keep: Any = "first", ignore_index: bool = False
) -> FrameSymbol:
    """One row of those that are the same."""
    labels = list(frame.columns) if subset is None else ([subset] if isinstance(subset, str) else list(subset))
    frame = settled(frame)
    keys = [frame.rows.name(label, frame.column(label)) for label in labels]
    params = {"keys": list(dict.fromkeys(keys)), "keep": "none" if keep is False else keep}
    return moved(frame, after(frame.rows, "dedup", params, wanted="distinct"), fresh=ignore_index)


def dropna(
    hooks: Any, result: Any, frame: FrameSymbol, *, axis: Any = 0, how: Any = "any", subset: Any = None,
    thresh: Any = None, ignore_index: bool = False,
) -> FrameSymbol:  # fmt: skip
    """Without rows that have nulls."""
    if axis not in (0, "index"):
        raise NotTranslatable("dropna of columns")
    labels = list(frame.columns) if subset is None else ([subset] if isinstance(subset, str) else list(subset))
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


def fillna(hooks: Any, result: Any, frame: FrameSymbol, value: Any = None) -> FrameSymbol:
    """Values for nulls."""
    filled = dict(frame.columns)
    given = constant_thing(value)
    by_label = {key.constant: one for key, one in given.items} if isinstance(given, Pairs) else None
    for label, cell in frame.columns.items():
        other = given if by_label is None else by_label.get(label)
        if other is not None and cell.nullable:
            filled[label] = of_columns.fill_na(cell, other)
    return frame.with_columns(filled)


def astype(hooks: Any, result: Any, frame: FrameSymbol, dtype: Any, errors: str = "raise") -> FrameSymbol:
    """Columns in other types."""
    types = dtype if isinstance(dtype, Mapping) else dict.fromkeys(frame.columns, dtype)
    made = {
        label: of_columns.as_type(value, constant_thing(types[label])) if label in types else value
        for label, value in frame.columns.items()
    }
    return frame.with_columns(made)


def replace_values(
    hooks: Any, result: Any, frame: FrameSymbol, to_replace: Any = None, value: Any = None, regex: bool = False
) -> FrameSymbol:
    """Other values for some."""
    given = [constant_thing(to_replace)] + ([constant_thing(value)] if value is not None else [])
    made = {}
    for label, cell in frame.columns.items():
        made[label] = of_columns.replace_values(cell, given[0], given[1] if len(given) > 1 else None, constant(regex))
    return frame.with_columns(made)


def isna(hooks: Any, result: Any, frame: FrameSymbol) -> FrameSymbol:
    """Whether cells are null."""
    return frame.with_columns({label: of_columns.is_na(value) for label, value in frame.columns.items()})


def groupby(
    hooks: Any, result: Any, frame: FrameSymbol, by: Any = None, *, as_index: bool = True, sort: bool = True,
    dropna: bool = True, observed: Any = None, group_keys: Any = True, level: Any = None, axis: Any = 0,
) -> GroupsSymbol:  # fmt: skip
    """Groups of rows."""
    keys: list[tuple[Any, Value]] = []
    if level is not None:
        for one in level if isinstance(level, list | tuple) else [level]:
            keys.append(_level(frame, one))
    elif by is None or axis not in (0, "index"):
        raise NotTranslatable("groupby of columns")
    for key in [] if level is not None else (list(by) if isinstance(by, list | tuple) else [by]):
        symbol = hooks.symbol(key)
        if isinstance(symbol, SeriesSymbol):
            keys.append((key.name, column(thing(hooks, key, frame)).exact()))
        elif isinstance(key, Hashable) and key in frame.columns:
            keys.append((key, frame.columns[key]))
        else:
            keys.append(_level(frame, key))
    for _, value in keys:
        known(value, "groups")
    if any(isinstance(one.dtype, pd.CategoricalDtype) for one in _real_keys(result)):
        _observed(result, bool(observed))
    for _, value in keys:
        known(value, "groups")
    return GroupsSymbol(frame, keys, None, False, as_index, sort, dropna, result)


def _level(frame: FrameSymbol, wanted: Any) -> tuple[Any, Value]:
    """Return a level of the index by its name or place."""
    for at, level in enumerate(frame.index):
        if (wanted is not None and level.name == wanted) or (
            isinstance(wanted, int) and at == wanted % len(frame.index)
        ):
            return level.name, level.value
    raise NotTranslatable("groupby of what isn't a column")


def _real_keys(groups: Any) -> list[Any]:
    return [one.grouping_vector for one in groups._grouper.groupings if hasattr(one.grouping_vector, "dtype")]


def _observed(groups: Any, observed: bool) -> None:
    """Refuse groups of categories: those without rows are groups too, and their order is that of the categories."""
    for one in _real_keys(groups):
        if isinstance(one.dtype, pd.CategoricalDtype):
            categories = list(one.dtype.categories)
            unused = set(categories) - set(one.dropna()) if hasattr(one, "dropna") else set()
            if (unused and not observed) or categories != sorted(categories, key=str):
                raise NotTranslatable("groups of categories")


def apply(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, axis: Any = 0, *, result_type: Any = None, args: Any = (),
    **named: Any,
) -> Symbol:  # fmt: skip
    """A function of each row."""
    if axis not in (1, "columns") or result_type not in (None, "expand"):
        raise NotTranslatable("apply of each column")
    if not cells.is_own(func):
        raise NotTranslatable("apply of a function that isn't the program's own")
    return applying.to_rows(hooks, result, frame, func, args, named)


def applymap(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, na_action: Any = None, **named: Any
) -> FrameSymbol:
    """A function of each cell."""
    if na_action is not None:
        raise NotTranslatable("a map of a table that leaves nulls")
    made = {}
    for at, (label, value) in enumerate(frame.columns.items()):
        symbol = SeriesSymbol(frame.rows, value, label, frame.index, frame.fresh)
        found = applying.to_cells(hooks, result.iloc[:, at], symbol, func, (), named)
        assert isinstance(found, SeriesSymbol)
        made[label] = found.value
    return frame.with_columns(made)


def pipe(hooks: Any, result: Any, frame: FrameSymbol, func: Any, *given: Any, **named: Any) -> Symbol | None:
    """What a function made of the table."""
    found: Symbol | None = hooks.symbol(result)
    if found is None:
        raise NotTranslatable("pipe to a function that isn't understood")
    return found


METHODS: dict[str, Callable[..., Symbol | None]] = {
    "copy": copy, "rename": rename, "drop": drop, "assign": assign, "insert": insert, "reset_index": reset_index,
    "tail": tail, "nlargest": largest(False), "nsmallest": largest(True), "filter": chosen_columns,
    "select_dtypes": chosen_columns, "get": get, "duplicated": duplicated, "reindex": reindex, "query": query,
    "set_index": set_index, "sort_values": sort_values, "sort_index": sort_index, "head": head,
    "drop_duplicates": drop_duplicates, "dropna": dropna, "fillna": fillna, "astype": astype,
    "replace": replace_values, "isna": isna, "isnull": isna, "groupby": groupby, "apply": apply,
    "map": applymap, "applymap": applymap,
    "to_dict": lambda hooks, result, frame, *rest, **more: None,
    "iterrows": lambda hooks, result, frame: None, "itertuples": lambda hooks, result, frame, **more: None,
    "items": lambda hooks, result, frame: None, "to_csv": lambda hooks, result, frame, *rest, **more: None,
    "pipe": pipe, "pop": pop,
}  # fmt: skip

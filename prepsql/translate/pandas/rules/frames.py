"""Methods of a frame that keep it one table."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    IndexLevel,
    SeriesSymbol,
    Symbol,
)
from prepsql.translate.pandas.rules import applying, by_labels, opening, picking, reindexing
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import stored, with_column
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import columns as of_columns
from prepsql.workflow.pandas_text.value import NUMERIC, TIMES, Items, Pairs, Thing, Value, column, constant


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


def droplevel(hooks: Any, result: Any, frame: FrameSymbol, level: Any, axis: Any = 0) -> FrameSymbol:
    """Without levels of the index, or of the labels."""
    if axis in (1, "columns"):
        return frame.with_columns(dict(zip(result.columns, frame.columns.values(), strict=True)))
    names = [one.name for one in frame.index]
    wanted = level if isinstance(level, list | tuple) else [level]
    gone = {names.index(one) if one in names else one % len(names) for one in wanted}
    left = tuple(one for at, one in enumerate(frame.index) if at not in gone)
    if not left:
        raise NotTranslatable("an index without levels")
    return replace(frame, index=left)


def swaplevel(hooks: Any, result: Any, frame: FrameSymbol, i: Any = -2, j: Any = -1, axis: Any = 0) -> FrameSymbol:
    """The labels' levels the other way round."""
    if axis in (1, "columns"):
        return frame.with_columns(dict(zip(result.columns, frame.columns.values(), strict=True)))
    names = list(result.index.names)
    by_name = {level.name: level for level in frame.index}
    if len(by_name) != len(frame.index):
        raise NotTranslatable("levels that have one name")
    return replace(frame, index=tuple(by_name[name] for name in names))


def pop(hooks: Any, result: Any, frame: FrameSymbol, item: Any) -> FrameSymbol:
    """Without a column, which is given."""
    hooks.bind(result, frame.series(item))
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


def chosen_columns(hooks: Any, result: Any, frame: FrameSymbol, *given: Any, **named: Any) -> FrameSymbol:
    """Some columns, in an order that pandas says."""
    if named.get("axis") in (0, "index"):
        raise NotTranslatable("rows chosen by their labels")
    return frame.with_columns({label: frame.column(label) for label in result.columns})


def get(hooks: Any, result: Any, frame: FrameSymbol, key: Any, default: Any = None) -> Symbol | None:
    """A column, if there is one."""
    if not isinstance(key, Hashable) or key not in frame.columns:
        return None
    return frame.series(key)


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


def fillna(hooks: Any, result: Any, frame: FrameSymbol, value: Any = None) -> FrameSymbol:
    """Values for nulls."""
    filled = dict(frame.columns)
    for label, cell in frame.columns.items():
        other = by_labels.filled(hooks, frame, value, label)
        if other is None:
            continue
        # a column without nulls here may have some elsewhere
        with suppress(*([] if cell.nullable else [NotTranslatable])):
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
    made = {}
    by_label = isinstance(to_replace, Mapping) and (
        value is not None or any(isinstance(one, Mapping) for one in to_replace.values())
    )
    given = [] if by_label else [constant_thing(to_replace)]
    given += [constant_thing(value)] if value is not None else []
    keys = [] if by_label else _keys_of(given[0])
    for label, cell in frame.columns.items():
        if not by_label and _apart(cell, keys, regex):
            made[label] = cell
            continue
        if by_label:
            made[label] = cell
            if label in to_replace:
                old, new = constant_thing(to_replace[label]), given[0] if given else None
                made[label] = of_columns.replace_values(cell, old, new, constant(regex))
            continue
        made[label] = of_columns.replace_values(cell, given[0], given[1] if len(given) > 1 else None, constant(regex))
    return frame.with_columns(made)


def _keys_of(old: Thing) -> list[Value]:
    """Return what is replaced."""
    if isinstance(old, Pairs):
        return [key for key, _ in old.items]
    return [column(one) for one in old.values] if isinstance(old, Items) else [column(old)]


def _apart(cell: Value, keys: list[Value], regex: bool) -> bool:
    """Return whether a column has nothing of what is replaced: texts against numbers."""
    families = {key.family for key in keys}
    if cell.family in NUMERIC or cell.family in TIMES:
        return families == {"text"} or regex
    return cell.family == "text" and bool(families) and families <= NUMERIC


def isna(hooks: Any, result: Any, frame: FrameSymbol) -> FrameSymbol:
    """Whether cells are null."""
    return frame.with_columns({label: of_columns.is_na(value) for label, value in frame.columns.items()})


def apply(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, axis: Any = 0, *, result_type: Any = None, args: Any = (),
    **named: Any,
) -> Symbol:  # fmt: skip
    """A function of each row, or of each column."""
    if axis in (0, "index") and result_type is None:
        from prepsql.translate.pandas.rules import summaries

        try:
            return summaries.apply_columns(hooks, result, frame, func, args, named)
        except NotTranslatable:
            return _by_column(hooks, result, frame, func, args, named)
    if axis not in (1, "columns") or result_type not in (None, "expand"):
        raise NotTranslatable("apply of each column")
    if not cells.is_own(func):
        raise NotTranslatable("apply of a function that isn't the program's own")
    return applying.to_rows(hooks, result, frame, func, args, named)


def _by_column(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, args: Any, named: Mapping[str, Any]
) -> FrameSymbol:
    """Return the columns that a function makes of each column, which it is given once more."""
    table = next(
        (real for real, one in hooks.symbols.values() if one is frame and isinstance(real, pd.DataFrame)), None
    )
    if table is None or not isinstance(result, pd.DataFrame) or not callable(func):
        raise NotTranslatable("apply of each column")
    made = {}
    for at, label in enumerate(frame.columns):
        given = table.iloc[:, at].copy()
        hooks.bind(given, frame.series(label))
        found = hooks.symbol(hooks.call(hooks.line, func, given, *args, **named))
        if not isinstance(found, SeriesSymbol) or found.rows is not frame.rows or found.index != frame.index:
            raise NotTranslatable("apply of each column to what gives other rows")
        made[label] = found.value
    return frame.with_columns(made)


def applymap(
    hooks: Any, result: Any, frame: FrameSymbol, func: Any, na_action: Any = None, **named: Any
) -> FrameSymbol:
    """A function of each cell."""
    if na_action is not None:
        raise NotTranslatable("a map of a table that leaves nulls")
    made = {}
    for at, label in enumerate(frame.columns):
        found = applying.to_cells(hooks, result.iloc[:, at], frame.series(label), func, (), named)
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
    **picking.METHODS,
    "copy": copy, "rename": rename, "drop": drop, "assign": assign, "insert": insert, "reset_index": reset_index,
    "filter": chosen_columns,
    "select_dtypes": chosen_columns, "get": get, "reindex": reindex,
    "set_index": set_index, "fillna": fillna, "astype": astype,
    "replace": replace_values, "isna": isna, "isnull": isna, "groupby": opening.groupby, "apply": apply,
    "map": applymap, "applymap": applymap,
    "to_dict": lambda hooks, result, frame, *rest, **more: None,
    "iterrows": lambda hooks, result, frame: None, "itertuples": lambda hooks, result, frame, **more: None,
    "items": lambda hooks, result, frame: None, "to_csv": lambda hooks, result, frame, *rest, **more: None,
    "pipe": pipe, "pop": pop, "droplevel": droplevel, "swaplevel": swaplevel,
}  # fmt: skip

"""Rows by their labels or places: `.loc`, `.iloc`, `.at`, and the cells where a row and a column meet."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    IndexLevel,
    ScalarSymbol,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, constant

_WHOLE = slice(None)


def located(hooks: Any, symbol: AccessorSymbol, key: Any, result: Any) -> Symbol | None:
    """Return what `.loc[key]` and the like of a frame or a series stand for."""
    base = symbol.base
    single = isinstance(base, SeriesSymbol)
    frame = base.framed() if isinstance(base, SeriesSymbol) else base
    rows, labels = (key, _WHOLE) if single or not isinstance(key, tuple) else key
    if (
        isinstance(base, FrameSymbol)
        and isinstance(key, tuple)
        and len(frame.index) > 1
        and symbol.kind in ("loc", "at")
    ):
        raise NotTranslatable(".loc by several levels")
    by_place = symbol.kind in ("iloc", "iat")
    frame, one_column = (frame, single) if single else _columns(frame, labels, by_place)
    frame, one_row = _rows_by_place(frame, rows) if by_place else _rows_by_label(hooks, frame, rows)
    if one_row and one_column:
        [value] = frame.columns.values()
        return ScalarSymbol(frame.rows, "max", value, value.family, value.nullable)
    if one_row:
        return AccessorSymbol(frame, "row")
    if one_column:
        return frame.only()
    return frame


def cell_of_row(row: AccessorSymbol, label: Any) -> Symbol | None:
    """Return a cell of the one row of a table."""
    frame = row.base
    if isinstance(label, list):
        return AccessorSymbol(frame.with_columns({one: frame.column(one) for one in label}), "row")
    if not isinstance(label, Hashable):
        raise NotTranslatable("several cells of a row")
    value = frame.column(label)
    return ScalarSymbol(frame.rows, "max", value, value.family, value.nullable)


def _columns(frame: FrameSymbol, labels: Any, by_place: bool) -> tuple[FrameSymbol, bool]:
    """Return the frame with the chosen columns, and whether one was chosen by itself."""
    have = list(frame.columns)
    if isinstance(labels, slice) and labels == _WHOLE:
        return frame, False
    if by_place:
        positions = [labels] if isinstance(labels, int | np.integer) else labels
        chosen = have[positions] if isinstance(positions, slice) else [have[at] for at in positions]
        return frame.with_columns({x: frame.columns[x] for x in chosen}), isinstance(labels, int | np.integer)
    if isinstance(labels, slice):
        if labels.step is not None:
            raise NotTranslatable(".loc by a slice of columns with a step")
        start = 0 if labels.start is None else have.index(labels.start)
        stop = len(have) if labels.stop is None else have.index(labels.stop) + 1
        return frame.with_columns({x: frame.columns[x] for x in have[start:stop]}), False
    if isinstance(labels, list | pd.Index | np.ndarray):
        listed = list(labels)
        if listed and all(isinstance(one, bool | np.bool_) for one in listed):
            listed = [label for label, one in zip(have, listed, strict=True) if one]
        return frame.with_columns({x: frame.column(x) for x in listed}), False
    return frame.with_columns({labels: frame.column(labels)}), True


def _rows_by_place(frame: FrameSymbol, rows: Any) -> tuple[FrameSymbol, bool]:
    if isinstance(rows, slice):
        return sliced(frame, rows), False
    if isinstance(rows, int | np.integer):
        at = int(rows)
        return sliced(frame, slice(at, at + 1 if at != -1 else None)), True
    if isinstance(rows, list | np.ndarray | range) and all(isinstance(one, int | np.integer) for one in rows):
        listed = [int(one) for one in rows]
        if len(listed) == 1:
            return _rows_by_place(frame, listed[0])[0], False
        if any(one < 0 for one in listed):
            raise NotTranslatable("several rows counted from the end")
        return _listed(frame, frame.rows.places(), listed), False
    raise NotTranslatable(".iloc by this")


def sliced(frame: FrameSymbol, key: slice) -> FrameSymbol:
    """Return rows by their places, counted from the end where they are below 0."""
    if key == slice(None, None, -1):
        number = frame.rows.places()
        frame = settled(frame)
        rows = after(frame.rows, "sort", {"order_by": [{"expr": number.sql, "asc": False}]}, wanted="turned_round")
        return moved(frame, rows)
    step, start = key.step or 1, key.start or 0
    if step < 1 or (step > 1 and start < 0):
        raise NotTranslatable("rows picked by a step")
    place_of = frame.rows.define("place", Value("row_number() OVER ()", "integer", False))
    tests = []
    for bound, test in ((key.start, "x > y"), (key.stop, "x <= y")):
        if bound is None or (bound == 0 and bound is key.start):
            continue
        bound = int(bound)
        limit = str(bound)
        if bound < 0:
            limit = f"{frame.rows.define('count', Value('count(*) OVER ()', 'integer', False)).sql} - {-bound}"
        tests.append(bind(test, x=place_of.sql, y=limit))
    if step > 1:
        tests.append(bind("(x - y) % z = 0", x=place_of.sql, y=str(start + 1), z=str(step)))
    return kept(frame, Value(" AND ".join(tests), "boolean", False)) if tests else frame


def labels_of(frame: FrameSymbol) -> Value:
    """Return the labels of rows: the one level of the index, or their numbers."""
    if len(frame.index) > 1:
        raise NotTranslatable(".loc by an index of several levels")
    return frame.index[0].value if frame.index else place(frame)


def _rows_by_label(hooks: Any, frame: FrameSymbol, rows: Any) -> tuple[FrameSymbol, bool]:
    symbol = _as_column(hooks.symbol(rows))
    if isinstance(rows, slice):
        return (frame if rows == _WHOLE else _between(frame, rows)), False
    if isinstance(symbol, SeriesSymbol):
        if symbol.value.family == "boolean":
            return kept(frame, column(thing(hooks, rows, frame))), False
        return _by_labels(frame, symbol), False
    if isinstance(rows, pd.Series):
        raise NotTranslatable("rows picked by a mask or labels whose origin isn't understood")
    if callable(rows):
        known = ((real, one) for real, one in hooks.symbols.values() if isinstance(real, pd.DataFrame | pd.Series))
        table = next((real for real, one in known if one is frame), None)
        if table is None:
            raise NotTranslatable(".loc by a function")
        return _rows_by_label(hooks, frame, hooks.run_on(rows, frame, table))
    if isinstance(rows, list | np.ndarray | pd.Index):
        listed = list(rows)
        if (mask := flags(hooks, frame, rows)) is not None:
            return kept(frame, mask), False
        if hooks.derived.of_data(hooks, rows) and not any(hooks.symbol(one) is not None for one in listed):
            raise NotTranslatable(".loc by a list of labels of the data")
        if listed and all(isinstance(one, bool | np.bool_) for one in listed):
            return chosen(frame, listed), False
        if len(listed) == 1 and hooks.symbol(listed[0]) is not None:
            return _rows_by_label(hooks, frame, listed[0])[0], False
        if any(hooks.symbol(one) is not None for one in listed):
            raise NotTranslatable(".loc by a list of labels of the data")
        return _listed(frame, labels_of(frame), listed), False
    if isinstance(rows, Hashable) and not callable(rows):
        test = operators.named("eq", labels_of(frame), column(thing(hooks, rows, frame)))
        return kept(frame, test), True
    raise NotTranslatable(".loc by a function")


def _as_column(symbol: Any) -> Any:
    """Return a list that was made of a column as that column."""
    element = symbol.element() if hasattr(symbol, "element") else None
    value = getattr(element, "thing", None)
    if isinstance(value, Value) and not symbol.frame.index:
        return SeriesSymbol(symbol.frame.rows, value, None, (), symbol.frame.fresh)
    return SeriesSymbol(symbol.frame.rows, value) if isinstance(value, Value) else symbol


def flags(hooks: Any, frame: FrameSymbol, key: Any) -> Value | None:
    """Return a list of truth values that was made of the rows as a column, None for another list."""
    labels = list(key)
    if not labels or not all(isinstance(one, bool | np.bool_) for one in labels):
        return None
    if hooks.symbol(key) is None and not hooks.derived.of_data(hooks, key):
        return None
    found = column(thing(hooks, key, frame.rows))
    if found.family != "boolean":
        raise NotTranslatable("rows picked by a list of the data")
    return found


def chosen(frame: FrameSymbol, flags: Sequence[Any]) -> FrameSymbol:
    """Return the rows at the places of a list of truth values that is written out."""
    number = frame.rows.places()
    return _filtered_by(frame, number, [at for at, one in enumerate(flags) if one])


def _between(frame: FrameSymbol, key: slice) -> FrameSymbol:
    """Return rows from a label to another, both included, of an index that goes up."""
    if frame.index or not frame.fresh or key.step is not None:
        raise NotTranslatable(".loc by a slice of labels")
    number = frame.rows.places()
    bounds = [(key.start, "x >= y"), (key.stop, "x <= y")]
    tests = [bind(test, x=number.sql, y=str(int(bound))) for bound, test in bounds if bound is not None]
    return kept(frame, Value(" AND ".join(tests), "boolean", False))


def _filtered_by(frame: FrameSymbol, value: Value, listed: Sequence[Any]) -> FrameSymbol:
    if not listed:
        return kept(frame, constant(False))
    return kept(frame, operators.is_in(value, [column(constant_thing(one)) for one in listed]).exact())


def _listed(frame: FrameSymbol, value: Value, listed: Sequence[Any]) -> FrameSymbol:
    """Return the rows of listed labels in the order of the list."""
    if len(set(listed)) < len(listed):
        raise NotTranslatable("a row picked twice")
    frame = settled(frame)
    value = frame.rows.define("label", value)
    name = frame.rows.name("label", value)
    found = _filtered_by(frame, value, listed)
    if len(listed) < 2:
        return found
    known = found.rows.columns[name]
    whens = " ".join(
        bind("WHEN x THEN y", x=column(constant_thing(one)).sql, y=str(at)) for at, one in enumerate(listed)
    )
    order = f"CASE {known.sql} {whens} END"
    return moved(found, after(found.rows, "sort", {"order_by": [{"expr": order}]}, wanted="as_listed"))


def _by_labels(frame: FrameSymbol, labels: SeriesSymbol) -> FrameSymbol:
    """Return the rows of labels that are a column: one row a label, in its order."""
    keys = [labels_of(frame)]
    rows = labels.rows
    label = rows.define("label", labels.value)
    found = {one: rows.looked_up(one, [label], frame.rows, keys, value) for one, value in frame.columns.items()}
    found = {one: replace(value, nullable=frame.columns[one].nullable) for one, value in found.items()}
    name = frame.index[0].name if frame.index else None
    return FrameSymbol(rows, found, (IndexLevel(name, label),), False)

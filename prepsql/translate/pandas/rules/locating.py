"""Rows by their labels or places: `.loc`, `.iloc`, `.at`, and the cells where a row and a column meet."""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    IndexLevel,
    Rows,
    ScalarSymbol,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    numbered_by,
    settled,
)
from prepsql.translate.pandas.rules.aligning import place, pulled
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import attached, thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import TIMES, Value, column, common_family, constant, made
from prepsql.workflow.reserved import column_name

_WHOLE = slice(None)


def located(hooks: Any, symbol: AccessorSymbol, key: Any, result: Any) -> Symbol | None:
    """Return what `.loc[key]` and the like of a frame or a series stand for."""
    base = symbol.base
    by_level = symbol.kind in ("loc", "at") and isinstance(base, FrameSymbol | SeriesSymbol) and len(base.index) > 1
    plain = not isinstance(key, slice | list | pd.Series | pd.Index | np.ndarray) and not callable(key)
    if by_level and plain and (isinstance(key, Hashable) or isinstance(base, SeriesSymbol)):
        from prepsql.translate.pandas.rules import leveled

        if not (isinstance(key, tuple) and any(isinstance(one, slice | list | pd.Series) for one in key)):
            return leveled.located(hooks, base, key, result)
    single = isinstance(base, SeriesSymbol)
    frame = base.framed() if isinstance(base, SeriesSymbol) else base
    rows, labels = (key, _WHOLE) if single or not isinstance(key, tuple) else key
    if (
        isinstance(base, FrameSymbol)
        and isinstance(key, tuple)
        and len(frame.index) > 1
        and symbol.kind in ("loc", "at")
        and not isinstance(key[0], slice | pd.Series)
    ):
        raise NotTranslatable(".loc by several levels")
    by_place = symbol.kind in ("iloc", "iat")
    frame, one_column = (frame, single) if single else _columns(frame, labels, by_place)
    frame, one_row = _rows_by_place(frame, rows, hooks) if by_place else _rows_by_label(hooks, frame, rows)
    if one_row and one_column:
        [value] = frame.columns.values()
        return ScalarSymbol(frame.rows, "max", value, value.family, value.nullable)
    if one_row:
        return AccessorSymbol(frame, "row")
    if one_column:
        return frame.only()
    return frame


def cell_at(hooks: Any, base: Any, symbol: SeriesSymbol, key: Any) -> Symbol:
    """Return a cell of an array by its place, of a column by its label."""
    frame = symbol.framed(_ONE)
    if isinstance(base, pd.Series):
        if not frame.index or frame.index[0].value.family == "integer":
            found, _ = _rows_by_label(hooks, frame, key)
        else:
            raise NotTranslatable("a place in a column under labels")
    else:
        found, _ = _rows_by_place(frame, key, hooks)
    value = found.columns[_ONE]
    return ScalarSymbol(found.rows, "max", value, value.family, value.nullable)


_ONE = ("value",)


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


def _rows_by_place(frame: FrameSymbol, rows: Any, hooks: Any) -> tuple[FrameSymbol, bool]:
    if isinstance(rows, slice):
        return sliced(frame, rows, hooks), False
    symbol = hooks.symbol(rows)
    if isinstance(symbol, SeriesSymbol) and symbol.value.family == "integer":
        return _at_places(frame, symbol), False
    if isinstance(symbol, SeriesSymbol) and symbol.value.family == "boolean" and symbol.rows is frame.rows:
        return kept(frame, symbol.value), False
    if isinstance(symbol, ScalarSymbol):
        return _at(frame, attached(frame.rows, symbol)), True
    if isinstance(rows, list) and len(rows) == 1 and isinstance(hooks.symbol(rows[0]), ScalarSymbol):
        return _rows_by_place(frame, rows[0], hooks)[0], False
    if symbol is not None or hooks.derived.of_data(hooks, rows) or tracked.is_lost(rows):
        raise NotTranslatable("rows at places that depend on the data")
    if isinstance(rows, int | np.integer):
        at = int(rows)
        return sliced(frame, slice(at, at + 1 if at != -1 else None)), True
    if isinstance(rows, list | np.ndarray | range) and all(isinstance(one, int | np.integer) for one in rows):
        listed = [int(one) for one in rows]
        if len(listed) == 1:
            return _rows_by_place(frame, listed[0], hooks)[0], False
        if any(one < 0 for one in listed) or any(map(tracked.is_lost, rows)):
            raise NotTranslatable("several rows counted from the end")
        return _listed(frame, frame.rows.places(), listed), False
    raise NotTranslatable(".iloc by this")


def _at(frame: FrameSymbol, place_of: Value) -> FrameSymbol:
    """Return the row at a place that is a column, counted from the end where it is negative."""
    if place_of.family != "integer":
        raise NotTranslatable("a row at a place that isn't a whole number")
    number = frame.rows.places()
    count = frame.rows.define("count", Value("count(*) OVER ()", "integer", False))
    sql = bind("p = CASE WHEN n < 0 THEN n + c ELSE n END", p=number.sql, n=place_of.sql, c=count.sql)
    return kept(frame, Value(sql, "boolean", False))


def _at_places(frame: FrameSymbol, places: SeriesSymbol) -> FrameSymbol:
    """Return the rows at places that are a column, in its order: those of the rows themselves in another order."""
    if frame.index:
        raise NotTranslatable("rows at places that depend on the data, under labels")
    number = frame.rows.places()
    same = pulled("place", number, frame.rows, places.rows)
    if same is None or same.sql != places.value.sql:
        raise NotTranslatable("rows at places that depend on the data")
    found = {}
    for label, value in frame.columns.items():
        pulled_value = pulled(label, frame.rows.define(label, value), frame.rows, places.rows)
        if pulled_value is None:
            raise NotTranslatable("rows at places that depend on the data")
        found[label] = pulled_value
    if places.rows.numbers is None:
        places.rows.numbers = numbered_by(frame)
    return FrameSymbol(places.rows, found, (), False)


def sliced(frame: FrameSymbol, key: slice, hooks: Any = None) -> FrameSymbol:
    """Return rows by their places, counted from the end where they are below 0."""
    if key == slice(None, None, -1):
        number = frame.rows.places()
        frame = settled(frame)
        rows = after(frame.rows, "sort", {"order_by": [{"expr": number.sql, "asc": False}]}, wanted="turned_round")
        return moved(frame, rows)
    step, start = key.step or 1, key.start or 0
    if step < 1 or (step > 1 and (start < 0 or any(_of_data(hooks, one) for one in (key.start, key.stop)))):
        raise NotTranslatable("rows picked by a step")
    place_of = frame.rows.define("place", Value("row_number() OVER ()", "integer", False))
    tests = []
    for bound, test in ((key.start, "x > y"), (key.stop, "x <= y")):
        if bound is None:
            continue
        if _of_data(hooks, bound):
            tests.append(bind(test, x=place_of.sql, y=_limit(frame, hooks, bound)))
            continue
        if bound == 0 and bound is key.start:
            continue
        bound = int(bound)
        limit = str(bound)
        if bound < 0:
            limit = f"{frame.rows.define('count', Value('count(*) OVER ()', 'integer', False)).sql} - {-bound}"
        tests.append(bind(test, x=place_of.sql, y=limit))
    if step > 1:
        tests.append(bind("(x - y) % z = 0", x=place_of.sql, y=str(start + 1), z=str(step)))
    return kept(frame, Value(" AND ".join(tests), "boolean", False)) if tests else frame


def _of_data(hooks: Any, bound: Any) -> bool:
    """Return whether a bound of a slice came of the data."""
    return tracked.is_lost(bound) or tracked.is_marked(bound) or (hooks is not None and hooks.symbol(bound) is not None)


def _limit(frame: FrameSymbol, hooks: Any, bound: Any) -> str:
    """Return a bound that came of the data beside the rows."""
    symbol = hooks.symbol(bound) if hooks is not None else None
    if not isinstance(symbol, ScalarSymbol) or symbol.family != "integer":
        raise NotTranslatable("rows up to a place that depends on the data")
    value = attached(frame.rows, symbol)
    count = frame.rows.define("count", Value("count(*) OVER ()", "integer", False))
    return frame.rows.define(
        "limit", made("CASE WHEN n < 0 THEN n + c ELSE n END", "integer", value, n=value.sql, c=count.sql)
    ).sql


def labels_of(frame: FrameSymbol) -> Value:
    """Return the labels of rows: the one level of the index, or their numbers."""
    if len(frame.index) > 1:
        raise NotTranslatable(".loc by an index of several levels")
    return frame.index[0].value if frame.index else place(frame)


def _rows_by_label(hooks: Any, frame: FrameSymbol, rows: Any) -> tuple[FrameSymbol, bool]:
    symbol = _as_column(hooks.symbol(rows))
    if isinstance(rows, slice):
        return (frame if rows == _WHOLE else _between(hooks, frame, rows)), False
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
        from prepsql.translate.pandas.rules import labelled

        listed = list(rows)
        if (mask := flags(hooks, frame, rows)) is not None:
            return kept(frame, mask), False
        if (wanted := labelled.column_of(hooks, rows)) is not None and wanted.value.family != "boolean":
            return _by_labels(frame, wanted), False
        if hooks.derived.of_data(hooks, rows) and not any(hooks.symbol(one) is not None for one in listed):
            raise NotTranslatable(".loc by a list of labels of the data")
        if listed and all(isinstance(one, bool | np.bool_) for one in listed):
            return chosen(frame, listed), False
        if len(listed) == 1 and hooks.symbol(listed[0]) is not None:
            return _rows_by_label(hooks, frame, listed[0])[0], False
        if any(hooks.symbol(one) is not None for one in listed):
            raise NotTranslatable(".loc by a list of labels of the data")
        return _listed(frame, labels_of(frame), listed), False
    if isinstance(rows, str) and frame.index and frame.index[0].value.family in TIMES and len(rows) < 10:
        span = slice(rows, rows)
        return _between(hooks, frame, span), False
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


def _between(hooks: Any, frame: FrameSymbol, key: slice) -> FrameSymbol:
    """Return rows from a label to another, both included, of an index that goes up."""
    if key.step is not None or len(frame.index) > 1:
        raise NotTranslatable(".loc by a slice of labels")
    label = labels_of(frame)
    if frame.index:
        real = next((one for one, known in hooks.symbols.values() if known is frame and hasattr(one, "index")), None)
        if real is None or not real.index.is_monotonic_increasing:
            raise NotTranslatable(".loc by a slice of labels that don't go up")
        if not _goes_up(frame.rows, label):
            frame.rows.assume("labels that go up")
    elif not frame.fresh:
        raise NotTranslatable(".loc by a slice of labels")
    else:
        label = frame.rows.places()
    tests = []
    for bound, sign in ((key.start, ">="), (key.stop, "<=")):
        if bound is not None:
            other = column(thing(hooks, bound, frame))
            tests.append(_bounded(frame.rows.define("label", label), other, sign))
    return kept(frame, Value(" AND ".join(tests), "boolean", False)) if tests else frame


def _bounded(label: Value, bound: Value, sign: str) -> str:
    """Return the test of a label against a bound; a text beside times is a year, a month or a day as a whole."""
    if label.family in TIMES and isinstance(bound.constant, str):
        span = _whole_time(bound.constant)
        text = span[0] if sign == ">=" else span[1]
        return bind(f"x {sign if sign == '>=' else '<'} TIMESTAMP '{text}'", x=label.sql)
    common_family([label, bound], "a label")
    return bind(f"x {sign} y", x=label.sql, y=bound.sql)


def _whole_time(text: str) -> tuple[pd.Timestamp, pd.Timestamp]:
    """Return the start of a year, month or day in text, and that of the next."""
    parts = {4: "Y", 7: "M", 10: "D"}
    if not re.fullmatch(r"\d{4}(-\d\d){0,2}", text):
        raise NotTranslatable("a time in text that isn't a year, a month or a day")
    period = pd.Period(text, freq=parts[len(text)])
    return period.start_time, (period + 1).start_time


def _goes_up(rows: Rows | None, label: Value) -> bool:
    """Return whether rows are known to be in the order of a column."""
    name = rows.named(label) if rows is not None else None
    while rows is not None:
        if rows.kind == "sort":
            first = rows.params["order_by"][0]
            return name is not None and first["expr"] == column_name(name) and first.get("asc", True)
        if rows.kind == "aggregate":
            return list(rows.params.get("group_keys", ()))[:1] == [name]
        rows = rows.passes
    return False


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


def _joined_labels(frame: FrameSymbol, labels: SeriesSymbol) -> FrameSymbol:
    """Return the rows of labels that are a column, all that there are of each."""
    from prepsql.translate.pandas.rules.joining import joined

    wanted = FrameSymbol(labels.rows, {_ONE: labels.value}, (), True)
    given = frame.with_columns({**frame.columns, _KEY: labels_of(frame)})
    left, right, rows = joined(wanted, given, [_ONE], [_KEY], "inner")
    found = {label: right[label] for label in frame.columns}
    return FrameSymbol(rows, found, (IndexLevel(frame.index[0].name, left[_ONE]),), False)


_KEY = ("key",)


def _by_labels(frame: FrameSymbol, labels: SeriesSymbol) -> FrameSymbol:
    """Return the rows of labels that are a column: one row a label, in its order."""
    if frame.index:
        return _joined_labels(frame, labels)
    keys = [labels_of(frame)]
    rows = labels.rows
    label = rows.define("label", labels.value)
    found = {one: rows.looked_up(one, [label], frame.rows, keys, value) for one, value in frame.columns.items()}
    found = {one: replace(value, nullable=frame.columns[one].nullable) for one, value in found.items()}
    return FrameSymbol(rows, found, (IndexLevel(None, label),), False)

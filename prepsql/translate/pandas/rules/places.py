"""What stands at a place: columns by label, rows by a mask, `.loc` and `.iloc`; and what is stored there."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    GroupsSymbol,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules import list_columns
from prepsql.translate.pandas.rules.aligning import aligned
from prepsql.translate.pandas.rules.values import series, thing
from prepsql.workflow.pandas_text import calls, columns, operators
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Value, column, constant, made


def item(hooks: Any, symbol: Symbol | None, key: Any, result: Any) -> Symbol | None:
    """Return what symbol[key] stands for."""
    if isinstance(symbol, GroupsSymbol):
        one = not isinstance(key, list)
        return replace(symbol, picked=[key] if one else key, one=one)
    if isinstance(symbol, FrameSymbol):
        return _of_frame(hooks, symbol, key)
    if isinstance(symbol, SeriesSymbol):
        if isinstance(hooks.symbol(key), SeriesSymbol):
            return filtered(hooks, symbol.framed(), key).only()
        if isinstance(key, tuple) and len(symbol.index) > 1:
            from prepsql.translate.pandas.rules import leveled

            return leveled.located(hooks, symbol, key, result)
        if isinstance(key, slice):
            from prepsql.translate.pandas.rules import locating

            if any(one is not None and not isinstance(one, int) for one in (key.start, key.stop)):
                raise NotTranslatable("a slice of a column by labels")
            return locating.sliced(symbol.framed(), key, hooks).only()
        return None
    if isinstance(symbol, AccessorSymbol):
        if symbol.kind == "str" and list_columns.holds(symbol.base) and getattr(symbol.base, "parts", None) is None:
            return list_columns.item(hooks, result, symbol.base, key)
        if symbol.kind == "str" and isinstance(symbol.base, SeriesSymbol):
            return _text_item(hooks, symbol, key, result)
        from prepsql.translate.pandas.rules import locating

        if symbol.kind == "rolling":
            from prepsql.translate.pandas.rules import rolling

            return rolling.picked(symbol, key)  # type: ignore[arg-type]
        if symbol.kind == "row":
            return locating.cell_of_row(symbol, key)
        if symbol.kind in ("loc", "iloc", "at", "iat"):
            return locating.located(hooks, symbol, key, result)
        raise NotTranslatable(f".{symbol.kind}[…]")
    return None


def _text_item(hooks: Any, symbol: AccessorSymbol, key: Any, result: Any) -> Symbol | None:
    base = getattr(symbol.base, "parts", None) or symbol.base.value
    if isinstance(key, slice):
        bounds = tuple(None if one is None else constant(one) for one in (key.start, key.stop, key.step))
        from prepsql.workflow.pandas_text import strings

        return series(hooks, symbol.base, result, strings.slice_text(column(base), *bounds))
    from prepsql.workflow.pandas_text.scope import Scope, Table
    from prepsql.workflow.pandas_text.value import Accessor

    return series(hooks, symbol.base, result, calls.subscript(Scope(Table({})), Accessor("str", base), constant(key)))


def _of_frame(hooks: Any, symbol: FrameSymbol, key: Any) -> Symbol | None:
    if isinstance(hooks.symbol(key), SeriesSymbol):
        return filtered(hooks, symbol, key)
    from prepsql.translate.pandas.rules import locating

    if isinstance(key, slice):
        return locating.sliced(symbol, key, hooks)
    if isinstance(key, list | pd.Index | np.ndarray):
        labels = list(key)
        if (mask := locating.flags(hooks, symbol, key)) is not None:
            return kept(symbol, mask)
        if labels and all(isinstance(label, bool | np.bool_) for label in labels):
            return locating.chosen(symbol, labels)
        if all(isinstance(label, Hashable) and label in symbol.columns for label in labels):
            return symbol.with_columns({label: symbol.column(label) for label in labels})
        raise NotTranslatable("columns picked by a list of what aren't labels")
    if isinstance(key, pd.Series | pd.DataFrame):
        raise NotTranslatable("rows picked by a mask whose origin isn't understood")
    return symbol.series(key)


def filtered(hooks: Any, frame: FrameSymbol, mask: Any) -> FrameSymbol:
    """Return the rows for which a mask holds."""
    condition = column(thing(hooks, mask, frame))
    return kept(frame, condition)


def kept(frame: FrameSymbol, condition: Value) -> FrameSymbol:
    """Return the rows for which a condition holds."""
    frame = settled(frame)
    if has_window(condition.sql):
        condition = frame.rows.define("kept", condition)
    rows = after(frame.rows, "filter", {"predicate": condition.sql}, wanted="kept")
    return moved(frame, rows)


def store(hooks: Any, symbol: Symbol | None, base: Any, key: Any, value: Any) -> Symbol | None:
    """Return what a thing stands for after something is stored in it."""
    if isinstance(symbol, AccessorSymbol) and isinstance(symbol.base, FrameSymbol) and symbol.kind in ("loc", "at"):
        return _stored_at(hooks, symbol.base, key, value)
    if not isinstance(symbol, FrameSymbol):
        raise NotTranslatable("a store in what isn't a table")
    key = list(key) if isinstance(key, pd.Index | np.ndarray) else key
    if key == ".columns":
        labels = list(base.columns)
        return symbol.with_columns(dict(zip(labels, symbol.columns.values(), strict=True)))
    if isinstance(key, str) and key.startswith(".") and key[1:] not in symbol.columns:
        if key == ".index" and isinstance(base.index, pd.RangeIndex):
            return replace(symbol, index=(), fresh=True)
        raise NotTranslatable(f"{key} is set")
    label = key[1:] if isinstance(key, str) and key.startswith(".") else key
    if isinstance(key, list):
        return _several(hooks, symbol, key, value)
    return with_column(symbol, label, stored(hooks, symbol, value))


def stored(hooks: Any, frame: FrameSymbol, value: Any) -> Value:
    """Return what is stored in a column: numbers that go up by the same step are the places of rows."""
    steps = value if isinstance(value, range | pd.RangeIndex) else _steps(hooks, value)
    if steps is None or hooks.symbol(value) is not None:
        return column(thing(hooks, value, frame))
    number = frame.rows.places()
    start, step = int(steps.start), int(steps.step)
    scaled = number if step == 1 else made("x * y", "integer", number, x=number.sql, y=str(step))
    return scaled if not start else made("x + y", "integer", number, x=scaled.sql, y=str(start))


def _steps(hooks: Any, value: Any) -> range | None:
    """Return an array of whole numbers that go up by the same step as a range."""
    if (
        not isinstance(value, np.ndarray)
        or hooks.symbol(value) is not None
        or value.dtype.kind != "i"
        or len(value) < 2
    ):
        return None
    gaps = set(np.diff(value).tolist())
    return range(int(value[0]), int(value[-1]) + 1, gaps.pop()) if len(gaps) == 1 and min(gaps) > 0 else None


def with_column(frame: FrameSymbol, label: Any, value: Value) -> FrameSymbol:
    """Return the frame with a column more, or another under its label."""
    named = frame.rows.define(label, value)
    return frame.with_columns({**frame.columns, label: named})


def _several(hooks: Any, frame: FrameSymbol, labels: list[Any], value: Any) -> FrameSymbol:
    symbol = hooks.symbol(value)
    if isinstance(symbol, FrameSymbol):
        if len(symbol.columns) != len(labels):
            raise NotTranslatable("several columns set at once from a table of others")
        values = [aligned(frame, symbol.series(label)) for label in symbol.columns]
    elif isinstance(value, list) and (parts := list_columns.parts_of(hooks, frame, value)) is not None:
        if len(parts) != len(labels):
            raise NotTranslatable("several columns set at once from rows of another length")
        values = parts
    elif not isinstance(value, pd.DataFrame):
        values = [column(thing(hooks, value, frame))] * len(labels)
    else:
        raise NotTranslatable("several columns set at once from a table whose origin isn't understood")
    for label, new in zip(labels, values, strict=True):
        frame = with_column(frame, label, new)
    return frame


def _stored_at(hooks: Any, frame: FrameSymbol, key: Any, value: Any) -> FrameSymbol:
    """Return the frame with other cells in the rows of a mask or a label."""
    from prepsql.translate.pandas.rules import locating

    if not isinstance(key, tuple) or len(key) != 2:
        from prepsql.translate.pandas.rules import more_rows

        return more_rows.appended(hooks, frame, key, value)
    mask, labels = key
    condition: Value | None = None
    if isinstance(hooks.symbol(mask), SeriesSymbol):
        condition = column(thing(hooks, mask, frame))
        if condition.family != "boolean":
            raise NotTranslatable("a store at labels of the data")
    elif not isinstance(mask, slice | list) and isinstance(mask, Hashable):
        condition = operators.named("eq", locating.labels_of(frame), column(thing(hooks, mask, frame)))
    elif not (isinstance(mask, slice) and mask == slice(None)):
        raise NotTranslatable("a store at these rows")
    listed = labels if isinstance(labels, list) else [labels]
    several = isinstance(labels, list) and isinstance(value, list | tuple)
    if several and len(value) != len(listed):
        raise NotTranslatable("a store of other than one value a column")
    symbol = hooks.symbol(value)
    if isinstance(symbol, FrameSymbol):
        news = [aligned(frame, symbol.series(label)) for label in listed]
    else:
        news = [column(thing(hooks, value[at] if several else value, frame)) for at in range(len(listed))]
    for label, new in zip(listed, news, strict=True):
        old = frame.columns.get(label, constant(None))
        frame = with_column(frame, label, new if condition is None else columns.choose(condition, new, old))
    return frame

"""What stands at a place: columns by label, rows by a mask, `.loc` and `.iloc`; and what is stored there."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules.aligning import aligned
from prepsql.translate.pandas.rules.values import series, thing
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Value, column, constant


def item(hooks: Any, symbol: Symbol | None, key: Any, result: Any) -> Symbol | None:
    """Return what symbol[key] stands for."""
    if isinstance(symbol, GroupsSymbol):
        one = not isinstance(key, list)
        return replace(symbol, picked=[key] if one else key, one=one)
    if isinstance(symbol, FrameSymbol):
        return _of_frame(hooks, symbol, key)
    if isinstance(symbol, SeriesSymbol):
        if isinstance(hooks.symbol(key), SeriesSymbol):
            return _series_of(filtered(hooks, _framed(symbol), key))
        return None
    if isinstance(symbol, AccessorSymbol):
        if symbol.kind == "str" and isinstance(symbol.base, SeriesSymbol):
            return _text_item(hooks, symbol, key, result)
        if symbol.kind == "loc" and isinstance(symbol.base, FrameSymbol):
            return _located(hooks, symbol.base, key)
        if symbol.kind == "iloc" and isinstance(symbol.base, FrameSymbol) and isinstance(key, slice):
            return sliced(symbol.base, key)
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
    if isinstance(key, slice):
        return sliced(symbol, key)
    if isinstance(key, list | pd.Index):
        labels = list(key)
        if all(isinstance(label, Hashable) and label in symbol.columns for label in labels):
            return symbol.with_columns({label: symbol.column(label) for label in labels})
        raise NotTranslatable("rows picked by a list of truth values")
    if isinstance(key, pd.Series | pd.DataFrame):
        raise NotTranslatable("rows picked by a mask whose origin isn't understood")
    return SeriesSymbol(symbol.rows, symbol.column(key), key, symbol.index, symbol.fresh)


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


def sliced(frame: FrameSymbol, key: slice) -> FrameSymbol:
    """Return rows by their places."""
    place = frame.rows.define("place", Value("row_number() OVER ()", "integer", False))
    start, stop = key.start or 0, key.stop
    if key.step not in (None, 1) or start < 0 or (stop is not None and stop < 0):
        raise NotTranslatable("rows picked by a step or from the end")
    tests = ([f"{place.sql} > {start}"] if start else []) + ([f"{place.sql} <= {stop}"] if stop is not None else [])
    return kept(frame, Value(" AND ".join(tests), "boolean", False)) if tests else frame


def _located(hooks: Any, frame: FrameSymbol, key: Any) -> Symbol | None:
    mask, labels = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
    if isinstance(mask, slice) and mask == slice(None):
        chosen = frame
    elif isinstance(hooks.symbol(mask), SeriesSymbol):
        chosen = filtered(hooks, frame, mask)
    else:
        raise NotTranslatable(".loc by labels of rows")
    if labels is None or (isinstance(labels, slice) and labels == slice(None)):
        return chosen
    if isinstance(labels, list | pd.Index):
        return chosen.with_columns({label: chosen.column(label) for label in labels})
    if isinstance(labels, Hashable):
        return SeriesSymbol(chosen.rows, chosen.column(labels), labels, chosen.index, chosen.fresh)
    raise NotTranslatable(".loc by a slice of columns")


def store(hooks: Any, symbol: Symbol | None, base: Any, key: Any, value: Any) -> Symbol | None:
    """Return what a thing stands for after something is stored in it."""
    if isinstance(symbol, AccessorSymbol) and isinstance(symbol.base, FrameSymbol) and symbol.kind == "loc":
        return _stored_at(hooks, symbol.base, key, value)
    if not isinstance(symbol, FrameSymbol):
        raise NotTranslatable("a store in what isn't a table")
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
    return with_column(symbol, label, column(thing(hooks, value, symbol)))


def with_column(frame: FrameSymbol, label: Any, value: Value) -> FrameSymbol:
    """Return the frame with a column more, or another under its label."""
    named = frame.rows.define(label, value)
    return frame.with_columns({**frame.columns, label: named})


def _several(hooks: Any, frame: FrameSymbol, labels: list[Any], value: Any) -> FrameSymbol:
    symbol = hooks.symbol(value)
    if isinstance(symbol, FrameSymbol):
        if len(symbol.columns) != len(labels):
            raise NotTranslatable("several columns set at once from a table of others")
        found = [SeriesSymbol(symbol.rows, one, label, symbol.index, symbol.fresh)
                 for label, one in zip(labels, symbol.columns.values(), strict=True)]  # fmt: skip
        values = [aligned(frame, one) for one in found]
    elif not isinstance(value, pd.DataFrame):
        values = [column(thing(hooks, value, frame))] * len(labels)
    else:
        raise NotTranslatable("several columns set at once from a table whose origin isn't understood")
    for label, new in zip(labels, values, strict=True):
        frame = with_column(frame, label, new)
    return frame


def _stored_at(hooks: Any, frame: FrameSymbol, key: Any, value: Any) -> FrameSymbol:
    """Return the frame with other cells in the rows of a mask."""
    if not isinstance(key, tuple) or len(key) != 2:
        raise NotTranslatable("whole rows stored by .loc")
    mask, labels = key
    new = column(thing(hooks, value, frame))
    condition = None
    if not (isinstance(mask, slice) and mask == slice(None)):
        condition = column(thing(hooks, mask, frame))
    for label in labels if isinstance(labels, list) else [labels]:
        old = frame.columns.get(label, constant(None))
        frame = with_column(frame, label, new if condition is None else columns.choose(condition, new, old))
    return frame


def _framed(symbol: SeriesSymbol) -> FrameSymbol:
    return FrameSymbol(symbol.rows, {symbol.name: symbol.value}, symbol.index, symbol.fresh)


def _series_of(frame: FrameSymbol) -> SeriesSymbol:
    [(name, value)] = frame.columns.items()
    return SeriesSymbol(frame.rows, value, name, frame.index, frame.fresh)


def with_index(frame: FrameSymbol, levels: list[tuple[Any, Value]]) -> FrameSymbol:
    """Return the frame with these levels as its index."""
    return replace(frame, index=tuple(IndexLevel(name, value) for name, value in levels), fresh=False)


def numbered(rows: Rows) -> Value:
    """Return the place of each row, from 0."""
    return rows.define("place", Value("row_number() OVER () - 1", "integer", False))

"""Rows that a program puts below a table: `frame.loc[len(frame)] = …`, `frame.loc['Total'] = frame.sum()`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, ScalarSymbol, SeriesSymbol
from prepsql.translate.pandas.rules.aligning import levels
from prepsql.translate.pandas.rules.joining import below
from prepsql.translate.pandas.rules.values import attached
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.value import Value, column
from prepsql.workflow.reserved import column_name

_LEVEL = ("level",)


def appended(hooks: Any, frame: FrameSymbol, key: Any, value: Any) -> FrameSymbol:
    """Return a table with one row more, under a label that it didn't have."""
    table = next(
        (real for real, known in hooks.symbols.values() if known is frame and isinstance(real, pd.DataFrame)), None
    )
    if table is None or len(table) != hooks.rows_before + 1:
        raise NotTranslatable("whole rows stored by .loc")
    if len(frame.index) > 1 or not isinstance(key, str | int):
        raise NotTranslatable("a row under such a label")
    numbered = not frame.index and frame.fresh and key == hooks.rows_before
    if numbered and not isinstance(hooks.symbol(key), ScalarSymbol):
        frame.rows.assume(f"as many rows at line {hooks.line}")
    if not frame.index and not frame.fresh:
        frame.rows.assume(f"no row under the label of line {hooks.line}")
    one = Rows("input", {"data": [{"row": 1}]}, {}, {"row": Value(column_name("row"), "integer", False)}, wanted="row")
    cells = {label: _cell(hooks, one, value, at, label) for at, label in enumerate(frame.columns)}
    shown = table
    if frame.index:
        cells = {_LEVEL: column(constant_thing(key)), **cells}
        frame = frame.with_columns({_LEVEL: levels(frame)[0], **frame.columns})
        shown = pd.DataFrame(columns=pd.Index([_LEVEL, *table.columns], tupleize_cols=False))
    new = FrameSymbol(one, {label: one.define(label, cell) for label, cell in cells.items()}, (), True)
    found = below(shown, [FrameSymbol(frame.rows, frame.columns, (), True), new], True)
    if not frame.index:
        return FrameSymbol(found.rows, found.columns, (), numbered)
    level = IndexLevel(frame.index[0].name, found.columns[_LEVEL])
    rest = {label: one for label, one in found.columns.items() if label != _LEVEL}
    return FrameSymbol(found.rows, rest, (level,), False)


def _cell(hooks: Any, one: Rows, value: Any, at: int, label: Any) -> Value:
    """Return what the new row has under a label."""
    symbol = hooks.symbol(value)
    if isinstance(symbol, SeriesSymbol) and len(symbol.index) == 1:
        key = column(constant_thing(label))
        return one.looked_up(label, [key], symbol.rows, [symbol.index[0].value], symbol.value)
    if symbol is not None or not isinstance(value, list | tuple | Mapping | str | int | float):
        raise NotTranslatable("a row of such cells")
    if isinstance(value, Mapping):
        given = value.get(label)
    else:
        given = value[at] if isinstance(value, list | tuple) else value
    known = hooks.symbol(given)
    if isinstance(known, ScalarSymbol):
        return attached(one, known)
    if known is not None:
        raise NotTranslatable("a row of such cells")
    return column(constant_thing(given))

"""Whole tables as operands: columns meet by their labels, with those of a table, of a row, or with plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol
from prepsql.translate.pandas.rules.aligning import aligned, comes_of, same_index
from prepsql.translate.pandas.rules.values import attached, thing
from prepsql.translate.pandas.things import constant_thing, operated
from prepsql.workflow.pandas_text.value import Thing, Value, column


def cell(rows: Rows, row: SeriesSymbol, label: Any) -> Value:
    """Return what a series has under a label, beside rows."""
    if row.rows.totals is not None and row.value.sql == row.rows.columns["value"].sql:
        one, found = row.rows.totals
        if label in found:
            return rows.beside(str(label), one, found[label])
    if len(row.index) != 1:
        raise NotTranslatable("a row whose cells have no labels")
    key = column(constant_thing(label))
    return rows.looked_up(label, [key], row.rows, [row.index[0].value], row.value)


def operand(hooks: Any, value: Any, frame: FrameSymbol, label: Any) -> Thing:
    """Return an operand as it meets a column of a table: a series is a row, whose labels are the columns'."""
    symbol = hooks.symbol(value)
    if isinstance(symbol, FrameSymbol):
        other = symbol.series(label)
        if not (other.rows is frame.rows and same_index(frame, other)) and not comes_of(other.rows, frame.rows):
            frame.rows.note = frame.rows.note or "holds for inputs with the same keys on both sides of an operator"
        return aligned(frame, other)
    if isinstance(symbol, SeriesSymbol):
        return cell(frame.rows, symbol, label)
    if isinstance(symbol, ScalarSymbol):
        return attached(frame.rows, symbol)
    return thing(hooks, value, frame)


def operate(hooks: Any, operator: str, operands: Sequence[Any], result: Any) -> FrameSymbol:
    """Return what an operator gives for a whole table, column by column."""
    frame = _base(hooks, operands, result)
    if not isinstance(result, pd.DataFrame) or set(result.columns) != set(frame.columns):
        raise NotTranslatable("an operator on tables of different columns")
    found = {}
    for label in result.columns:
        things = [
            frame.columns[label] if hooks.symbol(one) is frame else operand(hooks, one, frame, label)
            for one in operands
        ]
        found[label] = frame.rows.short(label, operated(operator, *things))
    return frame.with_columns(found)


def _base(hooks: Any, operands: Sequence[Any], result: Any) -> FrameSymbol:
    for one in operands:
        symbol = hooks.symbol(one)
        if isinstance(symbol, FrameSymbol) and isinstance(result, pd.DataFrame) and result.index.equals(one.index):
            return symbol
    raise NotTranslatable("an operator on tables whose labels differ")


def filled(hooks: Any, frame: FrameSymbol, value: Any, label: Any) -> Thing | None:
    """Return what fills the nulls of a column; None where nothing does."""
    if isinstance(value, Mapping):
        return thing(hooks, value[label], frame) if label in value else None
    if isinstance(hooks.symbol(value), SeriesSymbol):
        return cell(frame.rows, hooks.symbol(value), label)
    return operand(hooks, value, frame, label)

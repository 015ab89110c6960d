"""Rows by a list of labels: those that there are, nulls for others; and rows without some labels."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, IndexLevel, Rows, SeriesSymbol
from prepsql.translate.pandas.rules import calendars
from prepsql.translate.pandas.rules.locating import labels_of
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import thing
from prepsql.translate.pandas.things import OPERATORS, constant_thing, family_of
from prepsql.workflow.pandas_text import columns, operators
from prepsql.workflow.pandas_text.value import Value, column
from prepsql.workflow.reserved import column_name


def rows_by(hooks: Any, result: Any, frame: FrameSymbol, labels: Any, fill_value: Any = None) -> FrameSymbol:
    """Return one row a label, in their order; nulls (or `fill_value`) where the table has none."""
    from prepsql.translate.pandas.rules import labelled

    symbol = hooks.symbol(labels)
    if isinstance(symbol, AccessorSymbol) and symbol.kind == "levels":
        return _by_levels(frame, symbol.base, fill_value)
    wanted = labelled.column_of(hooks, labels) or symbol
    if isinstance(wanted, SeriesSymbol):
        rows, label = wanted.rows, wanted.rows.define("label", wanted.value)
    elif wanted is not None or isinstance(labels, pd.MultiIndex) or hooks.derived.of_data(hooks, labels):
        raise NotTranslatable("reindex by these labels")
    elif isinstance(labels, pd.DatetimeIndex) and (days := calendars.days_of(labels)) is not None:
        rows, label = days.rows, days.value
    else:
        rows, label = listed(labels)
    keys = [labels_of(frame)]
    found = {one: rows.looked_up(one, [label], frame.rows, keys, value) for one, value in frame.columns.items()}
    if fill_value is not None and fill_value == fill_value:
        other = constant_thing(fill_value)
        for one, value in found.items():
            found[one] = columns.fill_na(value, other)
            if frame.columns[one].nullable:
                # a null of a row that is there stays
                there = rows.looked_up("there", [label], frame.rows, keys, frame.rows.define("label", keys[0]))
                found[one] = columns.choose(columns.is_na(there), found[one], value)
    name = result.index.names[0]
    return FrameSymbol(rows, found, (IndexLevel(name, label),), False)


def _by_levels(frame: FrameSymbol, wanted: FrameSymbol, fill_value: Any) -> FrameSymbol:
    """Return one row a combination of labels."""
    if len(wanted.index) != len(frame.index):
        raise NotTranslatable("reindex by other levels")
    rows = wanted.rows
    labels = [level.value for level in wanted.index]
    keys = [level.value for level in frame.index]
    found = {one: rows.looked_up(one, labels, frame.rows, keys, value) for one, value in frame.columns.items()}
    if fill_value is not None and fill_value == fill_value:
        for one, value in found.items():
            if frame.columns[one].nullable:
                raise NotTranslatable("reindex with a value for what is missing, where there are nulls")
            found[one] = columns.fill_na(value, constant_thing(fill_value))
    return FrameSymbol(rows, found, wanted.index, False)


def listed(labels: Any) -> tuple[Rows, Value]:
    """Return the rows of a list of labels that is written out."""
    values = pd.Series(list(labels))
    family = family_of(values)
    if family not in ("text", "integer", "timestamp", "date", "float") or values.isna().any():
        raise NotTranslatable(f"a list of labels of {family}")
    cells = [_plain(one) for one in values]
    rows = Rows("input", {"data": [{"label": one} for one in cells]}, {}, {}, wanted="labels")
    rows.columns["label"] = Value(column_name("label"), "text" if family in ("timestamp", "date") else family, False)
    if family in ("timestamp", "date"):
        typed = "label::TIMESTAMP" if family == "timestamp" else "label::DATE"
        return rows, rows.define("day", Value(typed, family, False))
    return rows, rows.columns["label"]


def _plain(value: Any) -> Any:
    if isinstance(value, np.generic):
        return value.item()
    return str(value) if not isinstance(value, str | int | float) else value


def without(hooks: Any, frame: FrameSymbol, labels: Any) -> FrameSymbol:
    """Return the rows that don't have some labels."""
    mine = labels_of(frame)
    gone = hooks.symbol(labels)
    if isinstance(gone, SeriesSymbol):
        key = gone.rows.define("label", gone.value)
        found = frame.rows.looked_up("gone", [mine], gone.rows, [key], key)
        return kept(frame, columns.is_na(found))
    if gone is not None or labels is None:
        raise NotTranslatable("drop of these rows")
    several: Sequence[Any] = (
        list(labels) if isinstance(labels, list | tuple | set | pd.Index | np.ndarray) else [labels]
    )
    if not several:
        return frame
    if isinstance(labels, pd.Index):
        raise NotTranslatable("drop of rows by labels of the data")
    things = [column(thing(hooks, one, frame)) for one in several]
    inside = operators.is_in(mine, things).exact()
    return kept(frame, operators.unary(OPERATORS["Invert"], inside))

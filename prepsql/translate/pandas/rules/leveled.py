"""Rows and cells by the labels of an index of several levels: `.loc[('a', 'b')]`, `.loc['a']`, `.xs(…)`."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column


def located(hooks: Any, symbol: FrameSymbol | SeriesSymbol, key: Any, result: Any) -> Symbol:
    """Return the rows, or the cell, under labels of the first levels."""
    if isinstance(symbol, SeriesSymbol):
        labels = key if isinstance(key, tuple) else (key,)
        return _of_column(hooks, symbol, labels, result)
    if isinstance(key, tuple) and len(key) == 2 and isinstance(key[0], tuple) and isinstance(key[1], Hashable):
        return _of_column(hooks, symbol.series(key[1]), key[0], result)
    if isinstance(key, tuple) or not isinstance(result, pd.DataFrame):
        raise NotTranslatable(".loc by several levels")
    return _rows(hooks, symbol, {0: key})


def _of_column(hooks: Any, symbol: SeriesSymbol, labels: tuple[Any, ...], result: Any) -> Symbol:
    whole = len(labels) == len(symbol.index)
    if len(labels) > len(symbol.index) or whole == isinstance(result, pd.Series):
        raise NotTranslatable(".loc by several levels")
    frame = _rows(hooks, symbol.framed(_OWN), dict(enumerate(labels)), whole)
    value = frame.columns[_OWN]
    if whole:
        return ScalarSymbol(frame.rows, "max", value, value.family, value.nullable)
    return SeriesSymbol(frame.rows, value, symbol.name, frame.index, False)


_OWN = ("value",)


def _rows(hooks: Any, frame: FrameSymbol, labels: Mapping[int, Any], whole: bool = False) -> FrameSymbol:
    """Return the rows with labels of some levels, which go from the index."""
    tests = []
    for at, label in labels.items():
        if isinstance(label, slice | list) or callable(label):
            raise NotTranslatable(".loc by several levels")
        test = operators.named("eq", frame.index[at].value, column(thing(hooks, label, frame))).exact()
        tests.append(bind("x AND", x=test.sql).removesuffix(" AND"))
    found = kept(frame, Value(" AND ".join(tests), "boolean", False))
    if whole:
        return found
    return replace(found, index=tuple(level for at, level in enumerate(found.index) if at not in labels))


def cross_section(hooks: Any, result: Any, symbol: Any, key: Any, axis: Any = 0, level: Any = None) -> Symbol:
    """The rows with a label of one level, which goes."""
    if axis not in (0, "index") or isinstance(key, tuple) or len(symbol.index) < 2:
        raise NotTranslatable(".xs of these")
    names = [one.name for one in symbol.index]
    at = 0 if level is None else names.index(level) if level in names else level
    if not isinstance(at, int):
        raise NotTranslatable("a level that isn't there")
    if isinstance(symbol, SeriesSymbol):
        return replace(_rows(hooks, symbol.framed(_OWN), {at: key}).only(), name=symbol.name)
    return _rows(hooks, symbol, {at: key})

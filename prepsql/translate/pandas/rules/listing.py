"""Tables that a program writes out row by row, with numbers in them that came of whole columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.carried import MIXED, tagged
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol
from prepsql.translate.pandas.rules.values import attached
from prepsql.translate.pandas.things import constant_thing, is_null
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, common_family
from prepsql.workflow.reserved import column_name

_MOST_ROWS = 40


def listed(hooks: Any, result: Any, data: Any) -> FrameSymbol | None:
    """Return the table of rows that are written out, None where no number of whole columns is in it."""
    if not isinstance(result, pd.DataFrame) or not 0 < len(result) <= _MOST_ROWS or not result.shape[1]:
        return None
    parts = list(data.values()) if isinstance(data, Mapping) else data
    if tracked.is_marked(data) or not isinstance(parts, list) or any(map(tracked.is_marked, parts)):
        return None
    cells = _cells(data, list(result.columns), len(result))
    if cells is None or not any(_known(hooks, one) for part in cells.values() for one in part):
        return None
    one = Rows("input", {"data": [{"row": at} for at in range(len(result))]}, {},
               {"row": Value(column_name("row"), "integer", False)}, wanted="rows")  # fmt: skip
    made = {label: one.define(label, _column(hooks, one, part)) for label, part in cells.items()}
    return FrameSymbol(one, made, (), True)


def _cells(data: Any, labels: Sequence[Any], count: int) -> dict[Any, list[Any]] | None:
    """Return the cells of each column, None where the data isn't a list of rows or a dict of lists."""
    if isinstance(data, Mapping) and all(isinstance(one, list | tuple) and len(one) == count for one in data.values()):
        return {label: list(data[label]) for label in labels} if set(labels) <= set(data) else None
    if not isinstance(data, list) or len(data) != count:
        return None
    if all(isinstance(row, Mapping) for row in data):
        return {label: [row.get(label) for row in data] for label in labels}
    if all(isinstance(row, list | tuple) and len(row) == len(labels) for row in data):
        return {label: [row[at] for row in data] for at, label in enumerate(labels)}
    return None


def _known(hooks: Any, one: Any) -> bool:
    return isinstance(hooks.symbol(one), ScalarSymbol)


def _column(hooks: Any, one: Rows, part: Sequence[Any]) -> Value:
    """Return what a column holds, by the number of the row."""
    values = [_value(hooks, one, cell) for cell in part]
    families = {value.family for value in values if value.family != "null"}
    if "text" in families and families & {"integer", "float"}:
        values = [value if value.family == "null" else tagged(value.exact()) for value in values]
        family: Any = MIXED.family
    else:
        family = common_family(values, "a column that is written out")
    nullable = any(value.nullable for value in values)
    if len({value.sql for value in values}) == 1:
        return replace(values[0], family=family)
    whens = [bind("WHEN x THEN y", x=str(at), y=value.sql) for at, value in enumerate(values) if value.family != "null"]
    return Value(f"CASE {column_name('row')} {' '.join(whens)} END", family, nullable)


def _value(hooks: Any, one: Rows, cell: Any) -> Value:
    symbol = hooks.symbol(cell)
    if isinstance(symbol, ScalarSymbol):
        return attached(one, symbol)
    if symbol is not None or tracked.is_lost(cell) or hooks.derived.of_data(hooks, cell):
        raise NotTranslatable("a plain value of the data whose origin isn't understood")
    if is_null(cell):
        return Value("NULL", "null", True)
    return column(constant_thing(cell))

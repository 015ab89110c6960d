"""Numbers that came of whole columns: kept as tables of one row, also through arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.cell_operators import format_parts
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import SCOPE, reduced
from prepsql.translate.pandas.symbols import Cell, value_thing
from prepsql.translate.pandas.things import constant_thing, operated
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.value import Name, Thing, Value, column

_FUNCTIONS = ("int", "float", "round", "abs", "math.floor", "math.ceil", "np.round", "np.sqrt", "np.floor", "np.ceil",
              "max", "min", "math.sqrt")  # fmt: skip


def all_scalars(hooks: Any, things: Sequence[Any]) -> bool:
    """Return whether numbers of whole columns are among things, and no column."""
    symbols = [hooks.symbol(one) for one in things]
    return any(isinstance(one, ScalarSymbol) for one in symbols) and not any(
        one is not None and not isinstance(one, ScalarSymbol) for one in symbols
    )


def together(hooks: Any, things: Sequence[Any]) -> tuple[Rows, list[Thing]]:
    """Return things over the one row of the first number among them."""
    rows: Rows | None = None
    found: list[Thing] = []
    for one in things:
        symbol = hooks.symbol(one)
        if not isinstance(symbol, ScalarSymbol):
            if isinstance(one, pd.Series | pd.DataFrame):
                raise NotTranslatable("a table whose origin isn't understood")
            found.append(constant_thing(one))
            continue
        source = reduced(symbol)
        [value] = [source.columns[name] for name in list(source.columns)[:1]] if symbol.made is None else [symbol.made]
        if rows is None or rows is source:
            rows = source
            found.append(value)
        else:
            found.append(rows.beside(source.name("value", value), source, value))
    assert rows is not None
    return rows, found


def _scalar(rows: Rows, value: Value) -> ScalarSymbol:
    value = value.exact()
    return ScalarSymbol(rows, "", None, value.family, value.nullable, value)


def operate(hooks: Any, operator: str, operands: Sequence[Any]) -> Symbol | None:
    """Return what an operator gives for numbers of whole columns."""
    rows, things = together(hooks, operands)
    return _scalar(rows, operated(operator, *things))


def call(hooks: Any, path: str, given: Sequence[Any], named: Mapping[str, Any]) -> Symbol | None:
    """Return what a function gives for numbers of whole columns; None where only the value is kept."""
    if path not in _FUNCTIONS or named:
        return None
    rows, things = together(hooks, given)
    if path == "round":
        digits = things[1] if len(things) > 1 else 0
        return _scalar(rows, columns.round_(column(things[0]), digits))
    cells = [replace(one, cell=True) if isinstance(one, Value) else one for one in things]
    return _scalar(rows, replace(column(calls.call(SCOPE, Name(path), "", cells, {})), cell=False))


def method(hooks: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Symbol | None:
    """Return what a method of such a number or time gives."""
    rows, things = together(hooks, [base, *given])
    value, *rest = things
    if name in ("item", "copy", "to_pydatetime"):
        return _scalar(rows, column(value))
    if name == "round":
        return _scalar(rows, columns.round_(column(value), *rest))
    cell = replace(column(value), cell=True)
    options = {key: constant_thing(one) for key, one in named.items()}
    return _scalar(rows, replace(column(calls.call(SCOPE, cell, name, rest, options)), cell=False))


def attribute(hooks: Any, base: Any, name: str) -> Symbol | None:
    """Return an attribute of such a time."""
    rows, [value] = together(hooks, [base])
    return _scalar(rows, replace(column(calls.attribute(SCOPE, replace(column(value), cell=True), name)), cell=False))


def formatted(hooks: Any, parts: Sequence[Any]) -> Symbol | None:
    """Return an f-string with such numbers in it."""
    rows, things = together(hooks, [part[0] for part in parts if isinstance(part, tuple)])
    waiting = iter(things)
    given: list[Any] = []
    one: Any
    for part in parts:
        one = part if isinstance(part, str) else next(waiting)
        given.append(part if isinstance(part, str) else (Cell(one), *part[1:]))
    return _scalar(rows, replace(value_thing(format_parts(hooks, given)), cell=False))


def length(hooks: Any, result: Any, obj: Any) -> Symbol | None:
    """len() of a table."""
    symbol = hooks.symbol(obj)
    if isinstance(symbol, FrameSymbol | SeriesSymbol):
        return ScalarSymbol(symbol.rows, "size", None, "integer", False)
    return None


def one_row(hooks: Any, result: Any, data: Any) -> FrameSymbol | None:
    """Return the table of one row that a program makes of such numbers, None for other data."""
    if isinstance(data, list) and len(data) == 1 and isinstance(data[0], Mapping):
        cells = dict(data[0])
    elif isinstance(data, Mapping) and data and all(isinstance(one, list) and len(one) == 1 for one in data.values()):
        cells = {label: one[0] for label, one in data.items()}
    else:
        return None
    if not isinstance(result, pd.DataFrame) or len(result) != 1 or not all_scalars(hooks, list(cells.values())):
        return None
    rows, things = together(hooks, list(cells.values()))
    made = {label: rows.define(label, column(one)) for label, one in zip(cells, things, strict=True)}
    return FrameSymbol(rows, {label: made[label] for label in result.columns}, (), True)


CALLS: dict[str, Callable[..., Symbol | None]] = {"len": length}

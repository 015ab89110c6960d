"""Numbers that came of whole columns: kept as tables of one row, also through arithmetic."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import SCOPE, attached, reduced
from prepsql.translate.pandas.things import constant_thing, operated
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Name, Thing, Value, column, common_family

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


def few_rows(hooks: Any, result: Any, data: Any) -> FrameSymbol | None:
    """Return the table of a few rows of such numbers and plain values that a program makes, None for other data."""
    table = _cells(data, result) if isinstance(result, pd.DataFrame) and 1 <= len(result) <= _FEW_ROWS else None
    if table is None or any(len(column) != len(result) for column in table.values()):
        return None
    things = [one for column in table.values() for one in column]
    if not any(isinstance(hooks.symbol(one), ScalarSymbol) for one in things):
        return None
    if any(hooks.symbol(one) is not None and not isinstance(hooks.symbol(one), ScalarSymbol) for one in things):
        return None
    given = [{"row": at} for at in range(len(result))]
    rows = Rows("input", {"data": given}, {}, {"row": Value('"row"', "integer", False)}, wanted="rows")
    return FrameSymbol(rows, {x: rows.define(x, _by_row(hooks, rows, table[x])) for x in result.columns}, (), True)


def few_cells(hooks: Any, result: Any, data: Any) -> SeriesSymbol | None:
    """Return pd.Series of a dict of such numbers, whose keys are its index; None for other data."""
    if not isinstance(data, Mapping) or not 1 <= len(data) <= _FEW_ROWS:
        return None
    labels = list(data)
    if not all(isinstance(one, str) for one in labels) or any(map(tracked.is_lost, labels)):
        return None
    table = pd.DataFrame({"label": labels, "value": range(len(labels))})
    found = few_rows(hooks, table, {"label": labels, "value": list(data.values())})
    if found is None:
        return None
    level = IndexLevel(None, found.columns["label"])
    return SeriesSymbol(found.rows, found.columns["value"], result.name, (level,), False)


_FEW_ROWS = 40


def _cells(data: Any, result: pd.DataFrame) -> dict[Any, list[Any]] | None:
    """Return the cells of a list of dicts, lists or tuples, or of a dict of lists, by column."""
    labels = list(result.columns)
    if isinstance(data, Mapping) and all(isinstance(one, list) for one in data.values()):
        return {x: list(data[x]) for x in labels} if set(labels) <= set(data) else None
    if not isinstance(data, list):
        return None
    if all(isinstance(one, Mapping) for one in data):
        return {x: [one.get(x) for one in data] for x in labels}
    if all(isinstance(one, list | tuple) and len(one) == len(labels) for one in data):
        return {x: [one[at] for one in data] for at, x in enumerate(labels)}
    return None


def _by_row(hooks: Any, rows: Rows, cells: list[Any]) -> Value:
    """Return what a column has in each row."""
    found = []
    for one in cells:
        symbol = hooks.symbol(one)
        if not isinstance(symbol, ScalarSymbol) and (tracked.is_lost(one) or hooks.derived.of_data(hooks, one)):
            raise NotTranslatable("a table of values of the data whose origin isn't understood")
        found.append(attached(rows, symbol) if isinstance(symbol, ScalarSymbol) else column(constant_thing(one)))
    family = common_family(found, "a column")
    nullable = any(one.nullable for one in found)
    if len({one.sql for one in found}) == 1:
        return Value(found[0].sql, family, nullable)
    whens = " ".join(bind("WHEN n THEN x", n=str(at), x=one.sql) for at, one in enumerate(found))
    return Value(f'CASE "row" {whens} END', family, nullable)


CALLS: dict[str, Callable[..., Symbol | None]] = {"len": length}

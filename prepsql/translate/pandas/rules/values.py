"""Columns cell by cell: operators, methods and functions, by the rules of pandas text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import mixes
from prepsql.translate.pandas.rules.aligning import aligned, base_of, positional
from prepsql.translate.pandas.things import constant_thing, operated, same_rows
from prepsql.workflow.pandas_text import calls, windows
from prepsql.workflow.pandas_text.scope import Scope, Table
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import WHOLES_AS_TEXT, Items, Name, Parts, Thing, Value, column, made
from prepsql.workflow.reserved import column_name

SCOPE = Scope(Table({}))


def rows_of(hooks: Any, things: Sequence[Any]) -> SeriesSymbol | FrameSymbol:
    """Return the first of things that has rows."""
    for one in things:
        symbol = hooks.symbol(one)
        if isinstance(symbol, SeriesSymbol | FrameSymbol):
            return symbol
        if isinstance(one, list | tuple) and any(hooks.symbol(part) is not None for part in one):
            return rows_of(hooks, one)
    raise NotTranslatable("a computation on numbers that come of whole columns")


def thing(hooks: Any, value: Any, base: Rows | FrameSymbol | SeriesSymbol) -> Thing:
    """Return an argument as a thing over the rows, a series of other rows by the index; raises NotTranslatable."""
    rows = base if isinstance(base, Rows) else base.rows
    symbol = hooks.symbol(value)
    if isinstance(symbol, SeriesSymbol):
        if isinstance(base, Rows):
            same_rows(rows, symbol.rows)
        by_label = isinstance(value, pd.Series)
        found = symbol.value if isinstance(base, Rows) else (aligned if by_label else positional)(base, symbol)
        return rows.short(symbol.name or "value", found) if has_window(found.sql) else found
    if isinstance(symbol, ScalarSymbol):
        return attached(rows, symbol)
    if isinstance(symbol, FrameSymbol) and len(symbol.columns) == 1:
        one = symbol.only()
        if isinstance(base, Rows):
            same_rows(rows, one.rows)
        return one.value if isinstance(base, Rows) else aligned(base, one)
    listed = getattr(symbol, "entries", None)
    if listed is not None:
        same_rows(rows, symbol.frame.rows)
        if not symbol.whole or len(value) != symbol.length:
            raise NotTranslatable("a list with elements for some rows")
        return rows.short("value", symbol.value())
    if symbol is not None and hasattr(symbol, "element"):
        from prepsql.translate.pandas.cells import Cell

        element = symbol.element()
        if not isinstance(element, Cell):
            raise NotTranslatable("rows where a column must stand")
        same_rows(rows, symbol.frame.rows)
        return element.thing
    if symbol is not None:
        raise NotTranslatable("a whole table where a column must stand")
    if isinstance(value, pd.Series | pd.DataFrame):
        raise NotTranslatable("a table whose origin isn't understood")
    if isinstance(value, list | tuple) and any(hooks.symbol(one) is not None for one in value):
        return Items(tuple(thing(hooks, one, base) for one in value))
    if tracked.is_lost(value) or hooks.derived.of_data(hooks, value):
        raise NotTranslatable("a plain value of the data whose origin isn't understood")
    return constant_thing(value)


def attached(rows: Rows, scalar: ScalarSymbol) -> Value:
    """Return a reduction beside every row: a window over the rows that it is of, else a table of one row beside."""
    if scalar.value is not None and scalar.rows is rows and scalar.func != "mode":
        found = windows.reduce(scalar.func, windows.Window(), scalar.value)
        if scalar.func in ("min", "max", "mean", "median") and not scalar.value.nullable:
            found = replace(found, nullable=False)  # where there is a row, there is one of it
        return rows.define(scalar.func, found)
    one = reduced(scalar)
    if scalar.made is not None:
        return rows.beside(one.name("value", scalar.made), one, scalar.made)
    name, value = next(iter(one.columns.items()))
    return rows.beside(name, one, value)


def reduced(scalar: ScalarSymbol) -> Rows:
    """Return the table of one row that holds a reduction."""
    from prepsql.translate.pandas.rules.aggregates import measure

    if scalar.made is not None:
        return scalar.rows
    known = scalar.rows.reductions.get((scalar.func, scalar.value.sql if scalar.value else ""))
    if known is not None:
        return known
    value = scalar.value
    name = scalar.func if value is None else f"{scalar.func}_{scalar.rows.name('value', value)}"
    made, family, nullable = measure(scalar.func, value, name)
    found = Rows("aggregate", {"aggs": [made]}, {"in": scalar.rows}, {name: Value(column_name(name), family, nullable)},
                 wanted=name)  # fmt: skip
    scalar.rows.reductions[scalar.func, value.sql if value else ""] = found
    return found


def series(hooks: Any, symbol: SeriesSymbol | FrameSymbol, result: Any, made: Thing) -> Symbol | None:
    """Return a thing as what a result stands for, over the rows of a symbol."""
    if isinstance(made, Parts) or isinstance(result, pd.DataFrame):
        raise NotTranslatable("the parts of a text as a table")
    value = column(made)
    wanted = getattr(result, "name", None)
    value = symbol.rows.short("value" if wanted is None else wanted, value)
    return SeriesSymbol(symbol.rows, value, wanted, symbol.index, symbol.fresh)


def operate(hooks: Any, operator: str, operands: Sequence[Any], result: Any = None) -> Symbol | None:
    """Return what an operator gives: a column, or nothing for a plain value."""
    from prepsql.translate.pandas.rules import numbers

    if numbers.all_scalars(hooks, operands):
        return numbers.operate(hooks, operator, operands)
    base = base_of(hooks, operands, result) or rows_of(hooks, operands)
    if isinstance(base, FrameSymbol) or isinstance(result, pd.DataFrame):
        from prepsql.translate.pandas.rules import by_labels

        return by_labels.operate(hooks, operator, operands, result)
    from prepsql.translate.pandas.rules import zones

    zoned = zones.operate(hooks, operator, operands, base, result)
    if zoned is not None:
        return zoned
    things = places_of(hooks, operator, operands, base) or [thing(hooks, one, base) for one in operands]
    made = series(hooks, base, None, mixes.compared(operator, things) or operated(operator, *things))
    if len(things) == 1:
        return made
    name = base.name if isinstance(base, SeriesSymbol) else None
    return replace(made, name=name) if isinstance(made, SeriesSymbol) else made


def places_of(hooks: Any, operator: str, operands: Sequence[Any], base: SeriesSymbol) -> Sequence[Thing] | None:
    """Return the places of operands that are categories, None where their order doesn't matter."""
    from prepsql.translate.pandas.rules import categories

    return categories.compared(hooks, operator, operands, base)


def method(
    hooks: Any, symbol: SeriesSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """Return what a method of a column gives, by the rules of pandas text."""
    if name in windows.REDUCTIONS and not isinstance(result, pd.Series):
        if given or {key: value for key, value in named.items() if key != "skipna" or value is not True}:
            raise NotTranslatable(f".{name}() with arguments")
        return reduction(symbol, name)
    if name == "astype" and given and isinstance(given[0], pd.CategoricalDtype):
        from prepsql.translate.pandas.rules import categories

        return categories.typed(hooks, result, symbol, given[0])
    if name == "astype" and symbol.value.family == "timestamp" and given and given[0] in (str, "str", "string"):
        return series(hooks, symbol, result, _dates_as_text(symbol, result))
    if name == "astype" and symbol.value.family == "integer" and symbol.value.nullable and given and given[0] in (
        str, "str",
    ):  # fmt: skip
        return series(hooks, symbol, result, _wholes_as_text(symbol.value, hooks.base))
    if name == "astype" and symbol.value.family == "span" and given and given[0] in (str, "str"):
        return series(hooks, symbol, result, _spans_as_text(symbol, result))
    if mixes.is_mixed(symbol.value) and not named:
        found = mixes.method(symbol.value, name, given)
        if found is not None:
            return series(hooks, symbol, result, found)
    rows = symbol.rows
    arguments = [thing(hooks, one, symbol) for one in given]
    options = {key: thing(hooks, one, symbol) for key, one in named.items()}
    if has_window(symbol.value.sql):
        symbol = replace(symbol, value=rows.define(symbol.name or name, symbol.value))
    return series(hooks, symbol, result, calls.call(SCOPE, symbol.value, name, arguments, options))


def _dates_as_text(symbol: SeriesSymbol, result: Any) -> Value:
    """Return times as pandas writes them: all of them without a clock if all are midnight."""
    short = [len(text) <= len("2000-01-01") for text in result]
    symbol.rows.assume(f"{'no clock' if all(short) else 'a clock'} in {symbol.name}")
    form = "%Y-%m-%d" if all(short) else "%Y-%m-%d %H:%M:%S"
    value = symbol.value
    written = made(f"strftime(x, '{form}')", "text", value, x=value.sql)
    if not value.nullable:
        return written
    return made("coalesce(x, 'NaT')", "text", value, nullable=False, x=written.sql)


def _spans_as_text(symbol: SeriesSymbol, result: Any) -> Value:
    """Return lengths of time as pandas writes them: all of them in days if all are whole days."""
    texts = [text for text in result if text != "NaT"]
    if any("." in text for text in texts):
        raise NotTranslatable("text of lengths of time with parts of seconds")
    clocked = any(":" in text for text in texts)
    symbol.rows.assume(f"{'a clock' if clocked else 'whole days'} in {symbol.name}")
    value = symbol.value
    days = made("floor(x / 86400000000)::BIGINT", "integer", value, x=value.sql)
    written = "d || ' days'"
    if clocked:
        clock = "strftime(TIMESTAMP '2000-01-01' + to_microseconds(x - d * 86400000000), '%H:%M:%S')"
        written += f" || CASE WHEN d < 0 THEN ' +' ELSE ' ' END || {clock}"
    text = made(written, "text", value, x=value.sql, d=days.sql)
    return made("coalesce(x, 'NaT')", "text", value, nullable=False, x=text.sql) if value.nullable else text


def _wholes_as_text(value: Value, real: Any) -> Value:
    """Return whole numbers with nulls as text: those of a type that has nulls are written <NA>."""
    kind = getattr(real, "dtype", None)
    if isinstance(kind, pd.Int64Dtype | pd.Int32Dtype):
        null = "<NA>"
    elif kind is not None and pd.api.types.is_object_dtype(kind):
        null = "None" if value.none else "nan"
    else:
        raise NotTranslatable(WHOLES_AS_TEXT)
    return made(f"coalesce(x::VARCHAR, '{null}')", "text", value, nullable=False, x=value.sql)


def reduction(symbol: SeriesSymbol, name: str) -> ScalarSymbol:
    """Return the number that a reduction of a column gives."""
    total = windows.reduce(name, windows.Window(), symbol.value, True)
    return ScalarSymbol(symbol.rows, name, symbol.value, total.family, total.nullable)


def call(hooks: Any, path: str, given: Sequence[Any], named: Mapping[str, Any], result: Any) -> Symbol | None:
    """Return what a function of columns gives, by the rules of pandas text."""
    from prepsql.translate.pandas.rules import numbers

    if numbers.all_scalars(hooks, [*given, *named.values()]):
        return numbers.call(hooks, path, given, named)
    base = rows_of(hooks, [*given, *named.values()])
    if isinstance(base, FrameSymbol):
        if path == "len":
            return None
        raise NotTranslatable(f"{path} of a whole table")
    if path in ("list", "set", "sorted", "dict", "tuple", "len", "print", "isinstance"):
        return None
    arguments = [thing(hooks, one, base) for one in given]
    options = {key: thing(hooks, one, base) for key, one in named.items()}
    return series(hooks, base, result, calls.call(SCOPE, Name(path), "", arguments, options))

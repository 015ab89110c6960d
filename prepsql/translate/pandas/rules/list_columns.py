"""`.str` of columns that hold lists or tuples: an item, how many there are, all as one text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, TypeGuard

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas import cell_items, cell_lists, cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import series
from prepsql.translate.pandas.symbols import Cell
from prepsql.translate.pandas.things import same_rows
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made


def holds(symbol: Any) -> TypeGuard[SeriesSymbol]:
    """Return whether a column holds lists or tuples."""
    return isinstance(symbol, SeriesSymbol) and symbol.value.family in ("list", "struct")


def item(hooks: Any, result: Any, symbol: SeriesSymbol, key: Any) -> Symbol | None:
    """One item, null where the list is shorter; or some in a row."""
    value = symbol.value
    if isinstance(key, slice):
        if value.family != "list" or key.step not in (None, 1):
            raise NotTranslatable("a slice of tuples")
        return series(hooks, symbol, result, _slice(value, key))
    if value.family == "struct":
        return series(hooks, symbol, result, _part(value, key))
    if not isinstance(key, int):
        raise NotTranslatable("an item by another thing than its place")
    at = bind(f"x[{key + 1 if key >= 0 else key}]", x=value.sql)
    return series(hooks, symbol, result, replace(cell_items.exploded(value, at), cell=False))


def _part(value: Value, key: Any) -> Value:
    variable, element = value.item
    if isinstance(element, tuple) and isinstance(key, int) and not -len(element) <= key < len(element):
        raise NotTranslatable("a place that no tuple has")
    found = cell_lists.put(element, variable, value.sql)[key]
    if not isinstance(found, Cell) or not isinstance(found.thing, Value):
        raise NotTranslatable("a tuple of such things")
    return replace(found.thing, nullable=found.thing.nullable or value.nullable, cell=False)


def _slice(value: Value, key: slice) -> Value:
    sliced = cell_items.pieces(replace(value, nullable=False)).item(key)
    return replace(value, sql=sliced.sql)


def call(
    hooks: Any, result: Any, symbol: SeriesSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any]
) -> Symbol | None:
    """A method."""
    value = symbol.value
    if name == "get" and len(given) == 1 and not named:
        return item(hooks, result, symbol, given[0])
    if value.family == "struct":
        if name == "len" and not value.nullable:
            return series(hooks, symbol, result, Value(str(len(value.item[1])), "integer", False))
        raise NotTranslatable(f".str.{name}() of tuples")
    if name == "len":
        return series(hooks, symbol, result, made("len(x)", "integer", replace(value, item=None), x=value.sql))
    if name == "join" and len(given) == 1 and isinstance(given[0], str) and not named:
        one = cell_items.exploded(value, "x")
        if one.family != "text" or (value.item is not None and cell_items.may_be_null(value)):
            raise NotTranslatable("a join of what isn't text")
        text = made(f"array_to_string(x, {literal(given[0])})", "text", replace(value, item=None), x=value.sql)
        return series(hooks, symbol, result, text)
    raise NotTranslatable(f".str.{name}() of lists")


def parts_of(hooks: Any, frame: FrameSymbol, rows: Any) -> list[Value] | None:
    """Return the parts of a list of tuples, one for each row, as columns; None for a list of other things."""
    from prepsql.translate.pandas.rules.loops import loop_of

    loop = loop_of(hooks, rows)
    element = loop.element() if loop is not None else None
    if loop is None or not isinstance(element, tuple | list):
        return None
    same_rows(frame.rows, loop.frame.rows)
    return [cells.value_of([forks.Ending(Way.of(()), one)]) for one in element]

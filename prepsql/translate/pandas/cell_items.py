"""Lists, tuples and dicts as values of columns: what their items are stays known from step to step.

A value of the family `list` or `struct` has as `item` a variable and what is made of it: what an item of the list is
whose name the variable is, or the tuple or dict that the struct of that name is.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas.cell_lists import Pieces, fresh, pieces_of, put
from prepsql.translate.pandas.forks import path, tracing
from prepsql.translate.pandas.symbols import Cell, symbolic, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, common_family, made

_VARIABLE = "piece"


def packed(found: Any) -> Value | None:
    """Return a list, tuple or dict of cells as a value of a column, None for another thing."""
    if isinstance(found, Pieces):
        return _listed(found.ordered())
    if isinstance(found, list) and not found:
        return Value("[]", "list", False)
    if isinstance(found, list | tuple | dict) and found:
        sql, element = _struct(found)
        return Value(sql, "struct", False, item=(_VARIABLE, element))
    return None


def as_list(found: Any) -> Value | None:
    """Return a list that a function wrote out as one whose length isn't fixed, None for another thing."""
    return _listed(pieces_of(found)) if isinstance(found, list) and found else None


def opened(value: Value) -> Any:
    """Return what a cell of a column is to a function: a tuple or dict of cells, or a cell.

    Where a function is followed, a tuple that may be missing is now there, now it isn't.
    """
    if value.family != "struct":
        return Cell(value)
    if value.item is None or (value.nullable and not tracing()):
        raise NotTranslatable("a tuple or dict that may be missing")
    if value.nullable and path().decide(made("x IS NULL", "boolean", value, nullable=False, x=value.sql)):
        return None if value.none else math.nan
    variable, element = value.item
    return put(element, variable, value.sql)


def pieces(value: Value) -> Pieces:
    """Return a list of a column as the list that a function goes over."""
    variable = fresh()
    if value.item is None:
        return Pieces(value.sql, variable, Cell(Value(variable, "text", False)))
    own, element = value.item
    return Pieces(value.sql, variable, put(element, own, variable))


def exploded(value: Value, sql: str) -> Value:
    """Return what an item is, of which each has a row."""
    if value.item is None:
        return Value(sql, "text", True)
    variable, element = value.item
    if isinstance(element, Cell):
        return replace(value_thing(element), sql=bind(value_thing(element).sql, **{variable: sql}), nullable=True,
                       cell=False)  # fmt: skip
    return Value(sql, "struct", True, item=(variable, element))


def may_be_null(value: Value) -> bool:
    """Return whether an item of a list of plain values may be missing."""
    element = value.item[1] if value.item is not None else None
    return isinstance(element, Cell) and value_thing(element).nullable


def of_values(value: Value) -> Any:
    """Return what an item of a list of a column's values is."""
    if value.family in ("list", "struct"):
        raise NotTranslatable("lists of lists")
    return _VARIABLE, Cell(replace(value.exact(), sql=_VARIABLE, cell=False))


def spread_out(value: Value) -> Value:
    """Return a list of a fixed length as one of any length."""
    variable, element = value.item
    if not isinstance(element, list):
        raise NotTranslatable("explode of what isn't a column of lists")
    items = _items(element)
    parts = [value_thing(one).sql for one in put(element, variable, value.sql)]
    listed = f"[{', '.join(parts)}]"
    sql = bind(f"CASE WHEN x IS NOT NULL THEN {listed} END", x=value.sql) if value.nullable else listed
    return Value(sql, "list", value.nullable, item=(_VARIABLE, Cell(replace(items, sql=_VARIABLE))))


def _items(element: Sequence[Any]) -> Value:
    values = [value_thing(one) for one in element]
    if len({value.family for value in values}) > 1:
        raise NotTranslatable("lists of several kinds of things")
    return replace(values[0], nullable=any(value.nullable for value in values))


def joint(values: Sequence[Value]) -> Any:
    """Return what an item is of one of several lists, or what one of several structs is."""
    found = [value.item for value in values if value.item is not None]
    known = [value for value in values if value.family == "list" and value.sql != "[]" and value.item is None]
    if known:
        if any(not (isinstance(one[1], Cell) and value_thing(one[1]).family == "text") for one in found):
            raise NotTranslatable("lists of several kinds of things")
        return None
    if not found:
        return None
    elements = [put(element, variable, _VARIABLE) for variable, element in found]
    return _VARIABLE, _same(elements)


def _same(elements: Sequence[Any]) -> Any:
    first = elements[0]
    if isinstance(first, Cell) and all(isinstance(one, Cell) for one in elements):
        values = [value_thing(one) for one in elements]
        if len({value.sql for value in values}) > 1:
            raise NotTranslatable("lists of several kinds of things")
        family = common_family(values, "what is in a list")
        return Cell(replace(values[0], family=family, nullable=any(value.nullable for value in values)))
    if isinstance(first, tuple | list | dict) and all(
        type(one) is type(first) and len(one) == len(first) for one in elements
    ):  # fmt: skip
        if isinstance(first, tuple | list):
            return type(first)(_same(parts) for parts in zip(*elements, strict=True))
        if all(list(one) == list(first) for one in elements):
            return {key: _same([one[key] for one in elements]) for key in first}
    raise NotTranslatable("lists of several kinds of things")


def _listed(found: Pieces) -> Value:
    if isinstance(found.element, tuple | list | dict):
        sql, element = _struct(found.element)
        listed = bind(f"list_transform(x, lambda {found.variable}: y)", x=found.sql, y=sql)
        return Value(listed, "list", False, item=(_VARIABLE, element))
    value, item = found.value(), found.item_value()
    if item.family == "text" and not item.nullable:
        return value
    return replace(value, item=(_VARIABLE, Cell(replace(item, sql=_VARIABLE))))


def _struct(found: Any) -> tuple[str, Any]:
    """Return a tuple or dict of cells as a struct, and as what it is where it has the name of the variable."""
    parts = list(found.values()) if isinstance(found, Mapping) else list(found)
    values = [_plain(one) for one in parts]
    names = [f"item_{at}" for at in range(1, len(parts) + 1)]
    if isinstance(found, Mapping):
        if not all(isinstance(key, str) for key in found):
            raise NotTranslatable("a dict whose keys are no texts")
        if len({key.lower() for key in found}) == len(found):
            names = list(found)
    sql = f"{{{', '.join(f'{literal(name)}: {value.sql}' for name, value in zip(names, values, strict=True))}}}"
    made = [Cell(replace(value, sql=f"{_VARIABLE}[{literal(name)}]", cell=False))
            for name, value in zip(names, values, strict=True)]  # fmt: skip
    if isinstance(found, Mapping):
        return sql, dict(zip(found, made, strict=True))
    return sql, type(found)(made)


def _plain(found: Any) -> Value:
    if symbolic(found) and not isinstance(found, Cell):
        raise NotTranslatable("a list of lists in a column")
    value = value_thing(found).exact()
    if value.family in ("list", "struct", "null", "unknown"):
        raise NotTranslatable("a list of such things in a column")
    return replace(value, constant=Value("", "text").constant)

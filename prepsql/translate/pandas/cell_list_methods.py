"""Methods of lists in cells."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.translate.pandas.cell_list_functions import in_order
from prepsql.translate.pandas.cell_lists import Pieces, equal
from prepsql.translate.pandas.cell_sets import together
from prepsql.translate.pandas.symbols import Cell, fails_unless, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made


def append(found: Pieces, one: Any) -> None:
    """.append()."""
    longer = together(found, [one])
    found.sql, found.variable, found.element = longer.sql, longer.variable, longer.element


def extend(found: Pieces, more: Any) -> None:
    """.extend()."""
    longer = together(found, more)
    found.sql, found.variable, found.element = longer.sql, longer.variable, longer.element


def index(found: Pieces, wanted: Any) -> Any:
    """.index()."""
    found.ordered()
    value = value_thing(wanted)
    if value.family != found.family():
        raise ValueError("not in list")
    place = made("list_position(x, y)", "integer", value, nullable=True, x=found.value().sql, y=value.sql)
    fails_unless(made("x IS NOT NULL", "boolean", place, nullable=False, x=place.sql), ValueError)
    return Cell(Value(bind("x - 1", x=place.sql), "integer", False))


def count(found: Pieces, wanted: Any) -> Any:
    """.count()."""
    return Cell(found.counted(equal(found.element, wanted)))


def copy(found: Pieces) -> Pieces:
    """.copy()."""
    return found.of(found.sql)


def sort(found: Pieces) -> None:
    """.sort()."""
    ordered = in_order(found)
    found.sql, found.variable, found.element = ordered.sql, ordered.variable, ordered.element


METHODS: Mapping[str, Callable[..., Any]] = {
    "append": append, "extend": extend, "index": index, "count": count, "copy": copy, "sort": sort,
}  # fmt: skip

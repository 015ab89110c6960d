"""What lists and sets in cells have in them: membership, two together, each item once."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from prepsql.translate.pandas.cell_lists import Pieces, equal, over, pieces_of
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbols import Cell, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, made


def inside(found: Pieces, wanted: Any, negated: bool = False) -> Any:
    """Return whether a thing is among the items."""
    if found.sql != "[]" and not isinstance(found.element, tuple):
        value = value_thing(wanted)
        if value.family == found.family() and not value.nullable:
            test = made("list_contains(x, y)", "boolean", value, nullable=False, x=found.value().sql, y=value.sql)
            test = replace(test, cell=True)
            return Cell(made("NOT x", "boolean", test, x=test.sql)) if negated else Cell(test)
    count = found.counted(equal(found.element, wanted))
    return Cell(made("x = 0" if negated else "x > 0", "boolean", count, nullable=False, x=count.sql))


def together(left: Any, right: Any) -> Pieces:
    """Return two lists as one."""
    x, y = pieces_of(left).ordered(), pieces_of(right).ordered()
    if x.family() != y.family():
        raise refuse("a list of several kinds of things")
    return over(bind("list_concat(x, y)", x=x.value().sql, y=y.value().sql), x.family())


def distinct(values: Any = ()) -> Pieces:
    """set()."""
    found = pieces_of(values)
    made_of = over(bind("list_distinct(x)", x=found.value().sql), found.family())
    made_of.unordered = True
    if found.item_value().nullable:
        raise refuse("a set of what may be none")
    return made_of


def once(values: Any, *rest: Any) -> Pieces:
    """dict.fromkeys(): each item once, where it is first."""
    found = pieces_of(values).ordered()
    if rest or found.item_value().nullable:
        raise refuse("a dict of pieces")
    items = found.value().sql
    variable = found.variable
    first = bind(f"list_filter(x, lambda {variable}, place: list_position(x, {variable}) = place)", x=items)
    return over(first, found.family())


SETS = frozenset({"BitAnd", "BitOr", "Sub", "LtE", "GtE"})
"""The operators of sets."""


def of_sets(operator: str, left: Any, right: Any) -> Any:
    """Return what an operator gives for two sets, of which one is in a cell."""
    x, y = (one if isinstance(one, Pieces) else pieces_of(sorted(one)) for one in (left, right))
    if not all(
        (isinstance(one, Pieces) and one.unordered) or isinstance(one, set | frozenset) for one in (left, right)
    ):
        raise TypeError("unsupported operand")
    if x.family() != y.family():
        raise refuse("sets of different kinds of things")
    if operator == "GtE":
        x, y = y, x
    inside_ = bind(f"list_contains(x, {x.variable})", x=y.value().sql)
    values = x.of(x.value().sql)
    values.element = Cell(Value(x.variable, x.family(), False))
    if operator in ("LtE", "GtE"):
        count = values.counted(Value(bind("NOT x", x=inside_), "boolean", False))
        return Cell(made("x = 0", "boolean", count, nullable=False, x=count.sql))
    if operator == "BitOr":
        return distinct(over(bind("list_concat(x, y)", x=x.value().sql, y=y.value().sql), x.family()))
    kept = values.kept(Value(inside_ if operator == "BitAnd" else bind("NOT x", x=inside_), "boolean", False))
    return Pieces(kept.sql, kept.variable, kept.element, True)

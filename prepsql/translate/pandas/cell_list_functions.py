"""Functions and methods of Python on lists in cells."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from prepsql.translate.pandas.cell_lists import Pieces, fresh, mapped, merged, over, pieces_of
from prepsql.translate.pandas.cell_sets import distinct
from prepsql.translate.pandas.forks import Failed, path, refuse
from prepsql.translate.pandas.symbols import Cell, fails_unless, is_own, symbolic, truth, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, constant, made

_NAN = "'nan'::DOUBLE"


def length(found: Any) -> Any:
    """len()."""
    return Cell(found.length())


def total(values: Any, start: Any = 0) -> Any:
    """sum()."""
    found = pieces_of(values)
    if start != 0 or symbolic(start):
        raise refuse("sum from another number than 0")
    item = found.item_value()
    if item.family == "boolean":
        return Cell(found.counted(item))
    if item.family == "integer" and not item.nullable:
        return Cell(Value(bind("coalesce(list_sum(x), 0)::BIGINT", x=found.value().sql), "integer", False))
    if item.family != "float" or item.none:
        raise refuse(f"sum of a list of {item.family}")
    if not item.nullable:
        return Cell(Value(bind("coalesce(list_sum(x), 0)", x=found.value().sql), "float", False))
    # a NaN among them makes a NaN of the sum
    filled = made(f"coalesce(x, {_NAN})", "float", item, nullable=False, x=item.sql)
    numbers = Pieces(found.sql, found.variable, Cell(filled)).value()
    return Cell(Value(bind(f"nullif(coalesce(list_sum(x), 0), {_NAN})", x=numbers.sql), "float", True))


def _reached(values: Any) -> Pieces:
    """Return a list of which only the first items may be asked for."""
    found = pieces_of(values)
    if found.fails:
        raise refuse("a failure at a piece that may not be reached")
    return found


def any_of(values: Any) -> Any:
    """any()."""
    found = _reached(values)
    return Cell(_more(found.counted(_condition(found))))


def all_of(values: Any) -> Any:
    """all()."""
    found = _reached(values)
    count = found.counted(_not(_condition(found)))
    return Cell(made("x = 0", "boolean", count, nullable=False, x=count.sql))


def _more(count: Value) -> Value:
    return made("x > 0", "boolean", count, nullable=False, x=count.sql)


def _not(condition: Value) -> Value:
    return made("x IS NOT TRUE" if condition.nullable or condition.loose else "NOT x", "boolean", condition,
                nullable=False, x=condition.sql)  # fmt: skip


def _condition(found: Pieces) -> Value:
    if isinstance(found.element, bool):
        return constant(found.element)
    return truth(found.element)


def following(values: Any, *otherwise: Any) -> Any:
    """next() of what a comprehension in parentheses gives."""
    found = _reached(values).ordered()
    if not path().decide(_more(found.length())):
        if otherwise:
            return otherwise[0]
        raise refuse("next of nothing")
    return found.at(bind("x[1]", x=found.sql))


def extreme(name: str) -> Callable[..., Any]:
    """Return the rule of max or min of a list."""

    def rule(*values: Any, key: Any = None, **named: Any) -> Any:
        if len(values) != 1 or set(named) > {"default"}:
            raise refuse(f"{name} of lists")
        found = pieces_of(values[0])
        if "default" in named:
            if not bool(found):
                return named["default"]
        else:
            fails_unless(_more(found.length()), ValueError)
        if key is not None:
            return in_order(found, key=key, reverse=name == "max").item(0)
        item = found.item_value()
        if item.nullable or item.family not in ("integer", "float", "text"):
            raise refuse(f"{name} of a list of {item.family}")
        return Cell(Value(bind(f"list_{name}(x)", x=found.value().sql), item.family, False))

    return rule


def in_order(values: Any, *, key: Any = None, reverse: Any = False) -> Pieces:
    """sorted()."""
    found = pieces_of(values)
    if symbolic(reverse):
        raise refuse("an order that depends on the data")
    if key is None and not isinstance(found.element, tuple):
        item = found.item_value()
        if item.nullable or item.family not in ("integer", "text", "float"):
            raise refuse(f"sorted of a list of {item.family}")
        return over(bind(f"list_{'reverse_' if reverse else ''}sort(x)", x=found.value().sql), item.family)
    found.ordered()
    by = found.element if key is None else _one(found, key)
    terms = [value_thing(one) for one in (by if isinstance(by, tuple) else (by,))]
    if any(term.nullable or term.family not in ("integer", "text", "float") for term in terms):
        raise refuse("sorted by what may be none")
    # equal ones stay in their order: its number is the next term
    names = [f"'by_{at}': {term.sql}" for at, term in enumerate(terms, 1)]
    number = "-place" if reverse else "place"
    struct = f"{{{', '.join(names)}, 'place': {number}, 'item': {found.variable}}}"
    ordered = bind(f"list_transform(x, lambda {found.variable}, place: s)", x=found.sql, s=struct)
    ordered = bind(f"list_{'reverse_' if reverse else ''}sort(x)", x=ordered)
    return found.of(bind(f"list_transform(x, lambda {found.variable}: {found.variable}.item)", x=ordered))


def _one(found: Pieces, function: Any) -> Any:
    """Return what a function makes of an item."""
    endings = found.each(lambda one: _applied(function, one))
    if any(isinstance(ending.result, Failed) for ending in endings):
        raise refuse("a failure at a piece")
    return merged([(ending.conditions, ending.result) for ending in endings])


def _applied(function: Any, one: Any) -> Any:
    from prepsql.translate.pandas import cells

    return cells.call(None, function, [one], {}) if symbolic(one) and not is_own(function) else function(one)


def backwards(values: Any) -> Pieces:
    """reversed()."""
    found = pieces_of(values).ordered()
    return found.of(bind("list_reverse(x)", x=found.sql))


def numbered(values: Any, start: Any = 0) -> Pieces:
    """enumerate()."""
    found = pieces_of(values).ordered()
    first = value_thing(start)
    variable = found.variable
    sql = bind("list_zip(range(len(x)), x)", x=found.sql)
    number = made("x + n" if first.constant != 0 else "x", "integer", first, x=f"{variable}[1]", n=first.sql)
    return Pieces(sql, variable, (Cell(number), found.at(f"{variable}[2]")))


def side_by_side(*given: Any, **named: Any) -> Pieces:
    """zip(): as many as the shortest has."""
    found = [pieces_of(one).ordered() for one in given]
    variable = fresh()
    lists = ", ".join(one.sql for one in found)
    return Pieces(f"list_zip({lists}, TRUE)", variable,
                  tuple(one.at(f"{variable}[{at}]") for at, one in enumerate(found, 1)))  # fmt: skip


def applied(function: Any, *given: Any) -> Pieces:
    """map()."""
    if len(given) != 1:
        raise refuse("map over several lists")
    return mapped(pieces_of(given[0]), lambda one: [_applied(function, one)])


def filtered(function: Any, values: Any) -> Pieces:
    """filter()."""

    def chosen(one: Any) -> list[Any]:
        return [one] if (one if function is None else _applied(function, one)) else []

    return mapped(pieces_of(values), chosen)


def as_list(values: Any = ()) -> Pieces:
    """list() or tuple()."""
    found = pieces_of(values).ordered()
    return Pieces(found.sql, found.variable, found.element)


def flattened(lists: Pieces) -> Pieces:
    """Return the items of lists in a list as one list."""
    inner = lists.element
    if not isinstance(inner, Pieces):
        raise refuse("a list that isn't one of lists")
    each = inner.value()
    family = inner.family()
    if inner.item_value().nullable:
        raise refuse("lists of what may be none")
    listed = bind(f"list_transform(x, lambda {lists.variable}: y)", x=lists.sql, y=each.sql)
    return over(bind("flatten(x)", x=listed), family)


def counting(*given: Any) -> Pieces:
    """range() up to a number that depends on the data."""
    if len(given) == 3:
        raise refuse("a range with a step that depends on the data")
    bounds = [value_thing(one) for one in given]
    if any(one.family != "integer" or one.nullable for one in bounds):
        raise refuse("a range of what is no whole number")
    return over(f"range({', '.join(one.sql for one in bounds)})", "integer")


def is_list(found: Any, kinds: Any) -> bool:
    """isinstance()."""
    kind = set if isinstance(found, Pieces) and found.unordered else list
    return any(issubclass(kind, one) for one in (kinds if isinstance(kinds, tuple) else (kinds,)))


def as_dict(values: Any) -> Any:
    """dict()."""
    from prepsql.translate.pandas.cell_dicts import Keyed

    return Keyed(pieces_of(values))


RULES: Mapping[int, Callable[..., Any]] = {
    id(len): length, id(sum): total, id(any): any_of, id(all): all_of, id(next): following, id(max): extreme("max"),
    id(min): extreme("min"), id(sorted): in_order, id(set): distinct, id(frozenset): distinct, id(reversed): backwards,
    id(enumerate): numbered, id(zip): side_by_side, id(map): applied, id(filter): filtered, id(list): as_list,
    id(tuple): as_list, id(iter): as_list, id(math.fsum): total, id(np.sum): total, id(bool): bool,
    id(isinstance): is_list, id(dict): as_dict,
}  # fmt: skip
# those that take the text or the list of a cell, which is none of these yet
OF_CELLS: Mapping[int, Callable[..., Any]] = {
    key: rule for key, rule in RULES.items() if key not in {id(len), id(bool), id(map), id(isinstance)}
} | {id(range): counting, id(map): applied}  # fmt: skip

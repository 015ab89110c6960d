"""Lists of rows in another order: sorted(list), list.sort(), list.reverse()."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, after, moved, settled
from prepsql.translate.pandas.rules import stacking
from prepsql.translate.pandas.rules.loops import LoopSymbol, RowListSymbol
from prepsql.translate.pandas.things import is_null
from prepsql.workflow.pandas_text.value import Value


def changed(hooks: Any, symbol: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return what a list stands for after it was changed in place."""
    if name == "sort" and not given:
        return in_order(hooks, symbol, base, **named)
    raise NotTranslatable("a list that was changed after it was made")


def in_order(
    hooks: Any, symbol: Any, things: Any, key: Callable[[Any], Any] | None = None, reverse: bool = False
) -> LoopSymbol:
    """Return a list of rows in the order of its elements, or of what a function makes of them."""
    loop = stacking.as_loop(symbol) if isinstance(symbol, RowListSymbol) else symbol
    if not isinstance(loop, LoopSymbol):
        raise NotTranslatable("a list in order whose elements aren't known")
    rows = loop.frame.rows
    from prepsql.translate.pandas.rules import lookups

    base = lookups.base_of(hooks, key)
    with forks.over(rows):
        if base is not None:
            endings = lookups.gets(hooks, base, loop.element())
        elif key is not None:
            endings = cells.traced(key, loop.element())
        else:
            endings = [forks.Ending(Way.of(()), loop.element())]
    endings = [replace(one, result=_flat(one.result)) for one in endings]
    first = endings[0].result
    several = isinstance(first, tuple | list)
    count = len(first) if several else 1
    if isinstance(first, cells.Record | Mapping) or any(
        isinstance(one.result, tuple | list) != several or (several and len(one.result) != count) for one in endings
    ):  # fmt: skip
        raise NotTranslatable("a list in the order of what isn't a value")
    order = []
    for at in range(count):
        value = rows.define("key", cells.value_of(endings, _at(at) if several else _whole))
        if value.nullable:
            if _has_nulls(hooks, things, key):
                raise NotTranslatable("an order of what may be NaN")
            rows.assume("no nulls among the keys of the order")
        order.append({"expr": value.sql} | ({"asc": False} if reverse else {}))
    return moved_by(loop, order)


def _has_nulls(hooks: Any, things: Any, key: Callable[[Any], Any] | None) -> bool:
    """Return whether there is a null among what the things are ordered by."""
    with hooks.silent():
        terms = [key(one) if key is not None else one for one in things]
    return any(is_null(part) for term in terms for part in _leaves(term))


def _leaves(term: Any) -> list[Any]:
    if isinstance(term, tuple | list):
        return [part for one in term for part in _leaves(one)]
    return [term]


def _flat(found: Any) -> Any:
    """Return a tuple in which there are tuples as one; tuples are in the order of their parts."""
    if not isinstance(found, tuple) or not any(isinstance(one, tuple | Mapping) for one in found):
        return found
    found = tuple(one for at, one in enumerate(found) if not at or not isinstance(one, Mapping))
    return tuple(part for one in found for part in (_flat(one) if isinstance(one, tuple) else (one,)))


def moved_by(loop: LoopSymbol, order: list[dict[str, Any]]) -> LoopSymbol:
    """Return a list of rows in the order of a sort step."""
    element = loop.element()
    leaves: list[Value] = []
    shaped(element, lambda cell: leaves.append(_value(cell)))
    frame = settled(FrameSymbol(loop.frame.rows, dict(enumerate(leaves))))
    frame = moved(frame, after(frame.rows, "sort", {"order_by": order}, wanted="sorted"), fresh=True)

    def sorted_element() -> Any:
        waiting = iter(frame.columns.values())
        return shaped(element, lambda cell: cells.Cell(next(waiting)))

    return LoopSymbol(frame, sorted_element, loop.length)


def shaped(element: Any, made: Callable[[Any], Any]) -> Any:
    """Return what is made of each cell of an element, in the element's form."""
    if isinstance(element, cells.Record):
        return {key: shaped(element.cell(key), made) for key in element.labels()}
    if isinstance(element, Mapping):
        return {key: shaped(one, made) for key, one in element.items()}
    if isinstance(element, tuple | list):
        return (list if isinstance(element, list) else tuple)(shaped(one, made) for one in element)
    return made(element)


def _value(cell: Any) -> Value:
    return cells.value_of([forks.Ending(Way.of(()), cell)])


def _at(at: int) -> Callable[[Any], Any]:
    return lambda found: found[at]


def _whole(found: Any) -> Any:
    return found

"""Lists of rows in another order: sorted(list), list.sort(), list.reverse()."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, after, moved, settled
from prepsql.translate.pandas.rules import stacking
from prepsql.translate.pandas.rules.loops import LoopSymbol, RowListSymbol
from prepsql.workflow.pandas_text.value import Value


def changed(hooks: Any, symbol: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Return what a list stands for after it was changed in place."""
    if name == "sort" and not given:
        return in_order(hooks, symbol, **named)
    raise NotTranslatable("a list that was changed after it was made")


def in_order(hooks: Any, symbol: Any, key: Callable[[Any], Any] | None = None, reverse: bool = False) -> LoopSymbol:
    """Return a list of rows in the order of its elements, or of what a function makes of them."""
    loop = stacking.as_loop(symbol) if isinstance(symbol, RowListSymbol) else symbol
    if not isinstance(loop, LoopSymbol):
        raise NotTranslatable("a list in order whose elements aren't known")
    rows = loop.frame.rows
    with forks.over(rows):
        endings = cells.traced(key, loop.element()) if key is not None else [forks.Ending(Way.of(()), loop.element())]
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
            rows.assume("no nulls among the keys of the order")
        order.append({"expr": value.sql} | ({"asc": False} if reverse else {}))
    return moved_by(loop, order)


def moved_by(loop: LoopSymbol, order: list[dict[str, Any]]) -> LoopSymbol:
    """Return a list of rows in the order of a sort step."""
    element = loop.element()
    keys: stacking.Keys = None
    if isinstance(element, cells.Record):
        keys = element.labels()
        values = {key: _value(element.cell(key)) for key in keys}
    elif isinstance(element, Mapping):
        keys = list(element)
        values = {key: _value(element[key]) for key in keys}
    elif isinstance(element, tuple | list):
        keys = list(range(len(element)))
        values = {key: _value(element[key]) for key in keys}
    else:
        values = {None: _value(element)}
    frame = settled(FrameSymbol(loop.frame.rows, values))
    frame = moved(frame, after(frame.rows, "sort", {"order_by": order}, wanted="sorted"), fresh=True)
    return LoopSymbol(frame, stacking.element_of(keys, frame.columns, element), loop.length)


def _value(cell: Any) -> Value:
    return cells.value_of([forks.Ending(Way.of(()), cell)])


def _at(at: int) -> Callable[[Any], Any]:
    return lambda found: found[at]


def _whole(found: Any) -> Any:
    return found

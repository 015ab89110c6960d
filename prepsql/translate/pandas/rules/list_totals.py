"""sum, max and min of what a dict, a list or a column holds: reductions, or the one row that comes first."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol
from prepsql.translate.pandas.rules import sorting
from prepsql.translate.pandas.rules import values as of_values
from prepsql.translate.pandas.rules.loops import LoopSymbol, loop_of
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.symbols import value_thing
from prepsql.translate.pandas.things import path_of
from prepsql.workflow.pandas_text.value import Value


def reduced(name: str, hooks: Any, result: Any, *given: Any, **named: Any) -> Any:
    """sum(values), max(values), max(things, key=function); None where only the value is kept."""
    loop = None
    if len(given) == 1 and set(named) <= {"key"} and not isinstance(hooks.symbol(given[0]), SeriesSymbol):
        loop = loop_of(hooks, given[0])
    if type(loop) is not LoopSymbol:
        if not any(hooks.symbol(one) is not None for one in given):
            return None
        return of_values.call(hooks, path_of(max if name == "max" else min if name == "min" else sum) or name,
                              given, named, result)  # fmt: skip
    if loop.length is not None and len(given[0]) != loop.length:
        raise NotTranslatable("a list that was changed after it was made")
    if "key" in named:
        return _first(hooks, loop, given[0], named["key"], name == "max")
    element = loop.element()
    if not isinstance(element, cells.Cell):
        raise NotTranslatable(f"{name} of what isn't a value")
    value = replace(value_thing(element), cell=False)
    families = ("integer", "float") if name == "sum" else ("integer", "float", "text", "timestamp", "date")
    if value.nullable or value.family not in families:
        raise NotTranslatable(f"{name} of a list of {value.family}")
    return ScalarSymbol(loop.frame.rows, name, loop.frame.rows.define("value", value), value.family, False)


def _first(hooks: Any, loop: LoopSymbol, things: Any, key: Any, greatest: bool) -> ScalarSymbol:
    """Return the thing for which a function gives the greatest or least, the first of several."""
    found = sorting.in_order(hooks, loop, things, key, greatest)
    element = found.element()
    if not isinstance(element, cells.Cell):
        raise NotTranslatable("the greatest of what isn't a value")
    value = replace(value_thing(element), cell=False)
    frame = FrameSymbol(found.frame.rows, {"value": found.frame.rows.define("value", value)})
    place = frame.rows.places()
    one = kept(frame, Value(f"{place.sql} = 0", "boolean", False))
    top = one.columns["value"]
    return ScalarSymbol(one.rows, "", None, top.family, top.nullable, top)


CALLS: dict[str, Callable[..., Any]] = {name: partial(reduced, name) for name in ("sum", "max", "min")}

"""What the hooks do with symbols: calls, methods, attributes, subscripts; and what a traced function returns."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import (
    cell_decimals,
    cell_functions,
    cell_items,
    cell_list_functions,
    cell_list_methods,
    cell_lists,
    cell_patterns,
    cell_places,
    cell_sets,
    cell_times,
)
from prepsql.translate.pandas.cell_functions import lookup
from prepsql.translate.pandas.cell_operators import (
    AUGMENTED,
    BINARY,
    COMPARE,
    UNARY,
    binary,
    compare,
    format_parts,
    format_text,
    formatted,
    joined,
    unary,
)
from prepsql.translate.pandas.forks import Ending, explore, one_value, parted, path, refuse
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.symbolic import Symbolic, among_groups, asked
from prepsql.translate.pandas.symbols import (
    PROGRAM,
    SCOPE,
    Cell,
    Fields,
    Match,
    Record,
    among,
    fails_unless,
    guarded,
    is_own,
    symbolic,
    thing,
    value_thing,
)
from prepsql.translate.pandas.things import constant_thing, path_of
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.value import TIMES, Items, Name, NotConstant, Pairs, Parts, Value, constant, made

__all__ = [
    "AUGMENTED", "BINARY", "COMPARE", "PROGRAM", "SCOPE", "UNARY", "Cell", "Fields", "Match", "Record", "among",
    "as_numbers", "attribute", "binary", "call", "compare", "format_parts", "formatted", "is_own", "item", "label_of",
    "method", "partitioned", "set_item", "traced", "unary", "value_of",
]  # fmt: skip
_MOST_LABELS = 12
_RULES: Mapping[int, Callable[..., Any]] = {
    **cell_functions.RULES, **cell_times.RULES, **cell_decimals.RULES,
    **{id(getattr(re, name)): rule for name, rule in cell_patterns.RULES.items()},
}  # fmt: skip


def as_numbers(frame: FrameSymbol) -> FrameSymbol:
    """Return a frame as its rows have it: where all columns are numbers and one a float, all are floats."""
    families = {value.family for value in frame.columns.values()}
    if families != {"integer", "float"}:
        return frame
    return frame.with_columns(
        {label: value if value.family == "float" else made("x::DOUBLE", "float", value, x=value.sql)
         for label, value in frame.columns.items()}
    )  # fmt: skip


def call(hooks: Any, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Call a function with symbols among its arguments."""
    group = among_groups(*given, *named.values())
    if group is not None and not is_own(function):
        return asked(group.called, function, given, named)
    if is_own(function):
        return function(*given, **named)
    if isinstance(function, type) and issubclass(function, Exception):
        return function.__new__(function)
    listed = _of_lists(function, given)
    if listed is not None:
        return asked(listed, *given, **named)
    special = _RULES.get(id(function))
    if special is not None:
        return special(*given, **named)
    base = getattr(function, "__self__", None)
    if base is not None and not isinstance(base, types.ModuleType):
        return method(hooks, base, function.__name__, given, named)
    if isinstance(function, types.MethodDescriptorType) and given:
        return method(hooks, given[0], function.__name__, given[1:], named)
    name = path_of(function)
    if name is None:
        raise refuse(f"the function {getattr(function, '__name__', function)} of a cell")
    arguments = [thing(one) for one in given]
    return guarded(calls.call, SCOPE, Name(name), "", arguments, {key: thing(one) for key, one in named.items()})


def _of_lists(function: Any, given: Sequence[Any]) -> Callable[..., Any] | None:
    """Return the rule of a function of lists where a cell's text or list is one, or the length of a range."""
    rule = cell_list_functions.OF_CELLS.get(id(function))
    if rule is None or not any(isinstance(one, Cell) for one in given):
        return None
    if function in (max, min) and len(given) > 1:
        return None
    if function is map and isinstance(given[1], Cell):
        return None
    if function is not range and all(_plain_cell(one) for one in given if isinstance(one, Cell)):
        return None
    return rule


def _plain_cell(cell: Cell) -> bool:
    return isinstance(cell.thing, Value) and cell.thing.family not in ("text", "list")


def method(hooks: Any, base: Any, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    """Call a method of a symbol, or of something with symbols among the arguments."""
    if isinstance(base, Symbolic):
        return asked(base.method, name, given, named)
    group = among_groups(*given, *named.values())
    if group is not None and not is_own(getattr(base, name, None)):
        if isinstance(base, str) and name == "join":
            return asked(group.joined, base)
        return asked(group.called, getattr(base, name, None), given, named)
    if isinstance(base, Record):
        return _of_record(base, name, given)
    if isinstance(base, Match):
        return cell_patterns.of_match(base, name, given)
    if isinstance(base, Cell):
        if name in cell_list_methods.METHODS and value_thing(base).family == "list":
            return asked(cell_lists.pieces_of(base).method, name, given, named)
        return _of_cell(base, name, given, named)
    if base is dict and name == "fromkeys":
        return asked(cell_sets.once, *given)
    if isinstance(base, dict) and name == "get":
        return lookup(base, given[0], given[1] if len(given) > 1 else None)
    if isinstance(base, re.Pattern) and name in cell_patterns.RULES:
        return cell_patterns.RULES[name](base, *given, **named)
    if (base, name) in cell_times.STATIC if isinstance(base, type) else False:
        return cell_times.STATIC[base, name](*given, **named)
    if isinstance(base, str) and name == "join" and isinstance(given[0], list | tuple):
        return joined([piece for one in given[0] for piece in (base, one)][1:])
    if isinstance(base, str) and name == "join" and isinstance(given[0], Cell):
        return _joined_list(base, given[0])
    if isinstance(base, str) and name == "format":
        return format_text(base, given, named)
    if isinstance(base, list | dict | set | tuple):
        return getattr(base, name)(*given, **named)
    function: Any = getattr(base, name, None)
    if is_own(function):
        return function(*given, **named)
    if function is not None and (id(function) in _RULES or path_of(function)):
        return call(hooks, function, given, named)
    if isinstance(base, str | int | float):
        return guarded(calls.call, SCOPE, thing(base), name, [thing(one) for one in given], {})
    raise refuse(f".{name}() with a cell")


def _of_cell(base: Cell, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
    value = base.thing
    if isinstance(value, Value):
        if value.family in TIMES or value.family == "span":
            found = cell_times.method(value, name, tuple(given), named)
            if found is not None:
                return found
        if value.family in ("integer", "float", "boolean"):
            return _of_number(value, name)
        if value.nullable and value.family == "text":
            fails_unless(columns.not_na(value), AttributeError)
        if name == "partition" and value.family == "text" and isinstance(given[0], str):
            head, mark, tail = partitioned(value, given[0])
            return Cell(head), Cell(mark), Cell(tail)
    arguments = [thing(one) for one in given]
    options = {key: thing(one) for key, one in named.items()}
    return guarded(calls.call, SCOPE, base.thing, name, arguments, options)


def _of_number(value: Value, name: str) -> Any:
    if name == "is_integer":
        return Cell(made("x = trunc(x)", "boolean", value, nullable=False, x=value.sql))
    if name == "item":
        return Cell(value)
    raise AttributeError(f"a number has no attribute {name!r}")


def partitioned(value: Value, separator: str) -> tuple[Value, Value, Value]:
    """Return what stands before a separator, it, and what stands behind."""
    at = constant(separator).sql
    place = made("strpos(x, s)", "integer", value, x=value.sql, s=at)
    head = made(f"CASE WHEN p > 0 THEN left(x, p - 1) ELSE x END", "text", value, x=value.sql, p=place.sql)  # noqa: F541
    mark = made("CASE WHEN p > 0 THEN s ELSE '' END", "text", value, s=at, p=place.sql)
    length = len(separator)
    tail = made(f"CASE WHEN p > 0 THEN substr(x, p + {length}) ELSE '' END", "text", value, x=value.sql, p=place.sql)
    return head, mark, tail


def _joined_list(separator: str, cell: Cell) -> Any:
    value = value_thing(cell)
    if value.family != "list" or hasattr(cell, "pieces") or value.item is not None:
        return asked(cell_lists.pieces_of(cell).joined, separator)
    text = made("array_to_string(x, y)", "text", value, nullable=False, x=value.sql, y=constant(separator).sql)
    return Cell(text)


def _of_record(record: Record, name: str, given: Sequence[Any]) -> Any:
    labels = record.labels()
    if name == "get":
        return record.cell(given[0]) if given[0] in labels else (given[1] if len(given) > 1 else None)
    if name == "copy":
        return record.fresh()
    if name in ("keys", "items"):
        return [(label, record.cell(label)) if name == "items" else label for label in labels]
    if name in ("tolist", "to_list"):
        return [record.cell(label) for label in labels]
    if name == "to_dict":
        return {label: record.cell(label) for label in labels}
    if name == "dropna":
        return [record.cell(label) for label in labels if not bool(cell_functions.is_na(record.cell(label)))]
    raise refuse(f".{name}() of a row")


def attribute(hooks: Any, base: Any, name: str) -> Any:
    """Get an attribute of a symbol."""
    if isinstance(base, Symbolic):
        return asked(base.attribute, name)
    if isinstance(base, Record):
        if name == "index":
            return base.labels()
        if name in ("name", "values") and not (hasattr(base, "shift") and name in base.frame.columns):
            raise refuse("the label of a row")
        return base.cell(name)
    if isinstance(base, Cell):
        return _of_time(base, name) if parted() else guarded(calls.attribute, SCOPE, base.thing, name)
    return getattr(base, name)


def _of_time(base: Cell, name: str) -> Any:
    """Return an attribute of a cell; that of a missing time is NaN on a way of its own, where it is a number."""
    value = base.thing
    found = guarded(calls.attribute, SCOPE, value, name)
    if not isinstance(value, Value) or value.family not in TIMES or not value.nullable or value.none:
        return found
    if not isinstance(found, Cell) or not isinstance(found.thing, Value) or found.thing.family != "integer":
        return found
    if path().decide(columns.is_na(value)):
        return math.nan
    return Cell(replace(found.thing, nullable=False))


def item(hooks: Any, base: Any, key: Any) -> Any:
    """Get base[key]."""
    if isinstance(base, Symbolic):
        return asked(base.item, key)
    if isinstance(base, Record):
        if isinstance(key, Cell):
            return base.cell(label_of(key, base.labels()))
        if isinstance(key, list):
            return Record(base.frame.with_columns({}), {label: base.cell(label) for label in key})
        return base.cell(key)
    if isinstance(base, Match):
        return cell_patterns.group(base, key)
    if isinstance(base, Cell):
        return _part(base, key)
    if isinstance(base, Mapping) and symbolic(key):
        return lookup(base, key, KeyError)
    if isinstance(key, Cell) and isinstance(base, list | tuple) and len(base) <= 60:
        try:
            return lookup(dict(enumerate(base)), key, KeyError)
        except KeyError:
            raise IndexError from None
    group = among_groups(*(key if isinstance(key, tuple) else (key,)))
    if group is not None and hasattr(base, "obj"):
        from prepsql.translate.pandas import groups

        return asked(groups.of_whole, hooks.symbol(base.obj), key)
    if symbolic(key):
        raise refuse("a place that depends on the data")
    return base[key]


def _of_data(bound: Any) -> bool:
    """Return whether a bound is a cell, or a number that came of a whole column."""
    return isinstance(bound, Cell) or (
        bound is not None and isinstance(value_thing(bound).constant, NotConstant)
    )  # fmt: skip


def label_of(key: Cell, labels: Iterable[Any]) -> Any:
    """Return the label that a cell is, on this way; raises KeyError where it is none."""
    known = [label for label in labels if isinstance(label, str)]
    if len(known) > _MOST_LABELS:
        raise refuse("one of many columns")
    for label in known:
        if bool(compare(None, "Eq", key, label)):
            return label
    raise KeyError


def _part(base: Cell, key: Any) -> Any:
    if isinstance(base.thing, Value) and base.thing.family == "list" and base.thing.item is not None:
        return asked(cell_lists.pieces_of(base).item, key)
    if isinstance(key, slice):
        value = base.thing
        if value_thing(base).family == "list":
            return asked(cell_lists.pieces_of(base).item, key)
        if key.step == -1 and key.start is None and key.stop is None and isinstance(value, Value):
            return Cell(made("reverse(x)", "text", value, x=value.sql))
        if key.step in (None, 1) and any(_of_data(bound) for bound in (key.start, key.stop)):
            start, stop = (Cell(thing(bound)) if _of_data(bound) else bound for bound in (key.start, key.stop))
            return cell_places.between(value_thing(base), start, stop)
        bounds = tuple(None if bound is None else thing(bound) for bound in (key.start, key.stop, key.step))
        return guarded(calls.subscript, SCOPE, base.thing, bounds)
    if isinstance(key, Cell):
        if value_thing(base).family == "list":
            return asked(cell_lists.pieces_of(base).item, key)
        return cell_places.at(value_thing(base), value_thing(key))
    found = guarded(calls.subscript, SCOPE, base.thing, thing(key))
    if isinstance(found.thing, Value) and found.thing.nullable:
        fails_unless(columns.not_na(found.thing), IndexError)
        return Cell(replace(found.thing, nullable=False))
    return found


def set_item(hooks: Any, base: Any, key: Any, value: Any) -> None:
    """Do base[key] = value for a row, which is the function's own."""
    if isinstance(base, Symbolic):
        asked(base.set_item, key, value)
        return
    if not isinstance(base, Record) or symbolic(key):
        raise refuse("a place that is changed")
    base.cells[key] = value


def traced(function: Callable[..., Any], *given: Any, **named: Any) -> list[Ending]:
    """Return the endings of a function run on symbols."""

    def once() -> Any:
        fresh = [one.fresh() if isinstance(one, Record) else one for one in given]
        return function(*fresh, **named) if is_own(function) else call(None, function, fresh, named)

    return explore(once)


def _part_of(result: Any, part: Callable[[Any], Any]) -> Any:
    try:
        return part(result)
    except (KeyError, IndexError, TypeError):
        raise NotTranslatable("a function that returns now one thing, now several") from None


def value_of(endings: Sequence[Ending], part: Callable[[Any], Any] = lambda result: result) -> Value:
    """Return the value of what a function returns, or of a part of it."""
    pairs: list[tuple[tuple[Value, ...], Value]] = []
    results = [_part_of(ending.result, part) for ending in endings]
    sizes = {len(found) if isinstance(found, list) else -1 for found in results if found is not None}
    for ending, found in zip(endings, results, strict=True):
        value = (cell_items.as_list(found) if len(sizes) > 1 else None) or cell_items.packed(found)
        if value is not None:
            pairs.append((ending.conditions, value))
            continue
        if isinstance(found, Match | Record | Fields):
            raise NotTranslatable("a function that returns a row or a match")
        kept = found.thing if isinstance(found, Cell) else constant_thing(found)
        if isinstance(kept, Pairs | Items | Name | Parts) or not isinstance(kept, Value):
            raise NotTranslatable("a function that returns more than a value")
        pairs.append((ending.conditions, kept))
    whole = one_value(pairs)
    if whole.family in ("list", "struct"):
        return replace(whole, item=cell_items.joint([value for _, value in pairs]))
    return whole

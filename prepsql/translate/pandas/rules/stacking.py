"""Lists that loops over rows make, as rows of their own: several elements a row, and elements for some rows only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.carried import known
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, after, distinct, moved
from prepsql.translate.pandas.rules.loops import MISSING, LoopSymbol, RowListSymbol
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.symbolic import among_groups
from prepsql.workflow.pandas_text.value import Parts, Value, constant

_MOST_PARTS = 16
_PLACE, _PART = ("place",), ("part",)
Keys = Sequence[Any] | None
"""The labels or places of an element's parts; None where it is one cell."""


def keys_of(symbol: RowListSymbol) -> Keys:
    """Return what the parts of an element are called; raises NotTranslatable where elements have different forms."""
    entries = [entry for _, entry in symbol.entries if entry is not MISSING]
    if all(isinstance(one, Mapping) for one in entries):
        return list(dict.fromkeys(key for one in entries for key in one))
    if all(isinstance(one, cells.Record) for one in entries):
        return list(dict.fromkeys(key for one in entries for key in one.labels()))
    if all(isinstance(one, tuple | list) and len(one) == len(entries[0]) for one in entries):
        return list(range(len(entries[0])))
    if any(isinstance(one, Mapping | tuple | list | cells.Record) or among_groups(one) for one in entries):
        raise NotTranslatable("a list of things of several forms")
    return None


def parts_of(symbol: RowListSymbol, keys: Keys) -> dict[Any, Value]:
    """Return the parts of the elements by their keys (None: the element itself), as they are in rows that have one."""
    found = {}
    for key in [None] if keys is None else keys:
        taken = _taking(key, keys is None)
        value = symbol.value(taken)
        own = cells.value_of([forks.Ending(c, taken(e)) for c, e in symbol.entries if e is not MISSING])
        found[key] = known(replace(value, nullable=own.nullable, cell=False), "a list of things")
    return found


def _taking(key: Any, whole: bool) -> Callable[[Any], Any]:
    def taken(entry: Any) -> Any:
        if whole:
            return entry
        if isinstance(entry, cells.Record):
            return entry.cell(key) if key in entry.labels() else None
        return entry.get(key) if isinstance(entry, Mapping) else entry[key]

    return taken


def element_of(keys: Keys, values: Mapping[Any, Value], like: Any) -> Callable[[], Any]:
    """Return what makes an element of the values of its parts."""
    if keys is None:
        return lambda: cells.Cell(values[None])
    if isinstance(like, Mapping | cells.Record):
        return lambda: {key: cells.Cell(values[key]) for key in keys}
    return lambda: type(like)(cells.Cell(values[key]) for key in keys) if type(like) in (list, tuple) else tuple(
        cells.Cell(values[key]) for key in keys)  # fmt: skip


def rows_with(symbol: RowListSymbol) -> tuple[FrameSymbol, Keys, Any]:
    """Return the rows that have an element, whose columns are its parts; and the keys and an example of it."""
    keys = keys_of(symbol)
    rows = symbol.frame.rows
    columns = {key: rows.define("value" if key is None else key, one) for key, one in parts_of(symbol, keys).items()}
    like = next(entry for _, entry in symbol.entries if entry is not MISSING)
    return only_there(symbol, FrameSymbol(rows, columns, (), symbol.whole)), keys, like


def only_there(symbol: RowListSymbol, frame: FrameSymbol) -> FrameSymbol:
    """Return of a frame over the rows of a list those that have an element."""
    if symbol.whole:
        return frame
    there = forks.one_value([(conditions, constant(entry is not MISSING)) for conditions, entry in symbol.entries])
    return kept(frame, frame.rows.define("appended", replace(there, nullable=False)))


def as_loop(symbol: RowListSymbol) -> LoopSymbol:
    """Return a list as what goes over the rows that have an element."""
    frame, keys, like = rows_with(symbol)
    return LoopSymbol(frame, element_of(keys, frame.columns, like), symbol.length)


def stacked(symbols: Sequence[RowListSymbol], length: int) -> LoopSymbol:
    """Return the list that has of each row first what the first one has of it, then what the next has."""
    from prepsql.translate.pandas.rules.uniting import below

    if len(symbols) > _MOST_PARTS:
        raise NotTranslatable(f"a loop that appends more than {_MOST_PARTS} times a row")
    place = symbols[0].frame.rows.places()
    forms = [keys_of(one) for one in symbols]
    if any((one is None) != (forms[0] is None) for one in forms):
        raise NotTranslatable("a list of things of several forms")
    keys: Keys = None if forms[0] is None else list(dict.fromkeys(key for one in forms for key in one or ()))
    tables = []
    like = None
    for at, symbol in enumerate(symbols):
        frame, own, like = rows_with(symbol)
        if (
            own is not None
            and keys is not None
            and not isinstance(like, Mapping | cells.Record)
            and len(own) < len(keys)
        ):
            raise NotTranslatable("a list of things of several forms")
        part = frame.rows.define("part", constant(at))
        placed = frame.rows.columns[symbol.frame.rows.name("place", place)]
        columns = {("value",) if key is None else key: value for key, value in frame.columns.items()}
        tables.append(distinct(FrameSymbol(frame.rows, {_PLACE: placed, _PART: part, **columns})))
    labels = [("value",)] if keys is None else list(keys)
    shown = pd.DataFrame(columns=pd.Index([_PLACE, _PART, *labels], tupleize_cols=False))
    united = below(shown, tables, True)
    order = [{"expr": united.columns[_PLACE].sql}, {"expr": united.columns[_PART].sql}]
    found = moved(united, after(united.rows, "sort", {"order_by": order}, wanted="in_order"), fresh=True)
    values = {(None if keys is None else label): found.columns[label] for label in labels}
    frame = FrameSymbol(found.rows, values, (), True)
    return LoopSymbol(frame, element_of(keys, values, like), length)


def table_of(loop: LoopSymbol, data: Sequence[Any], result: pd.DataFrame) -> FrameSymbol:
    """Return the table of a list whose elements are dicts, tuples or cells."""
    if len(data) != len(result) or (loop.length is not None and len(data) != loop.length):
        raise NotTranslatable("a list that was changed after it was made")
    element = loop.element()
    labels = list(result.columns)
    found = {}
    for at, label in enumerate(labels):
        if isinstance(element, cells.Record):
            cell = element.cell(label)
        elif isinstance(element, Mapping):
            cell = element[label]
        elif isinstance(element, tuple | list):
            cell = element[at]
        elif isinstance(element, cells.Cell) and isinstance(element.thing, Parts):
            cell = cells.Cell(Value(element.thing.part(at), "text", True, none=True))
        else:
            cell = element
        value = cells.value_of([forks.Ending(Way.of(()), cell)])
        found[label] = loop.frame.rows.define(label, known(value, "a list"))
    parted = isinstance(element, cells.Cell) and isinstance(element.thing, Parts)
    if not labels or (isinstance(element, cells.Cell) and not parted and len(labels) != 1):
        raise NotTranslatable("a list of things that aren't rows")
    return FrameSymbol(loop.frame.rows, found, (), True)

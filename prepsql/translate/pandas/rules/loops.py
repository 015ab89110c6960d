"""Loops and comprehensions over rows: run once on a symbolic row, what they append becomes columns and filters."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cell_items, cells, forks
from prepsql.translate.pandas.carried import is_carried
from prepsql.translate.pandas.cell_lists import Pieces
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import Spread
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, SeriesSymbol
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.spreading import spread_rows
from prepsql.translate.pandas.symbols import ground
from prepsql.workflow.pandas_text.value import TOO_LONG, Parts, Value, constant

MISSING = object()


@dataclass(frozen=True, eq=False)
class LoopSymbol:
    """Something that goes over rows: the frame, and what an element is, made of a record; a list was `length` long.

    The rows before the place `start` aren't gone over.
    """

    frame: FrameSymbol
    element: Callable[[], Any]
    length: int | None = None
    start: int = 0


@dataclass(frozen=True, eq=False)
class RowListSymbol:
    """A list with at most one element a row, by the ways through the code that makes it, once `length` long."""

    frame: FrameSymbol
    entries: Sequence[tuple[Way, Any]]
    length: int

    @property
    def whole(self) -> bool:
        """Whether every row has an element."""
        return all(entry is not MISSING for _, entry in self.entries)

    def value(self, part: Callable[[Any], Any] = lambda entry: entry) -> Value:
        """Return the elements, or a part of each, as a column; null for rows without one."""
        endings = [forks.Ending(conditions, None if entry is MISSING else part(entry))
                   for conditions, entry in self.entries]  # fmt: skip
        return cells.value_of(endings)


def iterrows(hooks: Any, result: Any, frame: FrameSymbol) -> LoopSymbol:
    """Rows with their labels; numbers of several kinds become floats there."""
    return LoopSymbol(frame, lambda: (Label.of(frame), cells.Record(cells.as_numbers(frame))))


def itertuples(hooks: Any, result: Any, frame: FrameSymbol, index: bool = True, name: Any = "Pandas") -> LoopSymbol:
    """Rows as named tuples."""
    labels = list(frame.columns)
    fields = [str(label) if str(label).isidentifier() else f"_{at + index}" for at, label in enumerate(labels)]
    named = frame.with_columns(dict(zip(fields, frame.columns.values(), strict=True)))
    return LoopSymbol(frame, lambda: TupleRecord(named, index))


def listed(hooks: Any, result: Any, symbol: SeriesSymbol) -> LoopSymbol:
    """Take a column as a list."""
    return of_series(symbol)


def of_series(symbol: SeriesSymbol) -> LoopSymbol:
    """Return a column as a loop over its cells."""
    return LoopSymbol(symbol.framed(), lambda: cell_items.opened(symbol.value))


def zipped(hooks: Any, result: Any, *given: Any, strict: bool = False) -> LoopSymbol | None:
    """Columns of one table side by side."""
    loops = [loop_of(hooks, one) for one in given]
    known = [one for one in loops if one is not None]
    if not known:
        return None
    if len(known) < len(loops) or any(one.frame.rows is not known[0].frame.rows for one in known):
        raise NotTranslatable("zip of what doesn't stand side by side")
    return LoopSymbol(known[0].frame, lambda: tuple(one.element() for one in known))


def groups_of(hooks: Any, thing: Any) -> Any:
    """Return the groups that a thing goes over, None where it goes over none."""
    from prepsql.translate.pandas.rules.group_loops import GroupLoop
    from prepsql.translate.pandas.rules.lookups import LookupSymbol
    from prepsql.translate.pandas.rules.value_loops import of_values

    symbol = hooks.symbol(thing)
    if isinstance(symbol, GroupLoop):
        return symbol
    if isinstance(symbol, LookupSymbol):
        return of_values(symbol) if len(thing) == symbol.length else None
    if not isinstance(symbol, GroupsSymbol):
        return None
    key = next((key for key, _ in symbol.real), None)
    return GroupLoop(symbol, isinstance(key, tuple))


def loop_of(hooks: Any, thing: Any) -> LoopSymbol | None:
    """Return the rows that a thing goes over, None where it goes over none."""
    symbol = hooks.symbol(thing)
    if id(thing) in hooks.texts:
        from prepsql.translate.pandas.rules.text_files import loop_over

        return loop_over(hooks, thing)
    if isinstance(symbol, SeriesSymbol):
        return of_series(symbol)
    if isinstance(thing, dict | list) and hasattr(symbol, "in_order"):
        from prepsql.translate.pandas.rules.lookups import keys_of

        return keys_of(hooks, symbol, isinstance(thing, dict)) if len(thing) == symbol.length else None
    if isinstance(symbol, RowListSymbol) and symbol.whole and len(thing) == symbol.length:
        element = _element(symbol)
        return LoopSymbol(symbol.frame, lambda: _own(element), symbol.length)
    if isinstance(symbol, RowListSymbol) and len(thing) == symbol.length:
        from prepsql.translate.pandas.rules.stacking import as_loop

        return as_loop(symbol)
    if not isinstance(symbol, LoopSymbol) or (symbol.length is not None and len(thing) != symbol.length):
        return None
    return symbol


def _element(symbol: RowListSymbol) -> Any:
    """Return what an element of a list is on every way: a thing of the same shape as all of them."""
    elements = [entry for _, entry in symbol.entries]
    if len(elements) == 1:
        return elements[0]
    rows = symbol.frame.rows
    if all(isinstance(one, tuple | list) and len(one) == len(elements[0]) for one in elements):
        return tuple(cells.Cell(rows.short("part", symbol.value(_at(at)))) for at in range(len(elements[0])))
    if all(isinstance(one, Mapping) and list(one) == list(elements[0]) for one in elements):
        return {key: cells.Cell(rows.short(key, symbol.value(_at(key)))) for key in elements[0]}
    return cells.Cell(rows.short("value", symbol.value()))


def _own(element: Any) -> Any:
    """Return an element that a way through a loop may change."""
    if isinstance(element, cells.Record):
        return element.fresh()
    return copy.copy(element) if type(element) in (dict, list) else element


def _at(place: Any) -> Callable[[Any], Any]:
    return lambda entry: entry[place]


class Label(cells.Cell):
    """The label of a row, which is looked at only where it is needed."""

    def __init__(self, value: Callable[[], Value]) -> None:
        self.value = value

    @classmethod
    def of(cls, frame: FrameSymbol) -> Label:
        """Return the label of a row of a table."""
        from prepsql.translate.pandas.rules.locating import labels_of

        return cls(lambda: labels_of(frame))

    @property
    def thing(self) -> Value:  # type: ignore[override]
        """The label as a value."""
        try:
            return replace(self.value(), cell=True)
        except NotTranslatable as reason:
            raise forks.refuse(str(reason)) from None


class TupleRecord(cells.Record):
    """A row as a named tuple: its cells by name and by place."""

    def __init__(self, frame: FrameSymbol, index: bool) -> None:
        super().__init__(frame)
        self.shift = int(index)
        self.label = Label.of(frame)

    def cell(self, label: Any) -> Any:
        """Return the cell under a name or at a place."""
        if isinstance(label, int):
            at = label - self.shift
            if at == -1 and self.shift:
                return self.label
            if not 0 <= at < len(self.frame.columns):
                raise forks.refuse("a place behind those of a row")
            return cells.Cell(list(self.frame.columns.values())[at])
        if label == "Index" and self.shift:
            return self.label
        if label not in self.frame.columns:
            raise forks.refuse(f".{label} of a row")
        return super().cell(label)

    def __iter__(self) -> Any:
        cells_ = [cells.Cell(value) for value in self.frame.columns.values()]
        return iter([self.label] * self.shift + cells_)


def comprehended(hooks: Any, loop: Any, function: Callable[[Any], list[Any]], result: list[Any]) -> Any:
    """Return what a comprehension gives, whose function makes a list of an element: of one thing, or of none."""
    from prepsql.translate.pandas.rules import group_loops
    from prepsql.translate.pandas.rules.applying import beside

    if isinstance(loop, group_loops.GroupLoop):
        return group_loops.comprehended(hooks, loop, function, result)
    if loop.start:
        raise NotTranslatable("a list of what is made of some rows")
    with ground(beside(hooks, loop.frame.rows)), forks.over(loop.frame.rows):
        endings = forks.again(lambda: forks.explore(lambda: function(loop.element())))
    entries = []
    for ending in endings:
        entries.append((ending.conditions, ending.result[0] if ending.result else MISSING))
    return RowListSymbol(loop.frame, entries, len(result))


def looped(
    hooks: Any, loop: Any, body: Callable[..., Any], lists: Mapping[int, list[Any]], names: Sequence[str],
    before: Mapping[str, Any], dicts: Mapping[int, Any], tables: Mapping[int, FrameSymbol],
) -> dict[int, Any]:  # fmt: skip
    """Return by identity what the lists hold that a loop's body appends to; `names` are those that it may carry.

    The `tables` are those in whose rows it stores.
    """
    from prepsql.translate.pandas.rules import group_loops, keyed, row_pairs, row_places
    from prepsql.translate.pandas.rules.applying import beside
    from prepsql.translate.pandas.rules.stacking import stacked
    from prepsql.translate.pandas.rules.states import States

    if isinstance(loop, group_loops.GroupLoop):
        return group_loops.looped(hooks, loop, body, lists, names, before, dicts)
    with ground(beside(hooks, loop.frame.rows)), forks.over(loop.frame.rows):
        hooks.states = States(hooks, loop.frame.rows, loop.element, _from(loop, body), names, before)
        try:
            endings = forks.again(hooks.states.endings)
        except NotTranslatable as reason:
            if not str(reason).startswith((forks.TOO_MANY, TOO_LONG)):
                raise
            with forks.chain():
                endings = hooks.states.endings()
    made: dict[int, Any] = {
        number: row_places.changed(table, number, endings, loop.frame.rows) for number, table in tables.items()
    }
    for number, base in dicts.items():
        found = keyed.bound(loop.frame.rows, base, endings, loop.frame, hooks.states.beginnings.get(number))
        if found is not None:
            made[number] = found
    for number, one in lists.items():
        ways = [(each.conditions, [value for owner, value in each.appended if owner == number]) for each in endings]
        if any(isinstance(value, row_pairs.Paired) for _, mine in ways for value in mine):
            made[number] = row_pairs.listed(loop.frame, ways, len(one))
            continue
        if any(isinstance(value, Spread) for _, mine in ways for value in mine):
            made[number] = spread(loop.frame, ways, len(one))
            continue
        most = max(len(mine) for _, mine in ways)
        parts = [
            RowListSymbol(
                loop.frame, [(test, mine[at] if at < len(mine) else MISSING) for test, mine in ways], len(one)
            )
            for at in range(most)
        ]
        if parts:
            made[number] = parts[0] if most == 1 else stacked(parts, len(one))
    return made


def _from(loop: LoopSymbol, body: Callable[..., Any]) -> Callable[..., Any]:
    """Return the body of a loop as it is for all rows: it does nothing for those before the first."""
    if not loop.start:
        return body
    place = loop.frame.rows.places()
    first = Value(f"{place.sql} >= {loop.start}", "boolean", False)

    def started(item: Any, *given: Any) -> Any:
        return body(item, *given) if forks.path().decide(first) else given

    return started


def spread(frame: FrameSymbol, ways: Sequence[tuple[Any, list[Any]]], length: int) -> RowListSymbol:
    """Return what a list holds to which each row appends one thing for each of its pieces."""
    if any(len(added) > 1 or (added and not isinstance(added[0], Spread)) for _, added in ways):
        raise NotTranslatable("a loop that appends several times a row")
    found, entry = spread_rows(frame, [(way, added[0].pieces if added else None) for way, added in ways])
    return RowListSymbol(found, [(Way.of(()), entry)], length)


def flattened(symbol: RowListSymbol, length: int) -> RowListSymbol:
    """Return the list of all that is in the lists of rows."""
    ways = [(conditions, None if entry is MISSING else entry) for conditions, entry in symbol.entries]
    if not all(entry is None or isinstance(entry, Pieces) for _, entry in ways):
        raise NotTranslatable("lists of rows in one list")
    found, entry = spread_rows(symbol.frame, ways)
    return RowListSymbol(found, [(Way.of(()), entry)], length)


def frame_of(rows: RowListSymbol, data: list[Any], result: pd.DataFrame) -> FrameSymbol:
    """Return the table of a list of dicts, tuples or values."""
    if len(data) != rows.length or len(data) != len(result):
        raise NotTranslatable("a list that was changed after it was made")
    first = next((entry for _, entry in rows.entries if entry is not MISSING), None)
    labels = list(result.columns)
    frame = rows.frame
    made = {}
    for at, label in enumerate(labels):
        value = rows.value(_taking(at, label, labels))
        if is_carried(value):
            raise NotTranslatable("a type that only pandas has, in a list")
        made[label] = frame.rows.define(label, value)
    if first is None:
        raise NotTranslatable("a list that nothing is appended to")
    found = FrameSymbol(frame.rows, made, (), rows.whole)
    if not rows.whole:
        there = forks.one_value([(conditions, constant(entry is not MISSING)) for conditions, entry in rows.entries])
        found = kept(found, frame.rows.define("appended", replace(there, nullable=False)))
    return replace(found, index=(), fresh=True)


def _taking(at: int, label: Any, labels: list[Any]) -> Callable[[Any], Any]:
    return lambda entry: _part(entry, at, label, labels)


def _part(entry: Any, at: int, label: Any, labels: list[Any]) -> Any:
    if isinstance(entry, cells.Record):
        return entry.cell(label)
    if isinstance(entry, Mapping | pd.Series):
        return entry.get(label)
    if isinstance(entry, list | tuple):
        return entry[at] if at < len(entry) else None
    if isinstance(entry, cells.Cell) and isinstance(entry.thing, Parts):
        return cells.Cell(Value(entry.thing.part(at), "text", True, none=True))
    if len(labels) != 1:
        raise NotTranslatable("a list of things that aren't rows")
    return entry


def enumerated(hooks: Any, result: Any, given: Any, start: int = 0) -> LoopSymbol | None:
    """Rows with their numbers."""
    loop = loop_of(hooks, given)
    if loop is None:
        return None
    place = loop.frame.rows.places()
    number = place if not start else Value(f"{place.sql} + {int(start)}", "integer", False)
    return LoopSymbol(loop.frame, lambda: (cells.Cell(number), loop.element()))


FRAME_METHODS: dict[str, Callable[..., Any]] = {"iterrows": iterrows, "itertuples": itertuples}


def labelled(hooks: Any, result: Any, symbol: SeriesSymbol) -> LoopSymbol:
    """Take a column as pairs of labels and values."""
    if len(symbol.index) != 1:
        raise NotTranslatable("the labels of a column that has no index of its own")
    label = symbol.index[0].value
    frame = FrameSymbol(symbol.rows, {"label": label, "value": symbol.value}, symbol.index, False)
    return LoopSymbol(frame, lambda: (cells.Cell(label), cell_items.opened(symbol.value)))


SERIES_METHODS: dict[str, Callable[..., Any]] = {
    "tolist": listed, "to_list": listed, "items": labelled, "iteritems": labelled,
}  # fmt: skip
CALLS: dict[str, Callable[..., Any]] = {"zip": zipped, "enumerate": enumerated}

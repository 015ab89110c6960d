"""Loops over the rows of a group: the body runs once on a row, what it carries along is windows over the group."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, folds, forks, group_rows
from prepsql.translate.pandas.cell_lists import holds
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import UNBOUND, Builder, Unread
from prepsql.translate.pandas.forks import Ending, path, refuse
from prepsql.translate.pandas.groups import GroupArray, GroupColumn, GroupTable, Part, _cell_of
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol
from prepsql.translate.pandas.rules import carrying, states
from prepsql.translate.pandas.rules.loops import Label, RowListSymbol, iterrows, itertuples
from prepsql.translate.pandas.rules.row_pairs import unlabelled
from prepsql.translate.pandas.rules.sorting import shaped
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.workflow.pandas_text.value import Value, made


class GroupRows(Symbolic):
    """What a loop over the rows of a group goes over: its rows, and what an element is."""

    def __init__(self, part: Part, element: Callable[[], Any]) -> None:
        self.part, self.element = part, element

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """enumerate(rows, start)."""
        start = given[1] if len(given) > 1 else named.get("start", 0)
        if function is not enumerate or type(start) is not int or not set(named) <= {"start"}:
            raise refuse(f"the function {getattr(function, '__name__', function)} of the rows of a group")
        return GroupRows(self.part, lambda: (cells.Cell(_number(self.part, start)), self.element()))


def _number(part: Part, start: int = 0) -> Value:
    """Return the place of each row of a part, from a number on."""
    place = group_rows.number(part)
    return made(f"x + {start - 1}" if start > 1 else "x" if start == 1 else f"x - {1 - start}", "integer", place,
                nullable=False, x=place.sql)  # fmt: skip


class GroupListed:
    """What a loop over the rows of a group appends to a list from outside."""

    def __init__(self, part: Part, element: Any) -> None:
        self.part, self.element = part, element


def of_table(table: GroupTable, kind: str) -> GroupRows:
    """Return the rows of a group's table as what goes over them: `tuples`, `rows` or `records`."""
    frame = FrameSymbol(table.part.group.frame.rows, table.columns)
    if kind == "records":
        return GroupRows(table.part, lambda: {label: cells.Cell(value) for label, value in frame.columns.items()})
    loop = itertuples(None, None, frame) if kind == "tuples" else iterrows(None, None, frame)
    if kind == "rows" and table.fresh:
        return GroupRows(table.part, lambda: (cells.Cell(_number(table.part)), loop.element()[1]))
    return GroupRows(table.part, lambda: unlabelled(loop.element()))


def of_columns(columns: Sequence[Any]) -> GroupRows | None:
    """Return columns of a group side by side as what goes over them, None for other things."""
    if not all(isinstance(one, GroupColumn) and isinstance(one.value, Value) for one in columns):
        return None
    part = columns[0].part
    if any(not same_rows(one.part, part) for one in columns):
        return None
    one, *more = [one.plain for one in columns]
    if not more:
        return GroupRows(part, lambda: cells.Cell(one))
    return GroupRows(part, lambda: (cells.Cell(one), *map(cells.Cell, more)))


def same_rows(one: Part, other: Part) -> bool:
    """Return whether two parts are the same rows in the same order."""
    masks = [None if part.mask is None else part.mask.sql for part in (one, other)]
    orders = [[key.term() for key in part.order] for part in (one, other)]
    return masks[0] == masks[1] and orders[0] == orders[1] and not one.distinct and not other.distinct


def folded(
    hooks: Any, found: GroupRows, step: Callable[..., Any], before: Sequence[tuple[str, Any]]
) -> tuple[Any, ...]:
    """Return how a loop over the rows of a group ended, and what its names stand for after it."""
    part = found.part
    if part.distinct or path().trying:
        raise refuse("a loop over the rows of a group inside try, or over some of them")
    lists = [name for name, value in before if isinstance(value, list) and not value]
    plain = [name for name, _ in before if name not in lists]
    starts = {name: value for name, value in before if name in plain and not isinstance(value, Symbolic)}
    names = [name for name, _ in before]
    at = [names.index(name) for name in (*plain, *lists)]

    def body(item: Any, *given: Any) -> Any:
        things = dict(zip(plain, given, strict=True)) | {name: Builder(name, True) for name in lists}
        ending = step(item, *(things[name] for name in names))
        return (*(ending[2:][one] for one in at), ending[0], ending[1])

    endings = _followed(hooks, found, body, plain, starts)
    _of_rows_alone(part, endings)
    if any(ending.result[-2] != folds.NEXT for ending in endings):
        if lists or any(ending.appended for ending in endings):
            raise refuse("a loop over the rows of a group that fills a list until it ends early")
        ended = _ended(part, endings, plain, dict(before))
        if ended is not None:
            kind, after = ended
            return (kind, *(after[name] for name in names))
        endings = [ending for ending in endings if ending.result[-2] == folds.NEXT]
        if not endings:
            return (None, *(value for _, value in before))
    _append(hooks, part, endings)
    after = {}
    for place, name in enumerate((*plain, *lists)):
        ways = [(ending.conditions, ending.result[place]) for ending in endings]
        start = dict(before)[name]
        after[name] = _filled(part, ways, start) if name in lists else _carried(part, name, ways, start)
    return (None, *(after[name] for name in names))


def _ended(
    part: Part, endings: Sequence[Ending], names: Sequence[str], before: Mapping[str, Any]
) -> tuple[list[Any], dict[str, Any]] | None:
    """Return what is returned, and what names stand for, at the first row that ends a loop; None where none does.

    What is carried along is right up to that row, whatever the rows after it would make of it.
    """
    stop = holds([(ending.conditions, ending.result[-2] != folds.NEXT) for ending in endings])
    those = [ending for ending in endings if ending.result[-2] != folds.NEXT]
    if len({ending.result[-2] for ending in those}) > 1:
        raise refuse("a loop over the rows of a group that now breaks, now returns")
    rows = part if stop.constant is True else part.where(stop)
    size = cells.value_of([Ending(Way.of(()), part.group.reduced("size", rows, None))])
    if not path().decide(made("x > 0", "boolean", size, nullable=False, x=size.sql)):
        return None
    if those[0].result[-2] == folds.RETURN:
        found = _together([(ending.conditions, ending.result[-1]) for ending in those])
        return [shaped(found, lambda cell: _first(rows, cell))], dict.fromkeys(before, UNBOUND)
    after = {}
    for at, name in enumerate(names):
        ways = [(ending.conditions, ending.result[at]) for ending in endings]
        kept = _carried(part, name, ways, before[name])
        after[name] = kept
        if isinstance(kept, Last):
            last = [(ending.conditions, ending.result[at]) for ending in those]
            after[name] = Last(rows, name, last, before[name], "first")
    return [], after


def _first(part: Part, found: Any) -> Any:
    """Return a cell of the first of some rows, of which there is one."""
    value = cells.value_of([Ending(Way.of(()), found)])
    if isinstance(found, Symbolic) or value.family == "null":
        return None
    here = part.group.frame.rows.define("value", replace(value, cell=False))
    first = _cell_of(part.group, "first", part, here)
    return cells.Cell(replace(first, nullable=value.nullable, none=value.none))


def _followed(
    hooks: Any, found: GroupRows, body: Callable[..., Any], names: Sequence[str], starts: Mapping[str, Any]
) -> list[Ending]:
    """Return how the ways through the body end, run on a row that stands for all of a group."""
    outer, rows = hooks.states, found.part.group.frame.rows
    window = group_rows.window(found.part)
    reason: Exception | None = None
    for after in (True, False):
        hooks.states = inner = states.States(
            hooks, rows, found.element, body, names, starts, window=window, after=after
        )
        try:
            with forks.over(rows):
                return inner.endings()
        except NotTranslatable as one:
            reason = one
        finally:
            hooks.states = outer
    raise refuse(str(reason))


def _of_rows_alone(part: Part, endings: Sequence[Ending]) -> None:
    """Refuse a loop that takes a number of its group, which stands in another table."""
    grouped = part.group.grouped
    if grouped is None:
        return
    own = set(grouped.columns) - set(part.group.frame.rows.columns)
    tests = [test.sql for ending in endings for test, _ in ending.conditions.decisions]
    things = [one for ending in endings for one in (*ending.result, *(added for _, added in ending.appended))]
    text = " ".join([*tests, *(folds._text(one) for one in things if not isinstance(one, Label))])
    if any(forks.names(text, re.escape(name)) for name in own):
        raise refuse("a loop over the rows of a group that looks at the whole group")


def _append(hooks: Any, part: Part, endings: Sequence[Ending]) -> None:
    """Write down what is appended to lists from outside."""
    for owner in dict.fromkeys(number for ending in endings for number, _ in ending.appended):
        ways = [(ending.conditions, [one for number, one in ending.appended if number == owner]) for ending in endings]
        if owner not in hooks.lists or any(len(added) > 1 for _, added in ways):
            raise refuse("a loop over the rows of a group that fills a dict, or appends several times")
        path().appended.append((owner, GroupListed(*_taken(part, ways))))


def _taken(part: Part, ways: Sequence[tuple[Way, Sequence[Any]]]) -> tuple[Part, Any]:
    """Return the rows for which something is appended, and what."""
    taken = holds([(way, bool(added)) for way, added in ways])
    element = _together([(way, added[0]) for way, added in ways if added])
    return part if taken.constant is True else part.where(taken), element


def _together(ways: Sequence[tuple[Way, Any]]) -> Any:
    """Return what a thing is on every way: a cell, or a tuple or dict of cells."""
    first = ways[0][1]
    if len(ways) == 1:
        return first
    if all(isinstance(one, Mapping) and list(one) == list(first) for _, one in ways):
        return {key: _together([(way, one[key]) for way, one in ways]) for key in first}
    if all(isinstance(one, tuple | list) and len(one) == len(first) for _, one in ways):
        return tuple(_together([(way, one[at]) for way, one in ways]) for at in range(len(first)))
    return cells.Cell(cells.value_of([Ending(way, one) for way, one in ways]))


def _filled(part: Part, ways: Sequence[tuple[Way, Builder]], start: list[Any]) -> Any:
    """Return a list of the loop's own after it."""
    added = [(way, one.added) for way, one in ways]
    if not any(one for _, one in added):
        return start
    if any(one.asked or len(one.added) > 1 for _, one in ways):
        raise refuse("a list that a loop over the rows of a group looks at")
    rows, element = _taken(part, added)
    value = value_thing(element)
    return GroupArray(rows, part.group.frame.rows.define("listed", replace(value, cell=False)))


def _carried(part: Part, name: str, ways: Sequence[tuple[Way, Any]], start: Any) -> Any:
    """Return what a name stands for after the loop."""
    if all(isinstance(one, carrying.Unread) or carrying.is_same(one, name) for _, one in ways):
        return start
    if any(isinstance(one, carrying.Unread) for _, one in ways) or (
        isinstance(start, Symbolic) and not isinstance(start, Unread)
    ):
        return UNBOUND
    return Last(part, name, ways, start)


class Last(cells.Cell):
    """What a name stands for after the last row of a group, or the first that ends a loop; looked at where needed."""

    def __init__(self, part: Part, name: str, ways: Sequence[tuple[Way, Any]], start: Any, which: str = "last") -> None:
        self.part, self.name, self.ways, self.start, self.which = part, name, ways, start, which

    @property
    def thing(self) -> Value:  # type: ignore[override]
        """The value."""
        try:
            return replace(self._value(), cell=True)
        except NotTranslatable as reason:
            if not forks.tracing():
                raise
            raise refuse(str(reason)) from None

    def _value(self) -> Value:
        value = cells.value_of([Ending(way, one) for way, one in self.ways])
        here = self.part.group.frame.rows.define(f"{self.name}_here", replace(value, cell=False))
        last = _cell_of(self.part.group, self.which, self.part, here)
        if self.part.mask is None or self.which == "first":
            return replace(last, nullable=value.nullable, none=value.none)
        if isinstance(self.start, Symbolic):
            raise NotTranslatable("a name that only a loop over some rows of a group binds")
        size = cells.value_of([Ending(Way.of(()), self.part.group.reduced("size", self.part, None))])
        some = made("x > 0", "boolean", size, nullable=False, x=size.sql)
        last = replace(last, nullable=value.nullable, none=value.none)
        ways = [Ending(Way.of([(some, True)]), cells.Cell(last)), Ending(Way.of([(some, False)]), self.start)]
        return cells.value_of(ways)


def listed(groups: GroupsSymbol, found: GroupListed, length: int) -> RowListSymbol:
    """Return the list that is filled with something for the rows of each group, one group after the other."""
    from prepsql.translate.pandas.rules.group_loops import PiecesSymbol

    leaves: list[Value] = []
    shaped(found.element, lambda cell: leaves.append(cells.value_of([Ending(Way.of(()), cell)])))
    columns = {at: groups.frame.rows.define("value", leaf) for at, leaf in enumerate(leaves)}
    frame = PiecesSymbol(groups, GroupTable(found.part, columns), length).below(True)
    waiting = iter(frame.columns.values())
    element = shaped(found.element, lambda cell: cells.Cell(next(waiting)))
    return RowListSymbol(frame, [(Way.of(()), element)], length)

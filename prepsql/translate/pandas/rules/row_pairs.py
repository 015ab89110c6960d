"""Loops over another table's rows for each row: the body runs once on a pair of rows, which a join gives."""

from __future__ import annotations

import copy
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, folds, forks
from prepsql.translate.pandas.cell_lists import holds, merged
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import UNBOUND, Builder, Filled, Unread
from prepsql.translate.pandas.forks import Ending, path, refuse
from prepsql.translate.pandas.groups import GroupColumn, _cell_of
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules.loops import Label, LoopSymbol, RowListSymbol, TupleRecord
from prepsql.translate.pandas.rules.meetings import Meeting, Met, meeting_of
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.workflow.pandas_text.value import Value, constant, made

_STATE = "state_of_loop"


class RowPairs(Symbolic):
    """What a loop goes over while a row is followed: rows of another table, those that meet the row."""

    def __init__(self, meeting: Meeting, element: Any, condition: Value) -> None:
        self.meeting, self.element, self.condition = meeting, element, condition


class Paired:
    """What a loop over pairs appends to a list from outside: an element for each pair that is taken."""

    def __init__(self, meeting: Meeting, taken: Value, element: Any) -> None:
        self.meeting, self.taken, self.element = meeting, taken, element


def pairs_of(hooks: Any, loop: LoopSymbol) -> RowPairs:
    """Return rows as what goes over them for each of the rows that are followed."""
    rows = forks.rows()
    if rows is None or forks.depth():
        raise refuse("a loop over rows inside one")
    meeting = meeting_of(hooks, rows, loop.frame.rows)
    return RowPairs(meeting, beside(loop.element(), meeting), constant(True))


def beside(found: Any, meeting: Meeting) -> Any:
    """Return an element of a loop as it is beside another table's rows."""
    if isinstance(found, Label):
        return Label(lambda: meeting.of_right(value_thing(found)))
    if isinstance(found, cells.Record):
        record = copy.copy(found)
        columns = {label: meeting.of_right(value) for label, value in found.frame.columns.items()}
        record.frame = found.frame.with_columns(columns)
        record.cells = {label: beside(one, meeting) for label, one in found.cells.items()}
        if isinstance(record, TupleRecord):
            record.label = beside(record.label, meeting)
        return record
    if isinstance(found, cells.Cell):
        return cells.Cell(meeting.of_right(replace(value_thing(found), cell=False)))
    if isinstance(found, tuple | list):
        return type(found)(beside(one, meeting) for one in found)
    if isinstance(found, Mapping):
        return {key: beside(one, meeting) for key, one in found.items()}
    raise refuse("a loop over rows of such things inside one")


def unlabelled(found: Any) -> Any:
    """Return a row of another table without its label, which isn't known."""

    def unknown() -> Value:
        raise NotTranslatable("the label of a row of another table")

    if isinstance(found, tuple):
        return tuple(unlabelled(one) for one in found)
    if isinstance(found, Label):
        return Label(unknown)
    if isinstance(found, TupleRecord):
        found.label = Label(unknown)
    return found


def comprehended(found: RowPairs, function: Callable[[Any], list[Any]]) -> GroupColumn:
    """Return what a comprehension makes of the pairs."""
    try:
        with forks.over(None):
            endings = forks.explore(lambda: function(fresh(found.element)), found.meeting.variables)
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    if any(isinstance(ending.result, forks.Failed) or ending.appended for ending in endings):
        raise refuse("a failure in a list of pairs")
    taken = holds([(ending.conditions, bool(ending.result)) for ending in endings])
    those = [(ending.conditions, ending.result[0]) for ending in endings if ending.result]
    if not those:
        raise refuse("a list of nothing")
    group = found.meeting.where(_both(found, taken))
    return GroupColumn(group.part, replace(value_thing(_merged(those)), cell=False), True)


def fresh(element: Any) -> Any:
    """Return an element that a way may change."""
    return element.fresh() if type(element) is cells.Record else copy.copy(element)


def folded(found: RowPairs, step: Callable[..., Any], before: Sequence[tuple[str, Any]]) -> tuple[Any, ...]:
    """Return how a loop over pairs ended, and what its names stand for after it, as a loop over pieces does."""
    given = {name: folds._symbol(_STATE, name, value) for name, value in before}
    endings = _endings(found, step, given)
    stops = [ending.result[0] != folds.NEXT for ending in endings]
    going = [ending for ending, stop in zip(endings, stops, strict=True) if not stop]
    if any(stops):
        ended = _stopped(found, endings, stops, given, before)
        if ended is not None:
            return ended
    _append(found, going)
    after = []
    for at, (name, value) in enumerate(before, 2):
        symbol = given[name]
        ways = [(ending.conditions, ending.result[at]) for ending in going]
        if not any(folds._changed(one, symbol) for _, one in ways):
            after.append(value)
        elif isinstance(symbol, Builder | Filled):
            raise refuse("a list that a loop over rows fills for each row")
        else:
            after.append(_after(found, ways, symbol, value))
    return (None, *after)


def _endings(found: RowPairs, step: Callable[..., Any], given: Mapping[str, Any]) -> list[Ending]:
    def once() -> Any:
        things = [
            Builder(one.name, one.grows) if isinstance(one, Builder) else Filled() if isinstance(one, Filled) else one
            for one in given.values()
        ]
        ending: Any = step(fresh(found.element), *things)
        if not isinstance(ending[0], str):
            raise refuse("a loop inside a loop over pairs that returns")
        return ending

    try:
        with forks.over(None):
            endings = forks.explore(once, f"{found.meeting.variables}|{_STATE}")
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    if any(isinstance(ending.result, forks.Failed) for ending in endings):
        raise refuse("a failure in a loop over pairs")
    tests = " ".join(test.sql for ending in endings for test, _ in ending.conditions.decisions)
    if forks.names(tests, _STATE):
        raise refuse("a loop over pairs that goes on as what it carries on says")
    return endings


def _append(found: RowPairs, endings: Sequence[Ending]) -> None:
    for owner in dict.fromkeys(number for ending in endings for number, _ in ending.appended):
        ways = [(ending.conditions, [one for number, one in ending.appended if number == owner]) for ending in endings]
        if any(len(added) > 1 for _, added in ways):
            raise refuse("a loop over pairs that appends several times")
        taken = _both(found, holds([(way, bool(added)) for way, added in ways]))
        element = merged([(way, added[0]) for way, added in ways if added])
        if forks.names(folds._text(element), _STATE):
            raise refuse("a loop over pairs that appends what it carries on")
        path().appended.append((owner, Paired(found.meeting, taken, element)))


def _both(found: RowPairs, condition: Value) -> Value:
    first = found.condition
    if first.constant is True or condition.constant is False:
        return condition
    if condition.constant is True:
        return first
    return made("x AND y", "boolean", first, condition, nullable=False, x=first.sql, y=condition.sql)


def _stopped(
    found: RowPairs, endings: Sequence[Ending], stops: Sequence[bool], given: Mapping[str, Any],
    before: Sequence[tuple[str, Any]],
) -> tuple[Any, ...] | None:  # fmt: skip
    """Return what is after a loop that ended early, None on the way on which it didn't."""
    stop = holds([(ending.conditions, one) for ending, one in zip(endings, stops, strict=True)])
    group = found.meeting.where(_both(found, stop))
    if not _some(group):
        return None
    those = [ending for ending, one in zip(endings, stops, strict=True) if one]
    going = [ending for ending, one in zip(endings, stops, strict=True) if not one]
    after = []
    for at, (name, value) in enumerate(before, 2):
        symbol = given[name]
        if any(folds._changed(ending.result[at], symbol) for ending in going) and not isinstance(value, Unread):
            raise refuse("a loop over pairs that carries on until it ends early")
        if not any(folds._changed(ending.result[at], symbol) for ending in those):
            after.append(value)
            continue
        ways = [(ending.conditions, value if ending.result[at] is symbol else ending.result[at]) for ending in those]
        after.append(UNBOUND if isinstance(value, Unread) else _of_one(group, "first", _merged(ways)))
    for owner in dict.fromkeys(number for ending in endings for number, _ in ending.appended):
        added = [(ending.conditions, [one for number, one in ending.appended if number == owner]) for ending in those]
        first = any(number == owner for ending in going for number, _ in ending.appended)
        if first or len({len(one) for _, one in added}) > 1:
            raise refuse("a loop over pairs that appends until it ends early")
        for at in range(len(added[0][1])):
            entry = _of_one(group, "first", _merged([(way, one[at]) for way, one in added]))
            path().appended.append((owner, entry))
    kinds = {ending.result[0] for ending in those}
    if len(kinds) > 1:
        raise refuse("a loop over pairs that now breaks, now returns")
    if kinds == {folds.BREAK}:
        return ([], *after)
    returned = _merged([(ending.conditions, ending.result[1]) for ending in those])
    return ([_of_one(group, "first", returned)], *after)


def _merged(ways: Sequence[tuple[Way, Any]]) -> Any:
    first = ways[0][1]
    if len(ways) == 1 or all(one is first for _, one in ways):
        return first
    if isinstance(first, str | int | float | bool) and all(type(x) is type(first) and x == first for _, x in ways):
        return first
    return merged(ways)


def _some(group: Met) -> bool:
    """Return whether there is a pair, on this way."""
    size = cells.value_of([Ending(Way.of(()), group.reduced("size", group.part, None))])
    return path().decide(made("x > 0", "boolean", size, nullable=False, x=size.sql))


def _of_one(group: Met, which: str, found: Any) -> Any:
    """Return what a thing is for the first or last pair."""
    if isinstance(found, tuple | list):
        return type(found)(_of_one(group, which, one) for one in found)
    if isinstance(found, dict):
        return {key: _of_one(group, which, one) for key, one in found.items()}
    if isinstance(found, cells.Record):
        record = copy.copy(found)
        record.frame = found.frame.with_columns(
            {label: _cell_of(group, which, group.part, value) for label, value in found.frame.columns.items()}
        )
        record.cells = {label: _of_one(group, which, one) for label, one in found.cells.items()}
        return record
    if not isinstance(found, cells.Cell):
        if isinstance(found, Symbolic):
            raise refuse("a loop over pairs that ends in such a thing")
        return found
    value = value_thing(found)
    if forks.names(value.sql, _STATE):
        raise refuse("a loop over pairs that returns what it carries on")
    if not forks.names(value.sql, group.meeting.variables):
        return found
    return cells.Cell(replace(_cell_of(group, which, group.part, replace(value, cell=False)), none=value.none))


def _after(found: RowPairs, ways: Sequence[tuple[Way, Any]], symbol: Any, start: Any) -> Any:
    """Return what a name stands for after all pairs: a total, or the last thing that it was bound to."""
    changed = _both(found, holds([(way, folds._changed(one, symbol)) for way, one in ways]))
    if isinstance(start, Unread):
        return UNBOUND
    group = found.meeting.where(changed)
    if isinstance(symbol, cells.Cell):
        added = folds._added(ways, value_thing(symbol))
        if added is not None:
            step = forks.one_value(added)
            if step.nullable or step.family not in ("integer", "float") or forks.names(step.sql, _STATE):
                raise refuse("a total of what may be null over pairs")
            total = GroupColumn(group.part, replace(step, cell=False)).method("sum", (), {})
            return cells.binary(None, "Add", start, total)
    value = _merged([(way, one) for way, one in ways if folds._changed(one, symbol)])
    return _of_one(group, "last", value) if _some(group) else start


def listed(frame: FrameSymbol, ways: Sequence[tuple[Way, list[Any]]], length: int) -> RowListSymbol:
    """Return what a list holds to which each row appends something for some pairs."""
    from prepsql.translate.pandas.rules.stacking import rows_with

    if any(len(added) > 1 or (added and not isinstance(added[0], Paired)) for _, added in ways):
        raise NotTranslatable("a loop that appends for pairs and for rows")
    taken = [(way, added[0]) for way, added in ways if added]
    meeting = taken[0][1].meeting
    if any(one.meeting is not meeting for _, one in taken):
        raise NotTranslatable("a list that loops over several tables fill")
    there = [(way, added[0].taken if added else constant(False)) for way, added in ways]
    condition = forks.one_value(there) if len(there) > 1 else there[0][1]
    element = merged([(way, one.element) for way, one in taken])
    group = meeting.where(replace(condition, nullable=False))
    found, keys, like = rows_with(RowListSymbol(FrameSymbol(group.frame.rows, {}), [(Way.of(()), element)], length))
    if keys is None:
        entry: Any = cells.Cell(found.columns[None])
    elif isinstance(like, Mapping):
        entry = {key: cells.Cell(found.columns[key]) for key in keys}
    else:
        entry = tuple(cells.Cell(found.columns[key]) for key in keys)
    return RowListSymbol(found, [(Way.of(()), entry)], length)

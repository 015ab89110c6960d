"""Cells at the label or place of the row that a loop is at: `df.at[i, 'x']`, `df.iloc[i - 1]`, `values[i]`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Ending, path, refuse
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, Rows, ScalarSymbol, SeriesSymbol
from prepsql.translate.pandas.rules.aligning import pulled
from prepsql.translate.pandas.rules.locating import labels_of
from prepsql.translate.pandas.rules.lookups import keyed
from prepsql.translate.pandas.rules.loops import LoopSymbol, RowListSymbol, loop_of
from prepsql.translate.pandas.rules.places import with_column
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.workflow.pandas_text.columns import choose
from prepsql.workflow.pandas_text.value import Value, column, constant

NOT_ONE = object()
"""No cell of a row is asked for."""
_NOT = object()
_THERE = "__there"
_BY_LABEL, _BY_PLACE = ("loc", "at"), ("iloc", "iat")


@dataclass(frozen=True, eq=False)
class Stored:
    """What a way through a loop stores in a column of the row that it is at."""

    label: Any
    value: Any


def numbers(hooks: Any, result: Any, *given: Any) -> LoopSymbol | None:
    """range(len(df)), range(1, len(df)): the places of rows."""
    start, stop = (0, given[0]) if len(given) == 1 else given[:2]
    symbol = hooks.symbol(stop)
    if not isinstance(symbol, ScalarSymbol) or len(given) > 2 or type(start) is not int or start < 0:
        return None
    if symbol.func != "size" or symbol.value is not None or symbol.made is not None:
        return None
    rows = symbol.rows
    frame = FrameSymbol(rows, {}, (), True)
    return LoopSymbol(frame, lambda: cells.Cell(rows.places()), len(result), start)


def _key(key: Any) -> Value | None:
    """Return a cell that is a whole number as a value, None for other things."""
    if not isinstance(key, cells.Cell):
        return None
    value = value_thing(key)
    return replace(value, cell=False)


def _step(own: Value, key: Value) -> int | None:
    """Return how many rows a key is away from the row's own, None where that isn't known."""
    if key.sql == own.sql:
        return 0
    found = re.fullmatch(rf"{re.escape(own.sql)} ([+-]) (\d+)", key.sql)
    return None if found is None else int(found[2]) * (1 if found[1] == "+" else -1)


def _there(place: Value, step: int, from_end: bool) -> None:
    """Refuse a row before the first where a place is counted from the end, unless the way says that there is one."""
    if step >= 0 or not from_end:
        return
    for test, truth in _decided():
        at = place.sql
        if truth and test in (f"{at} > {-step - 1}", f"{at} >= {-step}"):
            return
        if step == -1 and (test, truth) in ((f"{at} = 0", False), (f"{at} <> 0", True), (f"{at} < 1", False)):
            return
    raise refuse("a place that may be counted from the end")


def _decided() -> list[tuple[str, bool]]:
    found, way = [], path() if forks.tracing() else None
    while way is not None:
        found += [(test.sql, truth) for test, truth in way.decisions()]
        way = way.parent
    return found


class RowAway(cells.Record):
    """A row some rows before or behind the one that a loop is at."""

    def __init__(self, frame: FrameSymbol, step: int) -> None:
        super().__init__(frame)
        self.step = step

    def cell(self, label: Any) -> Any:
        """Return the cell under a label."""
        if label not in self.frame.columns:
            raise KeyError(label)
        return cells.Cell(away(self.frame.rows, label, self.frame.columns[label], self.step))


def away(rows: Rows, wanted: Any, value: Value, step: int) -> Value:
    """Return a column's cell so many rows behind, or before."""
    if step == 0:
        return value
    named = rows.define(wanted, replace(value, cell=False))
    sql = f"{'lag' if step < 0 else 'lead'}({named.sql}, {abs(step)}) OVER ()"
    found = rows.define(f"{wanted} {'before' if step < 0 else 'after'}", Value(sql, value.family, True))
    return replace(found, nullable=value.nullable, none=value.none)


def read(hooks: Any, base: Any, key: Any) -> Any:
    """Return what stands at the row that a loop is at, or some rows away; NOT_ONE where something else is asked."""
    rows = forks.rows() if forks.tracing() and not forks.depth() else None
    if rows is None:
        return NOT_ONE
    symbol = hooks.symbol(base)
    if isinstance(symbol, AccessorSymbol) and symbol.kind in (*_BY_LABEL, *_BY_PLACE):
        return _of_accessor(hooks, rows, base, symbol, key)
    if isinstance(symbol, SeriesSymbol) and isinstance(key, cells.Cell):
        if isinstance(base, pd.Series) and symbol.index:
            return _by_label(rows, base, symbol.framed(None), key, None)
        return _of_column(rows, symbol, key, isinstance(base, pd.Series))
    if isinstance(base, list) and isinstance(key, cells.Cell) and isinstance(symbol, LoopSymbol | RowListSymbol):
        return _of_list(hooks, rows, base, key)
    return NOT_ONE


def _of_accessor(hooks: Any, rows: Rows, base: Any, symbol: AccessorSymbol, key: Any) -> Any:
    by_place = symbol.kind in _BY_PLACE
    owner = getattr(base, "obj", None)
    labelled = not by_place and bool(getattr(symbol.base, "index", ())) and symbol.base.rows is not rows
    if isinstance(symbol.base, SeriesSymbol):
        if labelled and isinstance(key, cells.Cell):
            return _by_label(rows, owner, symbol.base.framed(None), key, None)
        return _of_column(rows, symbol.base, key, not by_place) if isinstance(key, cells.Cell) else NOT_ONE
    frame = symbol.base
    if not isinstance(frame, FrameSymbol):
        return NOT_ONE
    row, label = key if isinstance(key, tuple) and len(key) == 2 else (key, None)
    if labelled and isinstance(row, cells.Cell) and not isinstance(label, list | slice):
        return _by_label(rows, owner, frame, row, label)
    at = _key(row)
    if at is None or isinstance(label, Symbolic | cells.Cell):
        return NOT_ONE
    if by_place and label is not None:
        label = list(frame.columns)[label]
    step = _away(rows, frame, at, by_place)
    if step is None:
        return _elsewhere(rows, frame, at, label, by_place)
    return _cell(hooks, owner, frame, label, step)


def _away(rows: Rows, frame: FrameSymbol | SeriesSymbol, key: Value, by_place: bool) -> int | None:
    if frame.rows is not rows:
        return None
    table = frame.framed() if isinstance(frame, SeriesSymbol) else frame
    own = rows.places() if by_place else labels_of(table)
    step = _step(own, key)
    if step is not None and step != 0 and not by_place and (frame.index or not frame.fresh):
        raise refuse("the row of another label")
    if step is not None:
        _there(own, step, by_place)
    return step


def _cell(hooks: Any, owner: Any, frame: FrameSymbol, label: Any, step: int) -> Any:
    stored = [one for number, one in path().appended if number == id(owner) and isinstance(one, Stored)]
    filled = hooks.filled.get(id(owner), set())
    if label is None:
        if filled:
            raise refuse("a whole row of a table that the loop changes")
        plain = cells.as_numbers(frame)
        return cells.Record(plain) if step == 0 else RowAway(plain, step)
    if label in filled and step:
        raise refuse("a loop that carries state in a column")
    mine = [one.value for one in stored if one.label == label]
    if mine:
        return mine[-1]
    if isinstance(label, list):
        raise refuse("several cells of a row")
    if label not in frame.columns:
        raise KeyError(label)
    return cells.Cell(away(frame.rows, label, frame.columns[label], step))


def _elsewhere(rows: Rows, frame: FrameSymbol, key: Value, label: Any, by_place: bool) -> Any:
    """Return a cell of another table at a label or place that is this row's."""
    if label is None or isinstance(label, list | slice) or key.nullable:
        return NOT_ONE
    if label not in frame.columns:
        raise KeyError(label)
    if not by_place and (frame.index or not frame.fresh):
        return NOT_ONE
    value = frame.columns[label]
    found = rows.looked_up(label, [key], frame.rows, [frame.rows.places()], value, nulls=False)
    if path().trying:
        raise refuse("a place that may not be there")
    return cells.Cell(replace(found, nullable=value.nullable, none=value.none))


def _by_label(rows: Rows, real: Any, frame: FrameSymbol, key: Any, label: Any, otherwise: Any = KeyError) -> Any:
    """Return a cell of another table at a label that is this row's, or the whole row."""
    if len(frame.index) != 1 or not isinstance(real, pd.Series | pd.DataFrame) or not real.index.is_unique:
        return NOT_ONE
    if frame.rows.kind != "aggregate":
        frame.rows.assume("one row for each label")
    found = keyed(FrameSymbol(frame.rows, {_THERE: frame.index[0].value, **frame.columns}), _THERE, len(real))
    at = rows.define("key", replace(value_thing(key), cell=False))
    if (otherwise is not KeyError or path().trying) and not path().decide(found.inside(rows, at, False)):
        if otherwise is KeyError:
            raise KeyError
        return otherwise

    def cell(name: Any) -> Value:
        if name not in found.values:
            raise KeyError(name)
        value = found.value(rows, at, name, False)
        return replace(value, nullable=frame.columns[name].nullable, none=frame.columns[name].none)

    if label is None and list(frame.columns) != [None]:
        return cells.Record(frame.with_columns({name: cell(name) for name in frame.columns}))
    return cells.Cell(cell(label))


def got(hooks: Any, base: Any, key: Any, otherwise: Any = None) -> Any:
    """Return series.get(key) for a label that is this row's; NOT_ONE where something else is asked."""
    symbol, rows = hooks.symbol(base), forks.rows() if forks.tracing() and not forks.depth() else None
    if rows is None or not isinstance(symbol, SeriesSymbol) or not isinstance(key, cells.Cell):
        return NOT_ONE
    return _by_label(rows, base, symbol.framed(None), key, None, otherwise)


def _of_column(rows: Rows, symbol: SeriesSymbol, key: Any, by_label: bool) -> Any:
    at = _key(key)
    if at is None or at.family != "integer":
        return NOT_ONE
    step = _away(rows, symbol, at, not by_label)
    if step is None:
        return _elsewhere(rows, symbol.framed("value"), at, "value", not by_label)
    return cells.Cell(away(rows, symbol.name or "value", symbol.value, step))


def _of_list(hooks: Any, rows: Rows, base: Any, key: Any) -> Any:
    loop = loop_of(hooks, base)
    at = _key(key)
    if loop is None or at is None or at.family != "integer" or loop.start:
        return NOT_ONE
    element = loop.element()
    if not isinstance(element, cells.Cell):
        return NOT_ONE
    value = column(replace(value_thing(element), cell=False))
    return _of_column(rows, SeriesSymbol(loop.frame.rows, value), key, False)


def is_store(hooks: Any, base: Any) -> bool:
    """Return whether a loop that is followed stores in a table that is its function's."""
    return forks.tracing() and id(getattr(base, "obj", None)) in hooks.filled


def store(hooks: Any, base: Any, key: Any, value: Any) -> None:
    """Do base[key] = value for the row that a loop is at."""
    rows, symbol = forks.rows(), hooks.symbol(base)
    if rows is None or not isinstance(symbol, AccessorSymbol) or not isinstance(key, tuple) or len(key) != 2:
        raise refuse("a loop that stores whole rows")
    row, label = key
    frame, by_place, at = symbol.base, symbol.kind in _BY_PLACE, _key(row)
    if at is None or not isinstance(frame, FrameSymbol) or symbolic_label(label):
        raise refuse("a loop that stores at other rows")
    if by_place:
        label = list(frame.columns)[label]
    if not (_away(rows, frame, at, by_place) == 0 if frame.rows is rows else _of_some(frame, rows, at)):
        raise refuse("a loop that stores at other rows")
    if isinstance(label, list):
        raise refuse("a loop that stores several cells at once")
    path().appended.append((id(base.obj), Stored(label, value)))


def _of_some(frame: FrameSymbol, rows: Rows, at: Value) -> bool:
    """Return whether a label is that of a table of which a loop goes over some rows."""
    found = None if frame.index or not frame.fresh else pulled("place", frame.rows.places(), frame.rows, rows)
    return found is not None and found.sql == at.sql


def symbolic_label(label: Any) -> bool:
    """Return whether a label isn't plain."""
    return isinstance(label, Symbolic | cells.Cell | cells.Record | slice)


def changed(frame: FrameSymbol, number: int, endings: Sequence[Ending], rows: Rows) -> FrameSymbol:
    """Return a table after a loop over rows that stored cells in its own."""
    mine = [
        (each.conditions, {one.label: one.value for owner, one in each.appended if owner == number}) for each in endings
    ]
    labels = list(dict.fromkeys(label for _, stored in mine for label in stored))
    made: dict[Any, Value] = {}
    for label in labels:
        if frame.rows is not rows:
            made[label] = _of_those(frame, label, [(way, stored.get(label, _NOT)) for way, stored in mine], rows)
            continue
        old: Any = cells.Cell(frame.columns[label]) if label in frame.columns else None
        ends = [Ending(way, stored.get(label, old)) for way, stored in mine]
        made[label] = replace(cells.value_of(ends), cell=False)
    for label, value in made.items():
        frame = with_column(frame, label, value)
    return frame


def _of_those(frame: FrameSymbol, label: Any, ways: Sequence[tuple[Way, Any]], rows: Rows) -> Value:
    """Return a column in which a loop over some of the rows stored cells."""
    stored = rows.define("stored", replace(forks.one_value([(way, constant(one is not _NOT)) for way, one in ways]),
                                           nullable=False))  # fmt: skip
    value = cells.value_of([Ending(way, None if one is _NOT else one) for way, one in ways])
    value = rows.define(label, replace(value, cell=False))
    own = frame.rows.places()
    theirs = pulled("place", own, frame.rows, rows)
    assert theirs is not None
    there = frame.rows.looked_up("stored", [own], rows, [theirs], stored, nulls=False)
    new = frame.rows.looked_up(label, [own], rows, [theirs], value, nulls=False)
    old = frame.columns.get(label, constant(None))
    return choose(replace(there, nullable=True), new, old)


def begun(hooks: Any, names: Mapping[str, Any]) -> dict[int, tuple[Any, FrameSymbol]]:
    """Return the tables that names stand for, by identity, with what is known of them."""
    found = {}
    for one in names.values():
        symbol = hooks.symbol(one) if isinstance(one, pd.DataFrame) else None
        if isinstance(symbol, FrameSymbol):
            found[id(one)] = (one, symbol)
    return found


CALLS: dict[str, Callable[..., Any]] = {"range": numbers}

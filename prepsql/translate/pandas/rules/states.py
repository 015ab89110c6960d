"""Names that a loop over rows carries from row to row: a running total, the row before, the last of some rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks, tracked
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Ending
from prepsql.translate.pandas.rows import Rows
from prepsql.translate.pandas.rules import state_keys, state_runs
from prepsql.translate.pandas.rules.carrying import (
    MARK,
    Before,
    Carried,
    Unread,
    cells_inside,
    if_new,
    in_lists,
    is_filled,
    is_same,
    total_of,
    unread_among,
)
from prepsql.translate.pandas.symbols import value_thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, constant, made
from prepsql.workflow.pandas_text.windows import Window
from prepsql.workflow.reserved import column_name

_BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
_BOX = cast(Family, "box")
_FAMILIES: Mapping[type, Family] = {
    bool: "boolean",
    int: "integer",
    float: "float",
    str: "text",
    pd.Timestamp: "timestamp",
}
_UNKNOWN: Sequence[Family] = ("integer", "float", "text", "timestamp", "date")


@dataclass
class States:
    """The names that a loop stores and reads, as they were before it; those that are understood in `known`."""

    hooks: Any
    rows: Rows
    element: Callable[[], Any]
    body: Callable[..., Any]
    names: Sequence[str]
    before: Mapping[str, Any]
    known: dict[str, cells.Cell] = field(default_factory=dict)
    families: dict[str, Family] = field(default_factory=dict)
    keys: dict[str, Value] = field(default_factory=dict)
    starts: dict[str, Any] = field(default_factory=dict)
    owners: dict[str, int] = field(default_factory=dict)
    beginnings: dict[int, Any] = field(default_factory=dict)
    inner: set[str] = field(default_factory=set)
    window: Window = field(default_factory=Window)
    after: bool = False

    def keyed(self, owner: int, key: Value, start: Any, family: Family | None = None) -> cells.Cell:
        """Return what a dict has under a key before a row, `start` where it has nothing."""
        name = self._under(owner, key, "total")
        if self.starts.setdefault(name, start) != start:
            raise forks.refuse("a loop that carries state with several beginnings")
        self.families.setdefault(name, family or ("float" if isinstance(start, float) else "integer"))
        if name in self.known:
            found = Carried(name, value_thing(self.known[name]))
        else:
            none = start is None
            value = Value(column_name(f"{MARK}{name}"), self.families[name], none, cell=True, none=none)
            found = Carried(name, value)
        found.start = start
        return found

    def present(self, owner: int, key: Value) -> cells.Cell:
        """Return whether a key is there before a row."""
        name = self._under(owner, key, "there")
        self.families.setdefault(name, "boolean")
        if name in self.known:
            return self.known[name]
        return cells.Cell(Value(column_name(f"{MARK}{name}"), "boolean", False))

    def tested(self, base: Any, key: Value, there: bool = False) -> bool:
        """Return whether the way that is taken has asked for a key, and found it, or not."""
        cell = self.present(id(base), key) if self.owners.get(f"there {id(base)}") else None
        sql = cell.thing.sql if cell is not None and isinstance(cell.thing, Value) else None
        way = forks.path()
        for test, truth in zip(way.conditions, way.taken, strict=True):
            if test.sql == sql and truth is there:
                return True
            if sql is not None and test.sql == bind("NOT x", x=sql) and truth is not there:
                return True
        return False

    def _under(self, owner: int, key: Value, what: str) -> str:
        if self.window.keys:
            raise forks.refuse("a dict that a loop over the rows of a group fills")
        name = f"{what} {owner}"
        if self.keys.setdefault(name, key).sql != key.sql:
            raise forks.refuse("a loop that carries state under several keys")
        self.owners[name] = owner
        if forks.inside_of_pieces(key.sql):
            self.inner.add(name)
        return name

    def endings(self) -> list[Ending]:
        """Return how the ways through the body end, every name that they ask for understood."""
        for _ in range(3 * len(self.names) + 8):
            asked: list[str] = []
            given = [self._given(name, asked) for name in self.names]
            try:
                found = self._explored(given)
            except NotTranslatable:
                if not asked:
                    raise
                found = []
            asked += [one.name for each in found for one in unread_among([each.appended, in_lists(each.result)])]
            asked += [one.name for each in found for one in unread_among(list(each.result[len(self.names) :]))]
            asked += [name for name in self._left(found) if not asked]
            if asked:
                self._begin(asked[0])
            elif not set(self.families) - set(self.known) - self.inner:
                return self._without_inner(found)
            elif not self._resolve(found):
                break
        raise NotTranslatable("a loop that carries state")

    def _left(self, found: Sequence[Ending]) -> list[str]:
        """Return the names that only some ways bind anew, where those after the loop are asked for."""
        if not self.after:
            return []
        kept = [[isinstance(each.result[at], Unread) for each in found] for at in range(len(self.names))]
        some = [name for name, same in zip(self.names, kept, strict=True) if any(same) and not all(same)]
        return [name for name in some if name in self.before]

    def _without_inner(self, found: list[Ending]) -> list[Ending]:
        """Return the ways as they are; refuse those that look at what a dict has under one of a cell's pieces."""
        if not self.inner:
            return found
        things = [part for each in found for _, one in each.appended for part in cells_inside(one)]
        tests = [test.sql for each in found for test, _ in each.conditions.decisions]
        texts = [*tests, *(value_thing(one).sql for one in things)]
        if any(MARK in text for text in texts):
            raise NotTranslatable("a loop over pieces that looks at what it has stored")
        return found

    def _explored(self, given: Sequence[Any]) -> list[Ending]:
        return forks.explore(lambda: self.body(self.element(), *given))

    def _given(self, name: str, asked: list[str]) -> Any:
        if name in self.known:
            return self.known[name]
        if name in self.families:
            empty = self.before[name] is None
            value = Value(column_name(f"{MARK}{name}"), self.families[name], empty, cell=True, none=empty)
            return Carried(name, value)
        return Unread(name, asked)

    def _begin(self, name: str) -> None:
        """Take a name for something of the type that it had before the loop."""
        if name not in self.before or name in self.families:
            raise NotTranslatable("a loop that carries state")
        value = self.before[name]
        if self.hooks.symbol(value) is not None or tracked.is_own(value) or tracked.is_marked(value):
            raise NotTranslatable("a loop that carries what came of a table")
        family = _FAMILIES.get(type(value)) if value is not None else self._guessed(name)
        if family is None or (isinstance(value, float) and value != value):
            raise NotTranslatable("a loop that carries state")
        self.families[name] = family

    def _guessed(self, name: str) -> Family | None:
        """Return the type that a name has after a row where it was None before the loop."""
        at = list(self.names).index(name)
        for family in _UNKNOWN:
            self.families[name] = family
            try:
                ends = self._tried()
                found = cells.value_of(ends, lambda result: if_new(result[at], name))
            except NotTranslatable:
                continue
            finally:
                del self.families[name]
            if found.family == family:
                return family
        return None

    def _tried(self) -> list[Ending]:
        """Return how the ways end with names of supposed types; that of another that was None is guessed as well."""
        asked: list[str] = []
        given = [self._supposed(one, asked) for one in self.names]
        try:
            return self._explored(given)
        except NotTranslatable:
            other = next((one for one in asked if one not in self.families and self.before.get(one, 0) is None), None)
            family = self._guessed(other) if other is not None else None
            if other is None or family is None:
                raise
            self.families[other] = family
            try:
                return self._tried()
            finally:
                del self.families[other]

    def _supposed(self, name: str, asked: list[str]) -> Any:
        family = _FAMILIES.get(type(self.before.get(name)))
        if name in self.known or name in self.families or family is None:
            return self._given(name, asked)
        return Carried(name, Value(column_name(f"{MARK}{name}"), family, False, cell=True))

    def _resolve(self, endings: Sequence[Ending]) -> bool:
        """Say one more name by the rows before; return whether there was one that can be."""
        for name in [name for name in self.owners if name not in self.known]:
            family = self.families[name]
            of_key = self._of_key(name, endings)
            if of_key is not None:
                self.known[name] = cells.Cell(of_key)
                return True
            if self.families[name] != family:
                return True
        for at, name in enumerate(self.names):
            if name in self.known or name not in self.families:
                continue
            ways = state_runs.plainer([(each.conditions, each.result[at]) for each in endings])
            family = self.families[name]
            grows = any(getattr(one, "added", ()) for _, one in ways)
            value: Value | cells.Cell | None = self._total(name, ways) if grows else self._last(name, ways)
            if value is None and self.families[name] == family:
                value = self._run(name, ways, grows)
            if value is not None:
                self.known[name] = value if isinstance(value, cells.Cell) else cells.Cell(value)
                return True
            if self.families[name] != family:
                return True
        return False

    def _run(self, name: str, ways: Sequence[tuple[Way, Any]], grows: bool) -> Value | None:
        """Return a total that begins anew now and then, or the greatest or least so far."""
        start = constant_thing(self.before[name])
        assert isinstance(start, Value)
        family = self.families[name]
        if grows:
            found = state_runs.total(self.rows, name, ways, start, family, MARK, self.window)
        else:
            first = None if self.before[name] is None else start
            marked = column_name(f"{MARK}{name}")
            found = state_runs.extreme(self.rows, name, ways, first, family, marked, self.window)
        if isinstance(found, str):
            self.families[name] = found
            return None
        return found

    def _of_key(self, name: str, endings: Sequence[Ending]) -> Value | None:
        """Return what a dict has under a key before a row, or whether it has it."""
        owner, key = self.owners[name], self.rows.define("key", self.keys[name])
        last = [[one for number, one in each.appended if number == owner] for each in endings]
        if any(one.key.sql != self.keys[name].sql for mine in last for one in mine):
            return None
        if name.startswith("there"):
            mark = f"{MARK}{name}"
            stores = [bool(mine) or any(mark in test.sql and test.sql.startswith("NOT ") is not truth
                                        for test, truth in each.conditions.decisions)
                      for mine, each in zip(last, endings, strict=True)]  # fmt: skip
            if not all(stores):
                return state_keys.now_and_then(self.rows, key, stores, endings, MARK)
            number = self.rows.define("time", Value(f"row_number() OVER (PARTITION BY {key.sql})", "integer", False))
            return made("x > 1", "boolean", number, nullable=False, x=number.sql)
        totals = any(isinstance(mine[-1].value, Carried) and mine[-1].value.added for mine in last if mine)
        ways = []
        for mine, each in zip(last, endings, strict=True):
            value = mine[-1].value if mine else Carried(name, constant(0))
            if mine and not isinstance(value, Carried):
                if not mine[-1].fresh or self.starts[name] != 0 or not totals:
                    return self._last_of_key(name, key, last, endings)
                value = Carried(name, constant(0), (replace(value_thing(value), cell=False),))
            ways.append((each.conditions, value))
        return self._total(name, ways)

    def _last_of_key(
        self, name: str, key: Value, stored: Sequence[list[Any]], endings: Sequence[Ending]
    ) -> Value | None:
        """Return what was stored last under a key before a row, or the greatest or least of it."""
        ways: list[tuple[Way, Any]] = [
            (each.conditions, mine[-1].value if mine else Carried("last", constant(0)))
            for mine, each in zip(stored, endings, strict=True)
        ]
        there = self.known.get(name.replace("total", "there", 1))
        marked = column_name(f"{MARK}{name}")
        found = state_keys.last(
            self.rows, key, ways, self.starts[name], self.families[name], marked, MARK, there
        )  # fmt: skip
        if isinstance(found, str):
            self.families[name] = found
            return None
        return found

    def _total(self, name: str, ways: Sequence[tuple[Way, Any]]) -> Value | None:
        if not all(isinstance(one, Carried) and one.name == name for _, one in ways):
            return None
        steps = [(conditions, total_of(one.added)) for conditions, one in ways]
        start = constant_thing(self.starts[name] if name in self.starts else self.before[name])
        key = self.rows.define("key", self.keys[name]).sql if name in self.keys else ""
        wanted = "total" if name in self.keys else name
        assert isinstance(start, Value)
        step = forks.one_value(steps)
        if MARK in step.sql or any(MARK in test.sql for tests, _ in ways for test in tests):
            return None
        family: Family = "float" if "float" in (step.family, start.family) else "integer"
        if family != self.families[name]:
            self.families[name] = family
            return None
        step = self.rows.define(f"{wanted}_step", replace(step, cell=False))
        sql = f"coalesce({self.window.over(f'sum({step.sql})', rows=True, frame=_BEFORE, also=key)}, 0)"
        if family == "integer":
            sql += "::BIGINT"
        if step.nullable:
            call = f"bool_and({step.sql} IS NOT NULL)"
            there = self.window.over(call, rows=True, frame=_BEFORE, also=key)
            sql = f"CASE WHEN coalesce({there}, TRUE) THEN {sql} END"
        total = self.rows.define(f"{wanted}_before", Value(sql, family, step.nullable))
        if start.constant == 0:
            return total
        return made("x + y", family, total, x=total.sql, y=start.sql)

    def _last(self, name: str, ways: Sequence[tuple[Way, Any]]) -> Value | cells.Cell | None:
        kept = [isinstance(one, Carried) and one.name == name for _, one in ways]
        if state_runs.same(ways, kept, column_name(f"{MARK}{name}")):
            ways = [way for way, same in zip(ways, kept, strict=True) if not same]
            kept = [False] * len(ways)
        start = constant_thing(self.before[name])
        assert isinstance(start, Value)
        if all(kept):
            return start
        some = any(kept)
        if some and any(MARK in test.sql for conditions, _ in ways for test in conditions):
            return None
        both = zip(ways, kept, strict=True)
        new = [(tests, cells.value_of([Ending(Way.of(()), one)])) for (tests, one), same in both if not same]
        if some and any(value.nullable and not is_filled(value, way) for way, value in new):
            return None if self.before[name] is None else self._boxed(name, ways, start)
        if some:
            found = cells.value_of([Ending(conditions, if_new(one, name)) for conditions, one in ways])
        elif len({value.sql for _, value in new}) == 1:
            found = new[0][1]
        else:
            found = cells.value_of([Ending(conditions, one) for conditions, one in ways])
        if MARK in found.sql or found.family != self.families[name]:
            return None
        found = self.rows.define(f"{name}_here", replace(found, cell=False))
        empty = self.before[name] is None
        if some:
            call = bind("last_value(x IGNORE NULLS)", x=found.sql)
            last = self.window.over(call, rows=True, frame=_BEFORE)
            sql = last if empty else bind("coalesce(x, y)", x=last, y=start.sql)
            return self.rows.define(f"{name}_before", Value(sql, found.family, empty, none=empty))
        if not empty:
            sql = self.window.over(f"lag({found.sql}, 1, {start.sql})", rows=True)
            return self.rows.define(f"{name}_before", Value(sql, found.family, found.nullable))
        sql = self.window.over(f"lag({found.sql})", rows=True)
        before = self.rows.define(f"{name}_before", Value(sql, found.family, True))
        place = self.rows.places()
        if self.window.keys or self.window.order:
            sql = f"{self.window.over('row_number()', rows=True)} - 1"
            place = self.rows.define("number", Value(sql, "integer", False))
        return Before(before, made("x = 0", "boolean", place, nullable=False, x=place.sql))

    def _boxed(self, name: str, ways: Sequence[tuple[Way, Any]], start: Value) -> Value | None:
        """Return what a name was bound to last, which may be null: each stands in a box, and none where it stays."""
        boxes: list[tuple[Way, Value]] = []
        for way, one in ways:
            value = None if is_same(one, name) else cells.value_of([Ending(Way.of(()), one)])
            if value is not None and (MARK in value.sql or value.family != self.families[name] or value.none):
                return None
            box = Value("NULL", "null", True) if value is None else Value(f"{{'v': {value.sql}}}", _BOX, False)
            boxes.append((way, box))
        found = self.rows.define(f"{name}_stored", replace(forks.one_value(boxes), nullable=True))
        sql = self.window.over(f"last_value({found.sql} IGNORE NULLS)", rows=True, frame=_BEFORE)
        last = self.rows.define(f"{name}_last", Value(sql, _BOX, True))
        sql = f"CASE WHEN {last.sql} IS NULL THEN {start.sql} ELSE struct_extract({last.sql}, 'v') END"
        return self.rows.define(f"{name}_before", Value(sql, self.families[name], True))

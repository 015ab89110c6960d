"""Dicts and sets that a loop over rows fills: totals, lists and last values by a key."""

from __future__ import annotations

import collections
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import Spread
from prepsql.translate.pandas.forks import Ending
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, Rows, after, of_columns
from prepsql.translate.pandas.rules import keyed_fields, lookups
from prepsql.translate.pandas.rules.carrying import MARK, Carried
from prepsql.translate.pandas.rules.group_loops import GroupLoop
from prepsql.translate.pandas.rules.lookups import LookupSymbol
from prepsql.translate.pandas.rules.loops import MISSING, RowListSymbol
from prepsql.translate.pandas.rules.spreading import spread_rows
from prepsql.translate.pandas.rules.stacking import only_there
from prepsql.translate.pandas.rules.states import States
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.value import Family, Value, made
from prepsql.workflow.reserved import column_name


@dataclass(frozen=True, eq=False)
class Pair:
    """What a way through a loop stores under a key; `fresh`: it found nothing there."""

    key: Value
    value: Any
    fresh: bool

    def parts(self) -> tuple[Any, Any]:
        """Return key and value, of a total what is added, as cells."""
        added = isinstance(self.value, Carried) and self.value.added
        if isinstance(self.value, Carried) and not added:
            raise forks.refuse("a loop over pieces that stores what it has read")
        return cells.Cell(self.key), cells.Cell(keyed_fields.added(self.value)) if added else self.value

    def again(self, key: cells.Cell, value: Any) -> Pair:
        """Return the same of another key and value."""
        if isinstance(self.value, Carried):
            total = Carried(self.value.name, value_thing(self.value), (replace(value_thing(value), cell=False),))
            total.start = self.value.start
            value = total
        return Pair(replace(value_thing(key), cell=False), value, self.fresh)


@dataclass(frozen=True, eq=False)
class Item:
    """What a way through a loop appends to the list of a key."""

    key: Value
    value: Any

    def parts(self) -> tuple[Any, Any]:
        """Return key and value as cells."""
        return cells.Cell(self.key), self.value

    def again(self, key: cells.Cell, value: Any) -> Item:
        """Return the same of another key and value."""
        return Item(replace(value_thing(key), cell=False), value)


class KeyedList(Symbolic):
    """The list of a key, which may be appended to."""

    def __init__(self, base: Any, key: Value) -> None:
        self.base, self.key = base, key

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Append to the list."""
        if name != "append" or named:
            raise forks.refuse("a loop that carries lists")
        forks.path().appended.append((id(self.base), Item(self.key, given[0])))
        return None


def key_of(key: Any) -> Value:
    """Return a key as a value; raises Untraceable for one that isn't known."""
    found = value_thing(keyed_fields.packed(key))
    if found.nullable and found.family == "float":
        raise forks.refuse("null numbers as keys")
    return replace(found, cell=False)


def of_method(states: States, base: Any, name: str, given: Sequence[Any]) -> Any:
    """Do a method of a dict or set that the loop fills."""
    if name == "get" and given:
        return read(states, base, given[0], given[1] if len(given) > 1 else None)
    if name == "add" and isinstance(base, set):
        return store(states, base, given[0], True)
    if name == "setdefault" and len(given) == 2 and given[1] == [] and isinstance(given[1], list):
        return KeyedList(base, key_of(given[0]))
    if name == "setdefault" and len(given) == 2 and type(given[1]) is dict:
        return keyed_fields.made(states, base, key_of(given[0]), given[1])
    raise forks.refuse("a loop that carries state")


def item(states: States, base: Any, key: Any) -> Any:
    """Return base[key]."""
    factory = getattr(base, "default_factory", None)
    record = keyed_fields.record_of(states, base, key_of(key))
    if record is not None:
        return record
    if factory is list or (factory is None and any(_of_list(one) for one in base.values())):
        return KeyedList(base, key_of(key))
    if isinstance(base, collections.Counter) or factory in (int, float):
        return read(states, base, key, 0.0 if factory is float else 0)
    if factory is not None or isinstance(base, set):
        raise forks.refuse("a loop that carries state")
    return read(states, base, key, 0, True)


def _of_list(value: Any) -> bool:
    return isinstance(value, list)


def store(states: States, base: Any, key: Any, value: Any) -> None:
    """Do base[key] = value."""
    if isinstance(value, list) and not value:
        return
    if type(value) is dict and value:
        keyed_fields.begun(states, base, key_of(key), value)
        return
    if isinstance(value, list) and len(value) == 1 and states.tested(base, key_of(key)):
        forks.path().appended.append((id(base), Item(key_of(key), value[0])))
        return
    forks.path().appended.append((id(base), Pair(key_of(key), value, states.tested(base, key_of(key)))))


def read(states: States, base: Any, key: Any, default: Any, must: bool = False) -> Any:
    """Return what a dict has for a key before this row, or what this row has stored."""
    found = key_of(key)
    mine = [one for owner, one in forks.path().appended if owner == id(base)]
    if mine:
        if not isinstance(mine[-1], Pair) or mine[-1].key.sql != found.sql:
            raise forks.refuse("a loop that carries state under several keys")
        return mine[-1].value
    if default is not None and type(default) not in (int, float, str):
        raise forks.refuse("a loop that carries state")
    if must and forks.path().trying and not states.tested(base, found, True):
        raise forks.refuse("a loop that carries state")
    family = _family(base, default)
    return states.keyed(id(base), found, default, family)


def _family(base: Any, default: Any) -> Family | None:
    """Return the type of what a dict holds, that of numbers where it holds nothing."""
    kinds: set[Family | None] = {of_type(type(one)) for one in base.values()} if isinstance(base, dict) else {None}
    if kinds == {"integer", "float"}:
        kinds = {"float"}
    if len(kinds) > 1:
        raise forks.refuse("a dict of values of several types")
    return kinds.pop() if kinds else "text" if isinstance(default, str) else None


_TYPES: tuple[tuple[tuple[type, ...], Family], ...] = (
    ((bool, np.bool_), "boolean"), ((int, np.integer), "integer"), ((float, np.floating), "float"), ((str,), "text"),
    ((pd.Timestamp,), "timestamp"),
)  # fmt: skip


def of_type(kind: type) -> Family | None:
    """Return the family of values of a type."""
    return next((family for known, family in _TYPES if issubclass(kind, known)), None)


def inside(states: States, operator: str, base: Any, key: Any) -> Any:
    """Return whether a key is there before this row, or since."""
    found = key_of(key)
    mine = [one for owner, one in forks.path().appended if owner == id(base)]
    if mine:
        raise forks.refuse("a loop that asks for what it has stored")
    cell = states.present(id(base), found)
    if operator == "In":
        return cell
    there = value_thing(cell)
    return cells.Cell(made("NOT x", "boolean", there, x=there.sql))


def bound(
    rows: Rows, base: Any, endings: Sequence[Ending], frame: FrameSymbol, start: Mapping[Any, Any] | None = None
) -> Any:
    """Return what a dict or set stands for after the loop; None where nothing is stored in it."""
    ways = [(each.conditions, [one for owner, one in each.appended if owner == id(base)]) for each in endings]
    stored = [one for _, mine in ways for one in mine]
    if not stored:
        return None
    if any(isinstance(one, Spread) for one in stored):
        return _of_pieces(base, ways, frame)
    if all(isinstance(one, keyed_fields.Field) for one in stored):
        return keyed_fields.bound(rows, base, endings, frame, start or {})
    key = stored[0].key
    ways = [(tests, mine[-1:] if all(isinstance(one, Pair) and one.key.sql == key.sql for one in mine) else mine)
            for tests, mine in ways]  # fmt: skip
    stored = [one for _, mine in ways for one in mine]
    if any(len(mine) > 1 for _, mine in ways) or any(type(one) is not type(stored[0]) for one in stored):
        raise NotTranslatable("a dict that a loop fills several times a row")
    if any(MARK in test.sql for tests, _ in ways for test in tests):
        raise NotTranslatable("a dict that a loop fills as it stands")
    values: list[tuple[Way, Any]] = [
        (tests, (cells.Cell(mine[0].key), mine[0].value) if mine else MISSING) for tests, mine in ways
    ]
    if isinstance(stored[0], Item):
        return _lists(frame, values)
    if isinstance(base, set):
        return lookups.of_rows(RowListSymbol(frame, [(t, v if v is MISSING else v[0]) for t, v in values], len(base)),
                               len(base), False)  # fmt: skip
    if not any(isinstance(one.value, Carried) for one in stored):
        return lookups.of_rows(RowListSymbol(frame, values, len(base)), len(base), True)
    if any(one.key.sql != key.sql for one in stored):
        raise NotTranslatable("a dict whose keys a loop makes in several ways")
    return _totals(rows, base, frame, key, ways)


def _of_pieces(base: Any, ways: Sequence[tuple[Way, list[Any]]], frame: FrameSymbol) -> Any:
    """Return what a dict or set stands for that is filled for each piece of a cell."""
    kinds = [one.kind for _, mine in ways for one in mine if isinstance(one, Spread)]
    if any(len(mine) > 1 for _, mine in ways) or len(kinds) < sum(len(mine) for _, mine in ways):
        raise NotTranslatable("a dict that a loop fills several times a row")
    if any(type(one) is not type(kinds[0]) or one.key.sql != kinds[0].key.sql for one in kinds):
        raise NotTranslatable("a dict that a loop fills in several ways")
    found, (key, value) = spread_rows(frame, [(way, mine[0].pieces if mine else None) for way, mine in ways])
    once = Ending(Way.of(()), None, ((id(base), kinds[0].again(key, value)),))
    return bound(found.rows, base, [once], found)


def _totals(
    rows: Rows, base: Any, frame: FrameSymbol, key: Value, ways: Sequence[tuple[Way, list[Pair]]]
) -> LookupSymbol:
    steps = []
    for tests, mine in ways:
        if not mine:
            steps.append((tests, MISSING))
        elif isinstance(mine[0].value, Carried):
            steps.append((tests, cells.Cell(keyed_fields.added(mine[0].value))))
        elif mine[0].fresh and not isinstance(mine[0].value, Carried):
            steps.append((tests, mine[0].value))
        else:
            raise NotTranslatable("a dict of more than totals")
    listed = RowListSymbol(frame, steps, len(base))
    step = cells.value_of([Ending(t, None if s is MISSING else s) for t, s in steps])
    own = cells.value_of([Ending(t, s) for t, s in steps if s is not MISSING])
    start = constant_thing(next(iter(_starts(ways)), 0))
    if own.none or own.family not in ("integer", "float") or not isinstance(start, Value) or start.constant != 0:
        raise NotTranslatable("totals of what may be none, or that don't begin with 0")
    step = replace(step, cell=False, nullable=own.nullable)
    columns = {"key": rows.define("key", key), "step": rows.define("step", step),
               "place": rows.places()}  # fmt: skip
    there = only_there(listed, FrameSymbol(rows, columns))
    return counted(there, len(base), "float" if "float" in (own.family, start.family) else own.family)


def _starts(ways: Sequence[tuple[Way, list[Pair]]]) -> list[Any]:
    return [one.value.start for _, mine in ways for one in mine if isinstance(one.value, Carried)]


def counted(frame: FrameSymbol, length: int, family: Any = None) -> LookupSymbol:
    """Return totals of `step` by `key` (without a step: how many rows), in the order in which the keys come first."""
    rows = frame.rows
    name = rows.name("key", frame.columns["key"])
    place = frame.columns["place"]
    step = frame.columns.get("step")
    total = {"as": rows.name_for("total"), "func": "sum", "expr": step.sql} if step is not None else (
        {"as": rows.name_for("total"), "func": "count"})  # fmt: skip
    first = {"as": rows.name_for("first"), "func": "min", "expr": place.sql}
    aggs = [total, first]
    columns = of_columns({name: rows.columns[rows.name("key", frame.columns["key"])]})
    columns[total["as"]] = Value(column_name(total["as"]), family or "integer", False)
    columns[first["as"]] = Value(column_name(first["as"]), "integer", False)
    grouped = Rows("aggregate", {"group_keys": [name], "aggs": aggs}, {"in": rows}, columns, wanted="totals")
    value = columns[total["as"]]
    if step is not None and step.nullable:
        value = keyed_fields.with_nulls(grouped, step, value)
    if step is not None and value.family == "integer":
        value = grouped.define("total", made("x::BIGINT", "integer", value, x=value.sql))
    there = grouped.define("there", Value("TRUE", "boolean", False))
    ordered = after(grouped, "sort", {"order_by": [{"expr": columns[first["as"]].sql}]}, wanted="in_order")
    return LookupSymbol(
        ordered, ordered.columns[name], {None: ordered.columns[grouped.name("total", value)]},
        ordered.columns[grouped.name("there", there)], length, True,
    )  # fmt: skip


def _lists(frame: FrameSymbol, values: Sequence[tuple[Way, Any]]) -> GroupLoop:
    """Return the lists of keys as the groups of the rows, in the order in which the keys come first."""
    rows = frame.rows
    listed = RowListSymbol(frame, values, 0)
    parts: list[Callable[[Any], Any]] = [lambda entry: entry[0], lambda entry: entry[1]]
    found = []
    for part in parts:
        one = cells.value_of([Ending(t, None if v is MISSING else part(v)) for t, v in values])
        own = cells.value_of([Ending(t, part(v)) for t, v in values if v is not MISSING])
        found.append(
            rows.define("key" if part is parts[0] else "value", replace(one, nullable=own.nullable, cell=False))
        )
    there = only_there(listed, FrameSymbol(rows, {"key": found[0], "value": found[1]}))
    groups = GroupsSymbol(there, [("key", there.columns["key"])], ["value"], True, True, False, False, None)
    return GroupLoop(groups, False, True)

"""Dicts of dicts that a loop over rows fills: totals and last values by a key and a label; tuples as keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, cast

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Ending, refuse
from prepsql.translate.pandas.rows import FrameSymbol, Rows, after, of_columns
from prepsql.translate.pandas.rules.carrying import MARK, Carried
from prepsql.translate.pandas.rules.lookups import LookupSymbol
from prepsql.translate.pandas.rules.loops import MISSING, RowListSymbol
from prepsql.translate.pandas.rules.stacking import only_there
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, constant
from prepsql.workflow.reserved import column_name


@dataclass(frozen=True, eq=False)
class Field:
    """What a way through a loop stores under a label of a key's dict; without a label: that the key has a dict."""

    key: Value
    value: Any = None
    fresh: bool = False


class KeyedRecord(Symbolic):
    """The dict of a key, in which numbers are added up."""

    def __init__(self, states: Any, base: Any, key: Value, start: Mapping[Any, Any]) -> None:
        self.states, self.base, self.key, self.start = states, base, key, start

    def item(self, key: Any) -> Any:
        """Return what stands under a label before this row, or what this row has stored."""
        owner = (id(self.base), key)
        mine = [one for number, one in forks.path().appended if number == owner]  # type: ignore[comparison-overlap]
        if mine:
            return mine[-1].value
        start = self.start.get(key)
        if type(start) not in (int, float):
            raise refuse("a loop that carries more than numbers in dicts")
        return self.states.keyed(owner, self.key, start)

    def set_item(self, key: Any, value: Any) -> None:
        """Store something under a label."""
        if key not in self.start:
            raise refuse("a loop that adds a label to a dict")
        forks.path().appended.append(((id(self.base), key), Field(self.key, value)))  # type: ignore[arg-type]


def record_of(states: Any, base: Any, key: Value) -> KeyedRecord | None:
    """Return the dict under a key of a dict, None where it holds no dicts that are known."""
    factory = getattr(base, "default_factory", None)
    start = states.beginnings.get(id(base))
    if start is None and factory is not None and any(isinstance(one, dict) for one in base.values()):
        start = states.beginnings[id(base)] = factory()
        if not isinstance(start, dict) or any(isinstance(one, cells.Cell) for one in start.values()):
            raise refuse("a dict that makes what it lacks of a row")
    if start is None or not isinstance(start, dict):
        return None
    forks.path().appended.append((id(base), Field(key)))
    return KeyedRecord(states, base, key, start)


def begun(states: Any, base: Any, key: Value, value: Mapping[Any, Any]) -> None:
    """Store the dict under a key that it begins with."""
    if not states.tested(base, key):
        raise refuse("a loop that makes dicts of rows")
    made(states, base, key, value)


def made(states: Any, base: Any, key: Value, value: Mapping[Any, Any]) -> KeyedRecord:
    """Return the dict under a key, which begins as it is given."""
    if any(type(one) not in (int, float) for one in value.values()):
        raise refuse("a loop that makes dicts of rows")
    known = states.beginnings.setdefault(id(base), dict(value))
    if known != dict(value):
        raise refuse("a loop that makes several dicts")
    forks.path().appended.append((id(base), Field(key, None, True)))
    return KeyedRecord(states, base, key, known)


def bound(rows: Rows, base: Any, endings: Sequence[Ending], frame: FrameSymbol, start: Mapping[Any, Any]) -> Any:
    """Return what a dict of dicts stands for after the loop."""
    own = [(each, [one for number, one in each.appended if number == id(base)]) for each in endings]
    key = next(one.key for _, mine in own for one in mine)
    if any(one.key.sql != key.sql for _, mine in own for one in mine):
        raise NotTranslatable("a dict whose keys a loop makes in several ways")
    there: list[tuple[Way, Any]] = [(each.conditions, cells.Cell(key) if mine else MISSING) for each, mine in own]
    columns = {("key",): rows.define("key", key), ("place",): rows.places()}
    totals: dict[Any, Family] = {}
    for label, first in start.items():
        ways = [(each.conditions, [one for number, one in each.appended if number == (id(base), label)])  # type: ignore[comparison-overlap]
                for each in endings]  # fmt: skip
        if not any(mine for _, mine in ways):
            continue
        steps = [(way, _step(mine, label)) for way, mine in ways]
        step = forks.one_value(steps)
        if step.none or MARK in step.sql or any(MARK in test.sql for way, _ in ways for test in way):
            raise NotTranslatable("totals of what may be none")
        totals[label] = "float" if isinstance(first, float) or step.family == "float" else "integer"
        columns[label] = rows.define(f"{label}_step", replace(step, cell=False))
    found = only_there(RowListSymbol(frame, there, len(base)), FrameSymbol(rows, columns))
    return _totals(found, totals, start, len(base))


def _step(mine: Sequence[Field], label: Any) -> Value:
    if not mine:
        return constant(0)
    value = mine[-1].value
    if not isinstance(value, Carried):
        raise NotTranslatable(f"a dict in which {label!r} is no total")
    return added(value)


def added(value: Carried) -> Value:
    """Return what was added to a number of a key."""
    total = value.added[0] if value.added else constant(0)
    for one in value.added[1:]:
        total = Value(bind("x + y", x=total.sql, y=one.sql), "float" if "float" in (total.family, one.family)
                      else "integer", total.nullable or one.nullable)  # fmt: skip
    return total


def with_nulls(grouped: Rows, step: Value, total: Value) -> Value:
    """Return a total that is null where one of what was added is."""
    name = grouped.name_for("missing")
    grouped.params["aggs"].append({"as": name, "func": "count", "filter": bind("x IS NULL", x=step.sql)})
    missing = grouped.columns[name] = Value(column_name(name), "integer", False)
    sql = bind("CASE WHEN x = 0 THEN y END", x=missing.sql, y=total.sql)
    return grouped.define("total", Value(sql, "float", True))


def _totals(frame: FrameSymbol, totals: Mapping[Any, Family], start: Mapping[Any, Any], length: int) -> LookupSymbol:
    rows = frame.rows
    name = rows.name("key", frame.columns[("key",)])
    columns = of_columns({name: rows.columns[name]})
    aggs: list[dict[str, Any]] = []

    def add(wanted: str, func: str, value: Value, family: Family) -> Value:
        one = {"as": rows.name_for(wanted), "func": func, "expr": value.sql}
        aggs.append(one)
        columns[one["as"]] = Value(column_name(one["as"]), family, False)
        return columns[one["as"]]

    sums = {label: add(f"{label} total", "sum", frame.columns[label], family) for label, family in totals.items()}
    first = add("first", "min", frame.columns[("place",)], "integer")
    grouped = Rows("aggregate", {"group_keys": [name], "aggs": aggs}, {"in": rows}, columns, wanted="totals")
    values = {}
    for label, begins in start.items():
        if label not in sums:
            values[label] = constant_thing(begins)
            continue
        family = totals[label]
        sql = f"{sums[label].sql}::{'DOUBLE' if family == 'float' else 'BIGINT'}"
        sql = sql if not begins else f"{sql} + {begins!r}"
        if frame.columns[label].nullable:
            values[label] = with_nulls(grouped, frame.columns[label], Value(sql, "float", True))
            continue
        values[label] = grouped.define(f"{label} in all", Value(sql, family, False))
    there = grouped.define("there", Value("TRUE", "boolean", False))
    ordered = after(grouped, "sort", {"order_by": [{"expr": first.sql}]}, wanted="in_order")
    final = {
        label: ordered.columns[grouped.name(str(label), value)] if isinstance(value, Value) and label in sums else value
        for label, value in values.items()
    }
    return LookupSymbol(ordered, ordered.columns[name], cast(Any, final), ordered.columns[grouped.name("there", there)],
                        length, True)  # fmt: skip


_TUPLE = "tuple "


def packed(found: Any) -> Any:
    """Return a tuple of cells as one cell, another thing as it is."""
    if not isinstance(found, tuple) or not any(isinstance(one, cells.Cell) for one in found):
        return found
    parts = [value_thing(one).exact() for one in found]
    if any(part.nullable and part.family == "float" for part in parts):
        raise refuse("null numbers as keys")
    if any(part.family not in ("text", "integer", "float", "boolean", "timestamp", "date") for part in parts):
        raise refuse("a tuple of such things as a key")
    inside = ", ".join(f"'part_{at}': {part.sql}" for at, part in enumerate(parts, 1))
    family = cast(Family, _TUPLE + ",".join(part.family for part in parts))
    return cells.Cell(Value(f"{{{inside}}}", family, False))


def unpacked(value: Value) -> Any:
    """Return a key as a cell, or the tuple of cells that it was."""
    if not value.family.startswith(_TUPLE):
        return cells.Cell(value)
    families = value.family.removeprefix(_TUPLE).split(",")
    return tuple(
        cells.Cell(Value(f"struct_extract({value.sql}, 'part_{at}')", cast(Family, family),
                         family in ("text", "timestamp", "date")))
        for at, family in enumerate(families, 1)
    )  # fmt: skip

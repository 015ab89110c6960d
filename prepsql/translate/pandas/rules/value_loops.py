"""Loops over the distinct values of a column, in which a table's rows with that value are a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.groups import Group, GroupColumn, GroupTable, Part
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, GroupsSymbol, Rows, SeriesSymbol
from prepsql.translate.pandas.rules.group_loops import GroupLoop
from prepsql.translate.pandas.rules.lookups import LookupSymbol
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.workflow.pandas_text import columns
from prepsql.workflow.pandas_text.value import Value, column


class KeyCell(cells.Cell):
    """The value that a loop over distinct values is at."""

    def __init__(self, thing: Value, group: Group, key: Value, dropna: bool) -> None:
        super().__init__(thing)
        self.group, self.key, self.dropna = group, key, dropna

    def mask(self, hooks: Any, other: Any) -> GroupMask | None:
        """Return the rows of a column that have this value, None where it isn't the column of the loop."""
        symbol = hooks.symbol(other)
        if not isinstance(symbol, SeriesSymbol):
            return None
        if symbol.rows is not self.group.frame.rows or symbol.value.sql != self.key.sql:
            return None
        part = Part(self.group)
        return GroupMask(hooks, part.where(columns.not_na(self.key)) if self.key.nullable and not self.dropna else part)


class GroupMask(Symbolic):
    """Which rows of a table are of the group."""

    def __init__(self, hooks: Any, part: Part) -> None:
        self.hooks, self.part = hooks, part

    def operate(self, operator: str, *operands: Any) -> GroupMask:
        """Do mask & condition."""
        if operator != "BitAnd" or len(operands) != 2:
            raise refuse("a mask of a group in an operator")
        other = operands[1] if operands[0] is self else operands[0]
        symbol = self.hooks.symbol(other)
        if not isinstance(symbol, SeriesSymbol) or symbol.rows is not self.part.group.frame.rows:
            raise refuse("a mask of a group beside that of another table")
        return GroupMask(self.hooks, self.part.where(column(symbol.value)))

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Return how many rows there are."""
        if name != "sum" or given or named:
            raise refuse(f".{name}() of a mask of a group")
        return self.part.group.reduced("size", self.part, None)

    def of(self, base: Any, key: Any) -> Any:
        """Return base[key] for a table, a column or a .loc with this mask in the key."""
        symbol = self.hooks.symbol(base)
        label = ...
        if isinstance(symbol, AccessorSymbol) and symbol.kind == "loc":
            symbol = symbol.base
            label = key[1] if isinstance(key, tuple) and len(key) == 2 else ...
        if not isinstance(symbol, FrameSymbol | SeriesSymbol) or symbol.rows is not self.part.group.frame.rows:
            raise refuse("rows of another table by a value of a loop")
        if isinstance(symbol, SeriesSymbol):
            return GroupColumn(self.part, symbol.value)
        table = GroupTable(self.part, symbol.columns)
        return table if label is ... else table.item(label)


@dataclass(frozen=True, eq=False)
class ValueLoop(GroupLoop):
    """What goes over distinct values."""

    def element(self, group: Group, keys: Sequence[Value]) -> Any:
        """Return the value."""
        return KeyCell(keys[0], group, group.keys[0][1], self.groups.dropna)


def of_values(symbol: LookupSymbol) -> ValueLoop | None:
    """Return the loop over the distinct values of a column, None where they have no order that is known."""
    source = symbol.source
    if source is None or symbol.order not in ("first", "sorted"):
        return None
    rows, value, dropna = source.rows, source.value, symbol.order == "sorted"
    if value.nullable and value.family == "float":
        raise NotTranslatable("a loop over numbers that may be null")
    before = rows.inputs.get("in") if rows.kind == "filter" else None
    name = rows.named(value)
    if isinstance(before, Rows) and name in before.columns and _filled(rows, before.columns[name]):
        rows, value, dropna = before, before.columns[name], True
    value = rows.define(source.name or "value", value)
    frame = FrameSymbol(rows, {source.name: value})
    return ValueLoop(
        GroupsSymbol(frame, [(source.name, value)], None, False, True, symbol.order == "sorted", dropna), False
    )


def _filled(rows: Rows, value: Value) -> bool:
    test = str(rows.params.get("predicate", "")).replace("(", "").replace(")", "")
    return test == f"{value.sql} IS NOT NULL"

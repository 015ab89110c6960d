"""Rows that a traced function is given meet those of another table: a mask on it by a cell of the row is a join."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import pandas as pd

from prepsql.sqltext import free_name
from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.groups import (
    Extreme,
    Group,
    GroupColumn,
    GroupRow,
    GroupTable,
    Key,
    Part,
    Reduced,
    of_whole,
)
from prepsql.translate.pandas.rows import AccessorSymbol, FrameSymbol, Rows, SeriesSymbol, chosen, of_columns
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import fails_unless, thing
from prepsql.translate.pandas.things import operated, path_of
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Accessor, Items, Name, Parts, Thing, Value, column, constant, made
from prepsql.workflow.reserved import column_name

_EMPTY: Mapping[str, str] = {
    "size": "0", "count": "0", "nunique": "0", "sum": "0", "any": "FALSE", "all": "TRUE", "prod": "1",
}  # fmt: skip
_OPERATORS = frozenset({
    "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "BitAnd", "BitOr", "Invert", "USub", "Eq", "NotEq", "Lt",
    "LtE", "Gt", "GtE",
})  # fmt: skip
_REDUCTIONS = ("sum", "mean", "median", "min", "max", "count", "nunique", "std", "any", "all", "idxmin", "idxmax")


@dataclass(eq=False)
class Meeting:
    """Rows with all rows of another table beside each: the names that its columns have here, its rows' place too."""

    hooks: Any
    left: Rows
    right: Rows
    names: dict[str, str] = field(default_factory=dict)
    found: dict[tuple[str, ...], Met] = field(default_factory=dict)

    def __post_init__(self) -> None:
        """Number both sides."""
        self.place = self.left.places()
        self.order = self.of_right(self.right.places())
        for value in list(self.right.columns.values()):
            self.of_right(value)

    @property
    def variables(self) -> str:
        """The other table's columns, as a pattern."""
        return "|".join(map(re.escape, self.names.values()))

    def of_right(self, value: Value) -> Value:
        """Return a column of the other table as it is here."""
        name = self.right.name("value", value)
        if name not in self.names:
            plain = re.sub(r"\W+", "_", name).strip("_") or "value"
            self.names[name] = free_name(f"{plain}_there", [*self.left.columns, *self.names.values()])
        return replace(self.right.columns[name], sql=column_name(self.names[name]), cell=False)

    def thing(self, operand: Any) -> Thing:
        """Return an operand as a thing over both."""
        if isinstance(operand, MetColumn):
            if operand.meeting is not self:
                raise refuse("rows of three tables at once")
            return operand.value
        symbol = self.hooks.symbol(operand)
        if isinstance(symbol, SeriesSymbol):
            if symbol.rows is not self.right:
                raise refuse("rows of three tables at once")
            return self.of_right(symbol.value)
        if isinstance(operand, pd.Series | pd.DataFrame | Symbolic):
            raise refuse("a table beside rows that isn't known")
        if isinstance(operand, list | tuple | set):
            return Items(tuple(self.thing(one) for one in operand))
        found = thing(operand)
        if isinstance(found, Value):
            if forks.names(found.sql, self.variables):
                raise refuse("a column that is called like one of another table")
            if has_window(found.sql):
                found = self.left.define("value", replace(found, cell=False))
            return replace(found, cell=False)
        if isinstance(found, Parts | Accessor):
            raise refuse("the pieces of a text beside another table")
        return found

    def where(self, condition: Value) -> Met:
        """Return the rows of both for which a condition holds."""
        key = (condition.sql, *self.names)
        if key not in self.found:
            self.found[key] = Met.of(self, condition)
        return self.found[key]

    def table(self, base: FrameSymbol) -> dict[Any, Value]:
        """Return the columns of the other table's frame as they are here."""
        if base.rows is not self.right:
            raise refuse("rows of another table by a mask of this one")
        return {label: self.of_right(value) for label, value in base.columns.items()}


@dataclass(eq=False)
class Met(Group):
    """The rows of another table that meet a row: their reductions are looked up beside the row."""

    meeting: Meeting = None  # type: ignore[assignment]
    condition: Value = field(default_factory=lambda: constant(True))

    @classmethod
    def of(cls, meeting: Meeting, condition: Value) -> Met:
        """Return the rows for which a condition holds."""
        left = meeting.left
        source = chosen(meeting.right, {new: old for old, new in meeting.names.items()}, "to_match")
        mine = [name for name in left.columns if name not in source.columns]
        columns = of_columns({name: left.columns[name] for name in mine}) | of_columns(source.columns)
        params: dict[str, Any] = {"how": "cross", "select_left": mine, "select_right": list(source.columns)}
        if condition.constant is not True:
            params = {**params, "how": "inner", "condition": condition.sql}
        rows = Rows("join", params, {"left": left, "right": source}, columns, wanted="matches")
        name = left.name("place", meeting.place)
        grouped = Rows("aggregate", {"group_keys": [name], "aggs": []}, {"in": rows},
                       of_columns({name: left.columns[name]}), wanted="of_matches")  # fmt: skip
        frame = FrameSymbol(rows, {name: rows.columns[name] for name in source.columns})
        return cls(frame, [(None, rows.columns[name])], grouped, dropna=False, meeting=meeting,
                   condition=condition)  # fmt: skip

    def beside(self, operand: Any) -> Thing:
        """Return an operand as a thing over the rows."""
        if not isinstance(operand, cells.Cell) or (isinstance(operand, Reduced) and operand.group is self):
            return super().beside(operand)
        found = self.meeting.thing(operand)
        later = set(self.meeting.left.columns) - set(self.frame.rows.columns)
        if isinstance(found, Value) and later and forks.names(found.sql, "|".join(map(re.escape, later))):
            raise refuse("a value that comes up later than the rows of another table")
        return found

    def over(self, table: GroupTable, tuples: bool) -> Any:
        """Return the rows as what a loop goes over."""
        from prepsql.translate.pandas.rules import loops, row_pairs

        plain = {column_name(name) for name in self.meeting.names.values()}
        if table.part.order != self.part.order or any(one.sql not in plain for one in table.columns.values()):
            raise refuse("a loop over rows of another table that are changed or in another order")
        frame = FrameSymbol(self.meeting.right, table.columns)
        found = (loops.itertuples(None, None, frame) if tuples else loops.iterrows(None, None, frame)).element
        condition = self.condition if table.part.mask is None else operated("BitAnd", self.condition, table.part.mask)
        return row_pairs.RowPairs(self.meeting, row_pairs.unlabelled(found()), condition)

    @property
    def part(self) -> Part:
        """All of these rows, in the order of the other table."""
        return Part(self, None, (Key(self.meeting.order),))

    def _aggregate(self, function: str, part: Part, value: Value | None, **more: Any) -> Value:
        found = super()._aggregate(function, part, value, **more)
        assert self.grouped is not None
        [key] = self.grouped.params["group_keys"]
        left = self.meeting.left
        wanted = function if value is None else f"{function}_{self.frame.rows.named(value) or 'value'}"
        beside = left.looked_up(wanted.removesuffix("_there"), [self.meeting.place], self.grouped,
                                [self.grouped.columns[key]], found, nulls=False)  # fmt: skip
        if function in ("first", "last"):
            _exists(self, part)
        empty = _EMPTY.get(function)
        if empty is None:
            return replace(beside, nullable=True)
        return made(f"coalesce(x, {empty})", beside.family, beside, nullable=False, x=beside.sql)


def _exists(group: Met, part: Part) -> None:
    """Fail on the way on which there is no row."""
    if forks.path().trying:
        size = cells.value_of([forks.Ending(Way.of(()), group.reduced("size", part, None))])
        fails_unless(made("x > 0", "boolean", size, nullable=False, x=size.sql), IndexError)


class MetColumn(Symbolic):
    """A column over rows and those of another table beside them."""

    def __init__(self, meeting: Meeting, value: Thing) -> None:
        self.meeting, self.value = meeting, value

    def like(self, value: Any) -> Any:
        """Return another column."""
        return MetColumn(self.meeting, value) if isinstance(value, Value | Parts | Accessor) else value

    def operate(self, operator: str, *operands: Any) -> Any:
        """Do an operator."""
        if operator not in _OPERATORS:
            raise refuse(f"{operator} of a column of another table")
        return self.like(operated(operator, *[self.meeting.thing(one) for one in operands]))

    def attribute(self, name: str) -> Any:
        """Get an attribute."""
        if name in ("str", "dt") and not isinstance(self.value, Accessor):
            return MetColumn(self.meeting, Accessor(name, self.value))  # type: ignore[arg-type]
        if name == "values":
            return self
        return self.like(calls.attribute(cells.SCOPE, self.value, name))

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method: a reduction is one of the rows beside."""
        if name in _REDUCTIONS and not isinstance(self.value, Accessor):
            value = column(self.value)
            if value.family == "boolean" and name in ("sum", "any") and not given and not named:
                group = self.meeting.where(value)
                count = group.reduced("size", group.part, None)
                return count if name == "sum" else cells.compare(None, "Gt", count, 0)
            group = self.meeting.where(constant(True))
            return GroupColumn(group.part, value).method(name, given, named)
        things = [self.meeting.thing(one) for one in given]
        options = {key: self.meeting.thing(one) for key, one in named.items()}
        return self.like(calls.call(cells.SCOPE, self.value, name, things, options))

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Give the column to a function."""
        path = path_of(function)
        if path is None or path in ("len", "sum", "max", "min", "list", "set", "sorted", "any", "all"):
            raise refuse(f"the function {getattr(function, '__name__', function)} of a column of another table")
        things = [self.meeting.thing(one) for one in given]
        options = {key: self.meeting.thing(one) for key, one in named.items()}
        return self.like(calls.call(cells.SCOPE, Name(path), "", things, options))

    def of(self, base: Any, key: Any) -> Any:
        """Return base[key] for a table, a column or a .loc with this mask in the key."""
        symbol = self.meeting.hooks.symbol(base)
        label: Any = ...
        if isinstance(symbol, AccessorSymbol) and symbol.kind == "loc":
            symbol = symbol.base
            label = key[1] if isinstance(key, tuple) and len(key) == 2 else ...
        value = column(self.value)
        if value.family != "boolean" or not isinstance(symbol, FrameSymbol | SeriesSymbol):
            raise refuse("rows of another table by what is no mask")
        if isinstance(symbol, SeriesSymbol):
            if symbol.rows is not self.meeting.right:
                raise refuse("rows of another table by a mask of this one")
            found = self.meeting.of_right(symbol.value)
            return GroupColumn(self.meeting.where(value).part, found)
        columns = self.meeting.table(symbol)
        table = GroupTable(self.meeting.where(value).part, columns)
        return table if label is ... or label == slice(None) else table.item(label)


def met(hooks: Any, *things: Any) -> MetColumn | None:
    """Return a column of another table as it is beside the rows that a traced function is given.

    None where no such column is among things, or no cell.
    """
    rows = forks.rows() if forks.tracing() else None
    if rows is None or not any(map(_of_cells, things)):
        return None
    for one in things:
        symbol = hooks.symbol(one) if isinstance(one, pd.Series) else None
        if isinstance(symbol, SeriesSymbol):
            meeting = meeting_of(hooks, rows, symbol.rows)
            return MetColumn(meeting, meeting.of_right(symbol.value))
    return None


def _of_cells(one: Any) -> bool:
    listed = one if isinstance(one, list | tuple) else [one]
    return any(isinstance(each, cells.Cell) for each in listed)


def meeting_of(hooks: Any, left: Rows, right: Rows) -> Meeting:
    """Return what two tables' rows side by side are called."""
    known: dict[tuple[int, int], Meeting] = hooks.meetings
    if (id(left), id(right)) not in known:
        known[id(left), id(right)] = Meeting(hooks, left, right)
    return known[id(left), id(right)]


def at_extreme(hooks: Any, top: Extreme, base: Any, key: Any) -> Any:
    """Return the row, or a cell of it, where a column of the rows that meet a row is greatest or least."""
    group = top.column.part.group
    symbol = hooks.symbol(base)
    if not isinstance(group, Met) and hasattr(base, "obj"):
        return of_whole(hooks.symbol(base.obj), key)
    if not isinstance(group, Met) or not isinstance(symbol, AccessorSymbol) or symbol.kind not in ("loc", "at"):
        raise refuse("the label of a row of a group")
    columns = group.meeting.table(symbol.base)
    if set(group.meeting.names.values()) - set(group.frame.rows.columns):
        raise refuse("a column of another table that comes up later")
    part = replace(top.column.part, order=(Key(top.column.plain, not top.greatest), *top.column.part.order))
    row = GroupRow(columns, "first", part)
    return row.item(key[1]) if isinstance(key, tuple) else row

"""One group of rows as a function of the program sees it: run once, its reductions are aggregates or windows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cell_items, cells, group_rows
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.rows import FrameSymbol, Rows, SeriesSymbol
from prepsql.translate.pandas.rules.aggregates import measure
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.things import constant_thing, operated, path_of
from prepsql.workflow.pandas_text import calls, columns, windows
from prepsql.workflow.pandas_text import operators as operator_rules
from prepsql.workflow.pandas_text.sql import bind, has_window
from prepsql.workflow.pandas_text.value import Accessor, Name, Parts, Thing, Value, column, constant, made
from prepsql.workflow.reserved import column_name


@dataclass(frozen=True)
class Key:
    """What rows are in the order of, whether upwards, and whether nulls come first."""

    value: Value
    up: bool = True
    nulls_first: bool = False

    def term(self) -> str:
        """Return the key as a term of a window's order."""
        return f"{self.value.sql}{'' if self.up else ' DESC'} NULLS {'FIRST' if self.nulls_first else 'LAST'}"

    def of_step(self) -> dict[str, Any]:
        """Return the key as steps have it."""
        first = {"nulls": "first"} if self.nulls_first and self.value.nullable else {}
        return {"expr": self.value.sql} | ({} if self.up else {"asc": False}) | first


_EMPTY = {"sum": "0", "any": "FALSE", "all": "TRUE", "prod": "1"}
REDUCTIONS = ("sum", "mean", "median", "min", "max", "count", "nunique", "std", "var", "any", "all", "prod")


@dataclass(eq=False)
class Group:
    """The rows that a function is given, with their keys.

    With `grouped` reductions become its aggregates, one row a group; without it windows beside the rows.
    """

    frame: FrameSymbol
    keys: Sequence[tuple[Any, Value]]
    grouped: Rows | None = None
    known: dict[tuple[str, ...], Value] = field(default_factory=dict)
    dropna: bool = True

    def window(self, part: Part) -> windows.Window:
        """Return the window of a part of the group, in its order."""
        return self.whole(", ".join(key.term() for key in part.order))

    def whole(self, order: str = "") -> windows.Window:
        """Return the window of the group."""
        return windows.Window(order, tuple(value for _, value in self.keys), self.dropna)

    def reduced(self, function: str, part: Part, value: Value | None) -> cells.Cell:
        """Return a reduction of a part of the group's rows."""
        row = None
        if value is not None and has_window(value.sql):
            value = self.frame.rows.define(function, value)
        part = part.told_apart(function, value)
        if function not in ("first", "last", "list", "string_agg", "mode", "quantile", "prod"):
            row = self._beside(function, part, value)
        if self.grouped is None:
            if row is None:
                raise refuse(f"{function} of a group beside its rows")
            return cells.Cell(self.frame.rows.define(function, row))
        return Reduced(self._aggregate(function, part, value), row, self)

    def beside(self, operand: Any) -> Thing:
        """Return an operand as a thing beside the rows of the group."""
        return _row_thing(operand)

    def over(self, table: GroupTable, tuples: bool) -> Any:
        """Return the rows of a group as what a loop goes over."""
        from prepsql.translate.pandas.rules import group_folds

        return group_folds.of_table(table, "tuples" if tuples else "rows")

    def _beside(self, function: str, part: Part, value: Value | None) -> Value | None:
        """Return the reduction beside the rows of the group."""
        masked = value
        if part.mask is not None:
            kept = constant(1) if value is None else value.exact()
            masked = Value(bind("CASE WHEN x THEN y END", x=part.mask.sql, y=kept.sql), kept.family)
        elif value is None:
            masked = constant(1)
        try:
            assert masked is not None
            name = "count" if function == "size" else function
            return windows.reduce(name, self.whole(), masked)
        except NotTranslatable:
            return None

    def _aggregate(self, function: str, part: Part, value: Value | None, **more: Any) -> Value:
        assert self.grouped is not None
        part = part.told_apart(function, value)
        wanted = function if value is None else f"{function}_{self.frame.rows.named(value) or 'value'}"
        agg, family, nullable = measure(function, value, wanted)
        tests = [test for test in (agg.get("filter"), part.mask.exact().sql if part.mask is not None else None) if test]
        if tests:
            agg["filter"] = " AND ".join(bind("x AND", x=one).removesuffix(" AND") for one in tests)
        if part.distinct:
            agg["distinct"] = True
        if part.order and function in ("first", "last", "string_agg", "list"):
            agg["order_by"] = [key.of_step() for key in part.order]
        agg |= more
        key = tuple(f"{name}={given}" for name, given in agg.items() if name != "as")
        if key not in self.known:
            agg["as"] = self.grouped.name_for(wanted)
            self.grouped.params["aggs"].append(agg)
            found = Value(column_name(agg["as"]), family, nullable or part.mask is not None)
            if function == "list" and value is not None:
                found = replace(found, item=cell_items.of_values(value))
            self.grouped.columns[agg["as"]] = found
            if part.mask is not None and function in _EMPTY:
                found = made(f"coalesce(x, {_EMPTY[function]})", family, found, nullable=False, x=found.sql)
            elif function in ("count", "size", "nunique"):
                found = replace(found, nullable=False)
            self.known[key] = found
        return self.known[key]

    def joined(self, separator: str, part: Part, value: Value) -> cells.Cell:
        """Return the texts of a part of the group as one, with a separator between."""
        if self.grouped is None or value.family not in ("text", "unknown"):
            raise refuse("a join of what isn't text, or beside rows")
        text = self._aggregate("string_agg", part, value, separator=separator)
        return cells.Cell(made("coalesce(x, '')", "text", text, nullable=False, x=text.sql))


class Reduced(cells.Cell):
    """A number of a group, with what it is beside each of the rows."""

    def __init__(self, found: Thing, row: Value | None, group: Group) -> None:
        super().__init__(found)
        self.row, self.group = row, group


@dataclass(frozen=True, eq=False)
class Part:
    """Some of a group's rows, in an order."""

    group: Group
    mask: Value | None = None
    order: tuple[Key, ...] = ()
    distinct: str = ""  # "unique": each value where it comes up first, "set": in no order

    def where(self, mask: Value) -> Part:
        """Return those of the rows for which a condition holds."""
        if has_window(mask.sql):
            mask = self.group.frame.rows.define("kept", mask)
        both = mask if self.mask is None else operator_rules.both("x AND y", [self.mask, mask])
        return replace(self, mask=both)

    def told_apart(self, function: str, value: Value | None) -> Part:
        """Return the part for an aggregate: of values that are there several times only the first, where order counts.

        Where the values stand in their own order, the aggregate itself takes them once.
        """
        if not self.distinct or value is None:
            return self
        listing = function in ("string_agg", "list", "first", "last")
        own = [key.value.sql for key in self.order] == [value.sql]
        if listing and own and function in ("string_agg", "list"):
            return self
        if listing and self.distinct == "set" and not own:
            raise refuse("a set, whose order isn't known")
        rows = self.group.frame.rows
        value = value if rows.named(value) else rows.define("value", value)
        also = value.sql if self.mask is None else f"{self.mask.exact().sql}, {value.sql}"
        number = self.group.window(self).over("row_number()", rows=True, also=also)
        first = rows.define("first_seen", Value(f"{number} = 1", "boolean", False))
        return replace(self.where(first), distinct="")

    def by(self, keys: Sequence[Key]) -> Part:
        """Return the rows in another order, ties as they were."""
        return replace(self, order=(*keys, *self.order))


class GroupColumn(Symbolic):
    """A column of a group."""

    def __init__(self, part: Part, value: Thing, listed: bool = False) -> None:
        self.part, self.value, self.listed = part, value, listed

    def __bool__(self) -> bool:
        if not self.listed:
            raise refuse("a column of a group as a truth")
        return bool(cells.compare(None, "Gt", _length(self), 0))

    @property
    def plain(self) -> Value:
        """The column as a value."""
        return column(self.value)

    def like(self, value: Any) -> Any:
        """Return another column of the same rows."""
        if not isinstance(value, Value | Parts | Accessor):
            return value
        return GroupColumn(self.part.told_apart("", self.plain) if self.part.distinct else self.part, value)

    def attribute(self, name: str) -> Any:
        """Get an attribute."""
        if name in ("str", "dt"):
            return GroupColumn(self.part, Accessor("str" if name == "str" else "dt", self.value))  # type: ignore[arg-type]
        if isinstance(self.value, Accessor):
            return self.like(calls.attribute(cells.SCOPE, self.value, name))
        if name in ("iloc", "loc"):
            return Places(self, name)
        if name == "iat":
            return Places(self, "iloc")
        if name == "index":
            return Labels(self.part)
        if name == "values":
            return _listed(self)
        if name == "size":
            return _length(self)
        if name == "empty":
            return cells.compare(None, "Eq", _length(self), 0)
        raise refuse(f".{name} of a group's column")

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method."""
        part, group = self.part, self.part.group
        if not isinstance(self.value, Accessor):
            if name in REDUCTIONS and not given and not named:
                return group.reduced(name, part, self.plain)
            if name in ("rolling", "expanding"):
                return Moving(self, name, given, named)
            if name in _OF_COLUMNS:
                return _OF_COLUMNS[name](self, *given, **named)
            if name in windows.RULES and name not in columns.RULES:
                things = [_row_thing(one) for one in given]
                options = {key: _row_thing(one) for key, one in named.items()}
                x = group.frame.rows.short(name, self.plain)
                part = self.placed()
                value = windows.RULES[name](group_rows.window(part), x, *things, **options)
                return GroupColumn(part, group.frame.rows.define(name, value))
        things = [self.part.group.beside(one) for one in given]
        options = {key: self.part.group.beside(one) for key, one in named.items()}
        return self.like(calls.call(cells.SCOPE, self.value, name, things, options))

    def item(self, key: Any) -> Any:
        """Return the rows of a mask."""
        if isinstance(key, GroupColumn):
            return GroupColumn(self.part.where(key.plain), self.value)
        raise refuse("a place in a group's column")

    def placed(self) -> Part:
        """Return the rows, of those with the same value only the first where that is asked for."""
        return self.part.told_apart("first", self.plain)

    def operate(self, operator: str, *operands: Any) -> Any:
        """Do an operator."""
        things = [self.part.group.beside(one) for one in operands]
        return self.like(operated(operator, *things))

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Give the column to a function."""
        if function is zip:
            from prepsql.translate.pandas.rules import group_folds

            found = group_folds.of_columns(given)
            if found is None:
                raise refuse("zip of a group's columns with other things")
            return found
        name = _FUNCTIONS.get(function) if isinstance(function, type) or callable(function) else None
        if name is not None:
            return self.method(name, given[1:], named)
        if function is np.average and len(given) == 1 and set(named) == {"weights"}:
            return _average(self, named["weights"])
        if function is np.percentile and len(given) == 2 and isinstance(given[1], int | float):
            if cells.compare(None, "NotEq", self.method("count", (), {}), self.attribute("size")):
                return None
            return _quantile(self, given[1] / 100)
        path = path_of(function)
        if path is None:
            raise refuse(f"the function {getattr(function, '__name__', function)} of a group's column")
        things = [_row_thing(one) for one in given]
        options = {key: _row_thing(one) for key, one in named.items()}
        return self.like(calls.call(cells.SCOPE, Name(path), "", things, options))

    def joined(self, separator: str) -> Any:
        """Return the texts as one."""
        return self.part.group.joined(separator, self.part, self.plain)


def _average(of: GroupColumn, weights: Any) -> Any:
    """Return np.average, to which nulls aren't nothing."""
    if not isinstance(weights, GroupColumn):
        raise refuse("np.average by other weights")
    for one in (of, weights):
        if cells.compare(None, "NotEq", one.method("count", (), {}), one.attribute("size")):
            return None
    total = cells.binary(None, "Mult", of, weights).method("sum", (), {})
    return cells.binary(None, "Div", total, weights.method("sum", (), {}))


class GroupArray(GroupColumn):
    """A list or array of a group's column: its places are counted."""

    def __init__(self, part: Part, value: Thing, listed: bool = True) -> None:
        super().__init__(part, value, listed)

    def item(self, key: Any) -> Any:
        """Return a cell, or the cells of a slice or a mask."""
        if isinstance(key, int | slice):
            found = Places(self, "iloc").item(key)
            return GroupArray(found.part, found.value) if isinstance(found, GroupColumn) else found
        return super().item(key)


def _listed(of: GroupColumn) -> GroupArray:
    return GroupArray(of.part, of.value)


class Moving(Symbolic):
    """A window that moves along the rows of a group."""

    def __init__(self, of: GroupColumn, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> None:
        from prepsql.translate.pandas.rules import rolling

        self.of = of
        self.span = (rolling.span if name == "rolling" else rolling.expanding_span)(*given, **named)

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function of the window."""
        group = self.of.part.group
        x = group.frame.rows.short(name, self.of.plain)
        value = self.span.value(name, group_rows.window(self.of.part), x)
        return GroupColumn(self.of.part, group.frame.rows.define(name, value))


def _row_thing(value: Any) -> Thing:
    """Return an operand as a thing beside the rows of the group."""
    if isinstance(value, GroupColumn):
        return value.value
    if isinstance(value, Reduced):
        if value.row is None:
            raise refuse("this reduction beside the rows of its group")
        return value.row
    if isinstance(value, cells.Cell):
        return replace(value.thing, cell=False) if isinstance(value.thing, Value) else value.thing
    return constant_thing(value)


def _sort_column(
    of: GroupColumn, *rest: Any, ascending: bool = True, reverse: bool = False, **more: Any
) -> GroupColumn:
    first = more.get("na_position") == "first"
    if any(more.get(name) is not None for name in ("key", "axis")):
        raise refuse("a sort of a group by a function")
    key = Key(of.plain, bool(ascending) and not reverse, first)
    part = replace(of.part, order=(key,)) if of.part.distinct else of.part.by([key])
    return GroupColumn(part, of.value)


def _dropna(of: GroupColumn) -> GroupColumn:
    return GroupColumn(of.part.where(columns.not_na(of.plain)), of.value) if of.plain.nullable else of


def _distinct(how: str) -> Callable[..., GroupColumn]:
    return lambda of, *rest: GroupArray(replace(of.part, distinct=how), of.value, how == "unique")


def _length(of: GroupColumn) -> Any:
    if of.part.distinct and not of.plain.nullable:
        return of.part.group.reduced("nunique", replace(of.part, distinct=""), of.plain)
    return of.part.group.reduced("size", of.part.told_apart("size", of.plain), None)


def _quantile(of: GroupColumn, q: float = 0.5) -> Any:
    group = of.part.group
    if group.grouped is None:
        raise refuse("a quantile beside rows")
    return cells.Cell(group._aggregate("quantile", of.part, of.plain, q=float(q)))


class Extreme(Symbolic):
    """The label of the row where a column of a group is greatest or least."""

    def __init__(self, of: GroupColumn, greatest: bool) -> None:
        self.column, self.greatest = of, greatest


class Labels(Symbolic):
    """The labels of a group's rows."""

    def __init__(self, part: Part) -> None:
        self.part = part

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Count them."""
        if function is len:
            return self.part.group.reduced("size", self.part, None)
        raise refuse("a function of the labels of a group")


def of_whole(symbol: Any, key: Any) -> Any:
    """Return what `.loc[key]` of the table that is grouped gives, where the labels are those of a group's rows."""
    from prepsql.translate.pandas.rules.aligning import same_index

    rows, label = key if isinstance(key, tuple) else (key, None)
    part = rows.column.part if isinstance(rows, Extreme) else rows.part if isinstance(rows, Labels) else None
    if part is None or not isinstance(symbol, FrameSymbol | SeriesSymbol) or symbol.rows is not part.group.frame.rows:
        raise refuse("a place in another table by what is in a group")
    if symbol.index or not same_index(symbol, part.group.frame):
        raise refuse("a place in a table under labels by what is in a group")
    columns_ = symbol.columns if isinstance(symbol, FrameSymbol) else {None: symbol.value}
    table = GroupTable(part, columns_)
    label = label if isinstance(symbol, FrameSymbol) else ()
    if isinstance(rows, Extreme):
        top = Places(table, "loc").item(rows)
        return top if label is None else top.item(None if label == () else label)
    return table if label is None else table.item(None if label == () else label)


def _extreme(greatest: bool) -> Callable[..., Extreme]:
    return lambda of: Extreme(of, greatest)


class Modes(Symbolic):
    """What comes up most often in a group's column."""

    def __init__(self, of: GroupColumn) -> None:
        self.of = of

    def first(self) -> Any:
        """Return the least of them."""
        group = self.of.part.group
        if group.grouped is None:
            of = _dropna(self.of)
            often = group_rows.frequency(of.part, of.plain)
            part = replace(of.part, order=(Key(often, up=False), Key(of.plain)))
            return cells.Cell(_cell_of(group, "first", part, of.plain))
        return cells.Cell(group._aggregate("mode", self.of.part, self.of.plain))

    def attribute(self, name: str) -> Any:
        """`.iloc`, whose 0 is the first; whether there is none."""
        if name == "empty":
            return cells.compare(None, "Eq", self.of.part.group.reduced("count", self.of.part, self.of.plain), 0)
        return self

    def item(self, key: Any) -> Any:
        """Return the first."""
        if key != 0:
            raise refuse("another mode than the first")
        return self.first()


class Counts(Symbolic):
    """How often the values of a group's column come up, the most frequent first; ties as they come up."""

    def __init__(self, of: GroupColumn, labels: bool = False) -> None:
        self.of, self.labels = _dropna(of), labels
        self.often = group_rows.frequency(self.of.part, self.of.plain)

    def attribute(self, name: str) -> Any:
        """`.index`, whose first is the most frequent value; `.iloc` and `.values` are of the counts."""
        if name == "index" and not self.labels:
            return Counts(self.of, True)
        if name in ("iloc", "values", "iat"):
            return self
        if name == "empty":
            return cells.compare(None, "Eq", self.of.part.group.reduced("count", self.of.part, self.of.plain), 0)
        raise refuse(f".{name} of counts in a group")

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """`.idxmax()`, `.max()`."""
        if named or given or self.labels or name not in ("idxmax", "max"):
            raise refuse(f".{name}() of counts in a group")
        return self.first(name == "idxmax")

    def first(self, label: bool) -> Any:
        """Return the most frequent value, or how often it is there."""
        part = replace(self.of.part, order=(Key(self.often, up=False), *self.of.part.order))
        return cells.Cell(_cell_of(part.group, "first", part, self.of.plain if label else self.often))

    def item(self, key: Any) -> Any:
        """Return the first."""
        if key != 0 or isinstance(key, bool):
            raise refuse("another count than the first")
        return self.first(self.labels)


def _counts(of: GroupColumn) -> Counts:
    return Counts(GroupColumn(of.placed(), of.value))


def _of_part(rule: Callable[..., Part], **fixed: Any) -> Callable[..., GroupColumn]:
    """Return the method of a column that takes some of its rows."""

    def method(of: GroupColumn, n: Any = 5) -> GroupColumn:
        return type(of)(rule(of.placed(), n, **fixed), of.value)

    return method


def _largest_of(up: bool) -> Callable[..., GroupColumn]:
    def rule(of: GroupColumn, n: Any = 5) -> GroupColumn:
        part = of.placed()
        return GroupColumn(group_rows.first(replace(part, order=(Key(of.plain, up), *part.order)), n), of.value)

    return rule


def _once(of: GroupColumn, keep: Any = "first") -> GroupColumn:
    return GroupColumn(group_rows.distinct(of.placed(), [of.plain], keep), of.value)


def _interpolated(of: GroupColumn, method: Any = "linear") -> GroupColumn:
    from prepsql.translate.pandas.rules import interpolating

    if method != "linear":
        raise refuse("interpolate by another method")
    part = of.placed()
    over = group_rows.window(part)
    rows = part.group.frame.rows
    return GroupColumn(part, rows.define("value", interpolating.between(rows, of.plain, over.keys, order=over.order)))


_OF_COLUMNS: Mapping[str, Callable[..., Any]] = {
    "sort_values": _sort_column, "sorted": lambda of, **more: _listed(_sort_column(of, **more)), "dropna": _dropna,
    "unique": _distinct("unique"),
    "set": _distinct("set"), "drop_duplicates": _once, "tolist": _listed, "list": _listed, "to_list": _listed,
    "item": lambda of: Places(of, "iloc").item(0), "squeeze": lambda of: Places(of, "iloc").item(0),
    "head": _of_part(group_rows.first), "tail": _of_part(group_rows.first, last=True), "value_counts": _counts,
    "interpolate": _interpolated, "nlargest": _largest_of(False), "nsmallest": _largest_of(True),
    "len": _length, "quantile": _quantile, "idxmax": _extreme(True), "idxmin": _extreme(False),
    "copy": lambda of, deep=True: of, "mode": Modes, "to_numpy": _listed, "reset_index": lambda of, drop=True: of,
}  # fmt: skip
_FUNCTIONS: Mapping[Any, str] = {
    len: "len", sorted: "sorted", set: "set", list: "list", sum: "sum", max: "max", min: "min", np.mean: "mean",
    np.sum: "sum", np.max: "max", np.min: "min", np.median: "median", any: "any", all: "all", tuple: "list",
}  # fmt: skip


class Places(Symbolic):
    """`.iloc` and `.loc` of a group or of its column."""

    def __init__(self, of: GroupColumn | GroupTable, kind: str) -> None:
        self.of, self.kind = of, kind

    def item(self, key: Any) -> Any:
        """Return a row, a cell or the rows of a mask."""
        if self.kind == "iloc" and isinstance(key, int | slice) and not isinstance(key, bool):
            part = self.of.placed() if isinstance(self.of, GroupColumn) else self.of.part
            if isinstance(key, slice):
                found = group_rows.between(part, key)
                return GroupColumn(found, self.of.value) if isinstance(self.of, GroupColumn) else GroupTable(
                    found, self.of.columns)  # fmt: skip
            if key in (0, -1):
                return self._row("first" if key == 0 else "last", part)
            return self._row("first", group_rows.at(part, key))
        if self.kind == "loc" and isinstance(self.of, GroupTable):
            rows, label = key if isinstance(key, tuple) else (key, None)
            if isinstance(rows, Extreme):
                top = self._row("first", replace(rows.column.part, order=(Key(rows.column.plain, not rows.greatest),)))
                return top if label is None else top.item(label)
            kept = self.of.item(rows)
            return kept if label is None else kept.item(label)
        if self.kind == "loc" and isinstance(key, GroupColumn):
            return self.of.item(key)
        raise refuse(f".{self.kind} of a group by this")

    def _row(self, which: str, part: Part) -> Any:
        group = part.group
        if isinstance(self.of, GroupColumn):
            return cells.Cell(_cell_of(group, which, part, self.of.plain))
        return GroupRow(dict(self.of.columns), which, part)


def _cell_of(group: Group, which: str, part: Part, value: Value) -> Value:
    """Return a column's cell in the first or last row, null where that is null."""
    if group.grouped is None:
        x = value
        if part.mask is not None:
            one = group_rows.at(part, 0 if which == "first" else -1)
            assert one.mask is not None
            kept = Value(bind("CASE WHEN x THEN y END", x=one.mask.sql, y=value.exact().sql), value.family)
            kept = group.frame.rows.define(which, kept)
            return group.frame.rows.define(which, Value(group.whole().over(f"max({kept.sql})"), value.family, True))
        order = f" ORDER BY {group.window(part).order}" if part.order else ""
        keys = ", ".join(key.sql for _, key in group.keys)
        keys = f"PARTITION BY {keys}" if keys else ""
        frame = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
        call = bind(f"{which}_value(x)", x=x.sql)
        return group.frame.rows.define(which, Value(f"{call} OVER ({keys}{order} {frame})", x.family, True))
    found = group._aggregate(which, part, replace(value, nullable=False))
    return replace(found, nullable=value.nullable or part.mask is not None)


class GroupRow(Symbolic):
    """The first or last row of a group."""

    def __init__(self, found: Mapping[Any, Value], which: str, part: Part) -> None:
        self.columns, self.which, self.part = found, which, part

    def item(self, key: Any) -> Any:
        """Return a cell."""
        if isinstance(key, cells.Cell):
            key = cells.label_of(key, self.columns)
        if key not in self.columns:
            raise KeyError(key)
        return cells.Cell(_cell_of(self.part.group, self.which, self.part, self.columns[key]))

    def attribute(self, name: str) -> Any:
        """Return a cell."""
        return self.item(name)

    def operate(self, operator: str, *operands: Any) -> Any:
        """Say that it isn't None."""
        if operator not in ("Is", "IsNot") or operands[1] is not None:
            raise refuse("an operator on a row")
        return operator == "IsNot"


class GroupTable(Symbolic):
    """All columns of a group; `fresh`: its rows are numbered from 0."""

    fresh = False

    def __init__(self, part: Part, found: Mapping[Any, Value]) -> None:
        self.part, self.columns = part, dict(found)

    def attribute(self, name: str) -> Any:
        """Get an attribute."""
        if name in ("loc", "iloc"):
            return Places(self, name)
        if name in self.columns:
            return GroupColumn(self.part, self.columns[name])
        if name == "index":
            return Labels(self.part)
        if name == "name" and self.part.group.grouped is not None and len(self.part.group.keys) == 1:
            return cells.Cell(next(iter(self.part.group.grouped.columns.values())))
        if name == "shape":
            return (self.part.group.reduced("size", self.part, None), len(self.columns))
        if name == "empty":
            return cells.compare(None, "Eq", self.part.group.reduced("size", self.part, None), 0)
        if name == "columns":
            return pd.Index(list(self.columns))
        raise refuse(f".{name} of a group")

    def item(self, key: Any) -> Any:
        """Return a column, several, or the rows of a mask."""
        if isinstance(key, GroupColumn):
            return GroupTable(self.part.where(key.plain), self.columns)
        if isinstance(key, list):
            return GroupTable(self.part, {label: self.columns[label] for label in key})
        if key not in self.columns:
            raise refuse(f"no column {key!r} in a group")
        return GroupColumn(self.part, self.columns[key])

    def set_item(self, key: Any, value: Any) -> None:
        """Put a column in; the table is the function's own."""
        if isinstance(value, GroupArray):
            from prepsql.translate.pandas.rules import group_folds

            if not group_folds.same_rows(value.part, self.part):
                raise refuse("a list as a column of a group whose rows are others, or in another order")
        found = column(_row_thing(value))
        self.columns[key] = self.part.group.frame.rows.define(key, found)

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method."""
        rule = _OF_TABLES.get(name)
        if rule is None:
            raise refuse(f".{name}() of a group")
        return rule(self, *given, **named)

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Give the table to a function."""
        if function is len:
            return self.part.group.reduced("size", self.part, None)
        raise refuse(f"the function {getattr(function, '__name__', function)} of a group")


def _numbered(of: GroupTable, drop: bool = True) -> GroupTable:
    found = GroupTable(of.part, of.columns)
    found.fresh = True
    return found


def _records(of: GroupTable, orient: str = "dict") -> Any:
    from prepsql.translate.pandas.rules import group_folds

    if orient != "records" or type(of.part.group) is not Group:
        raise refuse(f"to_dict({orient!r}) of a group")
    return group_folds.of_table(of, "records")


def _sort_table(of: GroupTable, by: Any, *, ascending: Any = True, kind: Any = None, na_position: Any = None) -> Any:
    labels = by if isinstance(by, list) else [by]
    up = ascending if isinstance(ascending, list) else [ascending] * len(labels)
    first = na_position == "first"
    keys = [Key(of.columns[label], bool(one), first) for label, one in zip(labels, up, strict=True)]
    return GroupTable(of.part.by(keys), of.columns)


def _assign(of: GroupTable, **named: Any) -> GroupTable:
    made_of = GroupTable(of.part, of.columns)
    for label, value in named.items():
        made_of.set_item(label, value(made_of) if callable(value) else value)
    return made_of


def _head(last: bool) -> Callable[..., GroupTable]:
    return lambda of, n=5: GroupTable(group_rows.first(of.part, n, last), of.columns)


def _largest(up: bool) -> Callable[..., GroupTable]:
    def rule(of: GroupTable, n: int, columns: Any) -> GroupTable:
        return _head(False)(_sort_table(of, columns, ascending=up), n)

    return rule


def _without_nulls(of: GroupTable, *, subset: Any = None, how: str = "any") -> GroupTable:
    labels = [subset] if isinstance(subset, str) else list(of.columns if subset is None else subset)
    if how != "any":
        raise refuse("dropna of a group by all columns")
    for label in labels:
        of = GroupTable(of.part.where(columns.not_na(of.columns[label])), of.columns)
    return of


def _distinct_rows(of: GroupTable, subset: Any = None, *, keep: Any = "first") -> GroupTable:
    labels = [subset] if isinstance(subset, str) else list(of.columns if subset is None else subset)
    return GroupTable(group_rows.distinct(of.part, [of.columns[label] for label in labels], keep), of.columns)


_OF_TABLES: Mapping[str, Callable[..., Any]] = {
    "copy": lambda of, deep=True: GroupTable(of.part, of.columns), "sort_values": _sort_table, "assign": _assign,
    "reset_index": _numbered, "head": _head(False), "tail": _head(True),
    "iterrows": lambda of: of.part.group.over(of, False),
    "itertuples": lambda of, index=True, name=None: of.part.group.over(of, True),
    "nlargest": _largest(False), "nsmallest": _largest(True), "dropna": _without_nulls,
    "drop_duplicates": _distinct_rows, "to_dict": _records,
}  # fmt: skip

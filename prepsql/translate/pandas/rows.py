"""The rows of a table while a program runs: how they come about, and the columns that are computed over them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.sqltext import free_name
from prepsql.translate.pandas import forks
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Family, Value, common_family
from prepsql.workflow.reserved import column_name

# an expression longer than this becomes a column of its own before it is used again
_LONGEST = 160


@dataclass(frozen=True, eq=False)
class Beside:
    """Another table beside rows: at most one of its rows for each, by keys, or without keys its one row.

    `columns` has the names under which its columns stand there, and those that they have in `rows`; `depth` says how
    much stands beside those. With `nulls` null keys find one another.
    """

    rows: Rows
    left_on: tuple[str, ...]
    right_on: tuple[str, ...]
    columns: dict[str, str]
    depth: int = 0
    nulls: bool = False

    def place(self) -> tuple[Any, ...]:
        """Return what tells tables beside the same rows apart."""
        return self.rows, self.left_on, self.right_on, self.depth, self.nulls


@dataclass(eq=False)
class Rows:
    """Rows in an order: a step of a workflow whose columns have names of their own, and more that are computed.

    All frames and series over the same rows go together cell by cell. A column is defined once and never changes: what
    a program calls `x` may be `x`, then `x_2`. `columns` has all of them by name, `computed` those that the step itself
    doesn't give, in order; `layers` are they and the tables `Beside` in their order. `inputs` are the ports of the
    step, `depths` says how many tables stood beside an input when the step was made: it knows nothing of later ones,
    which may come of it. `scripted` has of computed columns that a scalar script gives its code, type and reason,
    `reductions` the tables of one row that were made of the rows. `passes` are the rows all of whose columns
    these keep, `numbers` those whose places are the index where it isn't fresh and has no levels. Of
    rows that each are a column's reduction, `totals` has the table of one row with all of them, by label.
    """

    kind: str
    params: Mapping[str, Any]
    inputs: Mapping[str, Any]
    columns: dict[str, Value] = field(default_factory=dict)
    computed: dict[str, Value] = field(default_factory=dict)
    layers: list[str | Beside] = field(default_factory=list)
    depths: dict[int, int] = field(default_factory=dict)
    scripted: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    reductions: dict[tuple[str, str], Rows] = field(default_factory=dict)
    passes: Rows | None = None
    numbers: Rows | None = None
    totals: tuple[Rows, Mapping[Any, Value]] | None = None
    origin: str = ""
    wanted: str = ""
    note: str = ""
    reason: str = ""

    def __post_init__(self) -> None:
        """Remember how much stood beside each input."""
        for rows in self.given():
            self.depths[id(rows)] = rows.depth()

    def given(self) -> list[Rows]:
        """Return the rows that the step takes."""
        return [one for port in self.inputs.values() for one in (port if isinstance(port, list) else [port])]

    def depth(self) -> int:
        """Return how many tables stand beside these rows."""
        return sum(isinstance(layer, Beside) for layer in self.layers)

    def name_for(self, wanted: object) -> str:
        """Return a name like `wanted` that no column has in any case."""
        plain = re.sub(r"\s+", " ", str(wanted)).strip() or "column"
        return free_name(plain, self.columns)

    def define(self, wanted: object, value: Value) -> Value:
        """Return the value as a column: one that is there, or a new one like `wanted`."""
        known = self.named(value)
        if known is not None:
            return value
        value = value.exact()
        for name, computed in self.computed.items():
            if computed.sql == value.sql and computed.family == value.family:
                return self.columns[name]
        return self.copied(self.name_for(wanted), value)

    def copied(self, wanted: str, value: Value, taken: Iterable[str] = ()) -> Value:
        """Return the value as a column more, though one may have it, under a name that isn't among `taken` either.

        Raises NotTranslatable for what is one of a cell's pieces, where a function is followed.
        """
        if forks.inside_of_pieces(value.sql):
            raise NotTranslatable("a column of what is one of a cell's pieces")
        name = free_name(wanted, [*self.columns, *taken])
        self.computed[name] = value
        self.layers.append(name)
        self.columns[name] = replace(value, sql=column_name(name))
        return self.columns[name]

    def places(self) -> Value:
        """Return the place of each row, from 0."""
        return self.define("place", Value("row_number() OVER () - 1", "integer", False))

    def assume(self, what: str) -> None:
        """Note what the rows take from these inputs' values."""
        note = f"holds for inputs with {what}"
        if note not in self.note:
            self.note = f"{self.note}; {note}" if self.note else note

    def scripted_column(self, wanted: object, code: str, kind: str, value: Value, reason: str) -> Value:
        """Return the column that a scalar script gives."""
        for name, (known, _, _) in self.scripted.items():
            if known == code:
                return self.columns[name]
        name = self.name_for(wanted)
        self.scripted[name] = (code, kind, reason)
        self.computed[name] = self.columns[name] = replace(value, sql=column_name(name))
        self.layers.append(name)
        return self.columns[name]

    def short(self, wanted: object, value: Value) -> Value:
        """Return the value, as a column where its expression is long or looks at other rows."""
        if len(value.sql) <= _LONGEST and not has_window(value.sql):
            return value
        return self.define(wanted, value)

    def named(self, value: Value) -> str | None:
        """Return the name of the column that a value is, None for an expression."""
        for name, column in self.columns.items():
            if column.sql == value.sql:
                return name
        return None

    def beside(self, wanted: str, one_row: Rows, value: Value) -> Value:
        """Return a value of a table of one row as a column of these rows."""
        return self.looked_up(wanted, (), one_row, (), value)

    def looked_up(
        self, wanted: object, keys: Sequence[Value], other: Rows, other_keys: Sequence[Value], value: Value,
        nulls: bool = True,
    ) -> Value:  # fmt: skip
        """Return the value of the row of another table whose keys are these, null where there is none.

        The other table has at most one row for a key. Null keys find one another, or nothing without `nulls`.
        """
        nulls = nulls and any(one.nullable and two.nullable for one, two in zip(keys, other_keys, strict=True))
        for key, other_key in zip(keys, other_keys, strict=True):
            common_family([key, other_key], "a key")
        left = tuple(self.name(f"key_{at}", key) for at, key in enumerate(keys, 1))
        right = tuple(other.name(f"key_{at}", key) for at, key in enumerate(other_keys, 1))
        found = other.name(wanted, value)
        value = other.columns[found]
        layer = Beside(other, left, right, {}, other.depth(), nulls)
        for known in self.layers:
            if isinstance(known, Beside) and known.place() == layer.place():
                layer = known
        for name, source in layer.columns.items():
            if source == found:
                return self.columns[name]
        if layer not in self.layers:
            self.layers.append(layer)
        name = self.name_for(wanted)
        layer.columns[name] = found
        self.columns[name] = replace(value, sql=column_name(name), nullable=value.nullable or bool(keys))
        return self.columns[name]

    def name(self, wanted: object, value: Value) -> str:
        """Return the name of a column that holds the value."""
        found = self.named(self.define(wanted, value))
        assert found is not None
        return found


@dataclass(frozen=True)
class IndexLevel:
    """A level of an index: its name in pandas, and its values."""

    name: Any
    value: Value


Index = tuple[IndexLevel, ...]
"""No level: the rows' own numbers from 0, or what is left of them."""


@dataclass(frozen=True, eq=False)
class FrameSymbol:
    """What a DataFrame stands for: labels in order with their values over the same rows.

    `fresh` says that the index is 0, 1, 2, … (where it has no level of its own).
    """

    rows: Rows
    columns: Mapping[Any, Value]
    index: Index = ()
    fresh: bool = True

    def column(self, label: Any) -> Value:
        """Return the value of a label; raises NotTranslatable where there is none."""
        if label not in self.columns:
            raise NotTranslatable(f"no column {label!r} is known")
        return self.columns[label]

    def with_columns(self, columns: Mapping[Any, Value]) -> FrameSymbol:
        """Return the frame with these labels."""
        return replace(self, columns=dict(columns))

    def series(self, label: Any, name: Any = ...) -> SeriesSymbol:
        """Return a label's column, under its label or another name."""
        name = label if name is ... else name
        return SeriesSymbol(self.rows, self.column(label), name, self.index, self.fresh)

    def only(self) -> SeriesSymbol:
        """Return the one column of the frame."""
        [label] = self.columns
        return self.series(label)


@dataclass(frozen=True, eq=False)
class SeriesSymbol:
    """What a Series stands for."""

    rows: Rows
    value: Value
    name: Any = None
    index: Index = ()
    fresh: bool = True

    def framed(self, label: Any = ...) -> FrameSymbol:
        """Return the series as a frame of one column, under its name or another label."""
        label = self.name if label is ... else label
        return FrameSymbol(self.rows, {label: self.value}, self.index, self.fresh)


@dataclass(frozen=True, eq=False)
class ScalarSymbol:
    """A number or time that a reduction of all rows gave: `func` of `value`, as an aggregate step has it.

    Where `made` is given, the rows are one, and it is a value of them.
    """

    rows: Rows
    func: str
    value: Value | None
    family: Family
    nullable: bool
    made: Value | None = None


@dataclass(frozen=True, eq=False)
class GroupsSymbol:
    """`frame.groupby(keys)`: labels and values of the keys, and the labels picked from it (one: a Series).

    `real` is pandas' own object. `categories` has for each key the values that are its categories in their order, None
    for other keys; with `unobserved` those without rows are groups too. Of moments in `calendar` steps those without
    rows are groups too, from the first to the last.
    """

    frame: FrameSymbol
    keys: Sequence[tuple[Any, Value]]
    picked: Sequence[Any] | None = None
    one: bool = False
    as_index: bool = True
    sort: bool = True
    dropna: bool = True
    real: Any = None
    categories: Sequence[Sequence[Any] | None] = ()
    unobserved: bool = False
    calendar: Any = None

    def plain(self, what: str) -> None:
        """Raise NotTranslatable where the order or number of groups isn't that of the keys' values."""
        if self.unobserved or any(one is not None and list(one) != sorted(one) for one in self.categories):
            raise NotTranslatable(f"{what} of categories")

    def key_columns(self) -> tuple[Value, ...]:
        """Return the keys as columns of their rows."""
        return tuple(self.frame.rows.define("key" if label is None else label, value) for label, value in self.keys)


@dataclass(frozen=True, eq=False)
class AccessorSymbol:
    """`.str`, `.dt`, `.loc` … of a frame or series."""

    base: Any
    kind: str


Symbol = FrameSymbol | SeriesSymbol | ScalarSymbol | GroupsSymbol | AccessorSymbol


def of_columns(names: Mapping[str, Value]) -> dict[str, Value]:
    """Return columns by name as the step after has them: plain names."""
    return {name: replace(value, sql=column_name(name)) for name, value in names.items()}


def after(rows: Rows, kind: str, params: Mapping[str, Any], **more: Any) -> Rows:
    """Return the rows of a step of one input that keeps its columns."""
    return Rows(kind, dict(params), {"in": rows}, of_columns(rows.columns), passes=rows, **more)


def chosen(rows: Rows, names: Mapping[str, str], wanted: str) -> Rows:
    """Return rows with some columns alone, `names` of them by new ones."""
    renamed = {old: new for new, old in names.items() if old != new}
    params: dict[str, Any] = {"select": list(names.values())} | ({"rename": renamed} if renamed else {})
    columns = of_columns({new: rows.columns[old] for new, old in names.items()})
    return Rows("project", params, {"in": rows}, columns, wanted=wanted)


def distinct(frame: FrameSymbol) -> FrameSymbol:
    """Return the settled frame with a column of its own for each level of the index and each label."""
    frame = settled(frame)
    seen: set[str] = set()

    def own(value: Value) -> Value:
        if value.sql in seen:
            value = frame.rows.copied(frame.rows.name("", value), value)
        seen.add(value.sql)
        return value

    index = tuple(IndexLevel(level.name, own(level.value)) for level in frame.index)
    return replace(frame, columns={label: own(value) for label, value in frame.columns.items()}, index=index)


def settled(frame: FrameSymbol) -> FrameSymbol:
    """Return the frame with each label a column of its rows."""
    columns = {label: frame.rows.define(label, value) for label, value in frame.columns.items()}
    levels = tuple(
        IndexLevel(level.name, frame.rows.define("index" if level.name is None else level.name, level.value))
        for level in frame.index
    )
    return replace(frame, columns=columns, index=levels)


def moved(frame: FrameSymbol, rows: Rows, *, fresh: bool = False) -> FrameSymbol:
    """Return a settled frame over the rows of a later step that keeps the columns."""
    if rows.passes is frame.rows and rows.numbers is None:
        rows.numbers = numbered_by(frame)
    columns = {label: rows.columns[frame.rows.name(label, value)] for label, value in frame.columns.items()}
    levels = tuple(
        IndexLevel(level.name, rows.columns[frame.rows.name(level.name or "index", level.value)])
        for level in frame.index
    )
    return FrameSymbol(rows, columns, levels, fresh)


def numbered_by(symbol: FrameSymbol | SeriesSymbol) -> Rows | None:
    """Return the rows whose places, from 0, the index has; None where it has levels, or it isn't known."""
    if symbol.index:
        return None
    return symbol.rows if symbol.fresh else symbol.rows.numbers

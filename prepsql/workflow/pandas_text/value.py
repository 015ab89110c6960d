"""What a piece of pandas text stands for: a SQL expression with its type family, or something that leads to one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.sql import bind

Family = Literal[
    "integer",
    "float",
    "number",
    "text",
    "date",
    "timestamp",
    "span",
    "boolean",
    "list",
    "struct",
    "period",
    "null",
    "unknown",
]
Constant = str | int | float | bool | None

NUMERIC: frozenset[Family] = frozenset({"integer", "float", "number"})
TIMES: frozenset[Family] = frozenset({"date", "timestamp"})
TOO_LONG = "an expression that nobody reads"
WHOLES_AS_TEXT = "text of whole numbers with nulls: pandas writes them as floats, 1.0"
WHOLES_FORMATTED = "a whole number's format where there may be nulls"
_READABLE = 20_000


class NotConstant:
    """Marks a value that depends on the data."""


NOT_CONSTANT = NotConstant()


@dataclass(frozen=True)
class Value:
    """One column or cell.

    `number` is an integer or a float, unknown which. `span` is a length of time in microseconds. `cell` says that the
    text speaks of one row (`row['x']`), not of a column. `none` says that nulls are None, not NaN, to a program that
    looks. `loose` is a condition in which null counts as false: exact
    in a CASE, a filter, AND and OR; `exact` settles it elsewhere. `item` says what is in a list or struct.
    """

    sql: str
    family: Family
    nullable: bool = True
    constant: Constant | NotConstant = NOT_CONSTANT
    cell: bool = False
    loose: bool = False
    none: bool = False
    item: Any = field(default=None, compare=False)

    def __post_init__(self) -> None:
        if len(self.sql) > _READABLE:
            raise NotTranslatable(f"{TOO_LONG}: it has {len(self.sql):,} characters")

    def exact(self) -> Value:
        """Return the value with nulls as pandas has them."""
        return replace(self, sql=bind("coalesce(x, FALSE)", x=self.sql), loose=False) if self.loose else self


@dataclass(frozen=True)
class Items:
    """A list, tuple or set written in the text."""

    values: tuple[Thing, ...]


@dataclass(frozen=True)
class Pairs:
    """A dict written in the text."""

    items: tuple[tuple[Value, Value], ...]


@dataclass(frozen=True)
class Name:
    """A dotted name that is no column: `pd`, `np.where`, `str`."""

    path: str


@dataclass(frozen=True)
class Frame:
    """The table, `df`, or some of its columns; or another table, by its name."""

    columns: tuple[str, ...] | None = None
    other: str | None = None


@dataclass(frozen=True)
class Row:
    """One row of the table, as the parameter of a lambda or the name `row`."""


@dataclass(frozen=True)
class Accessor:
    """`.str` or `.dt` of a column, or its `.dt.isocalendar()`."""

    kind: Literal["str", "dt", "iso"]
    value: Value | Parts


@dataclass(frozen=True)
class Groups:
    """`df.groupby(keys)`, with the columns that were picked from it."""

    keys: tuple[Value, ...]
    dropna: bool = True
    picked: Value | None = None


@dataclass(frozen=True)
class Function:
    """A lambda."""

    parameters: tuple[str, ...]
    body: Callable[[dict[str, Thing]], Thing] = field(compare=False)


@dataclass(frozen=True)
class Parts:
    """The pieces of a split text; `part` gives the piece at a Python index, null where there is none."""

    sql: str
    part: Callable[[int], str] = field(compare=False)
    cell: bool = False


@dataclass(frozen=True)
class Offset:
    """A fixed step in time, such as `pd.DateOffset(months=1)`: SQL of an INTERVAL, microseconds if that is certain.

    `added` and `subtracted` are templates of x where the step goes to a place in the calendar, such as a month's end.
    """

    sql: str
    microseconds: int | None
    added: str = ""
    subtracted: str = ""


Thing = Value | Items | Pairs | Name | Frame | Row | Accessor | Groups | Function | Parts | Offset


def constant(value: Constant) -> Value:
    """Return a Python constant as a value; NaN is null."""
    if value is None or value != value:
        return Value("NULL", "null", True, None)
    if isinstance(value, bool):
        return Value(str(value).upper(), "boolean", False, value)
    if isinstance(value, int):
        return Value(str(value), "integer", False, value)
    if isinstance(value, float):
        sql = literal(str(value)) + "::DOUBLE" if value in (float("inf"), float("-inf")) else f"{value!r}::DOUBLE"
        return Value(sql, "float", False, value)
    return Value(literal(value), "text", False, value)


def column(thing: Thing) -> Value:
    """Return a thing that must be a column or a cell."""
    if isinstance(thing, Value):
        return thing
    if isinstance(thing, Parts):
        return Value(thing.sql, "list", cell=thing.cell)
    raise NotTranslatable(f"{describe(thing)} stands where a column must")


def describe(thing: object) -> str:
    """Return what a thing is in a few words."""
    words = {
        Items: "a list",
        Pairs: "a dict",
        Frame: "the whole table",
        Row: "a whole row",
        Groups: "a groupby",
        Function: "a function",
        Offset: "a length of time",
    }
    if isinstance(thing, Name):
        return thing.path
    if isinstance(thing, Accessor):
        return f".{thing.kind}"
    return words.get(type(thing), "a value")


def text_of(thing: object, what: str) -> str:
    """Return the constant text of an argument."""
    if isinstance(thing, str):
        return thing
    if isinstance(thing, Value) and isinstance(thing.constant, str):
        return thing.constant
    raise NotTranslatable(f"{what} must be a text written out")


def whole_of(thing: object, what: str) -> int:
    """Return the constant whole number of an argument."""
    if isinstance(thing, Value):
        thing = thing.constant
    if isinstance(thing, int) and not isinstance(thing, bool):
        return thing
    raise NotTranslatable(f"{what} must be a whole number written out")


def flag_of(thing: object, what: str) -> bool:
    """Return the constant truth value of an argument."""
    if isinstance(thing, Value):
        thing = thing.constant
    if isinstance(thing, bool):
        return thing
    raise NotTranslatable(f"{what} must be True or False")


def is_null(thing: object) -> bool:
    """Return whether an argument is None or NaN, given or by default."""
    return thing is None or (isinstance(thing, Value) and thing.family == "null")


def made(template: str, family: Family, *sources: Value, nullable: bool | None = None, **parts: str) -> Value:
    """Return a value computed from `sources`: null where the SQL is, a cell if any of them is."""
    possible = any(s.nullable for s in sources) if nullable is None else nullable
    if family in ("list", "struct") and any(s.item is not None for s in sources):
        raise NotTranslatable("a computation on lists of other things than texts")
    return Value(bind(template, **parts), family, possible, cell=any(s.cell for s in sources))


def moment(value: Value) -> Value:
    """Return a constant ISO text as a time."""
    if not isinstance(value.constant, str):
        raise NotTranslatable("a moment that isn't written out")
    try:
        read = datetime.fromisoformat(str(value.constant))
    except ValueError:
        raise NotTranslatable(f"{value.constant!r} beside a time isn't an ISO date written out") from None
    return Value(f"TIMESTAMP {literal(str(read))}", "timestamp", False)


def common_family(values: list[Value], what: str) -> Family:
    """Return the family that all values share, nulls aside; refuse a mixture."""
    families = {value.family for value in values} - {"null"}
    if not families:
        return "null"
    if len(families) == 1:
        return families.pop()
    known = families - {"unknown"}
    if known and known <= NUMERIC:
        return "float" if known == {"integer", "float"} and "unknown" not in families else "number"
    if known <= TIMES and known:
        return "timestamp"
    if len(known) == 1:
        return known.pop()
    raise NotTranslatable(f"{what} mixes {' and '.join(sorted(known))}")

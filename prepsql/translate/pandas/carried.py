"""Columns of types that only pandas has, carried from script to script as text or numbers.

The family of such a column is 'carried' and what makes it again, in which {x} is the column; no rule understands it.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from typing import Any, cast

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value

_PREFIX = "carried "
_ZONED = "carried {x}.dt.tz_localize('UTC')"
_MOST_CATEGORIES = 30


@dataclass(frozen=True)
class Carried:
    """How a column is written (`{x}` is the column) and read again, and the type that it has meanwhile."""

    written: str
    read: str
    type: str

    @property
    def family(self) -> Family:
        """The family of the column."""
        return cast(Family, _PREFIX + self.read)


MIXED = Carried(
    "{x}.map(lambda c: {{str: 's', float: 'f'}}.get(type(c), 'i') + str(c), na_action='ignore')",
    "{x}.map(lambda c: {{'s': str, 'f': float, 'i': int}}[c[0]](c[1:]), na_action='ignore')",
    "VARCHAR",
)
"""Texts and numbers in one column: each as text, after a letter for its type."""
_TAGS: dict[Family, str] = {"text": "s", "float": "f", "integer": "i"}


def tagged(value: Value) -> Value:
    """Return a column as one of texts and numbers."""
    if value.family == MIXED.family or value.family == "null":
        return replace(value, family=MIXED.family)
    if value.family not in _TAGS:
        raise NotTranslatable(f"columns one below the other mix text and {value.family}")
    return Value(bind("t || x::VARCHAR", t=f"'{_TAGS[value.family]}'", x=value.sql), MIXED.family, value.nullable)


def untagged(value: Value) -> Value:
    """Return a column of texts and numbers as it is written."""
    return Value(bind("substr(x, 2)", x=value.sql), "text", value.nullable)


def only_scripts_write(value: Value) -> bool:
    """Return whether only scripts know how a column is written."""
    if value.family in ("list", "struct"):
        return not of_wholes(value)
    return is_carried(value) and value.family != MIXED.family and not is_zoned(value)


def of_wholes(value: Value) -> bool:
    """Return whether a value is a list of whole numbers, none of which is missing."""
    item = getattr(value.item[1], "thing", None) if value.family == "list" and value.item is not None else None
    return isinstance(item, Value) and item.family == "integer" and not item.nullable


def is_carried(value: Value) -> bool:
    """Return whether a value is one that only scripts understand."""
    return str(value.family).startswith(_PREFIX)


def is_zoned(value: Value) -> bool:
    """Return whether a value is a moment in a time zone, kept as what the clock shows in UTC."""
    return str(value.family).startswith(_ZONED)


def known(value: Value, what: str) -> Value:
    """Return a value that rules understand; raises NotTranslatable for a carried one."""
    if is_carried(value) and not is_zoned(value):
        raise NotTranslatable(f"{what} of a type that only pandas has")
    return value


def reading(value: Value) -> str:
    """Return what makes a carried column again."""
    return str(value.family).removeprefix(_PREFIX)


def carried(values: pd.Series[Any]) -> Carried:
    """Return how a column is carried; raises NotTranslatable."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return _categories(kind)
    if isinstance(kind, pd.DatetimeTZDtype):
        back = "" if str(kind.tz) == "UTC" else f".dt.tz_convert({str(kind.tz)!r})"
        return Carried("{x}.dt.tz_convert('UTC').dt.tz_localize(None)", "{x}.dt.tz_localize('UTC')" + back, "TIMESTAMP")
    if isinstance(kind, pd.PeriodDtype):
        return Carried(
            "{x}.astype(str).where({x}.notna())", f"pd.PeriodIndex({{x}}, freq={kind.freq.freqstr!r})", "VARCHAR"
        )
    if pd.api.types.is_timedelta64_dtype(kind):
        return Carried("({x} // pd.Timedelta('1us')).astype('Int64')", "pd.to_timedelta({x}, unit='us')", "BIGINT")
    cells = [cell for cell in values if not _is_missing(cell)]
    if all(type(cell).__name__ == "time" for cell in cells):
        return Carried("{x}.map(str, na_action='ignore')", "pd.to_datetime({x}, format='ISO8601').dt.time", "VARCHAR")
    if not all(_written_out(cell) for cell in cells):
        raise NotTranslatable("a column of things that can't be written out")
    return Carried(
        "{x}.map(repr, na_action='ignore')", "{x}.map(__import__('ast').literal_eval, na_action='ignore')", "VARCHAR"
    )


def _categories(kind: pd.CategoricalDtype) -> Carried:
    labels = list(kind.categories)
    if len(labels) > _MOST_CATEGORIES or not all(isinstance(one, str) for one in labels):
        raise NotTranslatable("a column of many categories")
    ordered = ", ordered=True" if kind.ordered else ""
    return Carried("{x}.astype(object)", f"pd.Categorical({{x}}, {labels!r}{ordered})", "VARCHAR")


def categorical(value: Value, kind: pd.CategoricalDtype) -> Value:
    """Return the value of a column of categories as scripts are given it, as it is where that can't be said."""
    if is_carried(value):
        return value
    try:
        return replace(value, family=_categories(kind).family)
    except NotTranslatable:
        return value


def _is_missing(cell: Any) -> bool:
    return cell is None or cell is pd.NaT or cell is pd.NA or (isinstance(cell, float) and cell != cell)


def _written_out(cell: Any) -> bool:
    try:
        return bool(ast.literal_eval(repr(cell)) == cell)
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False

"""Python objects of a running program as things that the rules of pandas text understand."""

from __future__ import annotations

import ast
import builtins
import datetime
import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.rows import Rows
from prepsql.workflow.pandas_text import functions, operators
from prepsql.workflow.pandas_text.value import Family, Items, Name, Offset, Pairs, Thing, Value, column, constant, made

OPERATORS: Mapping[str, Any] = {
    name: getattr(ast, name)()
    for name in (
        "Add", "Sub", "Mult", "Div", "FloorDiv", "Mod", "Pow", "BitAnd", "BitOr", "BitXor", "Invert", "USub", "UAdd",
        "Not", "Eq", "NotEq", "Lt", "LtE", "Gt", "GtE", "In", "NotIn", "Is", "IsNot",
    )
}  # fmt: skip
_MODULES = {"pd": pd, "np": np, "math": math}


def _paths() -> dict[int, str]:
    """Return by identity the dotted name of each function that pandas text knows."""
    found = {}
    for path in functions.RULES:
        module, _, name = path.partition(".")
        owner = _MODULES.get(module) if name else builtins
        function = getattr(owner, name or module, None) if owner else None
        if function is not None:
            found[id(function)] = path
    return found


PATHS = _paths()
_TYPE_NAMES: Mapping[Any, str] = {str: "str", int: "int", float: "float", bool: "bool", object: "object"}


_COMPARES = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
SQL_TYPES: Mapping[Family, str] = {
    "integer": "BIGINT", "float": "DOUBLE", "boolean": "BOOLEAN", "timestamp": "TIMESTAMP", "text": "VARCHAR",
    "date": "DATE",
}  # fmt: skip
"""The types in which a script's columns go and come, by their families."""
_PLAIN = (str, int, float, bool, type(None))


def operated(operator: str, *things: Thing) -> Value:
    """Return what an operator gives for one thing or two; raises NotTranslatable for one that isn't known."""
    sign = OPERATORS.get(operator)
    if sign is None:
        raise NotTranslatable(f"the operator {operator}")
    if len(things) == 1:
        return operators.unary(sign, column(things[0]))
    return (operators.compare if operator in _COMPARES else operators.binary)(sign, *things)


def is_plain(value: Any) -> bool:
    """Return whether a value can be written out: its repr gives it again."""
    if isinstance(value, list | tuple | set | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, dict):
        return all(is_plain(one) for pair in value.items() for one in pair)
    return isinstance(value, _PLAIN) and not (isinstance(value, float) and not math.isfinite(value))


def flagged(pattern: str, flags: int) -> str:
    """Return a pattern with its flags in it; raises NotTranslatable for those that have no letter here."""
    letters = "".join(letter for flag, letter in ((re.I, "i"), (re.M, "m"), (re.S, "s")) if flags & flag)
    if flags & ~int(re.I | re.M | re.S):
        raise NotTranslatable("a pattern with other flags")
    return f"(?{letters}){pattern}" if letters else pattern


def path_of(function: object) -> str | None:
    """Return the name under which pandas text knows a function."""
    return PATHS.get(id(function))


def is_null(value: object) -> bool:
    """Return whether a Python value is one of the nulls."""
    return value is None or value is pd.NaT or value is pd.NA or (isinstance(value, float) and math.isnan(value))


def constant_thing(value: Any) -> Thing:
    """Return a Python object without symbols as a thing; raises NotTranslatable for what has none."""
    if tracked.is_marked(value):
        raise NotTranslatable("a thing that a loop over rows made")
    if is_null(value):
        return functions.NAN if isinstance(value, float) else constant(None)
    if isinstance(value, np.datetime64):
        value = pd.Timestamp(value)
    if isinstance(value, np.timedelta64 | datetime.timedelta):
        return step_of(pd.Timedelta(value))
    if isinstance(value, pd.offsets.BaseOffset):
        return offset_of(value)
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, str | bool | int | float):
        return constant(value)
    if isinstance(value, pd.Timestamp) or type(value).__name__ in ("datetime", "date"):
        if type(value).__name__ == "date":
            return Value(f"DATE '{value.isoformat()}'", "date", False)
        stamp = pd.Timestamp(value)
        if stamp.tz is not None:
            raise NotTranslatable("a moment with a time zone")
        return Value(f"TIMESTAMP '{stamp.isoformat(sep=' ')}'", "timestamp", False)
    if isinstance(value, Mapping):
        return Pairs(tuple((_cell(key), _cell(one)) for key, one in value.items()))
    if isinstance(value, list | tuple | set | frozenset | pd.Index | np.ndarray):
        return Items(tuple(constant_thing(one) for one in list(value)))
    if isinstance(value, type) and value in _TYPE_NAMES:
        return Name(_TYPE_NAMES[value])
    if isinstance(value, np.dtype | pd.api.extensions.ExtensionDtype):
        return constant(str(value))
    path = path_of(value)
    if path:
        return Name(path)
    if isinstance(value, re.Pattern):
        return constant(flagged(value.pattern, value.flags & ~re.UNICODE))
    raise NotTranslatable(f"a {type(value).__name__} that isn't written out")


def step_of(value: pd.Timedelta) -> Offset:
    """Return a length of time in its largest unit."""
    micro = value.value // 1000
    for unit, size in (("days", 86_400_000_000), ("hours", 3_600_000_000), ("minutes", 60_000_000), ("seconds", 10**6)):
        if micro % size == 0:
            return Offset(f"to_{unit}({micro // size})", micro)
    return Offset(f"to_microseconds({micro})", micro)


_CLOCK = " + (x - date_trunc('day', x))"
# steps to a place in the calendar, by class and number of steps: what + and - give for x
_PLACES: Mapping[tuple[str, int], tuple[str, str]] = {
    ("MonthEnd", 0): (f"last_day(x){_CLOCK}", ""),
    ("MonthEnd", 1): (f"last_day(x + to_days(1)){_CLOCK}", f"date_trunc('month', x) - to_days(1){_CLOCK}"),
    ("MonthBegin", 0): (f"date_trunc('month', x - to_days(1)) + to_months(1){_CLOCK}", ""),
    ("MonthBegin", 1): (
        f"date_trunc('month', x) + to_months(1){_CLOCK}", f"date_trunc('month', x - to_days(1)){_CLOCK}"),
    ("YearEnd", 0): (f"make_date(year(x), 12, 31){_CLOCK}", ""),
    ("QuarterEnd", 0): (f"date_trunc('quarter', x) + to_months(3) - to_days(1){_CLOCK}", ""),
}  # fmt: skip


def offset_of(value: Any) -> Offset:
    """Return a step of pandas' calendar; raises NotTranslatable for one that isn't known."""
    name, count = type(value).__name__, value.n
    plain = {"Day": "days", "Hour": "hours", "Minute": "minutes", "Second": "seconds"}.get(name)
    if plain:
        return step_of(pd.Timedelta(value))
    if name == "Week" and value.weekday is None:
        return Offset(f"to_days({7 * count})", count * 7 * 86_400_000_000)
    if name == "DateOffset":
        units = {key: one * count for key, one in value.kwds.items()}
        if units and set(units) <= {"years", "months", "weeks", "days", "hours", "minutes", "seconds"}:
            return Offset(" + ".join(f"to_{key}({one})" for key, one in units.items()), None)
    place = _PLACES.get((name, count)) if not value.normalize else None
    if place is None or getattr(value, "month", 12) not in (12, 3):
        raise NotTranslatable(f"the step {value!r}")
    return Offset("", None, *place)


def _cell(value: Any) -> Value:
    thing = constant_thing(value)
    if not isinstance(thing, Value):
        raise NotTranslatable("a dict of more than plain values")
    return thing


def family_of(values: pd.Series[Any]) -> Family:
    """Return the family of a column's values as they are."""
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        return family_of(pd.Series(kind.categories))
    if pd.api.types.is_bool_dtype(kind):
        return "boolean"
    if pd.api.types.is_integer_dtype(kind):
        return "integer"
    if pd.api.types.is_float_dtype(kind):
        return "float"
    if pd.api.types.is_datetime64_any_dtype(kind):
        return "timestamp" if getattr(kind, "tz", None) is None else "unknown"
    if pd.api.types.is_timedelta64_dtype(kind):
        return "span"
    found = pd.api.types.infer_dtype(values, skipna=True)
    names: dict[str, Family] = {
        "string": "text", "boolean": "boolean", "date": "date", "integer": "integer", "empty": "text",
    }  # fmt: skip
    return names.get(found, "unknown")


def reconciled(values: pd.Series[Any], value: Value) -> Value:
    """Return the value in the type that its column has in pandas.

    Whole numbers without nulls are int64 there, with nulls they are floats; 'unknown' and 'number' are settled.
    """
    value = value.exact()
    kind = values.dtype
    family = family_of(values)
    if pd.api.types.is_object_dtype(kind) and value.nullable:
        value = replace(value, none=any(one is None for one in values[values.isna()]))
    if family == "unknown" or (family == "text" and value.family not in ("unknown", "text", "date", "number")):
        return value
    if family == "integer" and pd.api.types.is_integer_dtype(kind) and not pd.api.types.is_extension_array_dtype(kind):
        if value.family == "integer":
            return replace(value, nullable=False)
        if value.family in ("float", "number", "unknown", "boolean"):
            return made("x::BIGINT", "integer", value, nullable=False, x=value.sql)
    if family == "float" and value.family in ("integer", "number", "unknown"):
        return made("x::DOUBLE", "float", value, x=value.sql)
    if family == "timestamp" and value.family in ("date", "unknown"):
        return made("x::TIMESTAMP", "timestamp", value, x=value.sql)
    if family == "boolean" and pd.api.types.is_bool_dtype(kind) and value.family == "boolean":
        return replace(value, nullable=False) if not pd.api.types.is_extension_array_dtype(kind) else value
    if value.family == "unknown":
        return replace(value, family=family)
    return value


def same_rows(rows: Rows, other: Rows) -> None:
    """Raise NotTranslatable where two things don't stand over the same rows."""
    if rows is not other:
        raise NotTranslatable("columns of two tables side by side: their rows meet by the index")

"""Reductions as the aggregates of a step."""

from __future__ import annotations

from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import known
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, Family, Value

# the function of an aggregate step, and the family it gives (None: that of what it is of)
_FUNCTIONS: dict[str, tuple[str, Family | None]] = {
    "sum": ("sum", None), "mean": ("avg", "float"), "median": ("median", "float"), "min": ("min", None),
    "max": ("max", None), "count": ("count", "integer"), "size": ("count", "integer"),
    "nunique": ("count_distinct", "integer"), "std": ("stddev", "float"), "var": ("var", "float"),
    "first": ("first", None), "last": ("last", None), "any": ("any", "boolean"), "all": ("all", "boolean"),
    "prod": ("prod", None), "list": ("list", "list"), "sum_or_null": ("sum", None),
    "string_agg": ("string_agg", "text"),
    "mode": ("mode", None), "quantile": ("quantile", "float"),
}  # fmt: skip
_OF_NUMBERS = ("sum", "mean", "median", "std", "var", "prod", "sum_or_null", "quantile")


def measure(name: str, value: Value | None, wanted: str) -> tuple[dict[str, Any], Family, bool]:
    """Return an aggregate as a step has it, with the family of its result and whether it may be null."""
    if name not in _FUNCTIONS:
        raise NotTranslatable(f"the aggregate {name}")
    func, family = _FUNCTIONS[name]
    made: dict[str, Any] = {"as": wanted, "func": func}
    if name == "size" or value is None:
        return made, "integer", False
    value = value.exact()
    if name not in ("count", "first", "last"):
        known(value, name)
    if name in _OF_NUMBERS:
        value = number(value, name)
    if name in ("any", "all") and value.family != "boolean":
        raise NotTranslatable(f"{name} of {value.family}")
    made["expr"] = value.sql
    if name == "sum" and value.nullable:
        # pandas' sum of nothing is 0
        made["expr"] = bind("coalesce(x, 0)", x=value.sql)
    if name in ("first", "last") and value.nullable:
        made["filter"] = bind("x IS NOT NULL", x=value.sql)
    found: Family = family or value.family
    if name in ("std", "var"):
        return made, found, True
    if name == "sum" and found in NUMERIC and not value.nullable:
        return made, found, False
    return made, found, name not in ("sum", "count", "nunique", "any", "all") and value.nullable

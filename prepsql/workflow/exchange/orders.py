"""Orders: what rows are sorted by."""

from __future__ import annotations

from typing import Any

from prepsql.errors import ConfigError, NotTranslatable
from prepsql.workflow.exchange.builder import Builder, Columns
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.reserved import column_name


def order_keys(build: Builder, step: str, params: Params, columns: Columns) -> list[dict[str, Any]]:
    """Return the keys of an order: names with `ascending`, or entries with expression, direction and place of nulls."""
    given = params.need("order_by")
    ascending = params.get("ascending", also=("asc",), default=True)
    nulls = str(params.get("na_position", also=("nulls",), default="last"))
    entries = [given] if isinstance(given, str | dict) else list(given)
    directions = list(ascending) if isinstance(ascending, list) else [ascending] * len(entries)
    keys = []
    for entry, direction in zip(entries, directions, strict=True):
        text, asc, place = entry, direction, nulls
        if isinstance(entry, dict):
            own = params.entry(entry)
            text = own.need("expr", also=("col", "column", "by", "name"))
            asc = own.get("asc", also=("ascending",), default=not own.get("desc", False, also=("descending",)))
            place = str(own.get("nulls", also=("na_position",), default=nulls))
        key: dict[str, Any] = {"expr": _expression(build, step, str(text), columns), "asc": bool(asc), "nulls": place}
        keys.append(
            {name: value for name, value in key.items() if (name, value) not in (("asc", True), ("nulls", "last"))}
        )
    return keys


def _expression(build: Builder, step: str, text: str, columns: Columns) -> str:
    if text in columns or not any(mark in text for mark in "[(.'\""):
        return column_name(text)
    try:
        return build.translate(text, columns).sql
    except NotTranslatable as why:
        raise ConfigError(f"step '{step}': order_by {text!r}: {why}; compute it as a column first") from None

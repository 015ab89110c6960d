"""QUALIFY row_number() OVER (PARTITION BY … ORDER BY …) = 1 as the dedup that it is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prepsql.translate.sql.aggregates import order_key
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, column_in, written
from prepsql.translate.sql.project import Item, inlined
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node

_KEEPS = {"row_number": "first", "rank": "all", "dense_rank": "all"}


@dataclass(frozen=True)
class First:
    """The first rows of each combination of keys, in an order."""

    keys: list[str]
    order: list[dict[str, Any]]
    keep: str


def first_of(lens: Lens, condition: Node) -> First | None:
    """Return which rows a condition keeps where it says no more than that they are the first, else None."""
    if condition.get("type") != "COMPARE_EQUAL":
        return None
    window, one = condition["left"], condition["right"]
    if window["class"] != "WINDOW":
        window, one = one, window
    if window["class"] != "WINDOW" or one.get("literal", {}).get("text") != "1" or window["arguments"]:
        return None
    keep = _KEEPS.get(window["function_name"].lower())
    if keep is None or not window["partitions"] or not window["orders"] or window.get("exclude_clause") != "NO_OTHER":
        return None
    keys = [column_in(lens.write(key)) for key in window["partitions"]]
    if None in keys:
        return None
    return First([key for key in keys if key], [order_key(key, lens) for key in window["orders"]], keep)


def keep_first(ctx: Context, rows: Rows, first: First, items: Sequence[Item]) -> Rows:
    """Add the dedup."""
    order = [{**key, "expr": written(inlined(key["expr"], items))} for key in first.order]
    params = {"keys": first.keys, "keep": first.keep, "order_by": order}
    return rows.moved(ctx.steps.add("dedup", params, {"in": rows.step}, f"first_{ctx.steps.subject(rows.step)}"))

"""Windows in expressions: whether their result depends on the order of rows, and how ties are broken.

A window whose ORDER BY leaves ties gives whatever order the threads come in. Where a run must be the same each time
(`exact`), the order that the rows have is added as the last keys.
"""

from __future__ import annotations

import copy
from typing import Any

from prepsql.workflow.expression import Expression, cut, to_sql
from prepsql.workflow.relation import Demand, OrderKey

_BY_PLACE = frozenset(["row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value", "fill"])
# the same for every row of a tie, whichever comes first
_BY_RANK = frozenset(["rank", "dense_rank", "percent_rank", "cume_dist"])
# the same whatever order the rows come in; sums of floating-point numbers are not
_ANY_ORDER = frozenset(
    ["count", "count_star", "min", "max", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor", "count_if"]
)


def reads_rows(expression: Expression, exact: bool) -> Demand:
    """Return how much of the order of rows an expression needs."""
    needs = [_need(window, exact) for window, _, _ in expression.windows]
    return max(needs, default=Demand.NONE)


def ordered_window(expression: Expression, order: tuple[OrderKey, ...], exact: bool) -> str:
    """Return the text with `order` as the last keys of every window that needs it."""
    parts = []
    for window, start, length in expression.windows:
        if order and _need(window, exact) == Demand.ROWS:
            parts.append((start, length, to_sql(_with_order(window, order))))
    inner = [p for p in parts if not any(o[0] <= p[0] and p[0] + p[1] <= o[0] + o[1] and o != p for o in parts)]
    return cut(expression.text, inner)


def _need(window: dict[str, Any], exact: bool) -> Demand:
    name = window["function_name"].lower()
    if name in _BY_RANK or name in _ANY_ORDER:
        return Demand.NONE
    ordered = bool(window["orders"])
    if name in _BY_PLACE:
        return Demand.ROWS if exact or not ordered else Demand.NONE
    if ordered and not _by_rows(window):
        return Demand.NONE
    return Demand.ROWS if exact or (not ordered and _by_rows(window)) else Demand.NONE


def _by_rows(window: dict[str, Any]) -> bool:
    return str(window["start"]).endswith("ROWS") or str(window["end"]).endswith("ROWS")


def _with_order(window: dict[str, Any], order: tuple[OrderKey, ...]) -> dict[str, Any]:
    node = copy.deepcopy(window)
    if not node["orders"] and node["function_name"].lower() not in _BY_PLACE and not _by_rows(node):
        # the frame of a window without order is the whole partition; with one it would end at the current row
        node["start"], node["end"] = "UNBOUNDED_PRECEDING", "UNBOUNDED_FOLLOWING"
    for key in order:
        node["orders"].append(
            {
                "type": "DESCENDING" if key.descending else "ASCENDING",
                "null_order": "NULLS_FIRST" if key.nulls_first else "NULLS_LAST",
                "expression": {
                    "class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "query_location": 0,
                    "query_location_length": 0, "column_names": [key.column],
                },
            }
        )  # fmt: skip
    return node

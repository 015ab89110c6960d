"""Windows in expressions: whether their result depends on the order of rows, and how ties are broken.

A window whose ORDER BY leaves ties gives whatever order the threads come in. Where a run must be the same each time
(`exact`), the order that the rows have is added as the last keys.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from prepsql.workflow.expression import Expression, cut, to_sql
from prepsql.workflow.families import is_float
from prepsql.workflow.relation import Demand, OrderKey

_BY_PLACE = frozenset(["row_number", "ntile", "lag", "lead", "first_value", "last_value", "nth_value", "fill"])
# the same for every row of a tie, whichever comes first
_BY_RANK = frozenset(["rank", "dense_rank", "percent_rank", "cume_dist"])
# the same whatever order the rows come in
_ANY_ORDER = frozenset(
    [
        "count", "count_star", "min", "max", "bool_and", "bool_or", "bit_and", "bit_or", "bit_xor", "count_if", "fsum",
        "favg", "median", "quantile", "quantile_cont", "quantile_disc", "mad",
    ]
)  # fmt: skip
# so are these, but for floating-point numbers: then their compensated kin stand in
_SUMS = {"sum": "fsum", "avg": "favg", "mean": "favg"}


def reads_rows(expression: Expression, exact: bool) -> Demand:
    """Return how much of the order of rows an expression needs."""
    needs = [_need(window, exact) for window, _, _ in expression.windows]
    return max(needs, default=Demand.NONE)


def ordered_window(
    expression: Expression, order: tuple[OrderKey, ...], exact: bool, type_of: Callable[[str], str]
) -> str:
    """Return the text with `order` where the result of a window would else go by the order of the threads.

    It becomes the last keys of the window. Where that would tell rows of a tie apart which belong to one frame
    (`sum(x) OVER (ORDER BY day)`), sums are compensated and other aggregates take their values in `order`.
    """
    parts = []
    for window, start, length in expression.windows:
        name = window["function_name"].lower()
        if exact and name in _SUMS and not _by_rows(window):
            if is_float(type_of(to_sql(window["arguments"][0]["expression"]))):
                changed = _compensated(window) if window["orders"] or not order else _with_order(window, order)
                parts.append((start, length, to_sql(changed)))
        elif order and _need(window, exact) == Demand.ROWS:
            inside = window["orders"] and name not in _BY_PLACE and not _by_rows(window)
            parts.append((start, length, to_sql((_with_values_in if inside else _with_order)(window, order))))
    return cut(expression.text, parts)


def _need(window: dict[str, Any], exact: bool) -> Demand:
    name = window["function_name"].lower()
    if name in _BY_RANK or (name in _ANY_ORDER and not _by_rows(window)):
        return Demand.NONE
    ordered = bool(window["orders"])
    if name in _BY_PLACE:
        return Demand.ROWS if exact or not ordered else Demand.NONE
    if ordered and not _by_rows(window):
        return Demand.ROWS if exact and name not in _SUMS else Demand.NONE
    return Demand.ROWS if exact or (not ordered and _by_rows(window)) else Demand.NONE


def _by_rows(window: dict[str, Any]) -> bool:
    return str(window["start"]).endswith("ROWS") or str(window["end"]).endswith("ROWS")


def _with_order(window: dict[str, Any], order: tuple[OrderKey, ...]) -> dict[str, Any]:
    node = copy.deepcopy(window)
    if not node["orders"] and node["function_name"].lower() not in _BY_PLACE and not _by_rows(node):
        # the frame of a window without order is the whole partition; with one it would end at the current row
        node["start"], node["end"] = "UNBOUNDED_PRECEDING", "UNBOUNDED_FOLLOWING"
    node["orders"] += _keys(order)
    return node


def _with_values_in(window: dict[str, Any], order: tuple[OrderKey, ...]) -> dict[str, Any]:
    return window | {"arg_orders": [*window["arg_orders"], *_keys(order)]}


def _compensated(window: dict[str, Any]) -> dict[str, Any]:
    name = _SUMS[window["function_name"].lower()]
    return window | {"function_name": name, "qualified_name": {"path": [name]}}


def _keys(order: tuple[OrderKey, ...]) -> list[dict[str, Any]]:
    return [
        {
            "type": "DESCENDING" if key.descending else "ASCENDING",
            "null_order": "NULLS_FIRST" if key.nulls_first else "NULLS_LAST",
            "expression": {
                "class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "query_location": 0,
                "query_location_length": 0, "column_names": [key.column],
            },
        }
        for key in order
    ]  # fmt: skip

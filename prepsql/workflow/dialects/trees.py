"""DuckDB's trees of expressions: what a node is, and what several spellings of one thing have in common."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from prepsql.workflow.dialects.dialect import NotPortable
from prepsql.workflow.expression import node_of

COMPARISONS = {
    "COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=", "COMPARE_GREATERTHANOREQUALTO": ">=",
    "COMPARE_DISTINCT_FROM": "IS DISTINCT FROM", "COMPARE_NOT_DISTINCT_FROM": "IS NOT DISTINCT FROM",
}  # fmt: skip
SAME_FUNCTION = {"substring": "substr", "ceiling": "ceil", "pow": "**", "power": "**", "^": "**", "position": "strpos",
         "instr": "strpos", "prefix": "starts_with", "suffix": "ends_with", "date_diff": "datediff", "len": "length",
         "char_length": "length", "ucase": "upper", "lcase": "lower", "mean": "avg", "mod": "%", "fmod": "%",
         "datetrunc": "date_trunc", "dayofmonth": "day", "dow": "dayofweek", "doy": "dayofyear", "weekofyear": "week",
         "listagg": "string_agg", "group_concat": "string_agg",
         "stddev": "stddev_samp", "variance": "var_samp", "every": "bool_and", "quantile": "quantile_disc"}  # fmt: skip
_INTERVALS = {"to_days": "days", "to_weeks": "weeks", "to_months": "months", "to_years": "years", "to_hours": "hours",
              "to_minutes": "minutes", "to_seconds": "seconds"}  # fmt: skip


def frame_of(node: dict[str, Any], units: Iterable[str]) -> str:
    """Return the frame of a window, '' for the one that it has without saying."""
    kind = node["type"].removeprefix("WINDOW_")
    if kind not in ("AGGREGATE", "FIRST_VALUE", "LAST_VALUE", "NTH_VALUE"):
        return ""
    start, end = node.get("start") or "UNBOUNDED_PRECEDING", node.get("end") or "CURRENT_ROW_RANGE"
    unit = next((u for u in ("ROWS", "GROUPS") if start.endswith(u) or end.endswith(u)), "RANGE")
    if unit == "RANGE" and not node.get("orders"):
        return ""
    if (start, end) == ("UNBOUNDED_PRECEDING", "UNBOUNDED_FOLLOWING"):
        unit = "ROWS"
    if unit not in units:
        raise NotPortable(f"a window of {unit}", "give ROWS BETWEEN … AND …")
    ends = []
    for side, given in (("start", start), ("end", end)):
        words = given.removesuffix(f"_{unit}").removesuffix("_RANGE").replace("_", " ")
        if words.startswith("EXPR"):
            amount = node[f"{side}_expr"]
            if unit != "ROWS" or constant_kind(amount) != "INTEGER":
                raise NotPortable("a window whose frame is an expression", "give ROWS and a whole number")
            words = words.replace("EXPR", amount["literal"]["text"])
        ends.append(words)
    if unit == "RANGE" and ends == ["UNBOUNDED PRECEDING", "CURRENT ROW"]:
        return ""
    return f"{unit} BETWEEN {ends[0]} AND {ends[1]}"


def interval_of(node: dict[str, Any]) -> tuple[str, dict[str, Any]] | None:
    """Return unit and number of an interval such as INTERVAL 3 MONTH or to_days(n), None for other nodes."""
    if node["class"] == "CAST" and node["type_expr"].get("type_name") == "INTERVAL" and constant_kind(node["child"]):
        found = re.fullmatch(r"(-?\d+) (\w+?)s?", node["child"]["literal"].get("text", "").strip().lower())
        if found and f"to_{found[2]}s" in _INTERVALS:
            return f"{found[2]}s", {**node["child"], "literal": {"kind": "INTEGER", "text": found[1]}}
    if node["class"] != "FUNCTION" or node["function_name"] not in _INTERVALS:
        return None
    amount = node["arguments"][0]["expression"]
    inner = amount
    # INTERVAL 3 DAY is to_days(CAST(trunc(CAST(3 AS DOUBLE)) AS INTEGER))
    while inner["class"] == "CAST" or (inner["class"] == "FUNCTION" and inner["function_name"] == "trunc"):
        inner = inner["child"] if inner["class"] == "CAST" else inner["arguments"][0]["expression"]
    return _INTERVALS[node["function_name"]], inner if constant_kind(inner) == "INTEGER" else amount


def cast_of(node: dict[str, Any], name: str) -> dict[str, Any]:
    """Return the cast of a constant to a date or a timestamp."""
    made = node_of(f"CAST('' AS {name})")
    return {**made, "child": node}


def text_constant(node: dict[str, Any], text: str) -> dict[str, Any]:
    """Return a constant with another text."""
    return {**node, "literal": {"kind": "STRING", "text": text}}


def constant_kind(node: dict[str, Any]) -> str:
    """Return the kind of a constant, '' for other nodes."""
    kind: str = node["literal"]["kind"] if node["class"] == "CONSTANT" else ""
    return kind


def short(text: str) -> str:
    """Return an expression for a message."""
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:57]}…"

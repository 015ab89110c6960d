"""Columns whose type is as their file's cells are: text here may be numbers in other files."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.translate.sql.steps import Steps
from prepsql.workflow.expression import column_of

Node = Mapping[str, Any]


def is_fluid(steps: Steps, step: str, column: str) -> bool:
    """Return whether a step's column comes as it is from a file that is read with safe types."""
    rule = _RULES.get(steps.nodes[step]["kind"])
    return rule is not None and rule(steps, steps.nodes[step], column)


def _input(steps: Steps, node: Node, column: str) -> bool:
    return "path" in node["params"] and node["params"].get("types", "safe") == "safe"


def _same(steps: Steps, node: Node, column: str) -> bool:
    return is_fluid(steps, node["inputs"]["in"], column)


def _project(steps: Steps, node: Node, column: str) -> bool:
    params = node["params"]
    made = {entry["as"].lower() for entry in params.get("compute", ())} | {
        e["col"].lower() for e in params.get("cast", ())
    }
    if column.lower() in made or "explode" in params:
        return False
    old = {new: name for name, new in params.get("rename", {}).items()}
    return is_fluid(steps, node["inputs"]["in"], old.get(column, column))


def _join(steps: Steps, node: Node, column: str) -> bool:
    for port in ("left", "right"):
        if column in steps.columns(node["inputs"][port]):
            return is_fluid(steps, node["inputs"][port], column)
    return False


def _union(steps: Steps, node: Node, column: str) -> bool:
    items = [item for item in node["inputs"]["items"] if column in steps.columns(item)]
    return any(is_fluid(steps, item, column) for item in items)


def _aggregate(steps: Steps, node: Node, column: str) -> bool:
    source, params = node["inputs"]["in"], node["params"]
    if column in params.get("group_keys", ()):
        return is_fluid(steps, source, column)
    made: Node = next((agg for agg in params.get("aggs", ()) if agg["as"] == column), {})
    taken = column_of(made.get("expr", "")) if made.get("func") in ("min", "max", "first", "last", "mode") else None
    return taken in steps.columns(source) and is_fluid(steps, source, taken or "")


_RULES: Mapping[str, Callable[[Steps, Node, str], bool]] = {
    "input": _input, "filter": _same, "sort": _same, "dedup": _same, "project": _project, "join": _join,
    "union": _union, "aggregate": _aggregate,
}  # fmt: skip

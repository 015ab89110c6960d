"""A workflow's document as a graph: who takes rows from whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from graphlib import TopologicalSorter
from typing import Any

Nodes = Mapping[str, Mapping[str, Any]]


def sources(node: Mapping[str, Any]) -> list[str]:
    """Return the steps that a node takes its rows from, in the order of its ports."""
    found: list[str] = []
    for value in node.get("inputs", {}).values():
        found += value if isinstance(value, list) else [value]
    return found


def users(nodes: Nodes) -> dict[str, list[str]]:
    """Return for each step those that take rows from it, once for each time that they do."""
    found: dict[str, list[str]] = {name: [] for name in nodes}
    for name, node in nodes.items():
        for source in sources(node):
            found[source].append(name)
    return found


def ordered(nodes: Nodes) -> list[str]:
    """Return the steps so that each follows those that it takes rows from, else in the document's order."""
    sorter = TopologicalSorter({name: sources(node) for name, node in nodes.items()})
    return list(sorter.static_order())


def ancestors(nodes: Nodes, steps: Iterable[str]) -> set[str]:
    """Return these steps and all that they depend on."""
    found: set[str] = set()
    left = list(steps)
    while left:
        step = left.pop()
        if step not in found:
            found.add(step)
            left += sources(nodes[step])
    return found


def outputs(nodes: Nodes) -> Iterator[tuple[str, str]]:
    """Yield the path and the step of each output."""
    for name, node in nodes.items():
        if node["kind"] == "output":
            yield str(node["params"]["path"]), name


def only(nodes: Nodes, steps: Iterable[str]) -> dict[str, Mapping[str, Any]]:
    """Return these steps and all that they depend on, in the document's order."""
    kept = ancestors(nodes, steps)
    return {name: node for name, node in nodes.items() if name in kept}

"""Steps that do the same to the same rows become one."""

from __future__ import annotations

import json

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.edit import bypassed, nodes_of, spoken_of

_ALONE = ("output", "script")


def join_twins(draft: Draft, columns: Columns) -> Draft:
    """Return the draft without steps whose kind, inputs and parameters an earlier one has; that one takes their place.

    Steps whose names mean something stay.
    """
    first: dict[str, str] = {}
    spoken = spoken_of(nodes_of(draft))
    for name in graph.ordered(nodes_of(draft)):
        node = nodes_of(draft)[name]
        if node["kind"] in _ALONE:
            continue
        same = json.dumps([node["kind"], node.get("inputs", {}), node["params"]], sort_keys=True, default=str)
        twin = first.setdefault(same, name)
        if twin != name and name not in spoken and not _both_sides(draft, twin, name):
            draft = bypassed(draft, name, twin, heir=twin)
    return draft


def _both_sides(draft: Draft, one: str, other: str) -> bool:
    """Return whether a step takes both of them: a join of a table with itself tells its sides by their names."""
    nodes = nodes_of(draft).values()
    return any({one, other} <= set(graph.sources(node)) for node in nodes)

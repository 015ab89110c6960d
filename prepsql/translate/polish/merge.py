"""Projects one after the other become one, as long as a person can still read it."""

from __future__ import annotations

from typing import Any

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.edit import Node, bypassed, nodes_of, with_nodes, with_params

_ENTRIES = 8
_LONG = 300
_IN_ALL = 800


def merge_projects(draft: Draft, columns: Columns) -> Draft:
    """Return the draft in which a project is part of the project that alone takes its rows.

    Both stay where each has a note of its own, where a name of the code's would be lost, where there would be more than
    a person reads at once (8 columns, 800 characters), or where an expression has more than 300 characters. No
    expression is written twice: entries of `compute` see those before them.
    """
    for name in graph.ordered(nodes_of(draft)):
        nodes = nodes_of(draft)
        users = graph.users(nodes)[name]
        if len(users) != 1 or nodes[name]["kind"] != "project" or nodes[users[0]]["kind"] != "project":
            continue
        if draft.checkpoints.get(name) == name:
            continue
        merged = _merged(nodes[name], nodes[users[0]])
        if merged is not None:
            draft = bypassed(
                with_nodes(draft, {**nodes, users[0]: merged}), name, nodes[name]["inputs"]["in"], users[0]
            )
    return draft


def _merged(first: Node, second: Node) -> Node | None:
    before, after = first["params"], second["params"]
    if before.get("explode") or before.get("fill") or (first.get("note") and second.get("note")):
        return None
    if set(after) & {"promote_header", "select", "drop", "rename"} or (before.get("cast") and after.get("compute")):
        return None
    compute = [*(before.get("compute") or ()), *(after.get("compute") or ())]
    cast = [*(before.get("cast") or ()), *(after.get("cast") or ())]
    lengths = [len(entry["expr"]) for entry in compute]
    if len(compute) + len(cast) > _ENTRIES or sum(lengths) > _IN_ALL or max(lengths, default=0) > _LONG:
        return None
    rest: dict[str, Any] = {key: after[key] for key in ("explode", "fill") if key in after}
    return with_params(second, {**before, "compute": compute, "cast": cast, **rest})

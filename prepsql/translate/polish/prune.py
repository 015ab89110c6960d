"""Columns that no output needs aren't computed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.demands import Names, filled, kept_anyway, lower, named, needs
from prepsql.translate.polish.edit import Node, bypassed, nodes_of, spoken_of, with_nodes, with_params


def prune_columns(draft: Draft, columns: Columns) -> Draft:
    """Return the draft whose projects, aggregates and joins give only what later steps need.

    Columns that merely pass through stay. A project with nothing left to do goes.
    """
    if not columns:
        return draft
    nodes = nodes_of(draft)
    spoken = spoken_of(nodes)
    wanted: dict[str, Names] = {name: set() for name in nodes}
    for name in reversed(graph.ordered(nodes)):
        rule = _RULES.get(nodes[name]["kind"])
        if rule and graph.users(nodes)[name]:
            pruned = rule(nodes[name], wanted[name])
            nodes[name] = nodes[name] if name in spoken and not pruned["params"] else pruned
        for source, needed in needs(nodes[name], wanted[name], columns).items():
            wanted[source] |= needed
    draft = with_nodes(draft, nodes)
    for name, node in nodes.items():
        users = graph.users(nodes_of(draft))[name]
        if node["kind"] == "project" and not node["params"] and users:
            draft = bypassed(draft, name, node["inputs"]["in"], heir=users[0])
    return draft


def _project(node: Node, wanted: Names) -> Node:
    params: Mapping[str, Any] = node["params"]
    if params.get("promote_header"):
        return node
    live = set(wanted) | filled(params)
    explode = params.get("explode")
    if explode:
        live |= {explode["col"].lower()}
    casts = [cast for cast in params.get("cast") or () if cast["col"].lower() in live]
    computed: list[Mapping[str, Any]] = []
    for entry in reversed(params.get("compute") or ()):
        if entry["as"].lower() in live or kept_anyway(entry):
            computed.insert(0, entry)
            more = named([entry["expr"]])
            if more is None:
                return node
            live = (live - {entry["as"].lower()}) | more
    kept = {**params, "compute": computed, "cast": casts}
    if params.get("select"):
        new = {old.lower(): name.lower() for old, name in (params.get("rename") or {}).items()}
        gone = lower(params.get("drop") or ())
        chosen = [c for c in params["select"] if new.get(c.lower(), c.lower()) in live or c.lower() in gone]
        if not [c for c in chosen if c.lower() not in gone]:
            chosen = params["select"] if not computed else chosen or params["select"][:1]
        kept["select"] = chosen
        kept["rename"] = {o: n for o, n in (params.get("rename") or {}).items() if o.lower() in lower(chosen)}
    return with_params(node, kept)


def _aggregate(node: Node, wanted: Names) -> Node:
    params = node["params"]
    having = named([params.get("having")])
    if having is None:
        return node
    aggs = params.get("aggs") or []
    kept = [agg for agg in aggs if agg["as"].lower() in wanted | having]
    if not kept and not params.get("group_keys"):
        kept = aggs[:1]
    return {**node, "params": {**params, "aggs": kept}} if len(kept) < len(aggs) else node


def _join(node: Node, wanted: Names) -> Node:
    params = node["params"]
    if params.get("suffixes") or params.get("select_left") is None or params.get("select_right") is None:
        return node
    sides = {side: [c for c in params[side] if c.lower() in wanted] for side in ("select_left", "select_right")}
    return {**node, "params": {**params, **sides}} if any(sides.values()) else node


_RULES: Mapping[str, Callable[[Node, Names], Node]] = {
    "project": _project,
    "aggregate": _aggregate,
    "join": _join,
}

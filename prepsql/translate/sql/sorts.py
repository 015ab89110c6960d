"""Sorts whose order no later step and no output goes by, as of a subquery with ORDER BY: they go."""

from __future__ import annotations

from dataclasses import replace

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.edit import bypassed, nodes_of, renamed, spoken_of
from prepsql.workflow.checks.parameters import read_document
from prepsql.workflow.compile import demands
from prepsql.workflow.relation import Demand

_CUTS = {"limit", "partition_by"}


def drop_idle_sorts(draft: Draft) -> Draft:
    """Return the draft without sorts that neither cut rows nor put them in an order that matters.

    The step before one takes over its name, its note and its place as a table's step where nothing else rests on it.
    """
    nodes = nodes_of(draft)
    needed = demands(read_document({"nodes": nodes}).steps, exact=False)
    for name, node in nodes.items():
        if node["kind"] == "sort" and not _CUTS & set(node["params"]) and needed[name] == Demand.NONE:
            draft = _without(draft, name)
    return draft


def _without(draft: Draft, name: str) -> Draft:
    nodes = nodes_of(draft)
    source = nodes[name]["inputs"]["in"]
    alone = graph.users(nodes)[source] == [name] and source not in draft.checkpoints.values()
    if not alone and name in spoken_of(nodes):
        return draft
    points = {origin: source if step == name else step for origin, step in draft.checkpoints.items()}
    made = bypassed(replace(draft, checkpoints=points), name, source, heir=source)
    return renamed(made, {source: name}) if alone and nodes[source]["kind"] != "input" else made

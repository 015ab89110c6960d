"""Changing a draft: steps go, change or get other names, and what is told of them comes along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from prepsql.translate import graph
from prepsql.translate.draft import Draft

Node = Mapping[str, Any]


def nodes_of(draft: Draft) -> dict[str, Node]:
    """Return the draft's steps by name, in order."""
    return dict(draft.document["nodes"])


def with_nodes(draft: Draft, nodes: Mapping[str, Node]) -> Draft:
    """Return the draft with these steps; what is told of others goes."""
    return replace(
        draft,
        document={**draft.document, "nodes": dict(nodes)},
        reasons=_of(draft.reasons, nodes),
        specialised=_of(draft.specialised, nodes),
        origins=_of(draft.origins, nodes),
        checkpoints={origin: step for origin, step in draft.checkpoints.items() if step in nodes},
    )


def with_params(node: Node, params: Mapping[str, Any]) -> Node:
    """Return a step with other parameters; those that say nothing are left out."""
    said = {key: value for key, value in params.items() if value not in (None, [], {})}
    return {**node, "params": said}


def rewired(node: Node, old: str, new: str) -> Node:
    """Return a step that takes its rows from `new` where it took them from `old`."""
    ports = {
        port: [new if name == old else name for name in value] if isinstance(value, list)
        else new if value == old else value
        for port, value in node.get("inputs", {}).items()
    }  # fmt: skip
    return {**node, "inputs": ports} if ports else node


def bypassed(draft: Draft, step: str, source: str, heir: str) -> Draft:
    """Return the draft without a step, whose users take their rows from its `source`.

    Its note and what it is specialised to go to the step `heir`.
    """
    nodes = nodes_of(draft)
    gone = nodes.pop(step)
    nodes = {name: rewired(node, step, source) for name, node in nodes.items()}
    note = joined_notes(gone.get("note", ""), nodes[heir].get("note", ""))
    if note:
        nodes[heir] = {**nodes[heir], "note": note}
    specialised = dict(draft.specialised)
    if step in specialised:
        specialised[heir] = joined_notes(specialised.pop(step), specialised.get(heir, ""))
    return with_nodes(replace(draft, specialised=specialised), nodes)


def specialise(draft: Draft, step: str, what: str) -> Draft:
    """Return the draft with a step that holds for inputs with `what` only, as its note says too."""
    nodes = nodes_of(draft)
    told = joined_notes(nodes[step].get("note", ""), f"holds for inputs with {what}")
    nodes[step] = {**nodes[step], "note": told}
    return with_nodes(replace(draft, specialised={**draft.specialised, step: told}), nodes)


def joined_notes(first: str, second: str) -> str:
    """Return two notes as one; what stands in the other already isn't repeated."""
    if not first or first in second:
        return second
    return first if not second or second in first else f"{first}; {second}"


def spoken_of(nodes: Mapping[str, Node]) -> set[str]:
    """Return the steps whose names mean something: to a join's condition, or as a union's source column."""
    return {
        source
        for node in nodes.values()
        if node["params"].get("condition") or node["params"].get("source_column")
        for source in graph.sources(node)
    }


def renamed(draft: Draft, names: Mapping[str, str]) -> Draft:
    """Return the draft with other names of steps, none of which is `spoken_of`."""
    nodes = {}
    for name, node in nodes_of(draft).items():
        for old, new in names.items():
            node = rewired(node, old, f"\0{new}")
        nodes[names.get(name, name)] = _unmarked(node)
    return replace(
        draft,
        document={**draft.document, "nodes": nodes},
        reasons={names.get(step, step): why for step, why in draft.reasons.items()},
        specialised={names.get(step, step): why for step, why in draft.specialised.items()},
        origins={names.get(step, step): origin for step, origin in draft.origins.items()},
        checkpoints={origin: names.get(step, step) for origin, step in draft.checkpoints.items()},
    )


def _unmarked(node: Node) -> Node:
    """Take off the mark that keeps a new name from being taken for another's old one."""
    ports = {
        port: [name.removeprefix("\0") for name in value] if isinstance(value, list) else value.removeprefix("\0")
        for port, value in node.get("inputs", {}).items()
    }
    return {**node, "inputs": ports} if ports else node


def _of(told: Mapping[str, str], nodes: Mapping[str, Node]) -> dict[str, str]:
    return {step: text for step, text in told.items() if step in nodes}

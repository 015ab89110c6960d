"""Projects that only choose or rename columns fold into the step before or after."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.demands import lower
from prepsql.translate.polish.edit import Node, bypassed, nodes_of, with_nodes, with_params

_CHOICE = {"select", "drop", "rename"}
_JOIN_LISTS = 12


def fold_choices(draft: Draft, columns: Columns) -> Draft:
    """Return the draft in which a project that only chooses or renames is part of its only user, where that can be.

    A project takes it over; an output takes its list of columns, a side of a join too; an aggregate or a wide pivot,
    which name what they take, need none of it.
    """
    for name in graph.ordered(nodes_of(draft)):
        nodes = nodes_of(draft)
        node, users = nodes[name], graph.users(nodes)[name]
        if node["kind"] != "project" or not set(node["params"]) <= _CHOICE or len(users) != 1:
            continue
        rule = _RULES.get(nodes[users[0]]["kind"])
        taken = rule(node, nodes[users[0]], name) if rule else None
        if taken is not None:
            draft = bypassed(with_nodes(draft, {**nodes, users[0]: taken}), name, node["inputs"]["in"], heir=users[0])
    return draft


def _into_project(choice: Node, user: Node, name: str) -> Node | None:
    """Compose both choices: which column of the source each name of the result stands for."""
    first, second = choice["params"], user["params"]
    if second.get("promote_header"):
        return None
    new = {old.lower(): name for old, name in (first.get("rename") or {}).items()}
    old = {name.lower(): old for old, name in (first.get("rename") or {}).items()}
    later = {old.lower(): name for old, name in (second.get("rename") or {}).items()}
    made: dict[str, Any] = {}
    if second.get("select"):
        made["select"] = [old.get(column.lower(), column) for column in second["select"]]
    elif first.get("select"):
        made["select"] = list(first["select"])
    dropped = [] if second.get("select") else list(first.get("drop") or ())
    dropped += [old.get(column.lower(), column) for column in second.get("drop") or ()]
    if made.get("select"):
        made["select"] = [column for column in made["select"] if column.lower() not in lower(dropped)]
        dropped = []
    chosen = lower(made.get("select") or ())
    sources = [*(first.get("rename") or {}), *(old.get(c.lower(), c) for c in second.get("rename") or {})]
    renames = {}
    for source in dict.fromkeys(sources):
        between = new.get(source.lower(), source)
        final = later.get(between.lower(), between)
        if final != source and source.lower() not in lower(dropped) and (not chosen or source.lower() in chosen):
            renames[source] = final
    if "select" in made and not made["select"]:
        return None
    rest = {key: value for key, value in second.items() if key not in _CHOICE}
    return with_params(user, {**made, "drop": dropped, "rename": renames, **rest})


def _into_output(choice: Node, user: Node, name: str) -> Node | None:
    params = choice["params"]
    if user["params"].get("columns") and not params.get("rename"):
        return user
    if set(params) != {"select"} or user["params"].get("columns"):
        return None
    return {**user, "params": {**user["params"], "columns": params["select"]}}


def _into_aggregate(choice: Node, user: Node, name: str) -> Node | None:
    return user if not choice["params"].get("rename") else None


def _into_pivot(choice: Node, user: Node, name: str) -> Node | None:
    return user if user["params"]["mode"] == "wider" and not choice["params"].get("rename") else None


def _into_join(choice: Node, user: Node, name: str) -> Node | None:
    """Make a list of columns the side's own; the right side of semi and anti gives none."""
    params, ports = user["params"], user["inputs"]
    if params.get("condition") or ports["left"] == ports["right"] or choice["params"].get("rename"):
        return None
    side = "left" if ports["left"] == name else "right"
    if side == "right" and params["how"] in ("semi", "anti"):
        return user
    select: Sequence[str] = choice["params"].get("select") or ()
    if params.get(f"select_{side}") is not None:
        return user
    if set(choice["params"]) != {"select"} or len(select) > _JOIN_LISTS or choice.get("note"):
        return None
    return {**user, "params": {**params, f"select_{side}": list(select)}}


_RULES: Mapping[str, Callable[[Node, Node, str], Node | None]] = {
    "project": _into_project,
    "output": _into_output,
    "aggregate": _into_aggregate,
    "pivot": _into_pivot,
    "join": _into_join,
}

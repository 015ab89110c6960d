"""Steps with a number for a name get one that says what they do."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepsql.sqltext import free_name
from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.edit import Node, nodes_of, renamed, spoken_of
from prepsql.workflow.expression import parse
from prepsql.workflow.operators import OPERATORS

_NUMBERED = re.compile(rf"_*({'|'.join(['step', 'node', 'cte', 'tmp', 't', 's', *OPERATORS])})?_*\d+_*", re.IGNORECASE)
_MOST = 40


def name_steps(draft: Draft, columns: Columns) -> Draft:
    """Return the draft in which steps that are only numbered are called by what they do; no two names are one.

    Inputs and scripts keep their names, and so do steps whose names mean something.
    """
    nodes = nodes_of(draft)
    spoken = spoken_of(nodes)
    taken = set(nodes)
    names: dict[str, str] = {}
    for name in graph.ordered(nodes):
        node = nodes[name]
        if node["kind"] in ("input", "script") or name in spoken or not _NUMBERED.fullmatch(name):
            continue
        wanted = _RULES[node["kind"]](node, [names.get(source, source) for source in graph.sources(node)])
        plain = _identifier(wanted)
        if plain:
            names[name] = free_name(plain, taken)
            taken.add(names[name])
    return renamed(draft, names) if names else draft


def _identifier(text: str) -> str:
    """Return a text as a step's name, '' where nothing is left of it."""
    name = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()
    while len(name) > _MOST and "_" in name:
        name = name.rpartition("_")[0]
    return name if re.match(r"[a-z]", name) else ""


def _some(names: Sequence[str]) -> str:
    return "_".join(names[:3])


def _project(node: Node, sources: Sequence[str]) -> str:
    params = node["params"]
    made = [entry["as"] for entry in params.get("compute") or ()] or [c["col"] for c in params.get("cast") or ()]
    if params.get("explode"):
        return f"each_{params['explode'].get('as') or params['explode']['col']}"
    return f"with_{_some(made)}" if made else f"columns_of_{sources[0]}"


def _filter(node: Node, sources: Sequence[str]) -> str:
    names = [parts[0] for parts, _, _ in parse(node["params"]["predicate"]).columns]
    return f"kept_by_{_some(list(dict.fromkeys(names)))}"


def _join(node: Node, sources: Sequence[str]) -> str:
    word = {"semi": "in", "anti": "not_in"}.get(node["params"]["how"], "with")
    return f"{sources[0]}_{word}_{sources[1]}"


def _aggregate(node: Node, sources: Sequence[str]) -> str:
    keys = node["params"].get("group_keys") or ()
    return f"by_{_some(keys)}" if keys else f"total_{_some([agg['as'] for agg in node['params'].get('aggs') or ()])}"


def _sort(node: Node, sources: Sequence[str]) -> str:
    params: Mapping[str, Any] = node["params"]
    names = [parts[0] for key in params["order_by"] for parts, _, _ in parse(key["expr"]).columns]
    word = "first_by" if params.get("limit") is not None or params.get("limit_per_group") else "sorted_by"
    return f"{word}_{_some(list(dict.fromkeys(names)))}"


def _pivot(node: Node, sources: Sequence[str]) -> str:
    params = node["params"]
    if params["mode"] == "wider":
        return f"wide_by_{_some([params['columns']] if isinstance(params['columns'], str) else params['columns'])}"
    names = params.get("names_to", "name")
    return f"long_by_{_some([names] if isinstance(names, str) else names)}"


_RULES: Mapping[str, Callable[[Node, Sequence[str]], str]] = {
    "project": _project,
    "filter": _filter,
    "join": _join,
    "union": lambda node, sources: f"all_{_some(sources)}",
    "aggregate": _aggregate,
    "sort": _sort,
    "pivot": _pivot,
    "dedup": lambda node, sources: f"one_per_{_some(node['params'].get('keys') or ['row'])}",
    "output": lambda node, sources: str(node["params"]["path"]).removesuffix(".csv"),
}

"""Which columns of its inputs a step needs, for those of its own that are wanted; names in lower case."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from prepsql.translate import graph
from prepsql.translate.polish.columns import Columns
from prepsql.translate.polish.edit import Node
from prepsql.workflow.expression import parse

Names = set[str]
Needs = dict[str, Names]
"""Needed columns by the step that gives them."""


def needs(node: Node, wanted: Names, columns: Columns) -> Needs:
    """Return which columns of each of its inputs a step needs to give its own columns `wanted`."""
    rule = _RULES.get(node["kind"], _everything)
    return rule(node, wanted, columns)


def lower(names: Iterable[str]) -> Names:
    """Return names as they are compared."""
    return {name.lower() for name in names}


def named(texts: Iterable[str | None]) -> Names | None:
    """Return the columns that expressions name, None where that isn't certain."""
    found: Names = set()
    for text in texts:
        if text:
            expression = parse(text)
            if expression.fault:
                return None
            found |= expression.names
    return found


def _source(node: Node) -> str:
    source: str = node["inputs"]["in"]
    return source


def _everything(node: Node, wanted: Names, columns: Columns) -> Needs:
    return {source: lower(columns[source]) for source in graph.sources(node)}


def _with(node: Node, wanted: Names, more: Names | None, columns: Columns) -> Needs:
    """Return the need for wanted columns and for more; for all where it isn't known which."""
    all_of_it = lower(columns[_source(node)])
    return {_source(node): all_of_it if more is None else (wanted | more) & all_of_it}


def _filter(node: Node, wanted: Names, columns: Columns) -> Needs:
    return _with(node, wanted, named([node["params"]["predicate"]]), columns)


def _keys(keys: Sequence[Mapping[str, Any]]) -> list[str]:
    return [key["expr"] for key in keys]


def _sort(node: Node, wanted: Names, columns: Columns) -> Needs:
    params = node["params"]
    more = named(_keys(params["order_by"]))
    return _with(node, wanted | lower(params.get("partition_by") or ()), more, columns)


def _dedup(node: Node, wanted: Names, columns: Columns) -> Needs:
    params = node["params"]
    if not params.get("keys"):
        return _everything(node, wanted, columns)
    return _with(node, wanted | lower(params["keys"]), named(_keys(params.get("order_by") or ())), columns)


def _aggregate(node: Node, wanted: Names, columns: Columns) -> Needs:
    params = node["params"]
    texts = [text for agg in params.get("aggs") or () for text in (agg.get("expr"), agg.get("filter"))]
    texts += [text for agg in params.get("aggs") or () for text in _keys(agg.get("order_by") or ())]
    return _with(node, lower(params.get("group_keys") or ()), named(texts), columns)


def _pivot(node: Node, wanted: Names, columns: Columns) -> Needs:
    params = node["params"]
    if params["mode"] == "wider":
        parts = [params.get("index"), params.get("columns"), params.get("values")]
        return _with(node, lower(n for part in parts if part for n in _many(part)), set(), columns)
    if params.get("id_cols") is None or not params.get("value_vars"):
        return _everything(node, wanted, columns)
    return _with(node, lower([*params["id_cols"], *params["value_vars"]]), set(), columns)


def _many(names: str | Sequence[str]) -> Sequence[str]:
    return [names] if isinstance(names, str) else names


def _output(node: Node, wanted: Names, columns: Columns) -> Needs:
    params = node["params"]
    if not params.get("columns"):
        return _everything(node, wanted, columns)
    return _with(node, lower([*params["columns"], *(params.get("types") or {}), *(params.get("formats") or {})]),
                 set(), columns)  # fmt: skip


def _join(node: Node, wanted: Names, columns: Columns) -> Needs:
    """Both sides' columns of one name are needed together: without one the other's name has no suffix.

    What a side's list names must be there, wanted or not.
    """
    params, (left, right) = node["params"], (node["inputs"]["left"], node["inputs"]["right"])
    sides = {left: lower(columns[left]), right: lower(columns[right])}
    if left == right:
        return {left: sides[left]}
    found = {
        left: lower([*(params.get("on") or ()), *(params.get("left_on") or ())]),
        right: lower([*(params.get("on") or ()), *(params.get("right_on") or ())]),
    }
    names = wanted | _without_suffixes(wanted, params.get("suffixes") or ())
    condition = parse(params["condition"]) if params.get("condition") else None
    if condition and condition.fault:
        return sides
    for parts, _, _ in condition.columns if condition else ():
        names |= lower(parts)
    chosen = {left: lower(params.get("select_left") or ()), right: lower(params.get("select_right") or ())}
    return {side: found[side] | chosen[side] | (names & sides[side]) for side in sides}


def _without_suffixes(wanted: Names, suffixes: Sequence[str]) -> Names:
    return {name.removesuffix(suffix.lower()) for name in wanted for suffix in suffixes if suffix}


def _project(node: Node, wanted: Names, columns: Columns) -> Needs:
    """Go back from what is wanted through fill, explode, cast, compute and rename."""
    params = node["params"]
    if params.get("promote_header"):
        return _everything(node, wanted, columns)
    live = set(wanted) | filled(params)
    explode = params.get("explode")
    if explode:
        live = (live - lower([explode.get("as") or explode["col"], explode.get("position") or ""])) | {
            explode["col"].lower()
        }
    for entry in reversed(params.get("compute") or ()):
        if entry["as"].lower() in live or kept_anyway(entry):
            more = named([entry["expr"]])
            if more is None:
                return _everything(node, wanted, columns)
            live = (live - {entry["as"].lower()}) | more
    old = {new.lower(): name.lower() for name, new in (params.get("rename") or {}).items()}
    # what select, drop and rename name must be there, wanted or not
    live = {old.get(name, name) for name in live} | lower(params.get("drop") or ()) | lower(params.get("rename") or ())
    if params.get("select"):
        chosen = lower(params["select"])
        live = (live & chosen) | lower(params.get("drop") or ()) | lower(params.get("rename") or ())
    return _with(node, live, set(), columns)


def filled(params: Mapping[str, Any]) -> Names:
    """Return the columns that `fill` goes by."""
    fill = params.get("fill") or {}
    span = fill.get("range") or {}
    return lower([*(fill.get("keys") or ()), *([span["col"]] if span else ()), *(span.get("by") or ())])


def kept_anyway(entry: Mapping[str, Any]) -> bool:
    """Return whether a computed column does more than fill a cell: it ends the run where something is wrong."""
    return "error" in parse(entry["expr"]).functions


_RULES: Mapping[str, Callable[[Node, Names, Columns], Needs]] = {
    "filter": _filter,
    "sort": _sort,
    "dedup": _dedup,
    "aggregate": _aggregate,
    "pivot": _pivot,
    "output": _output,
    "join": _join,
    "project": _project,
}

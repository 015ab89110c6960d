"""A flow of the PrepBench authors → a workflow, step by step in the order of its edges."""

from __future__ import annotations

from collections.abc import Mapping
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

from prepsql.errors import ConfigError, NotTranslatable
from prepsql.workflow.exchange.builder import Builder, Columns, column
from prepsql.workflow.exchange.fuzzy import fuzzy_join
from prepsql.workflow.exchange.imported import Imported
from prepsql.workflow.exchange.inputs import file_columns
from prepsql.workflow.exchange.maps import STEPS, map_
from prepsql.workflow.exchange.nodes import RULES, sql_type
from prepsql.workflow.exchange.params import Params
from prepsql.workflow.exchange.reshape import RULES as RESHAPE

KINDS = {**RULES, **RESHAPE, "map": map_, "fuzzy_join": fuzzy_join}
_OTHER_NAMES = {
    "source": "input", "read": "input", "load": "input", "select": "project", "compute": "project", "merge": "join",
    "concat": "union", "group": "aggregate", "groupby": "aggregate", "order": "sort",
    "deduplicate": "dedup", "drop_duplicates": "dedup", "distinct": "dedup", "sink": "output", "write": "output",
    "where": "filter",
}  # fmt: skip


def import_flow(flow: Mapping[str, Any], inputs: str | Path | None = None) -> Imported:
    """Return a flow of the authors' format as a workflow, with a report.

    `inputs` is the folder with the input files: they are read for their columns' types. Without it, or where a file is
    missing, a column's type is unknown, and text whose meaning hangs on it becomes a script. The given flow is left as
    it is. Raises ConfigError where the flow isn't one: no nodes, an unknown kind, a missing parameter, a reference to
    nothing, a cycle.
    """
    nodes = _nodes(flow)
    sources = {name: _sources(name, node, nodes) for name, node in nodes.items()}
    build, made = Builder(), dict[str, str]()
    for name in _ordered(sources):
        given = _renamed(sources[name], made)
        made[name] = _step(build, name, nodes[name], given, None if inputs is None else Path(inputs))
    workflow: dict[str, Any] = {"name": flow["name"]} if flow.get("name") else {}
    return Imported({**workflow, "nodes": build.nodes}, tuple(build.report))


def _nodes(flow: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    nodes = flow.get("nodes", flow.get("steps")) if isinstance(flow, Mapping) else None
    if isinstance(nodes, list):
        nodes = {str(node.get("id", node.get("name", ""))): node for node in nodes if isinstance(node, Mapping)}
    if not isinstance(nodes, Mapping) or not nodes or not all(isinstance(node, Mapping) for node in nodes.values()):
        raise ConfigError('the flow has no nodes: wants {"nodes": {name: {kind, inputs, params}}}')
    return dict(nodes)


def _kind(name: str, node: Mapping[str, Any]) -> str:
    kind = str(node.get("kind", node.get("type", node.get("op", ""))))
    kind = _OTHER_NAMES.get(kind, kind)
    if kind != "input" and kind not in KINDS and kind not in STEPS:
        known = ", ".join(["input", *sorted({*KINDS, *STEPS})])
        raise ConfigError(f"step '{name}': no kind {kind or 'is given'} (has: {known})")
    return kind


def _sources(name: str, node: Mapping[str, Any], nodes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the inputs of a step by port: in, left and right, or items."""
    given = node.get("inputs", node.get("input", {})) or {}
    if isinstance(given, str):
        given = {"in": given}
    if isinstance(given, Mapping) and len(given) == 1 and isinstance(only := next(iter(given.values())), list):
        given = only
    if isinstance(given, list):
        kind = _kind(name, node)
        ports = {"join": ("left", "right"), "fuzzy_join": ("left", "right")}.get(kind, ("in",))
        given = {"items": given} if kind == "union" else dict(zip(ports, given, strict=False))
    wanted = {
        "join": ("left", "right"),
        "fuzzy_join": ("left", "right"),
        "union": ("items",),
        "input": (),
        "script": (),
    }.get(_kind(name, node), ("in",))
    sources = dict(given)
    if len(wanted) == 1 and wanted != ("items",) and len(sources) == 1:
        sources = {wanted[0]: next(iter(sources.values()))}
    for port in wanted:
        if port not in sources and not (port == "items" and sources):
            raise ConfigError(f"step '{name}': no input {port} (has: {', '.join(sources) or 'none'})")
    for source in _flat(sources):
        if source not in nodes:
            raise ConfigError(f"step '{name}': its input '{source}' is no step (has: {', '.join(nodes)})")
    return sources


def _flat(sources: Mapping[str, Any]) -> list[str]:
    return [s for given in sources.values() for s in (given if isinstance(given, list) else [given])]


def _ordered(sources: Mapping[str, Mapping[str, Any]]) -> list[str]:
    try:
        return list(TopologicalSorter({name: _flat(given) for name, given in sources.items()}).static_order())
    except CycleError as wrong:
        raise ConfigError(f"the flow's steps go in a circle: {' → '.join(wrong.args[1])}") from None


def _renamed(sources: Mapping[str, Any], made: Mapping[str, str]) -> dict[str, Any]:
    return {
        port: [made[item] for item in given] if isinstance(given, list) else made[given]
        for port, given in sources.items()
    }


def _step(
    build: Builder,
    name: str,
    node: Mapping[str, Any],
    sources: Mapping[str, Any],
    folder: Path | None,
) -> str:
    kind, params = _kind(name, node), Params(name, node.get("params") or {})
    before = len(build.nodes)
    try:
        if kind == "input":
            last = _input(build, name, params, folder)
        elif kind in STEPS:
            last = STEPS[kind](build, name, sources["in"], params)
        else:
            last = KINDS[kind](build, name, sources, params)
    except NotTranslatable as why:
        # a condition of a join or of an aggregate, in whose place no script can stand
        raise ConfigError(f"step '{name}': {why}; compute it as a column before") from None
    if len(build.nodes) == before:
        # nothing was asked for: the step stands for its input
        build.tell(name, "left out", "it does nothing")
    elif node.get("note"):
        build.nodes[last]["note"] = str(node["note"])
    if not any(entry.step == name for entry in build.report):
        build.tell(name, "kept", f"{kind} as it was")
    for parameter in params.left():
        build.tell(name, "left out", f"parameter {parameter} isn't known for {kind}")
    return last


def _input(build: Builder, name: str, params: Params, folder: Path | None) -> str:
    path = params.get("path")
    types = params.get("types", also=("dtype", "dtypes"))
    if types is not None and not isinstance(types, Mapping):
        types = {"VARCHAR": "text"}.get(sql_type(types)[0], types)
    elif types:
        types = {col: sql_type(kind)[0] for col, kind in types.items()}
    given = {
        "path": path,
        "data": params.get("data"),
        "format": params.get("format", also=("type",)),
        "delimiter": params.get("delimiter", also=("sep", "separator")),
        "encoding": params.get("encoding"),
        "skip": params.get("skip", also=("skiprows",)),
        "sheet": params.get("sheet", also=("sheet_name",)),
        "types": types,
        "null_words": params.get("null_words", also=("na_values",)),
        "columns": params.names("columns", also=("usecols",)) or None,
    }
    known: Columns = {c: column(c, sql_type(k)[1]) for c, k in types.items()} if isinstance(types, Mapping) else {}
    made = build.add(build.name(name), "input", {}, given, known)
    header = params.get("header", "absent")
    if header != "absent":
        # their rows are counted from 0, ours from 1
        counted = (
            [row + 1 for row in header] if isinstance(header, list) else header + 1 if header is not None else None
        )
        build.nodes[made]["params"]["header"] = counted
    if folder is not None:
        known |= file_columns(build.nodes[made], folder)
    return made

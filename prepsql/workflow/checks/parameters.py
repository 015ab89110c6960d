"""The first check: the document's shape, and each step's parameters by its operator's class."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

from prepsql.workflow.checks.names import kind_meant, node_meant, top_meant
from prepsql.workflow.checks.values import read_parameters
from prepsql.workflow.document import STEP_NAME, Document, Step
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.operators.base import Operator
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import HIDDEN

_NODE = ("kind", "inputs", "params", "note")
_TOP = ("name", "nodes")


def read_document(raw: Any) -> Document:
    """Return the steps of a document, with every fault of its form."""
    if not isinstance(raw, Mapping):
        found = type(raw).__name__
        return Document("", {}, (Problem("", "", "bad_document", f"a workflow is a JSON object, not {found}"),))
    problems: list[Problem] = []
    raw = dict(raw)
    for name in [name for name in raw if name not in _TOP]:
        near = top_meant(name, _TOP)
        message = f"a workflow has no '{name}' (has: {listing(_TOP)})"
        problems.append(Problem("", name, "unknown_parameter", message, f"did you mean '{near}'?" if near else ""))
        raw.setdefault(near, raw[name])
    nodes = raw.get("nodes")
    if not isinstance(nodes, Mapping) or not nodes:
        message = "'nodes' is empty" if nodes == {} else "'nodes' must be an object of steps by name"
        problems.append(Problem("", "nodes", "bad_document", message, 'give {"nodes": {"main": {"kind": "input", …}}}'))
        nodes = {}
    steps: dict[str, Step] = {}
    folded: dict[str, str] = {}
    for name, node in nodes.items():
        problems += _name_faults(name, folded)
        folded[name.lower()] = name
        steps[name], faults = _read_step(name, node)
        problems += faults
    title = raw.get("name", "")
    if not isinstance(title, str):
        problems.append(Problem("", "name", "bad_document", "'name' must be text"))
        title = ""
    return Document(title, steps, tuple(problems))


def _name_faults(name: str, folded: Mapping[str, str]) -> Iterator[Problem]:
    if name.startswith(HIDDEN):
        yield Problem(name, "", "bad_name", f"names that begin with {HIDDEN} are prepsql's own", "rename it")
    elif not STEP_NAME.fullmatch(name):
        plain = re.sub(r"[^A-Za-z0-9_]+", "_", name)[:60].strip("_")
        near = plain if STEP_NAME.fullmatch(plain) else f"step_{plain}".rstrip("_")
        what = "it takes letters, digits and _, at most 63, beginning with a letter"
        yield Problem(name, "", "bad_name", f"{_short(name)} can't name a step: {what}", f"such as '{near}'")
    if name.lower() in folded:
        yield Problem(
            name, "", "bad_name", f"'{name}' and '{folded[name.lower()]}' are one name to SQL", "rename one of them"
        )


def _short(name: str) -> str:
    return repr(name if len(name) <= 40 else name[:37] + "…")


def _read_step(name: str, node: Any) -> tuple[Step, list[Problem]]:
    if not isinstance(node, Mapping):
        hint = 'such as {"kind": "filter", "inputs": {"in": "main"}, "params": {…}}'
        return Step(name, "", {}, {}), [
            Problem(name, "", "bad_document", "a step is an object with kind, inputs and params", hint)
        ]
    node, problems = _parts(name, node)
    kind, params, inputs = node.get("kind"), node.get("params", {}), node.get("inputs", {})
    operator = OPERATORS.get(kind) if isinstance(kind, str) else None
    if operator is None:
        message = "a step needs a kind" if kind is None else f"unknown kind {kind!r}"
        near = kind_meant(str(kind), OPERATORS) if kind is not None else ""
        hint = f"did you mean '{near}'?" if near else ""
        problems.append(Problem(name, "kind", "unknown_kind", f"{message} (kinds: {', '.join(OPERATORS)})", hint))
        kind, operator = near, OPERATORS.get(near)
    ports, port_faults = _ports(name, operator, inputs)
    problems += port_faults
    if not isinstance(params, Mapping):
        first = next(iter(operator.model_fields)) if operator else "path"
        hint = f'such as {{"{first}": …}}'
        problems.append(Problem(name, "params", "bad_value", "params must be an object of parameters by name", hint))
        params, operator = {}, None
    made, whole = None, False
    if operator:
        made, whole, faults = read_parameters(name, operator, params)
        problems += faults
    note = node.get("note", "")
    return Step(name, str(kind), ports, params, note if isinstance(note, str) else "", made, whole), problems


def _parts(name: str, node: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Return a step's parts under their right names, and a problem for each that isn't known.

    A parameter that stands beside params is read as if it stood inside.
    """
    problems = []
    made = {key: value for key, value in node.items() if key in _NODE}
    operator = OPERATORS.get(str(node.get("kind")))
    fields = [field.alias or key for key, field in operator.model_fields.items()] if operator else []
    for key in node:
        if key in _NODE:
            continue
        near = "" if key in fields else node_meant(key, _NODE)
        hint = f"did you mean '{near}'?" if near else "parameters of the operator belong in params"
        message = f"a step has no '{key}' (has: {listing(_NODE)})"
        problems.append(Problem(name, key, "unknown_parameter", message, hint))
        if near:
            made.setdefault(near, node[key])
        elif key in fields and isinstance(made.get("params", {}), Mapping):
            made["params"] = {key: node[key], **made.get("params", {})}
    return made, problems


def _ports(name: str, operator: type[Operator] | None, inputs: Any) -> tuple[dict[str, str], list[Problem]]:
    """Return which step each port takes its rows from; wrong ports are read as those that they likely mean."""
    flat: dict[str, Any] = {}
    for port, given in (inputs if isinstance(inputs, Mapping) else {"": inputs}).items():
        listed = isinstance(given, list)
        flat |= {str(i): item for i, item in enumerate(given)} if listed and port in ("items", "") else {port: given}
    if operator is None:
        return {port: source for port, source in flat.items() if isinstance(source, str)}, []
    wanted = operator.ports.split()
    fits = isinstance(inputs, Mapping) and all(isinstance(source, str) for source in flat.values()) and {
        "none": not flat, "items": isinstance(inputs.get("items"), list) and len(inputs) == 1 and bool(flat),
        "named": bool(flat) and all(STEP_NAME.fullmatch(port) for port in flat),
    }.get(operator.ports, sorted(flat) == sorted(wanted))  # fmt: skip
    if fits:
        return flat, []
    form = {
        "none": "{}", "in": '{"in": step}', "left right": '{"left": step, "right": step}',
        "items": '{"items": [step, …]}', "named": "one step or more, each under a name",
    }[operator.ports]  # fmt: skip
    given = ", ".join(port for port in inputs) if isinstance(inputs, Mapping) else json.dumps(inputs)
    meant = _placed(operator.ports, [s for part in flat.values() for s in (part if isinstance(part, list) else [part])])
    known = {port: source for port, source in flat.items() if isinstance(source, str) and port in wanted}
    message = f"the inputs of '{operator.kind}' are {form} (given: {given or 'none'})"
    hint = f"write {form if meant is None else json.dumps(meant, ensure_ascii=False)}"
    ports = known if meant is None else meant
    if operator.ports == "items" and meant:
        ports = {str(i): source for i, source in enumerate(meant["items"])}
    return ports, [Problem(name, "inputs", "bad_ports", message, hint)]


def _placed(ports: str, sources: list[Any]) -> dict[str, Any] | None:
    """Return names of steps at the ports of a kind, None where they don't go there."""
    if not all(isinstance(source, str) and source for source in sources) or (not sources and ports != "none"):
        return None
    if ports == "none":
        return {}
    if ports == "items":
        return {"items": sources}
    names = ports.split() if ports != "named" else ["in"] if len(sources) == 1 else sources
    return dict(zip(names, sources, strict=True)) if len(names) == len(sources) else None

"""The first check: the document's shape, and each step's parameters by its operator's class."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from prepsql.workflow.document import STEP_NAME, Document, Step
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.operators.base import Operator
from prepsql.workflow.problem import Problem, did_you_mean, listing, nearest
from prepsql.workflow.relation import HIDDEN

_NODE = ("kind", "inputs", "params", "note")
_TOP = ("name", "nodes")
# what other tools call the kinds
_KINDS = {
    "select": "project", "map": "project", "mutate": "project", "compute": "project", "rename": "project",
    "where": "filter", "merge": "join", "concat": "union", "append": "union", "group": "aggregate",
    "groupby": "aggregate", "group_by": "aggregate", "summarize": "aggregate", "order": "sort", "order_by": "sort",
    "limit": "sort", "top": "sort", "melt": "pivot", "unpivot": "pivot", "distinct": "dedup",
    "drop_duplicates": "dedup", "read": "input", "source": "input", "load": "input", "write": "output",
    "sink": "output", "save": "output", "python": "script", "sql": "script", "code": "script",
}  # fmt: skip


def read_document(raw: Any) -> Document:
    """Return the steps of a document, with every fault of its form."""
    if not isinstance(raw, Mapping):
        found = type(raw).__name__
        return Document("", {}, (Problem("", "", "bad_document", f"a workflow is a JSON object, not {found}"),))
    problems = [
        Problem("", name, "unknown_parameter", f"a workflow has no '{name}' (has: {listing(_TOP)})",
                did_you_mean(name, _TOP))
        for name in raw
        if name not in _TOP
    ]  # fmt: skip
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
        step, faults = _read_step(name, node)
        problems += faults
        if step:
            steps[name] = step
    title = raw.get("name", "")
    if not isinstance(title, str):
        problems.append(Problem("", "name", "bad_document", "'name' must be text"))
        title = ""
    return Document(title, steps, tuple(problems))


def _name_faults(name: str, folded: Mapping[str, str]) -> Iterator[Problem]:
    if not STEP_NAME.fullmatch(name) or name.startswith(HIDDEN):
        yield Problem(
            name, "", "bad_name", f"{name!r} can't name a step", "use letters, digits and _, beginning with a letter"
        )
    if name.lower() in folded:
        yield Problem(
            name, "", "bad_name", f"'{name}' and '{folded[name.lower()]}' are one name to SQL", "rename one of them"
        )


def _read_step(name: str, node: Any) -> tuple[Step | None, list[Problem]]:
    if not isinstance(node, Mapping):
        return None, [Problem(name, "", "bad_document", "a step is an object with kind, inputs and params")]
    problems = [
        Problem(name, key, "unknown_parameter", f"a step has no '{key}' (has: {listing(_NODE)})",
                did_you_mean(key, _NODE) or "parameters of the operator belong in params")
        for key in node
        if key not in _NODE
    ]  # fmt: skip
    kind, params, inputs = node.get("kind"), node.get("params", {}), node.get("inputs", {})
    operator = OPERATORS.get(kind) if isinstance(kind, str) else None
    if operator is None:
        message = "a step needs a kind" if kind is None else f"unknown kind {kind!r}"
        near = _KINDS.get(str(kind).lower()) or nearest(str(kind), OPERATORS)
        hint = f"use '{near}'" if near else ""
        problems.append(Problem(name, "kind", "unknown_kind", f"{message} (kinds: {', '.join(OPERATORS)})", hint))
    if not isinstance(params, Mapping):
        problems.append(Problem(name, "params", "bad_value", "params must be an object"))
        params = {}
    ports, port_faults = _ports(name, operator, inputs)
    problems += port_faults
    made: Operator | None = None
    if operator:
        made, faults = _parameters(name, operator, params)
        problems += faults
    note = node.get("note", "")
    return Step(name, str(kind), ports, params, note if isinstance(note, str) else "", made), problems


def _ports(name: str, operator: type[Operator] | None, inputs: Any) -> tuple[dict[str, str], list[Problem]]:
    """Return which step each port takes its rows from."""
    if not isinstance(inputs, Mapping):
        return {}, [Problem(name, "inputs", "bad_ports", "inputs must be an object", 'such as {"in": "main"}')]
    flat: dict[str, str] = {}
    for port, given in inputs.items():
        if port == "items" and isinstance(given, list):
            flat |= {str(i): item for i, item in enumerate(given)}
        else:
            flat[port] = given
    wrong = [port for port, given in flat.items() if not isinstance(given, str)]
    if wrong:
        return {}, [Problem(name, f"inputs.{wrong[0]}", "bad_ports", "an input is the name of a step")]
    if operator is None:
        return flat, []
    form = {
        "none": "{}", "in": '{"in": step}', "left right": '{"left": step, "right": step}',
        "items": '{"items": [step, …]}', "named": "one step or more, each under a name",
    }[operator.ports]  # fmt: skip
    wanted = operator.ports.split()
    fits = {
        "none": not flat, "items": isinstance(inputs.get("items"), list) and len(inputs) == 1 and bool(flat),
        "named": bool(flat) and all(STEP_NAME.fullmatch(port) for port in flat),
    }.get(operator.ports, sorted(flat) == sorted(wanted))  # fmt: skip
    if fits:
        return flat, []
    given = ", ".join(inputs) or "none"
    return flat, [
        Problem(name, "inputs", "bad_ports", f"the inputs of '{operator.kind}' are {form} (given: {given})",
                f"write {form}")
    ]  # fmt: skip


def _parameters(
    name: str, operator: type[Operator], params: Mapping[str, Any]
) -> tuple[Operator | None, list[Problem]]:
    try:
        return operator.model_validate(dict(params)), []
    except ValidationError as wrong:
        problems: dict[str, Problem] = {}
        for error in wrong.errors():
            found = _fault(name, operator, error)
            problems.setdefault(found.parameter, found)
        return None, list(problems.values())


def _fault(name: str, operator: type[Operator], error: Any) -> Problem:
    """Return pydantic's error as a problem."""
    model, path = _walk(operator, error["loc"])
    kind, last = error["type"], str(error["loc"][-1]) if error["loc"] else ""
    names = [field.alias or key for key, field in model.model_fields.items()]
    if kind == "extra_forbidden":
        hint = did_you_mean(last, names)
        return Problem(name, path, "unknown_parameter", f"no parameter '{last}' (has: {listing(names)})", hint)
    if kind == "missing":
        return Problem(
            name, path, "missing_parameter", f"'{last}' is missing (parameters: {listing(names)})", f"give {last}"
        )
    message = error["msg"].removeprefix("Value error, ")
    shown = repr(error["input"])
    if kind == "value_error":
        return Problem(name, path, "bad_value", message)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    return Problem(name, path, "bad_value", f"{shown} doesn't fit: {message[0].lower()}{message[1:]}")


def _walk(model: type[BaseModel], loc: tuple[Any, ...]) -> tuple[type[BaseModel], str]:
    """Return the innermost model that a place is in, and the place as a path of parameters."""
    path = ""
    for part in loc:
        fields = {field.alias or key: field for key, field in model.model_fields.items()}
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in fields:
            path += f".{part}" if path else str(part)
            inner = _model_in(fields[part].annotation)
            if part != loc[-1] and inner:
                model = inner
        elif part == loc[-1] and not str(part).endswith("]") and part not in ("int", "str", "list", "dict", "float"):
            path += f".{part}" if path else str(part)
    return model, path


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        inner = _model_in(argument)
        if inner:
            return inner
    return None

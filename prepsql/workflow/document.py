"""A workflow's document: JSON as people write it, and its steps."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prepsql.errors import InputError, WorkflowError
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.operators.base import Operator
from prepsql.workflow.problem import Problem

STEP_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,62}")
"""What a step's name is: it becomes the name of a CTE."""


@dataclass(frozen=True)
class Step:
    """One step: its name, kind, parameters, and which step each of its ports takes its rows from.

    The ports of a union are '0', '1', …. An unknown `kind` is replaced by the one that it likely means, or ''.
    `operator` is None where the parameters can't be read, and lacks some where it isn't `whole`.
    """

    name: str
    kind: str
    inputs: Mapping[str, str]
    params: Mapping[str, Any]
    note: str = ""
    operator: Operator | None = None
    whole: bool = True


@dataclass(frozen=True)
class Document:
    """A workflow's name, its steps by name in the order of the document, and the faults of its form.

    `compiled` has what its steps became on columns that they were compiled on before.
    """

    name: str
    steps: Mapping[str, Step]
    problems: tuple[Problem, ...] = field(default=(), compare=False)
    compiled: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)


def read_json(path: Path) -> Any:
    """Return what a JSON file holds. Raises InputError where it can't be read, WorkflowError where it isn't JSON."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as bad:
        why = getattr(bad, "strerror", None) or "not UTF-8 text"
        raise InputError(f"workflow {path}: can't be read ({why}); name a .json file") from bad
    return parse_json(text)


def parse_json(text: str) -> Any:
    """Return what a JSON text holds; a name that stands twice in an object is a fault, not the last one's."""
    try:
        return json.loads(text, object_pairs_hook=_once)
    except RecursionError as bad:
        message = "it is nested too deeply"
        raise WorkflowError(f"not a workflow: {message}", (Problem("", "", "bad_document", message),)) from bad
    except ValueError as bad:
        raise WorkflowError(f"not a workflow: {bad}", (Problem("", "", "bad_document", f"not JSON: {bad}"),)) from bad


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands twice in one object")
    return made


_PURPOSE = """Steps by name, each of one kind, which take their rows from steps before them and end in outputs.

Expressions are SQL as DuckDB has it, over the columns of the step's input, with the library's macros (prepsql macros).
Column names with blanks or signs stand in double quotes, there and only there; text stands in single quotes. No
subqueries; aggregates only as `func` of an aggregate step; windows only in `compute`. An empty cell is null, and null
fits no condition. A table's rows have an order, which steps keep unless they say another.
"""


def schema() -> dict[str, Any]:
    """Return the JSON Schema of a workflow, made from the operators' classes."""
    kinds: list[dict[str, Any]] = []
    definitions: dict[str, Any] = {}
    for kind, operator in OPERATORS.items():
        params = operator.model_json_schema(by_alias=True, ref_template="#/$defs/{model}")
        definitions |= params.pop("$defs", {})
        node = {
            "type": "object",
            "description": operator.purpose,
            "properties": {
                "kind": {"const": kind},
                "inputs": _ports_schema(operator),
                "params": params,
                "note": {"type": "string", "description": "why the step is there, for the reader"},
            },
            "required": ["kind", "params"] + ([] if operator.ports == "none" else ["inputs"]),
            "additionalProperties": False,
        }
        kinds.append(node)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "prepsql workflow",
        "description": _PURPOSE,
        "type": "object",
        "properties": {
            "name": {"type": "string"},
            "nodes": {
                "type": "object",
                "propertyNames": {"pattern": f"^{STEP_NAME.pattern}$"},
                "additionalProperties": {"oneOf": kinds},
            },
        },
        "required": ["nodes"],
        "additionalProperties": False,
        "$defs": definitions,
    }


def _ports_schema(operator: type[Operator]) -> dict[str, Any]:
    name = {"type": "string", "description": "the name of a step"}
    if operator.ports == "none":
        return {"type": "object", "maxProperties": 0}
    if operator.ports == "items":
        items = {"type": "array", "items": name, "minItems": 1}
        return {"type": "object", "properties": {"items": items}, "required": ["items"], "additionalProperties": False}
    if operator.ports == "named":
        return {"type": "object", "additionalProperties": name, "minProperties": 1}
    ports = operator.ports.split()
    return {
        "type": "object", "properties": dict.fromkeys(ports, name), "required": ports, "additionalProperties": False,
    }  # fmt: skip

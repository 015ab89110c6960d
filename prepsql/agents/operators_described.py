"""The operators of workflows as a model is told them: purpose, ports, parameters with types."""

from __future__ import annotations

import inspect
import types
from functools import cache
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from prepsql.workflow import OPERATORS


@cache
def operators_described() -> str:
    """Return each kind of step in a few lines, in the order in which a workflow usually has them.

    >>> operators_described().startswith("input (inputs: none): reads a table from a file")
    True
    """
    return "\n\n".join(_described(kind, operator) for kind, operator in OPERATORS.items())


def _described(kind: str, operator: Any) -> str:
    lines = [f"{kind} (inputs: {operator.ports}): {operator.purpose}"]
    lines += [f"  {line}" for line in inspect.cleandoc(operator.__doc__ or "").splitlines()[1:] if line.strip()]
    lines += [f"  {line}" for line in _parameters(operator)]
    return "\n".join(lines)


def _parameters(model: type[BaseModel]) -> list[str]:
    found = []
    for name, field in model.model_fields.items():
        need = "" if field.is_required() else f" = {field.get_default(call_default_factory=True)!r}"
        found.append(f"- {field.alias or name}: {_named(field.annotation)}{need}")
    return found


def _named(annotation: Any) -> str:
    """Return a type in a reader's words; a model of its own as what it holds."""
    origin = get_origin(annotation)
    if origin is Literal:
        return " | ".join(map(repr, get_args(annotation)))
    if origin in (Union, types.UnionType):
        return " | ".join(_named(one) for one in get_args(annotation) if one is not type(None))
    if origin in (list, tuple):
        return f"[{_named(get_args(annotation)[0])}, …]"
    if origin is dict:
        key, value = get_args(annotation)
        return f"{{{_named(key)}: {_named(value)}, …}}"
    if inspect.isclass(annotation) and issubclass(annotation, BaseModel):
        return (
            "{" + ", ".join(f"{f.alias or n}: {_named(f.annotation)}" for n, f in annotation.model_fields.items()) + "}"
        )
    return {str: "text", int: "number", bool: "true | false", float: "number"}.get(
        annotation, getattr(annotation, "__name__", "any")
    )

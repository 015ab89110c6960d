"""A step's parameters by its operator's class: unknown, missing, and values that can't be used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError

from prepsql.workflow.checks.names import parameter_meant, value_meant
from prepsql.workflow.operators.base import Operator
from prepsql.workflow.problem import Problem, listing

_FORMS = {
    "string": "text", "int": "a whole number", "int_from_float": "a whole number", "int_parsing": "a whole number",
    "float": "a number", "float_parsing": "a number", "bool": "true or false", "list": "a list", "tuple": "a list",
    "dict": "an object", "model": "an object", "model_attributes": "an object",
}  # fmt: skip


def read_parameters(
    step: str, operator: type[Operator], params: Mapping[str, Any]
) -> tuple[Operator | None, bool, list[Problem]]:
    """Return the operator of a step's parameters, whether all of them could be read, and what is wrong.

    A misspelt parameter is reported, then read as the one that it likely means; a faulty one is left out, if the
    operator can do without: what else is wrong in the step can be said at once.
    """
    problems: list[Problem] = []
    meant = _meant(step, operator, params, "", problems)
    try:
        return operator.model_validate(meant), True, problems
    except ValidationError as wrong:
        errors = wrong.errors()
    problems += _value_faults(step, operator, errors)
    faulty = {error["loc"][0] for error in errors if error["loc"]}
    try:
        return operator.model_validate({key: v for key, v in meant.items() if key not in faulty}), False, problems
    except ValidationError:
        return None, False, problems


def _meant(step: str, model: type[BaseModel], given: Mapping[str, Any], path: str, problems: list[Problem]) -> Any:
    """Return parameters under their right names; adds a problem for each that isn't known."""
    fields = {field.alias or key: field for key, field in model.model_fields.items()}
    owner = getattr(model, "kind", model.__name__)
    made: dict[str, Any] = {}
    for name, value in given.items():
        place, right = f"{path}.{name}" if path else name, name
        if name not in fields:
            right = parameter_meant(name, fields, owner)
            message = f"no parameter '{name}' (has: {listing(list(fields))})"
            hint = f"did you mean '{right}'?" if right else ""
            problems.append(Problem(step, place, "unknown_parameter", message, hint))
            if not right or right in given:
                continue
        made[right] = _inside(step, _model_in(fields[right].annotation), value, place, problems)
    return made


def _inside(step: str, inner: type[BaseModel] | None, value: Any, place: str, problems: list[Problem]) -> Any:
    if inner is None:
        return value
    if isinstance(value, Mapping):
        return _meant(step, inner, value, place, problems)
    if isinstance(value, list):
        return [_inside(step, inner, part, f"{place}[{i}]", problems) for i, part in enumerate(value)]
    return value


def _value_faults(step: str, operator: type[Operator], errors: list[Any]) -> Iterator[Problem]:
    """Yield pydantic's errors as problems, one a parameter: each branch of a union has an error of its own."""
    places: dict[str, list[Any]] = {}
    models: dict[str, type[BaseModel]] = {}
    for error in errors:
        model, path = _walk(operator, error["loc"])
        inner = (error.get("ctx") or {}).get("parameter")
        path = ".".join(filter(None, [path, inner]))
        places.setdefault(path, []).append(error)
        models[path] = model
    for path, same in places.items():
        yield _fault(step, path, models[path], same)


def _fault(step: str, path: str, model: type[BaseModel], errors: list[Any]) -> Problem:
    error = errors[0]
    kind = error["type"]
    if kind == "missing" and path.startswith("suffixes"):
        return Problem(step, "suffixes", "bad_value", "suffixes are two", 'write both, such as ["", "_right"]')
    if kind == "missing":
        names = [field.alias or key for key, field in model.model_fields.items()]
        last = str(error["loc"][-1])
        return Problem(
            step, path, "missing_parameter", f"'{last}' is missing (parameters: {listing(names)})", f"give {last}"
        )
    if kind in ("missing_parameter", "bad_value"):
        return Problem(step, path, kind, error["msg"], error["ctx"]["mend"])
    shown = json.dumps(error["input"], ensure_ascii=False, default=str)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    return Problem(step, path, "bad_value", f"{shown} can't be used: it must be {_wanted(errors)}", _mend(errors))


def _wanted(errors: list[Any]) -> str:
    """Return what a value must be, in words."""
    ways = []
    for error in errors:
        kind, ctx = error["type"], error.get("ctx") or {}
        form = _FORMS.get(kind.removesuffix("_type"), _FORMS.get(kind))
        if kind == "literal_error":
            words = ctx["expected"].replace("'", "").replace(" or ", ", ")
            form = f"one of {words}" if "," in words else f"'{words}'"
        elif kind == "too_short":
            least = ctx["min_length"]
            form = f"a list of at least {least} entr{'y' if least == 1 else 'ies'}"
        elif kind == "too_long":
            form = f"a list of {ctx['max_length']} entries"
        elif kind in ("greater_than_equal", "greater_than", "less_than_equal", "less_than"):
            sign = {"greater_than_equal": "at least", "greater_than": "more than", "less_than_equal": "at most"}
            form = f"{sign.get(kind, 'less than')} {next(iter(ctx.values()))}"
        ways.append(form or f"{error['msg'][0].lower()}{error['msg'][1:]}")
    return " or ".join(dict.fromkeys(ways))


def _mend(errors: list[Any]) -> str:
    """Return how the value is written rightly, where it is near."""
    value = errors[0]["input"]
    for error in errors:
        kind = error["type"]
        if kind == "literal_error" and isinstance(value, str):
            words = error["ctx"]["expected"].replace(" or ", ", ").split(", ")
            near = value_meant(value, [word.strip("'") for word in words])
            if near:
                return f"did you mean '{near}'?"
        if kind == "list_type" and isinstance(value, str) and error["loc"][-1] == "order_by":
            return f"write {_json([{'expr': value}])}"
        if kind == "list_type" and isinstance(value, dict) and error["loc"][-1] == "aggs":
            return 'write a list such as [{"as": "total", "func": "sum", "expr": "amount"}]'
        if kind in ("list_type", "tuple_type") and isinstance(value, str | int | float | dict):
            return f"write [{_json(value)}]" if not isinstance(value, str) else _listed(value)
        if kind == "bool_type" and str(value).lower() in ("true", "false", "yes", "no", "1", "0"):
            return f"write {'true' if str(value).lower() in ('true', 'yes', '1') else 'false'}"
        if kind == "int_type" and str(value).strip().lstrip("-").isdigit():
            return f"write {int(value)}"
        if kind == "string_type" and isinstance(value, int | float) and not isinstance(value, bool):
            return f"write {_json(str(value))}"
        if kind == "string_type" and isinstance(value, list) and len(value) == 1 and isinstance(value[0], str):
            return f"write {_json(value[0])}"
        if kind in ("model_type", "model_attributes_type") and isinstance(value, str):
            first = next((n for n in ("expr", "col") if n in _fields_of(error)), "")
            if first:
                return f"write {_json({first: value})}"
    return ""


def _fields_of(error: Any) -> tuple[str, ...]:
    name = (error.get("ctx") or {}).get("class_name", "")
    return {"Key": ("expr",), "Explode": ("col",)}.get(name, ())


def _listed(text: str) -> str:
    parts = [part.strip() for part in text.split(",")]
    return f"write {_json(parts if len(parts) > 1 and all(parts) else [text])}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _walk(model: type[BaseModel], loc: tuple[Any, ...]) -> tuple[type[BaseModel], str]:
    """Return the innermost model that a place is in, and the place as a path of parameters.

    Parts that are no parameters name the branch of a union, or a key of a mapping.
    """
    path = ""
    annotation: Any = None
    for part in loc:
        fields = {field.alias or key: field for key, field in model.model_fields.items()}
        if isinstance(part, int):
            path += f"[{part}]"
        elif part in fields:
            path += f".{part}" if path else str(part)
            annotation = fields[part].annotation
            inner = _model_in(annotation)
            if part != loc[-1] and inner:
                model = inner
        elif "dict[" in str(annotation) and not _branch(str(part)):
            path += f".{part}"
    return model, path


def _branch(part: str) -> bool:
    return part in ("int", "str", "bool", "float", "none") or part.endswith("]")


def _model_in(annotation: Any) -> type[BaseModel] | None:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation
    for argument in getattr(annotation, "__args__", ()):
        inner = _model_in(argument)
        if inner:
            return inner
    return None

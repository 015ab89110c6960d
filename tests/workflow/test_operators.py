"""Every operator: one class in a file of its own, with its kind, purpose, docstring, schema and page."""

import inspect
from pathlib import Path

import pytest
from pydantic import BaseModel

from prepsql.workflow.document import schema
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.operators.base import Operator

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "workflows.md"
KINDS = ["input", "project", "filter", "join", "union", "aggregate", "sort", "pivot", "dedup", "output", "script"]


def test_there_are_the_eleven_of_the_paper() -> None:
    assert list(OPERATORS) == KINDS


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_says_what_it_is(kind: str) -> None:
    operator = OPERATORS[kind]
    assert operator.kind == kind
    assert 10 < len(operator.purpose) < 80
    assert not operator.purpose.endswith(".")
    assert operator.__name__.lower() == kind
    doc = inspect.getdoc(operator) or ""
    assert doc != inspect.getdoc(Operator)
    assert doc.splitlines()[0].endswith((".", "by", "own"))
    assert operator.model_config["frozen"]
    assert operator.model_config["extra"] == "forbid"


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_has_a_file_of_its_own(kind: str) -> None:
    operator = OPERATORS[kind]
    assert Path(inspect.getfile(operator)).name == f"{kind}.py"
    module = inspect.getmodule(operator)
    own = [
        c
        for _, c in inspect.getmembers(module, inspect.isclass)
        if issubclass(c, Operator) and c is not Operator and c.__module__ == operator.__module__
    ]
    assert own == [operator]


@pytest.mark.parametrize("kind", KINDS)
def test_an_operator_has_a_json_schema_of_its_parameters(kind: str) -> None:
    made = schema()
    (node,) = (
        n
        for n in made["properties"]["nodes"]["additionalProperties"]["oneOf"]
        if n["properties"]["kind"] == {"const": kind}
    )
    assert node["description"] == OPERATORS[kind].purpose
    params = node["properties"]["params"]
    names = [field.alias or name for name, field in OPERATORS[kind].model_fields.items()]
    assert list(params["properties"]) == names
    assert params["additionalProperties"] is False
    assert params["description"]
    for name in _refs(params):
        assert name in made["$defs"]


def _refs(part: object) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"].removeprefix("#/$defs/")] if "$ref" in part else []
        return own + [name for value in part.values() for name in _refs(value)]
    return [name for value in part for name in _refs(value)] if isinstance(part, list) else []


@pytest.mark.parametrize("kind", KINDS)
def test_a_docstring_names_each_parameter(kind: str) -> None:
    module = inspect.getmodule(OPERATORS[kind])
    models = [
        c
        for _, c in inspect.getmembers(module, inspect.isclass)
        if issubclass(c, BaseModel) and c.__module__.startswith("prepsql.workflow.operators") and c is not Operator
    ]
    said = " ".join(inspect.getdoc(c) or "" for c in models)
    silent = [
        field.alias or name
        for name, field in OPERATORS[kind].model_fields.items()
        if f"`{field.alias or name}" not in said
    ]
    assert set(silent) <= PLAIN.get(kind, set())


# what a parameter's name says by itself
PLAIN: dict[str, set[str]] = {
    "input": {"delimiter", "encoding", "sheet", "skip"},
    "filter": {"predicate"},
    "join": {"how"},
    "aggregate": {"aggs"},
    "dedup": {"keep"},
    "pivot": {"mode", "agg"},
    "script": {"language", "timeout"},
    "sort": set(),
    "project": set(),
}


@pytest.mark.skipif(not PAGE.exists(), reason="docs/workflows.md isn't written yet")
@pytest.mark.parametrize("kind", KINDS)
def test_the_page_on_workflows_tells_of_each_operator_and_parameter(kind: str) -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert kind in text
    for name, field in OPERATORS[kind].model_fields.items():
        assert (field.alias or name) in text, name

"""Scripts that the compiler left are replaced by steps of a model's, where these are proven."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from prepsql.agents.brief import Brief
from prepsql.agents.code import Code
from prepsql.agents.replace_scripts import Unfit, form, parted, replace_scripts, with_parts
from prepsql.agents.to_workflow import to_workflow
from prepsql.compare import compare_policies
from prepsql.errors import CapReached, ModelError
from prepsql.evaluate.compiled import CompiledCode, compiled
from prepsql.evaluate.desk import TaskDesk
from prepsql.evaluate.solve import Terms
from prepsql.evaluate.suites import open_suite
from prepsql.llm.model import Model, Occasion, Reply, Request
from prepsql.llm.opening import open_models
from prepsql.llm.settings import ModelSettings
from prepsql.sandbox import Language
from prepsql.workflow import OPERATORS, Workflow

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "agents" / "translate"
TASK = open_suite(FIXTURES / "suite").tasks[0]
TERMS = Terms(accept_risk=True)
CODE = TASK.reference["pandas"].read_text()
BRIEF = Brief(TASK.id, "translate", 1, "", TASK.inputs, ("translate",), CODE, "pandas")


@dataclass
class Heard:
    """A model that keeps what it's asked."""

    model: Model
    requests: list[Request] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        self.requests.append(request)
        return self.model.complete(request, occasion)

    @property
    def last(self) -> str:
        return self.requests[-1].messages[-1].content


@dataclass
class Refusing:
    """A model that answers once."""

    model: Heard
    fault: ModelError

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        if self.model.requests:
            raise self.fault
        return self.model.complete(request, occasion)


@pytest.fixture(scope="module")
def made() -> Iterator[CompiledCode]:
    """What the compiler makes of the task's program: proven, with two scripts."""
    with compiled(TASK.inputs, CODE, "pandas", TERMS.options(TASK)) as found:
        assert found is not None
        assert found.proven
        yield found


@dataclass
class Desk(TaskDesk):
    """A desk at which the program is compiled already, where it was."""

    made: CompiledCode | None = None

    def compiled(self, text: str, language: Language) -> AbstractContextManager[CompiledCode | None]:
        return nullcontext(self.made) if self.made else super().compiled(text, language)


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(TASK, tmp_path / "desk", TERMS)


@pytest.fixture
def heard(request: pytest.FixtureRequest) -> Iterator[Heard]:
    with open_models(ModelSettings(model=f"script:{FIXTURES / 'replies' / request.param}.yaml")) as models:
        yield Heard(models.agent)


def tables(desk: Desk) -> str:
    return (desk.folder / "flow_cand" / "output_01.csv").read_text()


def kinds(text: str) -> dict[str, str]:
    return {name: node["kind"] for name, node in json.loads(text)["nodes"].items()}


@pytest.mark.parametrize("heard", ["at_once"], indirect=True)
def test_both_scripts_are_replaced_and_the_whole_is_proven(heard: Heard, desk: Desk, made: CompiledCode) -> None:
    desk.made = made
    assert to_workflow(BRIEF, desk, heard, "compiler", Code(CODE, "pandas"), 0.7)
    before, after = desk.attempts
    assert [before.result, after.result] == ["ran", "ran"]
    assert [name for name, kind in kinds(before.text).items() if kind == "script"] == ["town_2", "code_2"]
    # in the order of the rows' way, and without the step that nothing needs
    assert [*kinds(after.text)] == [
        "input_01", "input_01_columns", "town_2", "input_01_columns_2", "letters", "swapped", "code_2", "kept",
        "by_town_and_code", "named_output_01", "output_01_2",
    ]  # fmt: skip
    assert "script" not in kinds(after.text).values()
    assert compare_policies(TASK.gold, desk.folder / "flow_cand", ("strict",))["strict"].passed
    assert desk.notes["workflow"] == (
        "The compiler's, proven to give what the code gives. "
        "Steps of the model's stand for its scripts town_2, code_2. No scripts."
    )
    told = heard.requests[0].messages[0].content
    for part in ("v.casefold()", ".str.swapcase", "value VARCHAR", "code_2 VARCHAR", '"by_town_and_code"', "sort ("):
        assert part in told
    assert len(heard.requests) == 1


@pytest.mark.parametrize("heard", ["never"], indirect=True)
def test_what_speaks_against_them_is_fed_back_and_the_compilers_stands(
    heard: Heard, desk: Desk, made: CompiledCode
) -> None:
    assert desk.run_flow(json.dumps(made.document)).ok
    before = tables(desk)
    assert replace_scripts(BRIEF, desk, heard, made, 0.7) == ["town_2", "code_2"]
    _, first, second, third = desk.attempts
    assert [one.result for one in (first, second, third)] == ["not proven", "not proven", "failed to run"]
    assert "valu" in first.message
    assert "has: town, code, amount, value" in first.message
    assert "on the given inputs: output_01.csv" in second.message
    assert first.message in heard.requests[1].messages[-1].content
    assert second.message in heard.last
    assert tables(desk) == before
    assert len(heard.requests) == 3


@pytest.mark.parametrize("heard", ["given_only"], indirect=True)
def test_equal_on_the_given_inputs_is_not_enough(heard: Heard, desk: Desk, made: CompiledCode) -> None:
    assert replace_scripts(BRIEF, desk, heard, made, 0.7) == ["town_2", "code_2"]
    first, second = desk.attempts
    assert first.message.startswith("on changed inputs (half of the rows): output_01.csv")
    assert second.message == "the model leaves as scripts: town_2, code_2"
    assert desk.tables("workflow") is None


@pytest.mark.parametrize("heard", ["one_of_two"], indirect=True)
def test_a_script_is_replaced_though_another_isnt(heard: Heard, desk: Desk, made: CompiledCode) -> None:
    assert replace_scripts(BRIEF, desk, heard, made, 0.7) == []
    first, second, third = desk.attempts
    assert [one.result for one in desk.attempts] == ["ran", "not proven", "ran"]
    assert [name for name, kind in kinds(first.text).items() if kind == "script"] == ["code_2"]
    assert heard.requests[1].messages[-1].content.startswith("Taken: town_2. Still a script: code_2.")
    assert second.message == "step 'code_2': a step of kind script can't take a script's place"
    assert "script" not in kinds(third.text).values()
    assert kinds(third.text)["town_2"] == "project"


CHANCE = "CREATE TABLE output_01 AS SELECT town, code, random() AS total, 1 AS sold FROM raw_input_01"


class Doubted(CompiledCode):
    """A workflow that isn't proven."""

    proven = False


@pytest.fixture
def doubted(made: CompiledCode) -> Doubted:
    return Doubted(made._found)


@pytest.mark.slow
@pytest.mark.parametrize("heard", ["garbage"], indirect=True)
def test_what_chance_makes_is_left_without_proof(heard: Heard, desk: Desk) -> None:
    assert to_workflow(BRIEF, desk, heard, "compiler", Code(CHANCE, "sql"), 0.7)
    assert "random()" in desk.attempts[-1].text
    assert "random()" in heard.requests[0].messages[0].content
    assert desk.notes["workflow"] == "The compiler's, NOT PROVEN: none of the model's runs."
    assert tables(desk).startswith("town,code,total,sold\n")


@pytest.mark.parametrize("heard", ["garbage"], indirect=True)
def test_a_draft_without_proof_is_left_where_no_workflow_of_the_models_runs(
    heard: Heard, desk: Desk, doubted: Doubted
) -> None:
    desk.made = doubted
    assert to_workflow(BRIEF, desk, heard, "compiler", Code(CODE, "pandas"), 0.7)
    assert [one.result for one in desk.attempts] == ["failed to run", "reply cut off", "failed to run", "ran"]
    assert "v.casefold()" in desk.attempts[-1].text
    assert "by_town_and_code" in heard.requests[0].messages[0].content
    assert desk.notes["workflow"] == "The compiler's, NOT PROVEN: none of the model's runs."
    assert tables(desk).startswith("town,code,total,sold\n")


@pytest.mark.parametrize("heard", ["garbage"], indirect=True)
def test_a_cap_leaves_the_draft_without_proof_too(heard: Heard, desk: Desk, doubted: Doubted) -> None:
    desk.made = doubted
    capped = Refusing(heard, CapReached("no more", scope="task"))
    with pytest.raises(CapReached):
        to_workflow(BRIEF, desk, capped, "compiler", Code(CODE, "pandas"), 0.7)
    assert [one.result for one in desk.attempts] == ["failed to run", "ran"]
    assert tables(desk).startswith("town,code,total,sold\n")


@pytest.mark.parametrize("heard", ["garbage"], indirect=True)
def test_a_model_that_cant_be_had_is_nobodys_workflow(heard: Heard, desk: Desk, doubted: Doubted) -> None:
    desk.made = doubted
    away = Refusing(heard, ModelError("the endpoint is gone"))
    with pytest.raises(ModelError):
        to_workflow(BRIEF, desk, away, "compiler", Code(CODE, "pandas"), 0.7)
    assert desk.tables("workflow") is None


def test_a_workflow_is_held_against_the_code_not_against_itself(made: CompiledCode) -> None:
    assert made.against(made.document) == ""
    nodes = dict(made.document["nodes"])
    del nodes["output_01_2"]
    assert "no step writes anything" in made.against({"nodes": nodes})
    nodes["output_01_2"] = {"kind": "output", "inputs": {"in": "named_output_01"}, "params": {"path": "output_02.csv"}}
    assert "the workflow doesn't write it" in made.against({"nodes": nodes})


def test_a_reply_may_hold_all_kinds_that_stand_for_scripts() -> None:
    allowed = form()["properties"]["nodes"]["additionalProperties"]["oneOf"]
    assert {one["properties"]["kind"]["const"] for one in allowed} == {*OPERATORS} - {"input", "output", "script"}


FLOW: dict[str, Any] = {"nodes": {
    "rows": {"kind": "input", "params": {"path": "inputs/input_01.csv"}},
    "a": {"kind": "script", "inputs": {"in": "rows"}, "params": {"language": "sql", "code": "SELECT * FROM rows"}},
    "b": {"kind": "script", "inputs": {"in": "a"}, "params": {"language": "sql", "code": "SELECT * FROM a"}},
    "out": {"kind": "output", "inputs": {"in": "b"}, "params": {"path": "output_01.csv"}},
}}  # fmt: skip


def passes(source: Any) -> dict[str, Any]:
    return {"kind": "filter", "inputs": {"in": source}, "params": {"predicate": "true"}}


def test_new_steps_go_with_the_script_that_needs_them() -> None:
    nodes = {"b": passes("more"), "more": passes("a"), "a": passes("less"), "less": passes("rows"), "idle": passes("a")}
    parts = parted(FLOW, ["a", "b"], nodes)
    assert {script: [*part] for script, part in parts.items()} == {"a": ["less", "a"], "b": ["more", "b"]}
    assert [*with_parts(FLOW, parts)["nodes"]] == ["rows", "less", "a", "more", "b", "out"]
    assert [*with_parts(FLOW, {"b": parts["b"]})["nodes"]] == ["rows", "a", "more", "b", "out"]


def test_steps_that_nothing_needs_any_more_go() -> None:
    assert [*with_parts(FLOW, parted(FLOW, ["a", "b"], {"b": passes("rows")}))["nodes"]] == ["rows", "b", "out"]


@pytest.mark.parametrize(
    ("nodes", "why"),
    [
        ({"a": passes("rows"), "rows": passes("a")}, "another step of that name"),
        ({"a": {"kind": "input", "params": {"data": []}}}, "of kind input"),
        ({"c": passes("rows")}, "no step is called a or b"),
    ],
)
def test_steps_that_fit_no_script(nodes: dict[str, Any], why: str) -> None:
    with pytest.raises(Unfit, match=why):
        parted(FLOW, ["a", "b"], nodes)


@pytest.mark.parametrize("inputs", [None, [], {"in": 3}, {"in": ["a", None]}, {"in": "nowhere"}, {"in": "b"}])
def test_faulty_inputs_are_left_to_the_check(inputs: Any, made: CompiledCode) -> None:
    part = parted(FLOW, ["a"], {"a": {"kind": "filter", "inputs": inputs, "params": {"predicate": "true"}}})
    assert [*part["a"]] == ["a"]
    assert Workflow(with_parts(FLOW, part)).check(TASK.inputs[0].parent)


@pytest.mark.parametrize(
    "node",
    [
        {}, {"kind": []}, {"kind": {"project": 1}, "inputs": {"in": "input_01_columns"}},
        {"kind": "project", "params": None},
        {"kind": "project", "inputs": ["input_01_columns"], "params": {}},
        {"kind": "project", "inputs": {"in": "town_2"}, "params": {}},
        {"kind": "filter", "inputs": {"in": "output_01_2"}, "params": {"predicate": "true"}},
        {"kind": "sort", "inputs": {"in": {"deep": [1]}}, "params": {"order_by": 5}},
    ],
)  # fmt: skip
def test_odd_steps_are_problems(node: dict[str, Any], made: CompiledCode) -> None:
    parts = parted(made.document, ["town_2"], {"town_2": node})
    assert "town_2" in made.against(with_parts(made.document, parts))

"""Workflows that can't run: each file holds one, with its inputs and exactly the problems that check tells."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.problem import CODES
from prepsql.workflow.run import _Runner
from tests.workflow.repair import repaired

FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "workflow" / "broken"
FILES = sorted(FOLDER.glob("*.json"))
CASES = {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in FILES}
CHECKED = {name: case for name, case in CASES.items() if "workflow" in case}
MENDED = [name for name, case in CASES.items() if case.get("mends")]


@pytest.fixture
def inputs(tmp_path: Path, name: str) -> Path:
    """The folder of a case's input files."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    for file, text in CASES[name]["inputs"].items():
        (folder / file).parent.mkdir(exist_ok=True)
        (folder / file).write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", CHECKED)
def test_every_problem_is_told_at_once(name: str, inputs: Path) -> None:
    case = CASES[name]
    found = [problem.to_dict() for problem in Workflow(case["workflow"]).check(inputs)]
    assert found == case["problems"]


@pytest.mark.parametrize("name", CHECKED)
def test_a_run_refuses_before_any_step_is_made(
    name: str, inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_Runner, "run", lambda self: pytest.fail("a step ran"))
    case = CASES[name]
    with pytest.raises(WorkflowError) as refused:
        Workflow(case["workflow"]).run(inputs, tmp_path / "out")
    assert [problem.to_dict() for problem in refused.value.problems] == case["problems"]  # type: ignore[attr-defined]
    assert "\n" not in str(refused.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [name for name, case in CASES.items() if "text" in case])
def test_what_is_no_json_isnt_loaded(name: str, tmp_path: Path) -> None:
    case = CASES[name]
    file = tmp_path / "workflow.json"
    file.write_text(case["text"], encoding="utf-8")
    with pytest.raises(WorkflowError) as refused:
        Workflow.load(file)
    assert [problem.to_dict() for problem in refused.value.problems] == case["problems"]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", MENDED)
def test_doing_what_the_suggestions_say_mends_it(name: str, inputs: Path) -> None:
    assert repaired(CASES[name]["workflow"], inputs).check(inputs) == []


def told() -> Iterator[dict[str, Any]]:
    for case in CASES.values():
        yield from case["problems"]


def test_there_are_cases_of_every_code_but_that_of_export() -> None:
    assert {problem["code"] for problem in told()} == set(CODES) - {"not_portable"}


def test_there_are_cases_of_every_operator() -> None:
    faulty = {
        step["kind"]
        for case in CHECKED.values()
        if isinstance(case["workflow"], dict) and isinstance(case["workflow"].get("nodes"), dict)
        for name, step in case["workflow"]["nodes"].items()
        if isinstance(step, dict) and name in {problem["step"] for problem in case["problems"]} and "kind" in step
    }
    assert faulty >= set(OPERATORS)


def test_there_are_many_cases_and_a_good_part_mends_by_itself() -> None:
    assert len(CASES) >= 70
    assert len(MENDED) >= 50


def test_messages_are_one_short_line_and_name_a_place() -> None:
    for problem in told():
        assert "\n" not in problem["message"] + problem["suggestion"]
        assert len(problem["message"]) <= 200, problem
        assert len(problem["suggestion"]) <= 200, problem
        assert problem["step"] or problem["parameter"] or problem["code"] in ("bad_document",)

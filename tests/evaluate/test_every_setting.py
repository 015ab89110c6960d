"""A scripted model over all bundled tasks in every setting: what comes of it is what was worked out by hand.

The replies, and what they are to come to, are files: tests/fixtures/evaluate/scripted.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from prepsql.evaluate.contender import by_model
from prepsql.evaluate.reports.report import report
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.settings import SETTINGS
from prepsql.evaluate.suites import open_suite
from prepsql.llm.settings import ModelSettings
from prepsql.sandbox import Limits

FIXTURES = Path(__file__).resolve().parent.parent / "fixtures" / "evaluate" / "scripted"
EXPECTED = yaml.safe_load((FIXTURES / "expected.yaml").read_text(encoding="utf-8"))
RESULTS = {
    "C": "correct", "W": "wrong", "F": "failed to run", "T": "timed out", "X": "reply cut off", "N": "not found",
    "P": "cap reached", "A": "asked", "I": "infrastructure",
}  # fmt: skip
SUITE = open_suite()
TASKS = [task.id for task in SUITE.tasks]
SOME = (
    (("e2e", "translate"), ("farm_harvest", "grant_budget")),
    (("codegen-noprofile", "translate"), ("air_quality", "bike_share", "course_grades")),
    (("direct",), ("museum_loans", "warehouse_stock")),
    (("disambiguate",), ("energy_meters", "hotel_bookings")),
    (("e2e-workflow",), ("clinic_visits",)),
    (("e2e-code",), ("online_orders",)),
    (("codegen",), ("support_tickets",)),
)
"""Each setting and each task, in few seconds: all of them take minutes."""


def played(folder: Path, tasks: Collection[str], *names: str, seconds: float) -> Path:
    models = ModelSettings(model=f"script:{FIXTURES / 'replies.yaml'}", task_usd=0.05)
    contender = by_model(models, "auto", "model", "offline", 0.7)
    run(Plan(SUITE.select(tuple(tasks)), contender=contender, names=names, limits=Limits(seconds=seconds),
             accept_risk=True), folder)  # fmt: skip
    return folder


class Record:
    """What a run recorded, by setting and task."""

    def __init__(self, folder: Path) -> None:
        self.path = str(folder / "record.duckdb")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with duckdb.connect(self.path, read_only=True) as con:
            return con.execute(query).fetchall()

    def outcomes(self) -> dict[tuple[str, str, str], str]:
        return {(s, w, t): r for s, w, t, r in self.rows("SELECT setting, way, task, result FROM outcomes")}

    def calls(self) -> dict[tuple[str, str], int]:
        return {(s, t): n for s, t, n in self.rows("SELECT setting, task, count(*) FROM calls GROUP BY ALL")}

    def attempts(self) -> dict[tuple[str, str, str], list[str]]:
        query = "SELECT setting, stage, task, list(result ORDER BY attempt) FROM attempts GROUP BY ALL"
        return {(s, g, t): results for s, g, t, results in self.rows(query)}

    def questions(self) -> dict[tuple[str, str], dict[str, int]]:
        found = {(s, t): {"budget": n} for s, t, n in self.rows("SELECT setting, task, max_questions FROM clarified")}
        query = "SELECT setting, task, classification, count(*) FROM questions GROUP BY ALL"
        for setting, task, classification, count in self.rows(query):
            found[setting, task][classification] = count
        return found


def expected_attempts(setting: str, task: str) -> Mapping[str, list[str]]:
    """Return how the attempts of each stage end; where none is told, the first one runs."""
    found = {}
    code = EXPECTED["settings"][setting]["outcomes"]
    for stage in SETTINGS[setting].stages:
        said = EXPECTED["attempts"].get(stage, {})
        results = said.get(f"{setting}/{task}", said.get(task))
        reached = stage == "code" or (stage == "translate" and "N" not in [way[task] for way in code.values()])
        if results is None and reached:
            results = ["ran"]
        stopped = {"P": stage != "clarify", "I": stage == "code"}
        if results and not any(stopped.get(way[task], False) for way in code.values()):
            found[stage] = results
    return found


def check(record: Record, units: Collection[tuple[str, str]]) -> None:
    """Compare what was recorded of these settings and tasks with what was worked out."""
    settings = EXPECTED["settings"]
    assert record.outcomes() == {
        (name, way, task): RESULTS[results[task]]
        for name, task in units
        for way, results in settings[name]["outcomes"].items()
    }
    assert record.calls() == {(name, task): settings[name]["calls"][task] for name, task in units}
    asks = [(name, task) for name, task in units if "clarify" in SETTINGS[name].stages]
    assert record.questions() == {(name, task): EXPECTED["questions"][task] for name, task in asks}
    assert record.attempts() == {
        (name, stage, task): results for name, task in units for stage, results in expected_attempts(name, task).items()
    }


def test_each_task_and_each_setting(tmp_path: Path) -> None:
    for names, tasks in SOME:
        played(tmp_path / "run", tasks, *names, seconds=60)
    record = Record(tmp_path / "run")
    check(record, [(name, task) for names, tasks in SOME for name in names for task in tasks])
    assert {name for names, _ in SOME for name in names} == {*SETTINGS}
    assert {task for _, tasks in SOME for task in tasks} == {*TASKS}
    # 8 + 12 + 3 + 3, 4 + 5, 4 + 1, 3 + 3, 7, 2 and 3 calls: 56 × 0.001 + 2 × 0.03
    assert record.rows("SELECT count(*), round(sum(usd), 6), sum(prompt_tokens) FROM calls") == [(58, 0.116, 58_000)]
    ((text,),) = record.rows("SELECT text FROM notes WHERE name = 'specification' AND task = 'clinic_visits'")
    assert "- ties: kept (assumed)" in text
    made = tmp_path / "run" / "e2e" / "farm_harvest"
    assert (made / "solution" / "cand" / "output_01.csv").is_file()
    assert not (made / "solution" / "flow_cand").exists()
    assert json.loads((made / "clarify" / "summary.json").read_text())["questions_used"] == 5


@pytest.mark.slow
def test_every_task_in_every_setting(tmp_path: Path) -> None:
    folder = played(tmp_path / "run", TASKS, *SETTINGS, seconds=20)
    record = Record(folder)
    check(record, [(name, task) for name in SETTINGS for task in TASKS])
    spent = record.rows(
        "SELECT setting, round(sum(usd), 6), sum(prompt_tokens), sum(completion_tokens) FROM calls GROUP BY setting"
    )
    assert {name: (usd, [prompt, completion]) for name, usd, prompt, completion in spent} == {
        name: (one["usd"], one["tokens"]) for name, one in EXPECTED["settings"].items()
    }
    found = report([folder])
    run_label = found.figures["accuracy"][0]["run"]
    for figure, rows in EXPECTED["figures"].items():
        for where, values in rows:
            row = found.row(figure, run_label, **where)
            assert row is not None, (figure, where)
            assert {name: row[name] for name in values} == pytest.approx(
                {name: number(value) for name, value in values.items()}
            ), (figure, where)
    summary = json.loads((folder / "e2e" / "energy_meters" / "clarify" / "summary.json").read_text())
    assert (summary["questions_used"], summary["max_questions"]) == (13, 13)


def number(value: Any) -> Any:
    return value[0] / value[1] if isinstance(value, list) else value

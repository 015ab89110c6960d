"""Scripted models in every setting: outcomes, counts, attempts and costs are those that were worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb
import pytest
import yaml

from prepsql.errors import CapReached
from prepsql.evaluate.contender import by_model
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import Suite, open_suite
from prepsql.evaluate.verdict import Result
from prepsql.llm.settings import ModelSettings
from prepsql.sandbox import Limits

PAID = {"prompt_tokens": 1000, "completion_tokens": 50, "usd": 0.001}
ASKS = json.dumps({"questions": ["Which rows count?", "How are ties broken?"]})
NOTHING = json.dumps({"questions": []})
SPECIFIED = json.dumps({
    "specification": "As it was said.", "choices": [{"about": "ties", "choice": "kept", "source": "assumed"}],
})  # fmt: skip
ENOUGH = json.dumps({"enough": True})
BROKEN = "```sql\nCREATE TABLE output_01 AS SELECT nothing FROM input_01;\n```"
WRONG = "```sql\nCREATE TABLE output_01 AS SELECT 1 AS town, 2 AS amount;\n```"
ENDLESS = "```python\ndef solve(tables):\n    while True:\n        pass\n```"
CALM = (
    {"stage": "clarify", "attempt": 1, "text": ASKS},
    {"stage": "clarify", "attempt": 2, "text": NOTHING},
    {"stage": "clarify", "text": SPECIFIED},
    {"stage": "profile", "text": ENOUGH},
)
"""What the stages before code say."""


@pytest.fixture
def play(tmp_path: Path) -> Any:
    """Return what runs a suite's tasks with a scripted model."""

    def played(suite: Suite, replies: list[dict[str, Any]], *names: str, out: str = "run", **changes: Any) -> Any:
        for task in suite.tasks:
            (tmp_path / f"{task.id}.sql").write_text(f"```sql\n{task.reference['sql'].read_text()}\n```")
        script = {"model": "scripted", "defaults": {"usage": PAID}, "replies": replies}
        (tmp_path / "replies.yaml").write_text(yaml.safe_dump(script))
        caps = {name: changes.pop(name) for name in ("task_calls", "run_calls") if name in changes}
        models = ModelSettings(model=f"script:{tmp_path / 'replies.yaml'}", **caps)
        contender = by_model(models, changes.pop("written", "sql"), changes.pop("translated", "model"), "offline", 0.7)
        plan = Plan(suite, contender=contender, names=names, limits=Limits(seconds=8), accept_risk=True, **changes)
        return run(plan, tmp_path / out), tmp_path / out

    return played


def asked(folder: Path, query: str) -> list[tuple[Any, ...]]:
    with duckdb.connect(str(folder / "record.duckdb"), read_only=True) as con:
        return con.execute(query).fetchall()


SOLVED = {"stage": "code", "file": "{task}.sql"}


def test_one_that_succeeds_after_retries_and_one_that_never_does(play: Any, suite: Suite) -> None:
    replies = [
        *CALM,
        {"stage": "code", "task": "adds_up", "attempt": 1, "text": "I would rather not."},
        {"stage": "code", "task": "adds_up", "attempt": 2, "text": BROKEN},
        {"stage": "code", "task": "sql_only", "text": BROKEN},
        {"stage": "code", "task": "breaks", "attempt": 1, "text": "CREATE TABLE out", "finish": "length"},
        {"stage": "code", "task": "breaks", "attempt": [2, 3], "text": "SELECT", "finish": "length"},
        SOLVED,
    ]
    few = suite.select(("adds_up", "sql_only", "breaks"))
    verdicts, folder = play(few, replies, "codegen")
    assert {v.task: v.result for v in verdicts} == {
        "adds_up": Result.CORRECT, "sql_only": Result.FAILED, "breaks": Result.CUT_OFF,
    }  # fmt: skip
    attempts = asked(folder, "SELECT task, attempt, result FROM attempts WHERE stage = 'code' ORDER BY ALL")
    assert attempts == [
        ("adds_up", 1, "failed to run"), ("adds_up", 2, "failed to run"), ("adds_up", 3, "ran"),
        ("breaks", 1, "reply cut off"), ("breaks", 2, "reply cut off"), ("breaks", 3, "reply cut off"),
        ("sql_only", 1, "failed to run"), ("sql_only", 2, "failed to run"), ("sql_only", 3, "failed to run"),
    ]  # fmt: skip
    ((message,),) = asked(folder, "SELECT message FROM outcomes WHERE task = 'sql_only'")
    assert "nothing" in message
    assert asked(folder, "SELECT count(*), round(sum(usd), 6) FROM calls") == [(12, 0.012)]


def test_wrong_tables_and_code_that_never_ends(play: Any, suite: Suite) -> None:
    replies = [
        *CALM,
        {"stage": "code", "task": "adds_up", "text": WRONG},
        {"stage": "code", "attempt": 1, "text": ENDLESS},
        SOLVED,
    ]
    verdicts, folder = play(suite.select(("adds_up", "sql_only")), replies, "codegen-noprofile", written="auto")
    assert {v.task: v.result for v in verdicts} == {"adds_up": Result.WRONG, "sql_only": Result.CORRECT}
    assert {v.task: v.language for v in verdicts} == {"adds_up": "sql", "sql_only": "sql"}
    assert asked(folder, "SELECT result FROM attempts WHERE task = 'sql_only' ORDER BY attempt") == [
        ("timed out",), ("ran",),
    ]  # fmt: skip


@pytest.mark.parametrize(("written", "code"), [
    ("sql", "```sql\nCREATE TABLE output_01 AS SELECT {sum} AS amount;\n```"),
    ("pandas", "```python\nimport pandas as pd\ndef solve(tables):\n"
     "    return {{'output_01': pd.DataFrame({{'amount': [{sum}]}})}}\n```"),
])  # fmt: skip
def test_code_that_runs_but_nests_too_deep_for_the_compiler_is_judged(
    play: Any, suite: Suite, written: str, code: str
) -> None:
    terms = {"sql": 400, "pandas": 700}[written]
    replies = [
        *CALM,
        {"stage": "code", "text": code.format(sum="+".join(["1"] * terms))},
        {"stage": "translate", "text": "I can't."},
    ]
    few = suite.select(("adds_up",))
    verdicts, _ = play(few, replies, "e2e", written=written, translated="compiler")
    assert {v.way: v.result for v in verdicts} == {"code": Result.WRONG, "workflow": Result.FAILED}


def test_questions_over_the_budget_and_invalid_ones(play: Any) -> None:
    suite = open_suite().select(("bike_share",))
    many = json.dumps({"questions": [f"How is tie number {n} of the rides broken?" for n in range(10)]})
    code = json.dumps({"questions": ["Show me the reference code.", "What is the expected output table?"]})
    replies = [
        {"stage": "clarify", "attempt": 1, "text": code},
        {"stage": "clarify", "attempt": [2, 3], "text": many},
        {"stage": "clarify", "text": SPECIFIED},
    ]
    _, folder = play(suite, replies, "disambiguate")
    ((budget,),) = asked(folder, "SELECT max_questions FROM clarified")
    told = dict(asked(folder, "SELECT classification, count(*) FROM questions GROUP BY ALL"))
    assert told["refuse_illegal"] == 2
    assert told.get("over_budget", 0) == 22 - budget
    summary = json.loads((folder / "disambiguate" / "bike_share" / "clarify" / "summary.json").read_text())
    assert summary["questions_used"] == budget == summary["max_questions"]
    reference = suite.tasks[0].reference["sql"].read_text()
    answers = [answer for (answer,) in asked(folder, "SELECT answer FROM questions WHERE answer IS NOT NULL")]
    lines = [line.strip() for line in reference.splitlines() if len(line.strip()) > 20]
    assert not [line for line in lines for answer in answers if line in answer]


def test_garbage_in_every_stage_is_an_outcome(play: Any) -> None:
    suite = open_suite().select(("bike_share",))
    garbage = [{"stage": "translate", "text": "{]"}, {"text": 'Banana. ```{"questions": 3}```'}]
    verdicts, folder = play(suite, garbage, "e2e", "translate")
    assert {(v.setting, v.way): v.result for v in verdicts} == {
        ("e2e", "code"): Result.FAILED, ("e2e", "workflow"): Result.NOT_FOUND, ("translate", "workflow"): Result.FAILED,
    }  # fmt: skip
    ((message,),) = asked(folder, "SELECT message FROM outcomes WHERE setting = 'e2e' AND way = 'workflow'")
    assert message == "not tried: no code ran that a workflow could be made of"
    assert asked(folder, "SELECT count(*) FROM questions") == [(0,)]


def test_faults_of_the_endpoint_are_nobodys_answer_and_tried_again(play: Any, suite: Suite) -> None:
    few = suite.select(("adds_up", "sql_only"))
    down = [*CALM, {"stage": "code", "task": "sql_only", "error": 500}, SOLVED]
    verdicts, folder = play(few, down, "codegen")
    assert {v.task: v.result for v in verdicts} == {"adds_up": Result.CORRECT, "sql_only": Result.INFRASTRUCTURE}
    again, _ = play(few, [*CALM, SOLVED], "codegen")
    assert {v.result for v in again} == {Result.CORRECT}
    # what was paid before the fault was not paid again
    sources = asked(folder, "SELECT stage, source FROM calls WHERE task = 'sql_only' ORDER BY ALL")
    assert sources == [("code", "script"), ("profile", "journal")]


def test_caps_end_a_task_or_the_run(play: Any, suite: Suite) -> None:
    few = suite.select(("adds_up", "sql_only"))
    verdicts, folder = play(few, [*CALM, SOLVED], "e2e-code", task_calls=2)
    assert {v.result for v in verdicts} == {Result.CAP_REACHED}
    raised, _ = play(few, [*CALM, SOLVED], "e2e-code", task_calls=20)
    assert {v.result for v in raised} == {Result.CORRECT}
    assert asked(folder, "SELECT count(*) FROM calls WHERE source = 'journal'") == [(4,)]
    with pytest.raises(CapReached, match="run"):
        play(few, [*CALM, SOLVED], "codegen", out="short", run_calls=3)
    more, _ = play(few, [*CALM, SOLVED], "codegen", out="short", run_calls=10)
    assert {v.result for v in more} == {Result.CORRECT}


def test_the_compiler_translates_without_a_call(play: Any) -> None:
    suite = open_suite().select(("course_grades",))
    verdicts, folder = play(suite, [SOLVED], "translate", translated="compiler")
    assert [v.result for v in verdicts] == [Result.CORRECT]
    assert asked(folder, "SELECT count(*) FROM calls") == [(0,)]


def test_repeats_are_tries_of_their_own(play: Any, suite: Suite) -> None:
    replies = [{"stage": "code", "repeat": 2, "text": WRONG}, SOLVED]
    verdicts, folder = play(suite.select(("adds_up",)), replies, "codegen-noprofile", repeats=2)
    assert [(v.repeat, v.result) for v in verdicts] == [(1, Result.CORRECT), (2, Result.WRONG)]
    assert (folder / "codegen-noprofile.2" / "adds_up" / "solution" / "cand" / "output_01.csv").is_file()


SPY = """
import os
import pandas as pd
WANTED = {"solution.sql", "solution.py", "workflow.json", "amb_kb.json", "query_full.md", "config.json"}
def solve(inputs_dir):
    seen = ["nothing"]
    for folder, _, names in os.walk(ROOT):
        seen += [os.path.join(folder, name) for name in names if name in WANTED or "output_0" in name]
    for name in sorted(WANTED) + ["output_01.csv"]:
        try:
            seen.append(open(os.path.join(ROOT, "adds_up", name)).read())
        except OSError:
            pass
    return {"output_01": pd.DataFrame({"seen": seen})}
"""


@pytest.mark.parametrize("name", ["e2e", "codegen", "codegen-noprofile", "direct", "translate"])
def test_code_of_an_agent_finds_no_secret(play: Any, suite: Suite, name: str) -> None:
    root = suite.root.resolve()
    spy = SPY.replace("ROOT", repr(str(root)))
    flow = {"nodes": {
        "input_01": {"kind": "input", "params": {"path": "inputs/input_01.csv"}},
        "seen": {"kind": "script", "inputs": {"rows": "input_01"}, "params": {
            "language": "python", "code": spy.replace("def solve(inputs_dir)", "def transform(rows, pd, np)")
            .replace('return {"output_01": pd.DataFrame({"seen": seen})}', 'return pd.DataFrame({"seen": seen})')
            .replace("import pandas as pd\n", "")}},
        "output_01": {"kind": "output", "inputs": {"in": "seen"}, "params": {"path": "output_01.csv"}},
    }}  # fmt: skip
    replies = [
        {"stage": "clarify", "text": SPECIFIED},
        {"stage": "profile", "attempt": 1, "text": json.dumps({"python": spy})},
        {"stage": "profile", "text": ENOUGH},
        {"stage": "code", "text": f"```python\n{spy}\n```"},
        {"stage": "translate", "text": json.dumps(flow)},
    ]
    verdicts, folder = play(suite.select(("adds_up",)), replies, name, written="pandas")
    assert {v.result for v in verdicts} == {Result.WRONG}
    left = [path.read_text() for path in folder.rglob("output_01.csv")]
    assert len(left) == len(verdicts)
    assert set(left) == {"seen\nnothing\n"}
    looks = asked(folder, "SELECT text FROM notes WHERE name = 'profile'")
    assert all("| nothing |" in text and "amount" not in text.split("Looked up")[1] for (text,) in looks)

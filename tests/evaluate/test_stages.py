"""What a try's stages took, and what becomes of one whose conversation has no room in the model's context."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import duckdb

from prepsql.evaluate.contender import by_model
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.verdict import Result
from prepsql.llm.settings import ModelSettings
from tests.evaluate.conftest import SUITE
from tests.llm.server import Move, Wire, refuse

SAYS = {
    "You prepare tables": json.dumps({"specification": "As said.", "choices": []}),
    "You are about to write code": json.dumps({"enough": True}),
    "You write code": f"```sql\n{(SUITE / 'adds_up' / 'solution.sql').read_text()}\n```",
}


def answer(call: Any) -> Move:
    system = call.body["messages"][0]["content"]
    return Move(text=next(text for start, text in SAYS.items() if system.startswith(start)))


def no_room_for_code(call: Any) -> Move:
    if call.body["messages"][0]["content"].startswith("You write code"):
        return refuse(400, {"message": "9000 tokens, there is room for 8192", "code": "context_length_exceeded"})
    return answer(call)


def ran(plan: Any, out: Path) -> Any:
    wire = Wire(plan)
    try:
        models = ModelSettings(model="made-up", base_url=wire.url)
        contender = by_model(models, "sql", "compiler", "offline", 0.7)
        suite = open_suite(SUITE).select(("adds_up",))
        verdicts = run(Plan(suite, contender=contender, names=("e2e",), accept_risk=True), out)
    finally:
        wire.close()
    with duckdb.connect(str(out / "record.duckdb"), read_only=True) as con:
        stages = dict(con.execute("SELECT stage, seconds FROM stages").fetchall())
        attempts = con.execute("SELECT stage, attempt, result FROM attempts ORDER BY ALL").fetchall()
    return verdicts, stages, attempts, len(wire.calls)


def test_each_stage_has_its_time(tmp_path: Path) -> None:
    verdicts, stages, _, _ = ran(answer, tmp_path / "run")
    assert {verdict.result for verdict in verdicts} == {Result.CORRECT}
    assert list(stages) == ["profile", "clarify", "code", "translate", "judge"]
    assert min(stages.values()) > 0
    assert verdicts[0].seconds / 2 < sum(stages.values()) - stages["judge"] < verdicts[0].seconds + 0.01


def test_without_room_in_its_context_a_model_fails_and_nothing_of_ours(tmp_path: Path) -> None:
    verdicts, stages, attempts, calls = ran(no_room_for_code, tmp_path / "run")
    assert [verdict.result for verdict in verdicts] == [Result.CUT_OFF, Result.NOT_FOUND]
    assert attempts == [("code", attempt, "reply cut off") for attempt in (1, 2, 3)]
    assert "there is room for 8192" in verdicts[0].message
    assert "translate" not in stages
    assert calls == 1 + 1 + 3  # the specification (the task leaves nothing to ask), a look, code

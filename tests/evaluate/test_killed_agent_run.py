"""A run over a real endpoint, killed at random moments and resumed: as if nothing had been, nothing paid twice."""

from __future__ import annotations

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pytest

from tests.evaluate.conftest import SUITE
from tests.llm.server import Move, Wire, refuse

CODE = f"```sql\n{(SUITE / 'adds_up' / 'solution.sql').read_text()}\n```"
SAYS = {
    "You prepare tables": json.dumps({"specification": "As said.", "choices": []}),
    "You are about to write code": json.dumps({"sql": "SELECT count(*) AS n FROM raw_input_01"}),
    "You write code": CODE,
    "You turn code": (SUITE / "adds_up" / "workflow.json").read_text(),
}
TABLES = {
    "outcomes": "* EXCLUDE (seconds)", "verdicts": "*", "attempts": "* EXCLUDE (seconds)", "notes": "*",
    "calls": "* EXCLUDE (seconds, source)", "clarified": "*", "questions": "*",
    "differences": "*", "left_out": "*",
}  # fmt: skip


def answer(call: Any) -> Move:
    """Answer by what the system prompt is about; a fifth of the calls are refused once."""
    if call.number == 1 and int(call.key[:2], 36) % 5 == 0:
        return refuse(503)
    system = call.body["messages"][0]["content"]
    return Move(text=next(text for start, text in SAYS.items() if system.startswith(start)))


def command(url: str, out: Path, tasks: Sequence[str]) -> list[str]:
    given = ["--agent", "model", "--model", "made-up", "--base-url", url, "--translate", "model", "--suite", str(SUITE)]
    some = [*(f"--task={task}" for task in tasks), "--setting=e2e", "--setting=codegen", "--accept-risk"]
    return [sys.executable, "-m", "prepsql.cli", "eval", *given, *some, "--out", str(out)]


def record(out: Path) -> dict[str, list[tuple[Any, ...]]]:
    with duckdb.connect(str(out / "record.duckdb"), read_only=True) as con:
        return {
            name: con.execute(f"SELECT {what} FROM {name} ORDER BY ALL").fetchall() for name, what in TABLES.items()
        }


# a run of one task takes four processes' time, and its kills as much again
@pytest.mark.parametrize(
    ("kills", "tasks"), [(2, ["adds_up"]), pytest.param(20, ["adds_up", "sql_only"], marks=pytest.mark.slow)]
)
def test_a_killed_run_ends_as_an_undisturbed_one(tmp_path: Path, kills: int, tasks: list[str]) -> None:
    environ = {**os.environ, "PREPSQL_API_KEY": "secret", "PREPSQL_CACHE": ""}
    chance = random.Random(kills)
    wire = Wire(answer)
    try:
        start = time.monotonic()
        calm = subprocess.run(
            command(wire.url, tmp_path / "calm", tasks), env=environ, capture_output=True, text=True, check=False
        )
        took = time.monotonic() - start
        assert calm.returncode == 0, calm.stdout + calm.stderr
        paid = len(wire.paid)
        for _ in range(kills):
            killed = subprocess.Popen(
                command(wire.url, tmp_path / "killed", tasks),
                env=environ,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
            )
            time.sleep(chance.uniform(0.3, 0.9) * took)
            killed.send_signal(signal.SIGKILL)
            killed.wait()
        last = subprocess.run(
            command(wire.url, tmp_path / "killed", tasks), env=environ, capture_output=True, text=True, check=False
        )
    finally:
        wire.close()
    assert last.returncode == 0, last.stdout + last.stderr
    assert record(tmp_path / "killed") == record(tmp_path / "calm")
    assert set(wire.paid.values()) == {1}
    assert len(wire.paid) == 2 * paid
    assert "secret" not in "".join(path.read_text(errors="replace") for path in tmp_path.rglob("*") if path.is_file())

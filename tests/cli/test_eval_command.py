"""What `prepsql eval` refuses before anything runs, and what it says to do."""

import json
from contextlib import closing

import duckdb
import pytest

from tests.llm.server import Move, Wire, refuse


@pytest.mark.parametrize(("options", "told"), [
    (("--model", "mine"), "add --agent model or --agent-cmd"),
    (("--setting", "direct"), "--setting is for an agent"),
    (("--agent", "model", "--model", "mine", "--way", "sql"), "--language says what a model writes"),
    (("--agent", "model", "--agent-cmd", "true"), "name one of them"),
    (("--agent", "model", "--model", "mine", "--agent-timeout", "5"), "--agent-timeout is for --agent-cmd"),
    (("--agent", "model", "--model", "mine", "--simulator-model", "user"), "add --simulator llm"),
    (("--agent-cmd", "true", "--model", "mine"), "--model is for --agent model, and --agent-cmd runs a program"),
    (("--agent-cmd", "true", "--language", "pandas"), "--language is for --agent model"),
    (("--agent-cmd", "true", "--translate", "model"), "--translate is for --agent model"),
    (("--agent-cmd", "true", "--temperature", "0.7"), "--temperature is for --agent model"),
    (("--agent-cmd", "true", "--base-url", "http://127.0.0.1:9/v1"), "--base-url is for a model"),
    (("--agent-cmd", "true", "--task-usd", "1"), "and none is asked here: leave it out, or add --simulator llm"),
    (("--agent-cmd", "true", "--run-usd", "1", "--simulator", "offline"), "--run-usd is for a model"),
    (("--agent-cmd", "true", "--simulator", "llm", "--language", "sql"), "--language is for --agent model"),
    (("--agent-cmd", ""), "is empty"),
    (("--agent-cmd", "python 'agent.py"), "No closing quotation"),
    (("--agent-cmd", "no-such-program-here agent.py"), "no program 'no-such-program-here'"),
    (("--agent-cmd", "sh agent.sh"), "starts in a folder of its own, where there is no agent.sh: say /"),
    (("--agent-cmd", "./agent.sh"), "where there is no ./agent.sh: say /"),
])  # fmt: skip
def test_options_that_would_do_nothing_or_fail_in_each_task_are_refused(
    options, told, command_line, tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "agent.sh").write_text("true")
    (tmp_path / "agent.sh").chmod(0o700)
    status, out, err = command_line("eval", *options, "--out", "run")
    assert (status, out) == (2, "")
    assert told in " ".join(err.split())
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("agent", [("--agent", "model", "--model", "script:replies.yaml"), ("--agent-cmd", "true")])
def test_a_user_played_by_a_model_needs_one(agent, command_line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for name in ("PREPSQL_MODEL", "PREPSQL_SIMULATOR_MODEL"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "replies.yaml").write_text("replies:\n  - {text: none}\n")
    options = ("--setting", "disambiguate", "--task", "farm_harvest", "--simulator", "llm", "--out", "run")
    status, _, err = command_line("eval", *agent, *options)
    assert status == 2
    assert "name one with --simulator-model" in err


def test_a_program_needs_no_model_but_the_users(command_line, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREPSQL_MODEL", raising=False)
    (tmp_path / "user.yaml").write_text("replies:\n  - {text: none}\n")
    options = ("--setting", "disambiguate", "--task", "farm_harvest", "--simulator", "llm")
    status, out, err = command_line(
        "eval",
        "--agent-cmd",
        "true",
        *options,
        "--simulator-model",
        "script:user.yaml",
        "--out",
        "run",
        "--accept-risk",
    )
    assert (status, "asked" in out) == (0, True), err


@pytest.fixture
def nowhere(command_line, tmp_path, monkeypatch):
    """Return what measures at an address where nothing answers: each try meets a fault, and the run can be resumed."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PREPSQL_TRIES", "1")
    for name in ("MODEL", "BASE_URL", "API_KEY", "SIMULATOR_MODEL", "SIMULATOR_BASE_URL", "CACHE"):
        monkeypatch.delenv(f"PREPSQL_{name}", raising=False)
    common = ("--task", "farm_harvest", "--out", "run", "--accept-risk")
    return lambda *options: command_line("eval", *options, *common)


def settings():
    with duckdb.connect("run/record.duckdb", read_only=True) as con:
        return json.loads(con.execute("SELECT settings FROM runs").fetchone()[0])


MINE = ("--agent", "model", "--model", "tiny", "--setting", "codegen-noprofile")


@pytest.fixture
def answering():
    """Yield an endpoint that answers, though not with code."""
    with closing(Wire(lambda call: Move(text="none"))) as wire:
        yield wire


def test_a_run_whose_endpoint_never_answered_ends_and_may_begin_elsewhere(nowhere, answering):
    status, out, err = nowhere(*MINE, "--base-url", "http://127.0.0.1:9/v1")
    assert (status, out) == (2, "")
    assert "model tiny at http://127.0.0.1:9/v1: no connection" in err
    with closing(Wire(lambda call: refuse(404, "no such model"))) as deaf:
        status, _, err = nowhere(*MINE, "--base-url", deaf.url, "--repeats", "9")
        assert (status, len(deaf.calls) < 5) == (2, True)
        assert "HTTP 404: no such model: the endpoint has the model, but not at this address" in err
    assert nowhere(*MINE, "--base-url", answering.url)[0] == 1
    assert settings()["base_url"] == answering.url


def test_a_run_goes_on_at_its_own_endpoint_only(nowhere, answering, monkeypatch):
    here, there = answering.url, "http://127.0.0.1:19/v1"
    monkeypatch.setenv("PREPSQL_API_KEY", "sk-first")
    assert nowhere(*MINE, "--base-url", here)[0] == 1
    assert settings()["base_url"] == here
    status, out, err = nowhere(*MINE, "--base-url", there)
    assert (status, out) == (2, "")
    assert f"run is a run with base_url '{here}' (now '{there}'): resume it with the same options" in err
    monkeypatch.setenv("PREPSQL_API_KEY", "sk-second")
    assert nowhere(*MINE, "--base-url", f"{here}/")[0] == 1
    assert "sk-" not in json.dumps(settings())


def test_the_endpoint_of_the_users_model_is_part_of_a_run_too(nowhere, monkeypatch):
    user = ("--agent-cmd", "true", "--setting", "disambiguate", "--simulator", "llm", "--simulator-model", "tiny")
    assert nowhere(*user, "--base-url", "http://127.0.0.1:9/v1")[0] == 0
    monkeypatch.setenv("PREPSQL_SIMULATOR_BASE_URL", "http://127.0.0.1:19/v1")
    status, _, err = nowhere(*user, "--base-url", "http://127.0.0.1:9/v1")
    assert status == 2
    assert "simulator_base_url 'http://127.0.0.1:9/v1' (now 'http://127.0.0.1:19/v1')" in err


def test_how_long_a_program_may_take_is_part_of_a_run(nowhere):
    mine = ("--agent-cmd", "true", "--setting", "disambiguate", "--agent-timeout")
    assert nowhere(*mine, "5")[0] == 0
    status, _, err = nowhere(*mine, "50")
    assert (status, "agent_timeout 5.0 (now 50.0)" in err) == (2, True)


def test_where_an_endpoint_is_says_nothing_of_a_scripted_run(nowhere, tmp_path):
    (tmp_path / "replies.yaml").write_text("replies:\n  - {text: none}\n")
    scripted = ("--agent", "model", "--model", "script:replies.yaml", "--setting", "codegen-noprofile")
    for address in ("http://127.0.0.1:9/v1", "http://127.0.0.1:19/v1"):
        status, out, _ = nowhere(*scripted, "--base-url", address)
        assert status == 1
        assert "agent script:replies.yaml" in out
        assert ("all tries were already in it" in out) is address.endswith(":19/v1")
    assert "base_url" not in settings()


def test_a_scripted_run_is_called_by_its_file_and_known_by_its_path(nowhere, tmp_path):
    for folder in ("one", "other"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "replies.yaml").write_text("replies:\n  - {text: none}\n")
    scripted = ("--agent", "model", "--setting", "codegen-noprofile", "--model")
    _, out, _ = nowhere(*scripted, f"script:{tmp_path}/one/replies.yaml")
    assert "agent script:replies.yaml · " in out
    assert str(tmp_path) not in out
    status, _, err = nowhere(*scripted, f"script:{tmp_path}/other/replies.yaml")
    assert status == 2
    assert f"model 'script:{tmp_path}/one/replies.yaml' (now" in err

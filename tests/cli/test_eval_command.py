"""What `prepsql eval` refuses before anything runs, and what it says to do."""

import pytest


@pytest.mark.parametrize(("options", "told"), [
    (("--model", "mine"), "add --agent model or --agent-cmd"),
    (("--setting", "direct"), "--setting is for an agent"),
    (("--agent", "model", "--model", "mine", "--way", "sql"), "--language says what a model writes"),
    (("--agent", "model", "--agent-cmd", "true"), "name one of them"),
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

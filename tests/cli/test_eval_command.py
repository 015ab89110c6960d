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

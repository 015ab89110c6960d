"""What others wrote doesn't steer the terminal on which it's shown."""

from __future__ import annotations

import io
from collections.abc import Callable

import pytest
from rich.console import Console
from rich.text import Text

from prepsql.cli.main import main
from prepsql.cli.terminal import Harmless
from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.verdict import Result, Verdict

STEERS = "\x1b[2J\x1b]0;mine\x07\x9b2J\u202eabc"


def printed(show: Callable[[Console], None]) -> str:
    out = io.StringIO()
    show(Console(file=out, force_terminal=True, width=100, highlight=False))
    return out.getvalue()


def test_a_verdict_and_a_task_of_any_name() -> None:
    table = verdict_table([Verdict(f"task{STEERS}", "sql", Result.FAILED, {}, f"ValueError: {STEERS}", 0.1)])
    told = printed(lambda console: console.print(Harmless(table), markup=False))
    assert "ValueError: �[2J" in told
    assert not any(sign in told for sign in ("\x1b[2J", "\x1b]", "\x07", "\x9b", "\u202e"))
    assert "\x1b[31mfailed to run" in told


def test_its_own_colours_stay() -> None:
    text = Text("plain", style="red")
    assert printed(lambda console: console.print(Harmless(text))) == printed(lambda console: console.print(text))


def test_an_error(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["score", f"nowhere{STEERS}"])
    assert "nowhere�[2J" in capsys.readouterr().err

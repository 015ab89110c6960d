"""The verdict table: whatever the width, names, outcomes and digits stay whole beside many settings."""

from io import StringIO

import pytest
from rich.console import Console

from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.settings import SETTINGS
from prepsql.evaluate.verdict import Reading, Result, Verdict


def test_many_settings_leave_the_tasks_names_whole():
    passed = {policy: Reading(True) for policy in ("paper", "strict")}
    verdicts = [
        Verdict(task, setting.judged[0], Result.CORRECT, passed, "", 1.0, setting.name)
        for task in ("clinic_visits", "support_tickets") for setting in list(SETTINGS.values())[3:]
    ]  # fmt: skip
    out = StringIO()
    Console(file=out, width=80).print(verdict_table(verdicts))
    lines = out.getvalue().splitlines()
    assert [line.split()[0] for line in lines if " pass" in line] == ["clinic_visits", "support_tickets"]
    assert "codegen-" in out.getvalue()
    assert "noprofile" in out.getvalue()
    assert "…" not in out.getvalue()


def test_where_nothing_was_judged_the_accuracy_says_so():
    verdicts = [
        Verdict("adds_up", "code", Result.INFRASTRUCTURE, {}, "no connection", 1.0, "codegen", n) for n in (1, 2)
    ]
    out = StringIO()
    Console(file=out, width=80).print(verdict_table(verdicts))
    assert [line.split()[:3] for line in out.getvalue().splitlines() if "–" in line] == [
        ["adds_up", "–", "–"], ["accuracy", "–", "–"],
    ]  # fmt: skip


def test_a_repeat_that_failed_is_named():
    verdicts = [
        Verdict("adds_up", "code", Result.FAILED, {}, "no such column", 1.0, "codegen", repeat) for repeat in (1, 2)
    ]
    out = StringIO()
    Console(file=out, width=80).print(verdict_table(verdicts))
    assert "adds_up (codegen): failed" in out.getvalue()
    assert "adds_up (codegen, repeat 2): failed" in out.getvalue()


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("settings", [1, 2, 8])
@pytest.mark.parametrize("result", [Result.WRONG, Result.INFRASTRUCTURE, Result.OUTPUT_TOO_LARGE])
def test_no_outcome_and_no_digit_is_cut(width: int, settings: int, result: Result):
    readings = {policy: Reading(False, "KEY_MISMATCH") for policy in ("paper", "strict")}
    verdicts = [
        Verdict(task, way, result, readings if result == Result.WRONG else {}, "", 123.4, setting.name)
        for task in ("clinic_visits", "support_tickets") for setting in list(SETTINGS.values())[:settings]
        for way in setting.judged
    ]  # fmt: skip
    out = StringIO()
    Console(file=out, width=width).print(verdict_table(verdicts))
    rows = [line for line in out.getvalue().splitlines() if line.startswith(("clinic_visits  ", "support_tickets  "))]
    said = "differs" if result == Result.WRONG else result.value
    policies = 2 if result == Result.WRONG and settings < 8 else 1
    assert sum(line.count(said) for line in rows) == len(verdicts) * policies
    assert sum(line.count("123.4") for line in rows) == (len(verdicts) if settings < 8 else 0)
    assert "…" not in out.getvalue()
    assert max(map(len, out.getvalue().splitlines())) <= width

"""The figures of records small enough to reckon by hand."""

import pytest

from prepsql.errors import RecordError
from prepsql.evaluate.reports.load import load
from prepsql.evaluate.reports.report import report
from tests.evaluate.reports.made import KINDS, passes, record, together, tried

ROWS, OPERATION = KINDS


def entries(task, *kinds):
    return {
        "tasks": [{"task": task, "entries": len(kinds), "steps": 4}],
        "task_entries": [{"task": task, "entry": f"a{at}", "kind": kind} for at, kind in enumerate(kinds, 1)],
    }


def asked(task, setting, budget, *refs, repeat=1):
    """A conversation: a ref for each hit, '' for a fallback, None for one over the budget."""
    key = {"task": task, "setting": setting, "repeat": repeat}
    classes = ["over_budget" if ref is None else "hit" if ref else "fallback" for ref in refs]
    return {
        "clarified": [{**key, "max_questions": budget}],
        "questions": [
            {**key, "number": at, "round": 1, "question": "?", "classification": found, "ref": ref or ""}
            for at, (ref, found) in enumerate(zip(refs, classes, strict=True), 1)
        ],
    }


def call(task, setting, stage, usd, *, role="agent", attempt=1, tokens=100, source="paid", repeat=1):
    key = {"task": task, "setting": setting, "repeat": repeat, "stage": stage, "role": role, "attempt": attempt}
    more = {"prompt_tokens": tokens, "completion_tokens": 10, "usd": usd, "seconds": 1.0, "source": source}
    return {"calls": [{**key, **more}]}


def told(tmp_path, *parts, policy="paper"):
    return report([record(tmp_path / "run", **together(*parts))], policy=policy)


def value(found, figure, column, **where):
    return found.row(figure, "small", **where)[column]


def test_faults_are_in_no_accuracy_and_their_number_is_told(tmp_path):
    found = told(tmp_path, passes("direct", "CWFX"), passes("codegen", "CCWC"))
    row = found.row("accuracy", "small", measure="direct")
    assert (row["passed"], row["tasks"], row["accuracy"]) == (1, 3, pytest.approx(1 / 3))
    assert value(found, "accuracy", "accuracy", measure="codegen") == 0.75
    assert found.figures["faults"] == [{"run": "small", "faults": 1, "verdicts": 8, "tasks_unjudged": 1}]
    assert value(found, "results", "verdicts", setting="direct", result="infrastructure") == 1


def test_the_gap_is_over_the_tasks_that_both_settings_judged(tmp_path):
    found = told(tmp_path, passes("direct", "CWFX"), passes("codegen", "CCWC"))
    row = found.row("ambiguity_gap", "small")
    assert (row["tasks"], row["direct"], row["codegen"]) == (3, pytest.approx(1 / 3), pytest.approx(2 / 3))
    assert row["gap"] == pytest.approx(1 / 3)


def test_a_task_counts_in_each_of_its_kinds_once_and_without_entries_in_none(tmp_path):
    found = told(
        tmp_path, passes("direct", "CWF"), passes("codegen", "CCW"),
        entries("t1", ROWS, ROWS, OPERATION), entries("t2", ROWS), entries("t3"),
    )  # fmt: skip
    rows = {
        r["kind"]: (r["tasks"], r["direct"], r["codegen"], r["gap"]) for r in found.figures["ambiguity_gap_by_kind"]
    }
    assert rows == {ROWS: (2, 0.5, 1.0, 0.5), OPERATION: (1, 1.0, 1.0, 0.0)}


def test_repeats_weigh_a_task_by_the_share_that_passes(tmp_path):
    found = told(
        tmp_path, passes("direct", "CW"), tried("t2", "direct", "correct", repeat=2),
        tried("t2", "direct", "infrastructure", repeat=3),
    )  # fmt: skip
    row = found.row("accuracy", "small", measure="direct")
    assert (row["passed"], row["tasks"], row["accuracy"]) == (1.5, 2, 0.75)


def test_a_run_of_both_verdicts_is_measured_twice_and_gains_are_against_direct(tmp_path):
    found = told(
        tmp_path, passes("e2e", "CCFW"), passes("e2e", "CFFX", way="workflow"), passes("direct", "CWWW"),
        passes("codegen", "CCCW"), passes("codegen-noprofile", "WCCC"),
        {"task_patterns": [{"task": "t1", "pattern": "HI"}, {"task": "t4", "pattern": "HI"},
                           {"task": "t4", "pattern": "MV"}]},
    )  # fmt: skip
    assert value(found, "accuracy", "accuracy", measure="e2e-code") == 0.5
    assert value(found, "accuracy", "accuracy", measure="e2e-workflow") == pytest.approx(1 / 3)
    assert value(found, "interaction_gain", "gain") == 0.25
    assert value(found, "profiling_gain", "gain") == 0
    rows = {row["pattern"]: (row["tasks"], row["gain"]) for row in found.figures["profiling_gain_by_pattern"]}
    assert rows == {"HI": (2, 0.0), "MV": (1, -1.0)}
    assert found.measures == ("e2e-code", "e2e-workflow", "codegen", "direct", "codegen-noprofile")


def test_workflows_fail_or_are_wrong_or_correct(tmp_path):
    steps = [("t1", 2), ("t2", 3), ("t3", 5), ("t4", 6), ("t5", 18), ("t6", 19), ("t7", None)]
    found = told(
        tmp_path, passes("translate", "CWFCXC", way="workflow"),
        tried("t7", "translate", "reply cut off", way="workflow"),
        {"tasks": [{"task": task, "entries": 0, "steps": count} for task, count in steps]},
    )  # fmt: skip
    row = found.row("translation_outcomes", "small", measure="translate")
    assert (row["fail_pct"], row["wrong_pct"], row["correct_pct"]) == pytest.approx((200 / 6, 100 / 6, 300 / 6))
    assert row["total"] == 6
    bins = {
        r["steps"]: (r["bin"], r["fail_pct"], r["wrong_pct"], r["correct_pct"], r["total"])
        for r in found.figures["translation_outcomes_by_steps"]
    }
    assert bins == {
        "1-2": (-1, 0, 0, 100, 1), "3-5": (0, 50, 50, 0, 2), "6-8": (1, 0, 0, 100, 1), "19+": (4, 0, 0, 100, 1),
        "unknown": (None, 100, 0, 0, 1),
    }  # fmt: skip


def test_the_policy_decides_what_passes(tmp_path):
    parts = (tried("t1", "translate", "correct", way="workflow", strict=False), passes("codegen", "CC"))
    found = told(tmp_path, *parts, policy="strict")
    assert value(found, "accuracy", "accuracy", measure="translate") == 0
    assert value(found, "translation_outcomes", "wrong_pct") == 100
    assert value(report([tmp_path / "run"]), "accuracy", "accuracy", measure="translate") == 1
    with (
        pytest.raises(RecordError, match=r"small: no verdict is read by the policy 'lax' \(has: paper, strict\)"),
        load([tmp_path / "run"], "lax"),
    ):
        pass


TALK = (
    passes("e2e", "CCXC"),
    entries("t1", ROWS, ROWS, OPERATION), entries("t2", ROWS, OPERATION), entries("t3", ROWS), entries("t4"),
    # an entry hit twice, a fallback, one over the budget
    asked("t1", "e2e", 8, "a1", "a1", "a3", "", None), asked("t2", "e2e", 5), asked("t3", "e2e", 3, "a1"),
    asked("t4", "e2e", 0),
)  # fmt: skip


def test_disambiguation_counts_entries_once_and_questions_each(tmp_path):
    found = told(tmp_path, *TALK)
    row = found.row("disambiguation", "small")
    # t1: 2 of 3 entries by 4 questions; t2: none of 2 by none; t3 met a fault; t4 has no entries
    assert row["tasks"] == 2
    assert row["f1"] == pytest.approx((2 * 2 / (4 + 3) + 0) / 2)
    assert (row["macro_precision"], row["macro_recall"]) == (0.5, pytest.approx(1 / 3))
    assert (row["micro_precision"], row["micro_recall"], row["micro_f1"]) == pytest.approx((2 / 4, 2 / 5, 4 / 9))
    kinds = {
        r["kind"]: (r["entries"], r["questions"], r["hits"], r["precision"], r["recall"], r["f1"])
        for r in found.figures["disambiguation_by_kind"]
    }
    assert kinds == {
        ROWS: (3, 2, 1, 0.5, pytest.approx(1 / 3), pytest.approx(0.4)),
        OPERATION: (2, 1, 1, 1.0, 0.5, pytest.approx(2 / 3)),
    }
    assert "disambiguate" in found.measures


def test_budget_usage_is_of_sums_and_what_was_over_it_is_told(tmp_path):
    row = told(tmp_path, *TALK).row("budget_usage", "small")
    assert (row["asked"], row["allowed"], row["over_budget"]) == (4, 13, 1)
    assert row["usage"] == pytest.approx(4 / 13)


def test_questions_about_a_task_without_entries_count_against_precision(tmp_path):
    row = told(
        tmp_path, passes("e2e", "CC"), entries("t1", ROWS), entries("t2"), asked("t1", "e2e", 3, "a1"),
        asked("t2", "e2e", 3, "", ""),
    ).row("disambiguation", "small")  # fmt: skip
    assert (row["f1"], row["micro_precision"], row["micro_recall"]) == (1.0, pytest.approx(1 / 3), 1.0)


def test_conversations_of_their_own_setting_go_before_those_of_others(tmp_path):
    found = told(
        tmp_path, passes("e2e", "C"), passes("disambiguate", "C", way="questions"), entries("t1", ROWS),
        asked("t1", "e2e", 3, "a1"), asked("t1", "disambiguate", 3, ""),
    )  # fmt: skip
    assert value(found, "disambiguation", "f1") == 0
    assert [row["measure"] for row in found.figures["accuracy"]] == ["e2e-code"]


def test_cost_is_of_the_agents_calls_on_the_path(tmp_path):
    found = told(
        tmp_path, passes("e2e", "CW"), passes("e2e", "CW", way="workflow"),
        asked("t1", "e2e", 3), asked("t2", "e2e", 3),
        call("t1", "e2e", "clarify", 0.001),
        call("t1", "e2e", "answer", 0.0004, role="simulator"),
        call("t1", "e2e", "profile", 0.002), call("t1", "e2e", "code", 0.004),
        call("t1", "e2e", "code", 0.004, attempt=2),
        call("t1", "e2e", "translate", 0.016, source="cache"), call("t2", "e2e", "code", 0.003),
    )  # fmt: skip
    rows = {row["measure"]: row for row in found.figures["cost"]}
    assert rows["disambiguate"]["millidollars"] == pytest.approx(0.5)
    assert rows["e2e-code"]["millidollars"] == pytest.approx((11 + 3) / 2)
    assert rows["e2e-workflow"]["millidollars"] == pytest.approx((27 + 3) / 2)
    assert rows["e2e-code"]["simulator_millidollars"] == pytest.approx(0.2)
    assert rows["e2e-code"]["prompt_tokens"] == 250
    assert rows["e2e-code"]["calls"] == 5
    stages = {(row["role"], row["stage"], row["source"]): row["calls"] for row in found.figures["calls_by_stage"]}
    assert stages["agent", "code", "paid"] == 3
    assert stages["agent", "translate", "cache"] == 1


def test_unknown_cost_is_unknown_and_never_nothing(tmp_path):
    found = told(
        tmp_path, passes("codegen", "CC"), passes("direct", "CC"), call("t1", "codegen", "code", 0.002),
        call("t2", "codegen", "code", None), call("t1", "direct", "code", 0.002, tokens=None),
    )  # fmt: skip
    rows = {row["measure"]: row for row in found.figures["cost"]}
    assert (rows["codegen"]["millidollars"], rows["codegen"]["calls_of_unknown_cost"]) == (None, 1)
    assert (rows["codegen"]["low"], rows["codegen"]["high"]) == (None, None)
    # a task of the same run that needed no call cost nothing
    assert (rows["direct"]["millidollars"], rows["direct"]["prompt_tokens"]) == (pytest.approx(1.0), None)
    assert rows["codegen"]["simulator_millidollars"] is None


def test_a_cost_is_the_same_in_whatever_order_its_calls_are_added(tmp_path):
    paid = [0.1, 0.7, 0.3, 0.2, 0.000125]
    found = [
        told(
            tmp_path / name, passes("codegen", "C"),
            *[call("t1", "codegen", "code", usd, attempt=at) for at, usd in enumerate(order)],
        )
        for name, order in (("one", paid), ("other", sorted(paid)))
    ]  # fmt: skip
    assert [value(one, "cost", "millidollars", measure="codegen") for one in found] == [1300.125, 1300.125]
    assert [value(one, "calls_by_stage", "usd", stage="code") for one in found] == [1.300125, 1.300125]


def test_a_run_without_calls_has_no_cost(tmp_path):
    found = told(
        tmp_path, passes("reference", "CC", way="sql"), call("t1", "reference", "answer", 1.0, role="simulator")
    )
    row = found.row("cost", "small", measure="reference-sql")
    assert (row["millidollars"], row["calls_of_unknown_cost"], row["calls"]) == (None, 0, 0)


def test_a_fault_costs_nothing_in_the_average_but_is_in_the_calls(tmp_path):
    found = told(
        tmp_path, passes("codegen", "CX"), call("t1", "codegen", "code", 0.002), call("t2", "codegen", "code", 0.5)
    )
    assert value(found, "cost", "millidollars", measure="codegen") == pytest.approx(2)
    assert value(found, "calls_by_stage", "usd") == pytest.approx(0.502)


def took(task, stage, seconds):
    return {"stages": [{"task": task, "setting": "e2e", "repeat": 1, "stage": stage, "seconds": seconds}]}


def test_time_of_stages_is_told_slowest_first_and_what_of_it_models_took(tmp_path):
    found = told(
        tmp_path, passes("e2e", "CC"), took("t1", "clarify", 5.0), took("t2", "clarify", 3.0), took("t1", "code", 9.0),
        took("t1", "judge", 0.5), call("t1", "e2e", "clarify", 0.1), call("t1", "e2e", "answer", 0.1, role="simulator"),
        call("t1", "e2e", "clarify", 0.1, attempt=2, source="cache"), call("t2", "e2e", "clarify", 0.1),
    )  # fmt: skip
    rows = [tuple(row[name] for name in ("stage", "tries", "seconds", "model", "median"))
            for row in found.figures["time_by_stage"]]  # fmt: skip
    assert rows == [("code", 1, 9.0, 0.0, 9.0), ("clarify", 2, 8.0, 3.0, 4.0), ("judge", 1, 0.5, 0.0, 0.5)]


def test_intervals_are_those_of_the_figures_own_tasks(tmp_path):
    found = told(tmp_path, passes("direct", "CCCWWWWW" * 5), passes("codegen", "CCCCCCWW" * 5))
    for figure, column, where in (
        ("accuracy", "accuracy", {"measure": "direct"}), ("ambiguity_gap", "gap", {})
    ):  # fmt: skip
        row = found.row(figure, "small", **where)
        assert row["low"] < row[column] < row["high"]
        assert row["high"] - row["low"] == pytest.approx(0.3, abs=0.08)
    assert "sample" not in row

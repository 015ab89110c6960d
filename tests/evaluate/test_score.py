"""Tables in the release's layout are judged where they stand."""

import csv
import json
import shutil

import pytest

from prepsql.errors import InputError
from prepsql.evaluate.score import score, write_summary
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.verdict import Result


def put(root, task, text, folder="cand"):
    cand = root / task / "solution" / folder
    cand.mkdir(parents=True)
    (cand / "output_01.csv").write_text(text)


def test_a_root_is_scored_and_summed_up(suite, tmp_path):
    put(tmp_path, "adds_up", "city,total\nRome,30\nOslo,30.3\n")
    put(tmp_path, "breaks", "city,total\nRome,30\n")
    found = score(tmp_path, suite)
    write_summary(tmp_path, suite, found, policy="paper")
    verdicts = {v.task: v for v in found}
    assert verdicts["adds_up"].result is Result.CORRECT
    assert not verdicts["adds_up"].readings["strict"].passed
    assert verdicts["breaks"].readings["paper"].error_type == "ROW_COUNT_MISMATCH"
    assert verdicts["sql_only"].result is Result.NOT_FOUND
    with (tmp_path / "evaluation_summary.csv").open() as file:
        rows = {row["case_name"]: row for row in csv.DictReader(file)}
    assert list(rows) == sorted(task.id for task in suite.tasks)
    assert list(rows["adds_up"]) == [
        "case_name", "execution", "evaluation", "candidate_dir", "gt_dir", "error_type", "error_message",
    ]  # fmt: skip
    assert rows["adds_up"]["evaluation"] == "pass"
    assert (rows["breaks"]["evaluation"], rows["breaks"]["error_type"]) == ("fail", "ROW_COUNT_MISMATCH")
    assert (rows["sql_only"]["execution"], rows["sql_only"]["evaluation"]) == ("NOT_FOUND", "fail")
    assert (tmp_path / "acc.txt").read_text() == "0.1429 (1/7)\n"


def test_the_policy_decides(suite, tmp_path):
    put(tmp_path, "adds_up", "city,total\nRome,30\nOslo,30.3\n")
    few = suite.select(("adds_up",))
    for policy, share in (("paper", "1.0000 (1/1)\n"), ("published", "1.0000 (1/1)\n"), ("strict", "0.0000 (0/1)\n")):
        write_summary(tmp_path, few, score(tmp_path, few, policies=(policy,)), policy=policy)
        assert (tmp_path / "acc.txt").read_text() == share


def test_workflow_tables_stand_apart(suite, tmp_path):
    put(tmp_path, "adds_up", "city,total\nRome,30\nOslo,30\n", "flow_cand")
    few = suite.select(("adds_up",))
    assert score(tmp_path, few, kind="workflow")[0].result is Result.CORRECT
    with pytest.raises(InputError, match="wrong root or suite"):
        score(tmp_path, few)


def test_gold_scored_against_itself_is_all_right(prepbench, tmp_path):
    suite = open_suite(prepbench).select(("case_00*",))
    for task in suite.tasks:
        cand = tmp_path / task.id / "solution" / "cand"
        cand.mkdir(parents=True)
        for path in task.gold.glob("*.csv"):
            shutil.copy(path, cand)
    verdicts = score(tmp_path, suite)
    write_summary(tmp_path, suite, verdicts, policy="paper")
    wrong = [v.task for v in verdicts if not all(r.passed for r in v.readings.values())]
    assert wrong == []
    assert (tmp_path / "acc.txt").read_text() == f"1.0000 ({len(verdicts)}/{len(verdicts)})\n"


def test_a_missing_root_is_said(suite, tmp_path):
    with pytest.raises(InputError, match="no folder"):
        score(tmp_path / "nowhere", suite)


def test_conversations_are_scored(tmp_path, command_line):
    asked = [
        {"sub_question": "Which ones?", "classification": "hit", "answer": "All.", "ref": ref}
        for ref in [open_suite().tasks[0].ambiguities[0].id] * 2
    ]
    summary = {"questions_used": 2, "max_questions": 10, "qa_history": asked}
    folder = tmp_path / open_suite().tasks[0].id / "clarify"
    folder.mkdir(parents=True)
    (folder / "summary.json").write_text(json.dumps(summary))
    code, out, _ = command_line("score", tmp_path, "--kind", "questions", "--json")
    assert code == 0
    entries = sum(len(task.ambiguities) for task in open_suite().tasks)
    told = json.loads(out)
    assert (told["questions"], told["hits"], told["entries"]) == (2, 1, entries)
    assert told["micro"]["f1"] == pytest.approx(2 / (2 + entries))
    assert (tmp_path / "disamb_f1.txt").read_text().startswith(f"{2 / (2 + entries):.4f}")
    assert "F1" in command_line("score", tmp_path, "--kind", "questions")[1]
    assert command_line("score", tmp_path / "nowhere", "--kind", "questions")[0] == 2

"""Precision, recall and F1 of conversations, by hand."""

import json

import pytest

from prepsql.errors import ConfigError, InputError
from prepsql.evaluate.disambiguation import (
    Conversation,
    conversations,
    disambiguation,
    figures,
    write_disambiguation,
)
from prepsql.evaluate.suites import open_suite

ROW, LIMIT = "Row-level concept", "Operation boundary"
FIRST = Conversation(
    "a", {"1": ROW, "2": ROW, "3": LIMIT}, [("hit", "1"), ("hit", "1"), ("fallback", ""), ("refuse_illegal", "")], 8
)
SECOND = Conversation("b", {"1": LIMIT}, [("hit", "1"), ("hit", "9")], 3)
SILENT = Conversation("c", {"1": ROW, "2": LIMIT}, [], 5)
CLEAR = Conversation("d", {}, [], 0)


def test_an_entry_hit_twice_counts_once_and_an_unknown_one_not():
    assert FIRST.hits == {"1"}
    assert SECOND.hits == {"1"}


def test_micro_puts_all_together_and_macro_is_a_mean_over_tasks_with_entries():
    total = disambiguation([FIRST, SECOND, SILENT, CLEAR])
    assert (total.tasks, total.entries, total.questions, total.hits) == (4, 6, 6, 2)
    assert (total.micro.precision, total.micro.recall, total.micro.f1) == pytest.approx((2 / 6, 2 / 6, 2 / 6))
    assert total.micro.usage == pytest.approx(6 / 16)
    # a: 1/4, 1/3, 2/7; b: 1/2, 1, 2/3; c: all 0
    assert total.macro.precision == pytest.approx((1 / 4 + 1 / 2) / 3)
    assert total.macro.recall == pytest.approx((1 / 3 + 1) / 3)
    assert total.macro.f1 == pytest.approx((2 / 7 + 2 / 3) / 3)
    assert total.macro.usage == pytest.approx((4 / 8 + 2 / 3) / 3)


def test_recall_of_each_kind():
    total = disambiguation([FIRST, SECOND, SILENT])
    assert total.by_kind == {ROW: (3, 1), LIMIT: (3, 1)}
    assert total.recall(ROW) == pytest.approx(1 / 3)
    assert total.recall("Group-level concept") is None


def test_what_has_no_denominator_is_none():
    assert figures(0, 0, 0, 0) == disambiguation([]).micro
    assert figures(0, 0, 3, 8).precision is None
    assert figures(0, 0, 3, 8).f1 == 0
    assert disambiguation([CLEAR]).macro.f1 is None


def test_the_files_of_the_release(tmp_path):
    write_disambiguation(tmp_path, [FIRST, SECOND, SILENT, CLEAR])
    assert (tmp_path / "disamb_summary.csv").read_text().splitlines() == [
        "case_name,questions_used,max_questions,entries,hits,precision,recall,f1,usage",
        "a,4,8,3,1,0.2500,0.3333,0.2857,0.5000",
        "b,2,3,1,1,0.5000,1.0000,0.6667,0.6667",
        "c,0,5,2,0,,0.0000,0.0000,0.0000",
        "d,0,0,0,0,,,,",
    ]
    assert (tmp_path / "disamb_by_type.csv").read_text() == (
        "kind,entries,hits,recall\nRow-level concept,3,1,0.3333\nOperation boundary,3,1,0.3333\n"
    )
    assert json.loads((tmp_path / "disamb_metrics.json").read_text())["micro"]["usage"] == 0.375
    assert (tmp_path / "disamb_f1.txt").read_text() == "0.3333 (precision 0.3333, recall 0.3333)\n"
    assert not list(tmp_path.glob(".*"))


def test_conversations_are_read_from_the_releases_layout(tmp_path):
    suite = open_suite().select(("bike_share", "air_quality"))
    folder = tmp_path / "bike_share" / "clarify"
    folder.mkdir(parents=True)
    history = [
        {"sub_question": "?", "classification": "hit", "answer": "!", "ref": "2_row_false_start"},
        {"sub_question": "?", "classification": "fallback", "answer": "!", "ref": None},
    ]
    (folder / "summary.json").write_text(json.dumps({"questions_used": 2, "max_questions": 13, "qa_history": history}))
    silent, asked = conversations(tmp_path, suite)
    assert (silent.task, silent.asked, silent.max_questions) == ("air_quality", (), 13)
    assert asked.asked == (("hit", "2_row_false_start"), ("fallback", ""))
    assert asked.hits == {"2_row_false_start"}


def test_a_wrong_root_and_a_broken_summary_are_named(tmp_path):
    suite = open_suite().select(("bike_share",))
    with pytest.raises(InputError, match=r"clarify/summary\.json"):
        conversations(tmp_path, suite)
    (tmp_path / "run" / "e2e" / "bike_share" / "clarify").mkdir(parents=True)
    (tmp_path / "run" / "e2e" / "bike_share" / "clarify" / "summary.json").write_text("{}")
    with pytest.raises(InputError, match=r"score \S+/run/e2e, the folder of a setting"):
        conversations(tmp_path / "run", suite)
    (tmp_path / "bike_share" / "clarify").mkdir(parents=True)
    (tmp_path / "bike_share" / "clarify" / "summary.json").write_text('{"qa_history": []')
    with pytest.raises(ConfigError, match="no conversation"):
        conversations(tmp_path, suite)

"""A task's page: conversation, profile, code by attempt, workflow, verdict with what differs, and cost."""

import json
import re

from prepsql.page.task_page import file_names
from tests.evaluate.reports.made import KINDS, record, together, tried
from tests.page.test_report_page import attempt, pages_of, said, talk

KEY = {"task": "t1", "setting": "e2e", "repeat": 1}
FLOW = json.dumps({
    "nodes": {
        "main": {"kind": "input", "params": {"path": "inputs/input_01.csv"}},
        "paid": {"kind": "filter", "inputs": {"in": "main"}, "params": {"predicate": "paid > 0"}, "note": "debts go"},
        "out": {"kind": "output", "inputs": {"in": "paid"}, "params": {"path": "output_01.csv"}},
    }
})  # fmt: skip


def differs(*rows, way="code"):
    return {
        "differences": [
            {**KEY, "way": way, "number": n, "policy": "paper", "file": "output_01.csv", **row}
            for n, row in enumerate(rows, 1)
        ]
    }


def page(tmp_path, *parts):
    pages = pages_of(record(tmp_path / "run", **together(*parts)))
    return pages["report_tasks/t1.html"]


def test_all_that_happened_is_told(tmp_path):
    key = {**KEY, "attempt": 1, "seconds": 2.5}
    paid = {"prompt_tokens": 1200, "completion_tokens": 90, "usd": 0.0042, "source": "paid"}
    entries = [{"task": "t1", "entry": f"a{at}", "kind": kind} for at, kind in enumerate(KINDS)]
    broken = attempt("t1", "SELECT 41", result="failed to run", message="no table 'x'")
    mended = {"attempts": [{**attempt("t1", "SELECT 42 AS answer")["attempts"][0], "attempt": 2}]}
    notes = {"request": "Sum up.", "specification": "Sum of paid fees.", "profile": "3 rows; 'paid' has 1 null"}
    text = page(
        tmp_path, tried("t1", "e2e", "wrong"), tried("t1", "e2e", "correct", way="workflow"), talk("t1"), broken,
        mended,
        attempt("t1", "DESCRIBE input_01", "profile"), attempt("t1", FLOW, "translate", result="ran"),
        {"tasks": [{"task": "t1", "entries": 2, "steps": 4}], "task_patterns": [{"task": "t1", "pattern": "HI"}],
         "task_entries": entries, "notes": [{**KEY, "name": name, "text": said} for name, said in notes.items()],
         "calls": [{**key, **paid, "stage": "code", "role": "agent"}, {**key, **paid, "stage": "answer", "role": "x"}]},
    )  # fmt: skip
    told = said(text)
    for words in (
        "4 preparation steps", "ambiguity: operation incomplete, row-level concept", "irregular: header",
        "Request as given in e2e", "Sum up.", "Conversation: 1 question, 3 allowed", "Which fee?", "The paid one.",
        "hit a0", "Specification Sum of paid fees.", "Profile, as the agent saw it 3 rows; 'paid' has 1 null",
        "Look at the tables, attempt 1: ok", "Code, attempt 1: failed to run", "no table 'x' SELECT 41",
        "Code, attempt 2: ok", "SELECT 42 AS answer", "Workflow of attempt 1, drawn: 3 steps", "filter: paid > 0",
        "debts go", "code: wrong", "workflow: correct", "2 cells differ in 'fee'", "VALUE_MISMATCH", "m$8.40",
        "Cost: 2 calls, 2,580 tokens, 0.0084 USD",
    ):  # fmt: skip
        assert words in told, words
    # the attempt that counts stands open, the failed one is folded
    assert re.findall(r"<details( open)?><summary>Code, attempt (\d)", text) == [("", "1"), (" open", "2")]


def test_cells_that_differ_stand_beside_golds(tmp_path):
    cell = {"what": "cell", "total": 7, "col": "fee", "key": "id=1", "gold_row": 1, "candidate_row": 4}
    cells = [{**cell, "gold": "30", "candidate": "31.5"}, {**cell, "gold": " ", "candidate": "", "gold_row": 2}]
    rows = [
        {"what": "missing row", "total": 1, "key": "id=9", "gold_row": 9},
        {"what": "extra row", "total": 3, "key": "id=8", "candidate_row": 8},
        {"what": "missing column", "total": 1, "col": "vat"},
    ]
    text = page(tmp_path, tried("t1", "e2e", "wrong"), differs(*cells, *rows))
    told = said(text)
    assert "output_01.csv, column fee : 7 cells differ the first 2 row key gold candidate 1 id=1 30 31.5 2 id=1" in told
    assert "output_01.csv: 1 missing row row of gold key 9 id=9" in told
    assert "output_01.csv: 3 extra rows the first 1 row of the candidate key 8 id=8" in told
    assert "output_01.csv: 1 missing column vat" in told


def test_what_differs_stands_with_the_verdict_that_it_is_of(tmp_path):
    cell = {"what": "cell", "total": 1, "col": "fee", "key": "id=1", "gold": "1", "candidate": "2"}
    text = page(
        tmp_path, tried("t1", "e2e", "correct"), tried("t1", "e2e", "wrong", way="workflow"),
        differs(cell, way="workflow"),
    )  # fmt: skip
    code, workflow = re.findall(r'<div class="verdict">.*?(?=<div class="verdict">|</section>)', text, re.DOTALL)
    assert "differing" not in code
    assert "1 cell differs" in said(workflow)


def test_unknown_tokens_and_prices_are_unknown_in_the_sum(tmp_path):
    known = {"prompt_tokens": 10, "completion_tokens": 2, "usd": 0.5, "seconds": 1.0, "source": "paid", "role": "agent"}
    calls = [
        {**KEY, **known, "stage": "code", "attempt": 1},
        {**KEY, "stage": "clarify", "role": "agent", "attempt": 1},
    ]
    told = said(page(tmp_path, tried("t1", "e2e", "correct"), {"calls": calls}))
    assert "Cost: 2 calls, tokens unknown, USD unknown" in told
    assert "m$?" in told


def test_the_code_that_was_to_be_translated_is_told(tmp_path):
    key = {**KEY, "setting": "translate"}
    notes = {"notes": [{**key, "name": "code", "text": "SELECT 1\nAS one"}]}
    text = page(tmp_path, tried("t1", "translate", "correct", way="workflow"), notes)
    assert '<summary>Code to translate</summary>\n<pre tabindex="0">SELECT 1\nAS one</pre>' in text


def test_what_cannot_be_drawn_is_still_shown_as_text(tmp_path):
    text = page(tmp_path, tried("t1", "e2e", "failed to run", way="workflow"), attempt("t1", "no JSON", "translate"))
    assert "drawn" not in text
    assert "no JSON</code>" in text


def test_the_workflow_that_ran_is_drawn_and_not_the_later_one(tmp_path):
    later = {"attempts": [{**attempt("t1", '{"nodes": {"a": {}}}', "translate")["attempts"][0], "attempt": 2}]}
    ran = attempt("t1", FLOW, "translate", result="ran")
    later["attempts"][0]["result"] = "failed to run"
    text = page(tmp_path, tried("t1", "e2e", "correct", way="workflow"), ran, later)
    assert "Workflow of attempt 1, drawn: 3 steps" in said(text)


def test_files_have_names_of_their_own_and_no_others():
    names = file_names(["a", "A", "../../etc", "été", "", "x" * 200])
    assert names["a"] == "a.html"
    assert names["A"] == "A-2.html"
    assert len({name.lower() for name in names.values()}) == 6
    assert all(re.fullmatch(r"[A-Za-z0-9_-]{1,85}\.html", name) for name in names.values())

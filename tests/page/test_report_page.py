"""The page of a report: whole in itself, safe from what models say, and small however much they said."""

import json
import posixpath
import re
from html import unescape
from pathlib import PurePosixPath
from urllib.parse import unquote

import pytest

from prepsql.evaluate.reports.load import load
from prepsql.evaluate.reports.report import report_of
from prepsql.page.charts import changes, outcomes, shares, shift, widest
from prepsql.page.environment import block
from prepsql.page.report_page import report_pages
from tests.evaluate.reports.made import KINDS, passes, record, together, tried
from tests.page.parsed import Page
from tests.profile.made import HOSTILE


def pages_of(*sources, against=None):
    """Return the pages by path, the report's last."""
    with load([*sources, *([against] if against else [])]) as loaded:
        return report_pages(report_of(loaded, against is not None), loaded)


def page_of(*sources, against=None):
    return pages_of(*sources, against=against)["report.html"]


def said(text):
    """Return the words of a page as one reads them."""
    body = re.sub(r"<(style|script|svg class=\"bar\").*?</\w+>|<[^>]*>", " ", text, flags=re.DOTALL)
    return " ".join(unescape(body).split())


def talk(task, question="Which fee?", answer="The paid one."):
    key = {"task": task, "setting": "e2e", "repeat": 1}
    more = {"round": 1, "question": question, "classification": "hit", "ref": "a0", "answer": answer}
    return {"clarified": [{**key, "max_questions": 3}], "questions": [{**key, "number": 1, **more}]}


def attempt(task, text, stage="code", setting="e2e", **more):
    key = {"task": task, "setting": setting, "repeat": 1, "stage": stage, "attempt": 1}
    return {"attempts": [{**key, "result": "ok", "seconds": 1.5, "text": text, **more}]}


@pytest.fixture
def whole(tmp_path):
    """A run that has everything."""
    entries = [{"task": t, "entry": f"a{at}", "kind": k} for t in ("t1", "t2") for at, k in enumerate(KINDS)]
    key = {"task": "t1", "setting": "e2e", "repeat": 1, "attempt": 1, "seconds": 2.5}
    paid = {"prompt_tokens": 1200, "completion_tokens": 90, "usd": 0.0042, "source": "paid"}
    return record(
        tmp_path / "whole",
        **together(
            passes("e2e", "CW"), passes("e2e", "FX", way="workflow"), passes("direct", "WW"), passes("codegen", "CC"),
            passes("codegen-noprofile", "CW"), passes("translate", "CF", way="workflow"), {"task_entries": entries},
            {"tasks": [{"task": "t1", "entries": 2, "steps": 4}],
             "task_patterns": [{"task": "t1", "pattern": "HI"}]},
            talk("t1"), attempt("t1", "SELECT 42 AS answer"), attempt("t1", "DESCRIBE input_01", "profile"),
            attempt("t1", '{"nodes": ["clean"]}', "translate", result="failed to run", message="no column 'amt'"),
            {"calls": [{**key, **paid, "stage": "code", "role": "agent"},
                       {**key, "stage": "answer", "role": "simulator", "source": "script"}]},
        ),
    )  # fmt: skip


def test_it_shows_each_figure_and_how_each_task_came_out(whole):
    text = page_of(whole, against=None)
    told = said(text)
    for words in (
        "RQ1: accuracy by setting", "RQ2: what ambiguity costs", "RQ3: what asking gains", "RQ3: what was asked",
        "RQ4: what profiling gains", "RQ5: whether workflows come out right", "E2E-Workflow",
        "Infrastructure faults, scored nowhere: small: 1 of 12 verdicts", "Row-level concept", "header (1)", "3-5",
        "all 2", "not passed 2", "correct 0", "infrastructure 0",
    ):  # fmt: skip
        assert words in told, words
    # tasks are found by their state, and their pages by the name
    assert re.findall(r'<tr class="task (\w+)" data-name="(\w+)"><th scope="row"><a href="([^"]+)">', text) == [
        ("failed", "t1", "report_tasks/t1.html"), ("failed", "t2", "report_tasks/t2.html"),
    ]  # fmt: skip
    row = re.search(r'data-name="t1">.*?</tr>', text, re.DOTALL)[0]
    assert re.findall(r'<span class="(\w+)">([^<]+)</span>', row) == [
        ("good", "correct"), ("bad", "failed to run"), ("good", "correct"), ("good", "correct"), ("bad", "wrong"),
        ("good", "correct"),
    ]  # fmt: skip
    assert "2 cells differ in &#39;fee&#39;" in row
    # a call of it has no known price
    assert '<td class="n">?</td>' in row


def test_a_fault_alone_is_no_failure_and_is_found(tmp_path):
    tries = passes("direct", "CWX"), passes("codegen", "XXC")
    text = page_of(record(tmp_path / "run", **together(*tries)))
    assert re.findall(r'<tr class="task (\w+)" data-name="(\w+)">', text) == [
        ("fault", "t1"), ("failed", "t2"), ("fault", "t3"),
    ]  # fmt: skip


def test_intervals_are_explained_where_there_are_any(tmp_path):
    assert "bootstrap" not in said(page_of(record(tmp_path / "one", **passes("direct", "C"))))
    assert "bootstrap" in said(page_of(record(tmp_path / "two", **passes("direct", "CC"))))


def test_where_nothing_changed_both_marks_are_seen(tmp_path):
    text = page_of(record(tmp_path / "run", **together(passes("direct", "WW"), passes("codegen", "WW"))))
    marks = re.findall(r'<rect class="(missing|number)" x="([0-9.]+)" width="([0-9.]+)"', text)
    assert ("missing", "0", "2.4") in [(look, x.removesuffix(".0"), width) for look, x, width in marks]


def test_how_tries_ended_is_counted_by_setting(tmp_path):
    rows = together(passes("codegen", "CWFX"), passes("direct", "CC"), tried("t9", "direct", None))
    told = said(page_of(record(tmp_path / "run", **rows)))
    assert "correct wrong failed to run infrastructure not passed, unknown how verdicts" in told
    assert "codegen code 1 1 1 1 · 4 direct code 2 · · · 1 3" in told


def test_repeats_are_told_as_how_many_pass(tmp_path):
    tries = [tried("t1", "direct", result, repeat=at) for at, result in enumerate(("correct", "wrong", "correct"), 1)]
    tries.append(tried("t1", "direct", "infrastructure", repeat=4))
    assert '<span class="bad">2 of 3</span>' in page_of(record(tmp_path / "run", **together(*tries)))


def test_two_runs_are_compared_and_share_the_tasks(whole, tmp_path):
    other = record(tmp_path / "other", settings={"model": "other"}, **passes("codegen", "WX"))
    pages = pages_of(whole, against=other)
    told = said(pages["report.html"])
    assert "small against other" in told
    assert "only the second" in told
    assert [*pages] == ["report_tasks/t1.html", "report_tasks/t2.html", "report.html"]
    assert "other codegen" in told
    assert re.findall(r"<h2>(\w+)</h2>", pages["report_tasks/t1.html"]) == ["small", "other"]


def test_they_load_nothing_and_no_words_of_a_model_become_an_element(tmp_path):
    key = {"task": HOSTILE, "setting": "e2e", "repeat": 1}
    flow = json.dumps({"nodes": {HOSTILE: {"kind": "filter", "params": {"predicate": HOSTILE}, "note": HOSTILE}}})
    cell = {"way": "code", "number": 1, "policy": "paper", "file": HOSTILE, "what": "cell", "total": 1}
    hostile = record(
        tmp_path / "run", settings={"model": HOSTILE},
        **together(
            tried(HOSTILE, "e2e", "failed to run", message=HOSTILE), talk(HOSTILE, HOSTILE, HOSTILE),
            attempt(HOSTILE, f"{HOSTILE}\n\tSELECT '\\d'", message=HOSTILE), attempt(HOSTILE, flow, "translate"),
            {"task_entries": [{"task": HOSTILE, "entry": HOSTILE, "kind": HOSTILE}],
             "notes": [{**key, "name": name, "text": HOSTILE} for name in ("request", "specification", "profile")],
             "differences": [{**key, **cell, **dict.fromkeys(("col", "key", "gold", "candidate"), HOSTILE)}]},
        ),
    )  # fmt: skip
    pages = pages_of(hostile)
    for path, text in pages.items():
        page = Page(text)
        assert [given for tag, given in page.tags if tag == "script"] == [{}]
        assert not {"img", "link", "iframe", "object", "form"} & {tag for tag, _ in page.tags}
        names = [name for _, given in page.tags for name in given]
        assert not [name for name in names if name.startswith("on") or name in ("style", "src")]
        ids, links = page.all("id"), page.all("href")
        assert len(ids) == len(set(ids))
        assert {link[1:] for link in links if link.startswith("#")} <= set(ids)
        at = PurePosixPath(path).parent
        files = {posixpath.normpath(at / unquote(link)) for link in links if not link.startswith("#")}
        assert files <= set(pages)
        assert set(page.all("for")) | set(page.all("aria-labelledby")) <= set(ids)
        assert "<script>alert" not in text
        assert "\x00" not in text
        assert "\u202e" not in text
    first, last = pages.values()
    assert first.count("&lt;script&gt;alert(1)") > 8
    assert "&lt;script&gt;alert(1)" in last
    assert "\n\tSELECT &#39;\\d&#39;" in first


def test_a_page_stays_small_and_says_what_it_cut(tmp_path):
    long = "SELECT a_column_of_the_table FROM input_01 -- and on\n" * 6000
    texts = [attempt("t0", long, setting=f"s{at}") for at in range(8)]
    tries = [tried("t0", f"s{at}", "correct") for at in range(9)]
    short = attempt("t0", "SELECT 1 AS short_and_whole", setting="s8")
    pages = pages_of(record(tmp_path / "run", **together(*tries, *texts, short)))
    text = pages["report_tasks/t0.html"]
    assert 950_000 < len(text) < 1_100_000
    assert len(pages["report.html"]) < 40_000
    assert "SELECT 1 AS short_and_whole</code>" in text
    assert text.count("Cut; the whole text is in the record") == 8


def test_where_little_is_known_the_page_has_only_that(tmp_path):
    pages = pages_of(record(tmp_path / "run", **passes("direct", "C")))
    told = said(pages["report.html"])
    assert "Report on small" in told
    assert "RQ2" not in told
    assert "m$" not in told
    told = said(pages["report_tasks/t1.html"])
    assert "preparation steps unknown" in told
    assert not {"Request", "Conversation", "Specification", "Workflow", "Cost"} & {*re.findall(r"[A-Z]\w+", told)}


def test_outcomes_of_the_release_have_no_pages_of_tasks(tmp_path):
    (tmp_path / "rq4_task_status.csv").write_text("model,case,profile_passed,full_passed\nm,case_001,true,false\n")
    assert [*pages_of(tmp_path)] == ["report.html"]


def row(**more):
    return {"run": "a", "low": None, "high": None, **more}


def test_bars_are_in_proportion():
    rows = [row(before=0.2, after=0.7, change=0.5), row(before=0.6, after=0.5, change=-0.1, low=-0.2, high=0.05)]
    up, down = shift(rows, "run", "before", "after", "change", ("one", "other")).lines
    assert [(bar.look, bar.x, bar.width) for bar in up.bars] == [
        ("gain", 20, 50), ("missing", 19.6, 0.8), ("number", 69.6, 0.8)
    ]  # fmt: skip
    assert [bar.look for bar in down.bars] == ["loss", "missing", "grave"]
    assert (down.bars[0].x, down.bars[0].width) == (50, pytest.approx(10))
    assert (up.value, up.around, down.value, down.around) == ("+50.0", "", "−10.0", "[−20.0 to +5.0]")
    (line,) = shares([row(kind="k", tasks=3, usage=0.25, low=0.1, high=0.5)], "kind", "usage", "used").lines
    assert (line.label, line.bars[0].width, line.ends, line.value) == ("k (3)", 25, (10, 50), "25.0 %")
    gains = [row(gain=0.2, low=-0.1, high=0.34), row(gain=-0.4)]
    assert widest(gains, "gain") == 0.4
    made = changes(gains, "run", "gain", 0.4)
    assert [(line.bars[0].x, line.bars[0].width) for line in made.lines] == [(50, 25), (0, 50)]
    assert made.lines[0].ends == (pytest.approx(37.5), pytest.approx(92.5))
    assert made.scale == ("−40", "0", "+40")
    (line,) = outcomes([row(fail_pct=20.0, wrong_pct=30.0, correct_pct=50.0, total=10)], "run").lines
    assert [(bar.x, bar.width) for bar in line.bars] == [(0, 20), (20, 30), (50, 50)]


def test_a_block_keeps_lines_tabs_and_backslashes_and_shows_what_is_unseen():
    assert block("a\r\n\tb\\n\u202e\x00", 100) == "a\n\tb\\n\\u202e\\x00"
    assert block("abcdef", 3) == "abc…"

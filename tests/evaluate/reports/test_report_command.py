"""`prepsql report` as a person and a program see it."""

import csv
import json

import pytest

from prepsql.evaluate.metrics import METRICS
from prepsql.evaluate.reports.notable import notable
from prepsql.evaluate.reports.report import report
from tests.evaluate.reports.made import KINDS, passes, record, together, tried

PRICED = "Calls are priced when they are made: add small to the file PREPSQL_PRICES before a run into a new --out."


def entries(*tasks):
    return {"task_entries": [{"task": t, "entry": f"a{at}", "kind": k} for t in tasks for at, k in enumerate(KINDS)]}


def asked(task, *classifications):
    key = {"task": task, "setting": "e2e", "repeat": 1}
    questions = [{**key, "number": n, "classification": c, "ref": "a0"} for n, c in enumerate(classifications, 1)]
    return {"clarified": [{**key, "max_questions": 4}], "questions": questions}


def call(task, usd, tokens=100):
    key = {"task": task, "setting": "codegen", "repeat": 1, "stage": "code", "role": "agent", "attempt": 1}
    used = {"prompt_tokens": tokens, "completion_tokens": tokens, "usd": usd}
    return {"calls": [{**key, "model": "small", **used, "seconds": 2.0, "source": "paid"}]}


@pytest.fixture
def first(tmp_path):
    """A run with something of everything."""
    return record(
        tmp_path / "first",
        **together(
            passes("e2e", "CCCW"), passes("e2e", "CFFX", way="workflow"), passes("direct", "CWWW"),
            passes("codegen", "CCCW"), passes("codegen-noprofile", "CCWW"), passes("translate", "CWFC", way="workflow"),
            entries("t1", "t2"), asked("t1", "hit", "fallback", "over_budget"), asked("t2", "hit"),
            *[call(f"t{at}", usd) for at, usd in enumerate((0.01, 0.02, None, 0.03), 1)],
        ),
    )  # fmt: skip


@pytest.fixture
def second(tmp_path):
    return record(
        tmp_path / "second", settings={"model": "a-model-with-quite-a-long-name-2026-01-31"},
        **together(passes("codegen", "WWCC"), passes("direct", "WWW"), tried("t4", "direct", "reply cut off")),
    )  # fmt: skip


def test_the_paper_table_has_a_row_a_run_and_fits_80_columns(command_line, first, second):
    status, out, said = command_line("report", first, second)
    assert (status, said) == (0, "")
    lines = out.splitlines()
    assert max(map(len, lines)) <= 80
    assert lines[0].split() == ["E2E-", "E2E-", "Disambig", "No-", "Trans-"]
    assert lines[1].split() == ["run", "Code", "Workflow", "F1", "CodeGen", "Direct", "Profile", "lation"]
    assert lines[2].split() == ["tasks", "4", "3", "2", "4", "4", "4", "4"]
    assert lines[3].split() == ["small", "75.0", "33.3", "58.3", "75.0", "25.0", "50.0", "50.0"]
    # the interval of three right of four, from whole tasks drawn
    assert "[25–100]" in lines[4]
    assert "m$?" in out
    assert "m$–" in out
    assert "\n· Infrastructure faults, scored nowhere: small: 1 of 24 verdicts." in out
    assert "Cost unknown (?): 1 of 4 calls of small have no price." in out.replace("\n  ", " ")
    assert "Not passed of a-model-with" in out


def test_what_is_notable_is_said_in_figures(first, tmp_path):
    told = notable(report([first]))
    assert told == [
        "Infrastructure faults, scored nowhere: small: 1 of 24 verdicts. Resume the run to have these done again.",
        "Cost unknown (?): 1 of 4 calls of small have no price. " + PRICED,
        "Not passed: wrong 8, failed to run 3.",
        "Ambiguity gap (Direct to CodeGen): +50.0 points [0.0 to +100.0] over 4 tasks.",
        "Interaction gain (Direct to E2E-Code): +50.0 points [0.0 to +100.0] over 4 tasks.",
        "Profiling gain (NoProfile to CodeGen): +25.0 points [0.0 to +75.0] over 4 tasks.",
        "The ambiguity gap is widest for Row-level concept: +50.0 points over 2 tasks.",
        "Question budget used: 37.5 %; 1 question over it.",
        "Least found kind of ambiguity: Operation incomplete, recall 0.0 %.",
        "Translation: Fail 25.0 %, Wrong 25.0 %, Correct 50.0 % of 4 tries.",
    ]
    vague = together(passes("codegen", "CCC"), call("t1", None), call("t2", None, None), call("t3", None, None))
    assert notable(report([record(tmp_path / "vague", **vague)]))[1:3] == [
        "Cost unknown (?): 1 of 3 calls of small have no price. " + PRICED,
        "Cost unknown (?): 2 of 3 calls of small were answered without usage.",
    ]
    calm = record(tmp_path / "calm", **passes("direct", "C"))
    assert notable(report([calm])) == ["Infrastructure faults: 0 of 1 verdict; all are scored."]


def test_kinds_of_ambiguity_that_are_found_alike_are_counted(tmp_path):
    def least(*questions, name="run"):
        parts = [passes("e2e", "CC"), entries("t1"), asked("t1", *questions)]
        made = record(tmp_path / name, settings={"model": name}, **together(*parts))
        return [line for line in notable(report([made])) if line.startswith("Least")]

    assert least("fallback") == ["Least found kinds of ambiguity: 2 of 2, recall 0.0 %."]
    assert least(name="silent") == least("over_budget", name="refused") == []
    assert least("hit", name="lucky") == ["Least found kind of ambiguity: Operation incomplete, recall 0.0 %."]
    told = notable(report([tmp_path / name for name in ("run", "silent", "lucky")]))
    assert "Least found kind of ambiguity: Operation incomplete, in 2 of 2 runs." in told
    told = notable(report([tmp_path / name for name in ("run", "silent")]))
    assert "Least found kinds of ambiguity of run: 2 of 2, recall 0.0 %." in told


def test_a_script_is_priced_by_the_name_that_it_gives_its_model(tmp_path):
    calls = call("t1", None)
    calls["calls"][0]["model"] = "made-up"
    settings = {"model": "script:replies.yaml"}
    told = notable(report([record(tmp_path / "run", settings=settings, **together(passes("codegen", "C"), calls))]))
    assert "script:replies.yaml have no price" in told[1]
    assert "add made-up to the file PREPSQL_PRICES" in told[1]


def test_json_has_every_figure_with_its_definition_and_how_sure_it_is(command_line, first):
    status, out, _ = command_line("report", first, "--json")
    found = json.loads(out)
    assert status == 0
    assert list(found["figures"]) == list(METRICS)
    assert all(figure["definition"] and figure["title"] for figure in found["figures"].values())
    assert found["intervals"]["draws"] == 2000
    cost = {row["measure"]: row["millidollars"] for row in found["figures"]["cost"]["rows"]}
    assert cost["codegen"] is None


def test_two_runs_are_compared_task_by_task(command_line, first, second):
    status, out, _ = command_line("report", first, "--against", second, "--json")
    codegen, direct = json.loads(out)["comparisons"]
    assert status == 0
    counts = ("tasks", "both", "only_first", "only_second", "neither")
    # CCCW against WWCC, CWWW against WWW and a reply cut off
    assert [codegen[k] for k in counts] == [4, 1, 2, 1, 0]
    assert (codegen["measure"], codegen["difference"], codegen["p"]) == ("codegen", 0.25, 1.0)
    assert [direct[k] for k in counts] == [4, 0, 1, 0, 3]
    out = command_line("report", first, "--against", second)[1]
    assert "small against a-model-with-quite-a-long-name-2026-01-31" in out
    assert max(map(len, out.splitlines())) <= 80


def test_repeats_count_in_a_comparison_by_their_majority(command_line, tmp_path):
    left = record(
        tmp_path / "left",
        **together(*[tried("t1", "direct", r, repeat=at) for at, r in enumerate(("correct", "correct", "wrong"), 1)]),
    )
    right = record(
        tmp_path / "right",
        **together(*[tried("t1", "direct", r, repeat=at) for at, r in ((1, "correct"), (2, "wrong"))]),
    )
    (found,) = json.loads(command_line("report", left, "--against", right, "--json")[1])["comparisons"]
    assert (found["only_first"], found["only_second"], found["low"]) == (1, 0, None)
    assert found["difference"] == pytest.approx(2 / 3 - 1 / 2)


def test_csv_has_a_file_a_figure_with_unknown_values_empty(command_line, first, tmp_path):
    status, _, _ = command_line("report", first, "--csv", tmp_path / "figures")
    assert status == 0
    with (tmp_path / "figures" / "cost.csv").open(newline="") as file:
        rows = {row["measure"]: row for row in csv.DictReader(file)}
    assert (rows["codegen"]["run"], rows["codegen"]["millidollars"], rows["codegen"]["calls"]) == ("small", "", "4")
    assert not (tmp_path / "figures" / "profiling_gain_by_pattern.csv").exists()


@pytest.mark.parametrize(
    ("options", "status", "told"),
    [
        (["--against", "nowhere"], 2, "nowhere does not exist: wanted a folder with record.duckdb"),
        (["--against", "SELF"], 2, "small is held against itself: name another run"),
        (["--against", "APART"], 2, "apart has no task and setting that was judged in the others too"),
        (["--html", "page.txt"], 2, "doesn't end in .html"),
        (["--html", "no/page.html"], 2, "no folder no; make it"),
        (["--csv", "no/such/figures"], 2, "no folder no/such; make it"),
        (["--policy", "lax"], 2, "'lax' is not one of 'paper', 'strict'"),
    ],
)
def test_what_can_not_be_is_said_in_a_line(command_line, first, tmp_path, monkeypatch, options, status, told):
    monkeypatch.chdir(tmp_path)
    apart = record(tmp_path / "apart", settings={"model": "apart"}, **tried("t9", "direct", "correct"))
    given = [{"SELF": first, "APART": apart}.get(option, option) for option in options]
    code, out, said = command_line("report", first, *given)
    assert (code, out) == (status, "")
    assert told in said
    assert not list(tmp_path.glob("*.part"))


def test_only_conversations_or_only_faults_are_a_report_too(command_line, tmp_path):
    talk = {**asked("t1", "hit"), "outcomes": [{"task": "t1", "setting": "e2e", "repeat": 1, "way": "questions"}]}
    status, out, _ = command_line("report", record(tmp_path / "talk", **together(talk, entries("t1"))))
    assert status == 0
    assert out.splitlines()[3].split() == ["small", "66.7"]
    assert "F1 of Disambig in %" in out
    page = tmp_path / "page.html"
    status, out, _ = command_line("report", record(tmp_path / "faults", **passes("direct", "XX")), "--html", page)
    assert status == 0
    assert [line.split() for line in out.splitlines()[1:4]] == [["run", "Direct"], ["tasks"], ["small", "–"]]
    assert "Nothing was judged." in out
    assert "small: 2 of 2 verdicts" in out
    assert '<th scope="row">small</th>\n<td>–</td>' in page.read_text()
    assert f"Thepage:{page},and2pagesoftasks" in "".join(out.split())
    assert sorted(path.name for path in (tmp_path / "page_tasks").iterdir()) == ["t1.html", "t2.html"]


def test_a_setting_in_which_nothing_was_judged_is_told_apart_from_one_that_was_not_tried(command_line, tmp_path):
    faults = record(tmp_path / "faults", **passes("direct", "XX"))
    fine = record(
        tmp_path / "fine", settings={"model": "fine"}, **together(passes("direct", "C"), passes("codegen", "C"))
    )
    _, out, _ = command_line("report", fine, faults)
    assert [line.split() for line in out.splitlines()[1:5]] == [
        ["run", "CodeGen", "Direct"], ["tasks", "1", "1"], ["fine", "100.0", "100.0"], ["small", "–"],
    ]  # fmt: skip
    assert "Accuracy in % under the policy paper; – nothing judged" in " ".join(out.split())
    page = tmp_path / "page.html"
    command_line("report", fine, faults, "--html", page)
    assert '<th scope="row">small</th>\n<td></td>\n<td>–</td>' in page.read_text()
    assert "–: nothing judged" in page.read_text()


def test_where_the_folder_of_tasks_cannot_be_made_no_page_is_left(command_line, tmp_path):
    folder = record(tmp_path / "run", **passes("direct", "C"))
    (tmp_path / "page_tasks").write_text("mine")
    status, out, said = command_line("report", folder, "--html", tmp_path / "page.html")
    assert (status, out) == (2, "")
    assert "page_tasks" in said
    assert len(said.splitlines()) == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["page_tasks", "run"]


def test_a_scripted_run_is_called_by_its_file(command_line, tmp_path):
    first, second = (
        record(tmp_path / name, settings=dict.fromkeys(("agent", "model"), f"script:/{name}/replies.yaml"), **rows)
        for name, rows in (("near", passes("direct", "C")), ("away", passes("direct", "W")))
    )
    _, out, _ = command_line("report", first)
    assert out.splitlines()[3].split() == ["script:replies.yaml", "100.0"]
    assert report([first, second]).runs == ("script:replies.yaml · near", "script:replies.yaml · away")


def test_no_run_is_an_error_of_use(command_line):
    code, _, said = command_line("report")
    assert code == 2
    assert "Missing argument 'RUN…'" in said

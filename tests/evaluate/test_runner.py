"""A run says of each try what came of it, keeps it, and never does a finished one again."""

import json
import os
import signal
import subprocess
import sys
import time

import duckdb
import pytest

from prepsql.errors import InputError, RecordError, WriteError
from prepsql.evaluate.record import open_record
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.verdict import Result
from prepsql.sandbox import Limits

EXPECTED = {
    ("adds_up", "sql"): Result.CORRECT,
    ("adds_up", "pandas"): Result.CORRECT,
    ("adds_up", "workflow"): Result.CORRECT,
    ("off_by_one_percent", "sql"): Result.CORRECT,  # within the 2 % of `paper`, not under `strict`
    ("off_by_one_percent", "pandas"): Result.WRONG,
    ("off_by_one_percent", "workflow"): Result.CORRECT,
    ("breaks", "sql"): Result.FAILED,
    ("breaks", "pandas"): Result.FAILED,
    ("breaks", "workflow"): Result.FAILED,
    ("never_ends", "sql"): Result.TIMED_OUT,
    ("never_ends", "pandas"): Result.TIMED_OUT,
    ("never_ends", "workflow"): Result.TIMED_OUT,
    ("steps_out", "sql"): Result.REFUSED,
    ("steps_out", "pandas"): Result.FAILED,
    ("steps_out", "workflow"): Result.FAILED,
    ("sql_only", "sql"): Result.CORRECT,
    ("sql_only", "pandas"): Result.NOT_FOUND,
    ("sql_only", "workflow"): Result.NOT_FOUND,
    ("gold_unreadable", "sql"): Result.INFRASTRUCTURE,
    ("gold_unreadable", "pandas"): Result.INFRASTRUCTURE,
    ("gold_unreadable", "workflow"): Result.INFRASTRUCTURE,
}


def plan(suite, **changes):
    return Plan(suite=suite, limits=Limits(seconds=8, threads=1), accept_risk=True, **changes)


def test_each_try_has_its_own_outcome(suite, tmp_path):
    verdicts = {(v.task, v.way): v for v in run(plan(suite), tmp_path / "run")}
    assert {key: v.result for key, v in verdicts.items()} == EXPECTED
    lax = verdicts["off_by_one_percent", "sql"].readings
    assert (lax["paper"].passed, lax["strict"].passed, lax["strict"].error_type) == (True, False, "VALUE_MISMATCH")
    assert "amount" in verdicts["breaks", "sql"].message
    assert "town" in verdicts["breaks", "pandas"].message
    assert "step 'totals', aggs[0].expr" in verdicts["breaks", "workflow"].message
    assert "not one of the inputs" in verdicts["steps_out", "workflow"].message
    assert "config.json" in verdicts["gold_unreadable", "sql"].message
    tables = tmp_path / "run" / "sql" / "adds_up" / "solution" / "cand"
    assert [p.name for p in tables.iterdir()] == ["output_01.csv"]
    assert (tmp_path / "run" / "workflow" / "adds_up" / "solution" / "flow_cand" / "output_01.csv").is_file()
    with duckdb.connect(str(tmp_path / "run" / "record.duckdb"), read_only=True) as con:
        assert con.execute("SELECT count(*) FROM outcomes").fetchone() == (len(EXPECTED),)
        assert con.execute("SELECT finished IS NOT NULL FROM runs").fetchall() == [(True,)]
    lines = (tmp_path / "run" / "transcript.jsonl").read_text().splitlines()
    assert {(line["task"], line["way"]) for line in map(json.loads, lines)} == set(EXPECTED)


def attempt_times(folder):
    with duckdb.connect(str(folder / "record.duckdb"), read_only=True) as con:
        return dict(con.execute("SELECT task || '/' || way, seconds FROM outcomes").fetchall())


def test_a_finished_run_is_read_and_only_changed_tasks_run_again(suite_copy, tmp_path):
    suite = open_suite(suite_copy).select(("adds_up", "sql_only"))
    two = plan(suite, ways=("sql", "workflow"))
    first = run(two, tmp_path / "run")
    before = attempt_times(tmp_path / "run")
    assert run(two, tmp_path / "run") == first
    assert attempt_times(tmp_path / "run") == before
    solution = suite_copy / "adds_up" / "solution.sql"
    solution.write_text(solution.read_text().replace("sum(amount)", "max(amount)"))
    again = {(v.task, v.way): v.result for v in run(two, tmp_path / "run")}
    assert again["adds_up", "sql"] is Result.WRONG
    assert again["sql_only", "sql"] is Result.CORRECT
    assert attempt_times(tmp_path / "run")["sql_only/sql"] == before["sql_only/sql"]


def test_a_run_without_workflows_goes_on_with_them(suite, tmp_path):
    few = suite.select(("adds_up",))
    run(plan(few, ways=("sql", "pandas")), tmp_path / "run")
    before = attempt_times(tmp_path / "run")
    again = run(plan(few), tmp_path / "run")
    assert [(v.way, v.result) for v in again] == [(way, Result.CORRECT) for way in ("sql", "pandas", "workflow")]
    after = attempt_times(tmp_path / "run")
    assert {key: after[key] for key in before} == before
    assert set(after) == {"adds_up/sql", "adds_up/pandas", "adds_up/workflow"}


def test_a_suite_is_run_in_the_ways_that_it_has(suite_copy, tmp_path):
    for flow in suite_copy.glob("*/workflow.json"):
        flow.unlink()
    suite = open_suite(suite_copy).select(("adds_up", "sql_only"))
    assert suite.ways == ("sql", "pandas")
    assert [(v.task, v.way) for v in run(plan(suite), tmp_path / "run")] == [
        ("adds_up", "sql"), ("adds_up", "pandas"), ("sql_only", "sql"), ("sql_only", "pandas"),
    ]  # fmt: skip
    with pytest.raises(InputError, match=r"ships no solution \(workflow\)"):
        run(plan(suite, ways=("workflow",)), tmp_path / "other")


def test_an_infrastructure_fault_is_tried_again(suite_copy, tmp_path):
    suite = open_suite(suite_copy).select(("gold_unreadable",))
    assert run(plan(suite, ways=("sql",)), tmp_path / "run")[0].result is Result.INFRASTRUCTURE
    good = (suite_copy / "adds_up" / "config.json").read_text()
    (suite_copy / "gold_unreadable" / "config.json").write_text(good)
    assert run(plan(suite, ways=("sql",)), tmp_path / "run")[0].result is Result.CORRECT


def test_one_tasks_fault_does_not_end_the_run(suite_copy, tmp_path):
    (suite_copy / "breaks" / "inputs" / "input_01.csv").unlink()
    (suite_copy / "sql_only" / "solution.sql").write_bytes(b"CREATE TABLE output_01 AS SELECT '\xe9'")
    (suite_copy / "steps_out" / "inputs" / "input_01.csv").write_bytes(b"")
    suite = open_suite(suite_copy).select(("[abs]*",))
    verdicts = {v.task: v for v in run(plan(suite, ways=("sql",)), tmp_path / "run")}
    assert verdicts["adds_up"].result is Result.CORRECT
    for task in ("breaks", "sql_only", "steps_out"):
        assert verdicts[task].result is Result.INFRASTRUCTURE
    assert "no raw table" in verdicts["breaks"].message
    assert "the file is empty" in verdicts["steps_out"].message


def test_lines_that_the_transcript_lacks_are_added(suite, tmp_path):
    few = plan(suite.select(("adds_up",)), ways=("sql", "workflow"))
    run(few, tmp_path / "run")
    transcript = tmp_path / "run" / "transcript.jsonl"
    lines = set(transcript.read_text().splitlines())
    transcript.write_text(sorted(lines)[0] + '\n{"task": "ad')
    run(few, tmp_path / "run")
    assert set(transcript.read_text().splitlines()) == lines


def test_a_damaged_record_is_said(suite, tmp_path):
    few = plan(suite.select(("adds_up",)), ways=("sql",))
    run(few, tmp_path / "run")
    with duckdb.connect(str(tmp_path / "run" / "record.duckdb")) as con:
        con.execute("UPDATE outcomes SET result = 'splendid'")
    with pytest.raises(RecordError, match="damaged"):
        run(few, tmp_path / "run")


COMMAND = [sys.executable, "-m", "prepsql.cli", "eval", "--jobs", "1", "--timeout", "60", "--accept-risk"]


def start(suite_copy, folder, *more, way="sql"):
    command = [*COMMAND, "--suite", suite_copy, "--out", folder, "--way", way, *more]
    return subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for_lines(folder, count):
    transcript = folder / "transcript.jsonl"
    for _ in range(600):
        if transcript.is_file() and transcript.read_text().count("\n") >= count:
            return
        time.sleep(0.05)
    pytest.fail("the run recorded nothing within 30 seconds")


def test_a_run_killed_outright_resumes_and_repeats_nothing(suite_copy, tmp_path):
    folder = tmp_path / "run"
    process = start(suite_copy, folder, "--task", "[abn]*")  # adds_up, breaks, then never_ends holds it
    wait_for_lines(folder, 2)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with (folder / "transcript.jsonl").open("a") as out:
        out.write('{"task": "never_e')
    before = attempt_times(folder)
    assert set(before) == {"adds_up/sql", "breaks/sql"}
    (suite_copy / "never_ends" / "solution.sql").write_text((suite_copy / "adds_up" / "solution.sql").read_text())
    resumed = start(suite_copy, folder, "--task", "[abn]*", "--json")
    out, err = resumed.communicate(timeout=60)
    assert resumed.returncode == 1, err  # `breaks` still breaks
    results = {v["task"]: v["result"] for v in json.loads(out)["verdicts"]}
    assert results == {"adds_up": "correct", "breaks": "failed to run", "never_ends": "correct"}
    after = attempt_times(folder)
    assert {key: after[key] for key in before} == before
    lines = [json.loads(line) for line in (folder / "transcript.jsonl").read_text().splitlines()]
    assert [line["task"] for line in lines] == ["adds_up", "breaks", "never_ends"]
    assert not list(folder.glob(".work-*"))


@pytest.mark.parametrize("way", ["sql", "workflow"])
def test_an_interrupted_run_stops_at_once_and_says_how_to_go_on(way, suite_copy, tmp_path):
    folder = tmp_path / "run"
    process = start(suite_copy, folder, "--task", "[an]*", way=way)
    wait_for_lines(folder, 1)
    time.sleep(0.5)
    begun = time.monotonic()
    os.kill(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert time.monotonic() - begun < 10
    assert process.returncode == 2
    assert out == ""
    assert len(err.splitlines()) == 1, err
    assert "1 of 2 tries are kept" in err
    assert str(folder) in err
    assert not list(folder.glob(".work-*"))


def test_a_record_of_another_run_is_refused_by_name(suite, tmp_path):
    few = suite.select(("sql_only",))
    run(plan(few, ways=("sql",)), tmp_path / "run")
    other = Plan(suite=few, ways=("sql",), limits=Limits(seconds=5), accept_risk=True)
    with pytest.raises(RecordError, match=r"timeout 8.*now 5"):
        run(other, tmp_path / "run")


def test_a_run_whose_model_could_not_be_opened_leaves_its_folder_free(suite, tmp_path, command_line, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("PREPSQL_MODEL", raising=False)
    status, _, err = command_line("eval", "--agent", "model", "--suite", suite.root, "--out", "run")
    assert (status, "no model is chosen" in err) == (2, True)
    run(plan(suite.select(("sql_only",)), ways=("sql",)), tmp_path / "run")


def test_folders_that_cannot_hold_a_record_are_refused(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(WriteError, match="is a file"), open_record(tmp_path / "file", {}):
        pass
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("x")
    with pytest.raises(RecordError, match="other files"), open_record(tmp_path / "full", {}):
        pass
    assert [p.name for p in (tmp_path / "full").iterdir()] == ["mine.txt"]
    (tmp_path / "odd").mkdir()
    (tmp_path / "odd" / "record.duckdb").write_text("not a database at all" * 400)
    with pytest.raises(RecordError, match="no run record"), open_record(tmp_path / "odd", {}):
        pass


def test_a_record_in_use_is_said(tmp_path):
    holder = (
        "import sys\nfrom prepsql.evaluate.record import open_record\nfrom pathlib import Path\n"
        "with open_record(Path(sys.argv[1]), {}):\n    print('held', flush=True)\n    sys.stdin.read()\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", holder, tmp_path / "run"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout.readline() == "held\n"
        with pytest.raises(RecordError, match="another process"), open_record(tmp_path / "run", {}):
            pass
    finally:
        process.communicate("")


@pytest.mark.parametrize("left", [b"", bytes(8) + b"DUCK" + bytes(5000)])
def test_a_database_that_was_only_begun_is_begun_again(tmp_path, left):
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "record.duckdb").write_bytes(left)
    with open_record(tmp_path / "run", {}) as record:
        assert record.done() == {}


@pytest.mark.parametrize("line", ["{}", "[1]", "null"])
def test_a_line_that_is_no_verdict_is_damage(tmp_path, line):
    with open_record(tmp_path / "run", {}):
        pass
    (tmp_path / "run" / "transcript.jsonl").write_text(line + "\n")
    with pytest.raises(RecordError, match="damaged"), open_record(tmp_path / "run", {}):
        pass


def test_too_little_space_is_found_before_work_starts(tmp_path, monkeypatch):
    usage = type("usage", (), {"free": 1024})
    monkeypatch.setattr("prepsql.evaluate.record.shutil.disk_usage", lambda folder: usage)
    with pytest.raises(WriteError, match="MB free"), open_record(tmp_path / "run", {}):
        pass

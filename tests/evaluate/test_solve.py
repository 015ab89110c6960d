"""What comes of a workflow that was written for a task: problems are its own fault, the machine's aren't."""

import json

import duckdb
import pytest

from prepsql.errors import InputError, WriteError
from prepsql.evaluate.solve import solve
from prepsql.evaluate.suites import open_suite
from prepsql.sandbox import Status


@pytest.fixture
def task(suite_copy):
    return open_suite(suite_copy).select(("adds_up",)).tasks[0]


@pytest.fixture
def flow(task):
    return json.loads(task.reference["workflow"].read_text())


def test_every_problem_is_in_the_message(task, flow, tmp_path):
    flow["nodes"]["totals"]["params"] = {"group_keys": ["town"], "aggs": [{"as": "n", "func": "summ", "expr": "x"}]}
    flow["nodes"]["out"]["params"] = {"path": "output_01.csv", "colums": ["town"]}
    done = solve(task, "workflow", json.dumps(flow), tmp_path / "out")
    assert done.status is Status.FAILED
    assert '"summ" can\'t be used' in done.message
    assert "did you mean 'columns'?" in done.message
    assert len(done.message.splitlines()) > 1
    assert not (tmp_path / "out").exists()


def test_what_is_no_json_failed(task, tmp_path):
    done = solve(task, "workflow", "Here is the workflow you asked for:", tmp_path / "out")
    assert done.status is Status.FAILED
    assert "not JSON" in done.message


def test_an_input_that_cannot_be_read_is_nobodys_answer(task, flow, tmp_path):
    task.inputs[0].write_bytes(b"")
    with pytest.raises(InputError, match="the file is empty"):
        solve(task, "workflow", json.dumps(flow), tmp_path / "out")


def test_an_input_that_is_not_there_failed(task, flow, tmp_path):
    flow["nodes"]["sales"]["params"]["path"] = "inputs/input_02.csv"
    done = solve(task, "workflow", json.dumps(flow), tmp_path / "out")
    assert done.status is Status.FAILED
    assert "input_02.csv" in done.message


def test_a_full_disk_is_nobodys_answer(task, flow, tmp_path, monkeypatch):
    def full(*_):
        raise duckdb.IOException("IO Error: Could not write file: No space left on device")

    monkeypatch.setattr("prepsql.workflow.run.write_csv", full)
    with pytest.raises(WriteError, match="No space left"):
        solve(task, "workflow", json.dumps(flow), tmp_path / "out")

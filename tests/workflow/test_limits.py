"""A run ends at its limits, each with an error of its own, and leaves nothing behind."""

import time
from threading import Event, Timer

import pytest

from prepsql.errors import MemoryLimitError, PrepsqlError, TimeLimitError, WorkflowError
from prepsql.sandbox import Limits
from prepsql.workflow import Workflow

START = {"kind": "input", "params": {"data": [{"n": 1_000_000}]}}
OUT = {"kind": "output", "inputs": {"in": "last"}, "params": {"path": "output_01.csv"}}
NUMBERS = {
    "kind": "project", "inputs": {"in": "start"},
    "params": {"compute": [{"as": "i", "expr": "range(n)"}], "explode": {"col": "i"}},
}  # fmt: skip
ENDLESS = {
    "start": START,
    "numbers": NUMBERS,
    "pairs": {
        "kind": "join", "inputs": {"left": "numbers", "right": "numbers"},
        "params": {"how": "cross", "suffixes": ["", "_2"]},
    },
    "last": {"kind": "aggregate", "inputs": {"in": "pairs"}, "params": {"aggs": [{"as": "rows", "func": "count"}]}},
    "out": OUT,
}  # fmt: skip


def script(code, **more):
    step = {"kind": "script", "inputs": {"df": "start"}, "params": {"language": "python", "code": code, **more}}
    return Workflow({"nodes": {"start": START, "last": step, "out": OUT}})


def test_a_run_ends_at_its_time_limit(tmp_path):
    with pytest.raises(TimeLimitError, match="after 1 seconds"):
        Workflow({"nodes": ENDLESS}).run(out=tmp_path / "out", limits=Limits(seconds=1))
    assert not (tmp_path / "out").exists()


def test_a_check_before_a_run_ends_at_its_time_limit(tmp_path):
    """A pivot asks the data for its columns, which can take for ever."""
    wider = {"mode": "wider", "index": ["n"], "columns": "i", "values": "i_2", "agg": "max"}
    nodes = ENDLESS | {"last": {"kind": "pivot", "inputs": {"in": "pairs"}, "params": wider}}
    with pytest.raises(TimeLimitError):
        Workflow({"nodes": nodes}).run(out=tmp_path / "out", limits=Limits(seconds=1))


def test_a_run_ends_when_it_is_stopped(tmp_path):
    stop = Event()
    Timer(0.5, stop.set).start()
    start = time.monotonic()
    with pytest.raises(PrepsqlError, match="stopped before its end"):
        Workflow({"nodes": ENDLESS}).run(out=tmp_path / "out", stop=stop)
    assert time.monotonic() - start < 10
    assert not (tmp_path / "out").exists()


def test_a_run_ends_at_its_memory_limit(tmp_path):
    whole = {"aggs": [{"as": "all", "func": "string_agg", "expr": "repeat('x', 100) || i"}]}
    nodes = {"start": START, "numbers": NUMBERS, "out": OUT}
    nodes["last"] = {"kind": "aggregate", "inputs": {"in": "numbers"}, "params": whole}
    with pytest.raises(MemoryLimitError, match="memory"):
        Workflow({"nodes": nodes}).run(out=tmp_path / "out", limits=Limits(memory_mb=64))
    assert not (tmp_path / "out").exists()


def test_a_script_is_bound_by_the_run_and_by_itself(tmp_path):
    waits = "import time\ndef transform(df, pd, np):\n    time.sleep(60)\n    return df"
    with pytest.raises(TimeLimitError):
        script(waits).run(out=tmp_path, limits=Limits(seconds=2), accept_risk=True)
    with pytest.raises(TimeLimitError, match="step 'last', code: timed_out"):
        script(waits, timeout=1).run(out=tmp_path, accept_risk=True)
    hungry = "def transform(df, pd, np):\n    return pd.DataFrame({'x': np.ones(10**9)})"
    with pytest.raises(MemoryLimitError, match="step 'last', code: out_of_memory"):
        script(hungry).run(out=tmp_path, limits=Limits(memory_mb=1024), accept_risk=True)


def test_hidden_paths_stay_unreadable(tmp_path):
    secret = tmp_path / "task" / "output_01.csv"
    inputs = tmp_path / "task" / "inputs"
    inputs.mkdir(parents=True)
    secret.write_text("id\n1\n")
    (inputs / "input_01.csv").symlink_to(secret)
    opens = f"def transform(df, pd, np):\n    return pd.read_csv({str(secret)!r})"
    with pytest.raises(WorkflowError, match="step 'last'"):
        script(opens).run(inputs, tmp_path / "out", hidden=[tmp_path / "task"])
    for path in ("../output_01.csv", str(secret), "input_01.csv"):
        nodes = {"last": {"kind": "input", "params": {"path": path}}, "out": OUT}
        with pytest.raises(WorkflowError, match="not one of the inputs"):
            Workflow({"nodes": nodes}).run(inputs, tmp_path / "out", hidden=[tmp_path / "task"])
        Workflow({"nodes": nodes}).run(inputs, tmp_path / "free")


@pytest.mark.parametrize(("read", "written"), [
    ("a\0b", "output_01.csv"), ("x" * 300, "output_01.csv"), (f"a/{'x' * 300}/b", "output_01.csv"),
    ("input_01.csv", "output_\0.csv"), ("input_01.csv", f"output_{'x' * 300}.csv"),
])  # fmt: skip
def test_a_name_that_no_file_has_is_the_workflows_fault(tmp_path, read, written):
    (tmp_path / "input_01.csv").write_text("id\n1\n")
    nodes = {
        "last": {"kind": "input", "params": {"path": read}},
        "out": {**OUT, "params": {**OUT["params"], "path": written}},
    }
    flow = Workflow({"nodes": nodes})
    assert [problem.parameter for problem in flow.check(tmp_path)] == ["path"]
    with pytest.raises(WorkflowError, match=r"step '(last|out)', path"):
        flow.run(tmp_path, tmp_path / "out")

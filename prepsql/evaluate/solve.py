"""Running what was written for a task: a SQL script, a pandas program, or a workflow, each under the same limits."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from threading import Event

import duckdb

from prepsql.errors import MemoryLimitError, TimeLimitError, WorkflowError, WriteError
from prepsql.evaluate.task import Task, Way
from prepsql.sandbox import DEFAULT_LIMITS, Limits, Status, check_inputs, run_code, stage
from prepsql.scratch import scratch_folder


@dataclass(frozen=True)
class Solved:
    """How it ended: `message` is for the one who repairs it, empty where the status is ok. Seconds are wall time."""

    status: Status
    message: str
    seconds: float


def solve(
    task: Task, way: Way, text: str, out: Path, *,
    limits: Limits = DEFAULT_LIMITS, accept_risk: bool = False, stop: Event | None = None,
) -> Solved:  # fmt: skip
    """Run `text` on the task's inputs, and leave its tables in `out` where the status is ok.

    The task's own files can't be read by it. Raises as `run_code` does, for what isn't the text's fault.
    """
    if way == "workflow":
        return _run_workflow(task, text, out, limits, accept_risk, stop)
    done = run_code(text, task.inputs, out, way, limits=limits, accept_risk=accept_risk, hidden=task.secret, stop=stop)
    return Solved(done.status, done.message, done.seconds)


def _run_workflow(task: Task, text: str, out: Path, limits: Limits, accept_risk: bool, stop: Event | None) -> Solved:
    """Run a workflow on copies of the inputs, which it names as inputs/input_01.csv, ….

    What it does in SQL runs in this process, where only the inputs can be read; its scripts run in the sandbox.
    """
    from prepsql.workflow import Problem, Workflow
    from prepsql.workflow.document import parse_json

    start = time.monotonic()
    status, message = Status.OK, ""
    with scratch_folder("prepsql-flow-") as folder:
        (folder / "inputs").mkdir()
        stage(task.inputs, folder / "inputs")
        try:
            flow = Workflow(parse_json(text))
            flow.run(folder, out, limits=limits, accept_risk=accept_risk, hidden=task.secret, stop=stop)
        except WorkflowError as wrong:
            if isinstance(wrong.__cause__, duckdb.IOException):
                raise WriteError(str(wrong)) from wrong
            if any(isinstance(p, Problem) and p.code == "bad_input" for p in wrong.problems):
                check_inputs(task.inputs)
            status = (
                Status.TIMED_OUT if isinstance(wrong, TimeLimitError)
                else Status.OUT_OF_MEMORY if isinstance(wrong, MemoryLimitError)
                else Status.FAILED
            )  # fmt: skip
            message = "\n".join(map(str, wrong.problems)) or str(wrong)
    return Solved(status, message, round(time.monotonic() - start, 3))

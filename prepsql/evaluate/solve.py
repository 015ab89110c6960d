"""Running what was written for a task: a SQL script, a pandas program, or a workflow, each under the same limits."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import duckdb

from prepsql.errors import MemoryLimitError, TimeLimitError, WorkflowError, WriteError
from prepsql.evaluate.helpers import HERE, Helpers
from prepsql.evaluate.task import Task, Way
from prepsql.sandbox import DEFAULT_LIMITS, Language, Limits, Servers, Status, check_inputs, run_code, stage
from prepsql.scratch import scratch_folder


@dataclass(frozen=True)
class Terms:
    """On what terms code of a run runs.

    `hidden` paths can't be read by it, a task's own secrets in any case. `servers` spare the start of a process, and
    `helpers` do what would keep other tries waiting.
    """

    limits: Limits = DEFAULT_LIMITS
    accept_risk: bool = False
    stop: Event | None = None
    hidden: tuple[Path, ...] = ()
    servers: Servers | None = None
    helpers: Helpers = field(default_factory=lambda: HERE)

    def options(self, task: Task, language: Language | None = None) -> dict[str, Any]:
        """Return the terms as options of `run_code`, or of a workflow's `run` where no language is given."""
        hidden = self.hidden if set(task.secret) <= set(self.hidden) else (*task.secret, *self.hidden)
        options: dict[str, Any] = {"limits": self.limits, "accept_risk": self.accept_risk, "hidden": hidden}
        if language and self.servers:
            options["server"] = self.servers.of(language)
        return options


DEFAULT_TERMS = Terms()


@dataclass(frozen=True)
class Solved:
    """How it ended: `message` is for the one who repairs it, empty where the status is ok. Seconds are wall time."""

    status: Status
    message: str
    seconds: float


def solve(task: Task, way: Way, text: str, out: Path, terms: Terms = DEFAULT_TERMS) -> Solved:
    """Run `text` on the task's inputs, and leave its tables in `out` where the status is ok.

    The task's own files can't be read by it. Raises as `run_code` does, for what isn't the text's fault.
    """
    if way == "workflow":
        return _run_workflow(task, text, out, terms)
    done = run_code(text, task.inputs, out, way, stop=terms.stop, **terms.options(task, way))
    return Solved(done.status, done.message, done.seconds)


def _run_workflow(task: Task, text: str, out: Path, terms: Terms) -> Solved:
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
            flow.run(folder, out, stop=terms.stop, **terms.options(task))
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

"""Running an agent over a suite: tries in parallel, each recorded as soon as its verdict is in."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from prepsql.compare import compare_policies
from prepsql.errors import InputError, PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.record import WORK_PREFIX, Record, open_record
from prepsql.evaluate.solve import solve
from prepsql.evaluate.suites import Suite
from prepsql.evaluate.task import Task, Way
from prepsql.evaluate.verdict import POLICIES, Result, Verdict, judge
from prepsql.sandbox import Limits, Status

_RESULT_OF = {
    Status.FAILED: Result.FAILED,
    Status.TIMED_OUT: Result.TIMED_OUT,
    Status.OUT_OF_MEMORY: Result.OUT_OF_MEMORY,
    Status.OUTPUT_TOO_LARGE: Result.OUTPUT_TOO_LARGE,
    Status.FILE_TOO_LARGE: Result.FILE_TOO_LARGE,
    Status.REFUSED: Result.REFUSED,
}


@dataclass(frozen=True)
class Plan:
    """What to run: the agent `reference` over a suite, in each of `ways`, on an engine.

    Without `ways` it's every way of which the suite has a solution. `accept_risk` lets code run where no real layer of
    the sandbox is active.
    """

    suite: Suite
    ways: tuple[Way, ...] = ()
    engine: str = "duckdb"
    agent: str = reference.NAME
    limits: Limits = field(default_factory=Limits)
    accept_risk: bool = False

    def settings(self) -> dict[str, object]:
        """Return what a resumed run must share with the run that it resumes."""
        return {
            "suite": self.suite.name,
            "engine": self.engine,
            "agent": self.agent,
            "timeout": self.limits.seconds,
        }

    def tries(self) -> list[tuple[Task, Way]]:
        """Return every try, task by task."""
        return [(task, way) for task in self.suite.tasks for way in self.ways or self.suite.ways]


def run(
    plan: Plan, out: Path, *, jobs: int = 2, on_verdict: Callable[[Verdict], None] = lambda verdict: None
) -> list[Verdict]:
    """Run a plan into the record at `out`, resuming what is there, and return its verdicts in the plan's order.

    `on_verdict` is called once a try, also for those that were already in the record. An interrupt stops the code
    that runs and leaves the finished tries in the record. Raises InputError where the suite has no code of these
    ways at all, and as `open_record` does.
    """
    if not any(task.reference.get(way) for task, way in plan.tries()):
        raise InputError(
            f"suite {plan.suite.name} ships no solution ({', '.join(plan.ways or reference.WAYS)}) for the agent "
            f"'{plan.agent}' to run; tables that another agent left are judged by: prepsql score ROOT --suite …"
        )
    with open_record(out, plan.settings()) as record:
        verdicts: dict[tuple[str, str], Verdict] = {}
        known = record.done()
        digests = {task.id: _digest(task) for task in plan.suite.tasks}
        todo = []
        for task, way in plan.tries():
            digest, verdict = known.get((task.id, way), ("", None))
            if verdict and digest == digests[task.id]:
                verdicts[task.id, way] = verdict
                on_verdict(verdict)
            else:
                todo.append((task, way))
        for verdict in _verdicts(plan, record, todo, jobs):
            record.add(verdict, digests[verdict.task])
            verdicts[verdict.task, verdict.way] = verdict
            on_verdict(verdict)
        record.finish()
    return [verdicts[task.id, way] for task, way in plan.tries()]


def _verdicts(plan: Plan, record: Record, todo: list[tuple[Task, Way]], jobs: int) -> Iterable[Verdict]:
    """Yield verdicts as they come in."""
    stop = Event()
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            pending = [pool.submit(_attempt, plan, record, task, way, stop) for task, way in todo]
            for future in as_completed(pending):
                yield future.result()
        except BaseException:
            stop.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _digest(task: Task) -> str:
    """Return the task's digest, '' where its files can't be read: the try itself will say so."""
    try:
        return task.digest()
    except (PrepsqlError, OSError):
        return ""


def _attempt(plan: Plan, record: Record, task: Task, way: Way, stop: Event) -> Verdict:
    """Run one try and compare its tables; a fault of ours or of the machine is never the agent's."""
    start = time.monotonic()

    def verdict(result: Result, message: str) -> Verdict:
        return Verdict(task.id, way, result, {}, message, round(time.monotonic() - start, 3))

    try:
        code = reference.write_code(task, way)
        if code is None:
            return verdict(Result.NOT_FOUND, f"the suite ships no {way} solution of this task")
        with TemporaryDirectory(prefix=WORK_PREFIX, dir=record.folder) as work:
            made = Path(work) / "cand"
            done = solve(task, way, code, made, limits=plan.limits, accept_risk=plan.accept_risk, stop=stop)
            if done.status is not Status.OK:
                return verdict(_RESULT_OF[done.status], done.message)
            candidate = record.keep_outputs(way, task.id, made)
        result, readings, message = judge(compare_policies(task.gold, candidate, POLICIES))
        return Verdict(task.id, way, result, readings, message, round(done.seconds, 3))
    except Exception as fault:  # one task's fault must not end the run
        known = isinstance(fault, PrepsqlError | OSError)
        return verdict(
            Result.INFRASTRUCTURE, " ".join(f"{'' if known else type(fault).__name__ + ': '}{fault}".split())
        )

"""Running an agent over a suite: tries in parallel, each recorded as soon as its verdict is in."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

from prepsql.errors import InputError, PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.contender import Contender, Seated
from prepsql.evaluate.helpers import helpers
from prepsql.evaluate.record import WORK_PREFIX, Record, open_record
from prepsql.evaluate.settings import REFERENCE, SETTINGS
from prepsql.evaluate.solve import Terms
from prepsql.evaluate.suites import Suite
from prepsql.evaluate.task import Task, Way
from prepsql.evaluate.trial import Trial, try_agent, try_reference
from prepsql.evaluate.verdict import Verdict
from prepsql.sandbox import Limits, job_servers
from prepsql.translate.run import EXTRA


@dataclass(frozen=True)
class Unit:
    """What is tried, and done again, as a whole: a task in a setting; of a suite's own solutions one way."""

    task: Task
    setting: str
    repeat: int
    way: Way | None

    @property
    def keys(self) -> list[tuple[str, str, int, str]]:
        """Return the keys of the verdicts that it gives."""
        ways = (self.way,) if self.way else SETTINGS[self.setting].judged
        return [(self.task.id, self.setting, self.repeat, way) for way in ways]


@dataclass(frozen=True)
class Plan:
    """What to run over a suite: a contender in `names` of settings, or the suite's own solutions in each of `ways`.

    Without `ways` it's every way of which the suite has a solution. `repeats` is how often each task is tried in a
    setting. `accept_risk` lets code run where no real layer of the sandbox is active.
    """

    suite: Suite
    ways: tuple[Way, ...] = ()
    engine: str = "duckdb"
    contender: Contender | None = None
    names: tuple[str, ...] = ("e2e",)
    repeats: int = 1
    limits: Limits = field(default_factory=Limits)
    accept_risk: bool = False

    @property
    def agent(self) -> str:
        """The agent's name."""
        return self.contender.name if self.contender else reference.NAME

    def settings(self) -> dict[str, object]:
        """Return what a resumed run must share with the run that it resumes."""
        return {
            "suite": self.suite.name,
            "engine": self.engine,
            "agent": self.agent,
            "timeout": self.limits.seconds,
            **(self.contender.settings if self.contender else {}),
        }

    def units(self) -> list[Unit]:
        """Return everything that is tried, task by task."""
        if self.contender is None:
            ways = self.ways or self.suite.ways
            return [Unit(task, REFERENCE, 1, way) for task, way in product(self.suite.tasks, ways)]
        repeats = range(1, self.repeats + 1)
        return [Unit(task, name, n, None) for task, name, n in product(self.suite.tasks, self.names, repeats)]


def run(
    plan: Plan, out: Path, *, jobs: int = 2, on_unit: Callable[[Unit, bool], None] = lambda unit, new: None
) -> list[Verdict]:
    """Run a plan into the record at `out`, resuming what is there, and return its verdicts in the plan's order.

    `on_unit` is called once a unit; one that was already in the record isn't new. An interrupt stops the code that runs
    and leaves the finished units in the record; so do CapReached, where the run may cost no more, and NoAnswers,
    where the endpoint has answered nothing. Raises InputError where the suite has no code of these ways at all, and as
    `open_record` does.
    """
    units = plan.units()
    if plan.contender is None and not any(unit.task.reference.get(unit.way) for unit in units if unit.way):
        raise InputError(
            f"suite {plan.suite.name} ships no solution ({', '.join(plan.ways or reference.WAYS)}) for the agent "
            f"'{plan.agent}' to run; tables that another agent left are judged by: prepsql score ROOT --suite …"
        )
    with ExitStack() as stack:
        record = stack.enter_context(open_record(out, plan.settings()))
        seated = stack.enter_context(plan.contender.seat(record.folder)) if plan.contender else None
        record.add_tasks(plan.suite.tasks)
        verdicts: dict[tuple[str, str, int, str], Verdict] = {}
        known = record.done()
        digests = {task.id: _digest(task) for task in plan.suite.tasks}
        todo = []
        for unit in units:
            found = [known[key] for key in unit.keys if key in known]
            if len(found) == len(unit.keys) and all(digest == digests[unit.task.id] for digest, _ in found):
                verdicts |= {verdict.key: verdict for _, verdict in found}
                on_unit(unit, False)
            else:
                todo.append(unit)
        hidden = tuple({path: None for task in plan.suite.tasks for path in task.secret})
        servers = stack.enter_context(job_servers(plan.limits, hidden, EXTRA))
        terms = Terms(plan.limits, plan.accept_risk, Event(), hidden, servers, stack.enter_context(helpers(len(todo))))
        for unit, trial in _trials(_Room(record, seated, digests, terms), todo, jobs):
            verdicts |= {verdict.key: verdict for verdict in trial.verdicts}
            on_unit(unit, True)
        record.finish()
    return [verdicts[key] for unit in units for key in unit.keys]


@dataclass(frozen=True)
class _Room:
    """What all tries of a run share."""

    record: Record
    seated: Seated | None
    digests: Mapping[str, str]
    terms: Terms

    def attempt(self, unit: Unit) -> Trial:
        """Try a unit, and record what came of it."""
        with TemporaryDirectory(prefix=WORK_PREFIX, dir=self.record.folder) as work:
            if unit.way:
                trial = try_reference(unit.task, unit.way, Path(work), self.terms)
            else:
                assert self.seated is not None
                trial = try_agent(self.seated, unit.task, SETTINGS[unit.setting], unit.repeat, Path(work), self.terms)
            self.record.add(trial, self.digests[unit.task.id])
            if self.seated:
                self.record.leave_out(self.seated.left_out())
            return trial

    def leave(self) -> None:
        """End what goes on."""
        assert self.terms.stop is not None
        self.terms.stop.set()
        self.terms.helpers.stop()
        if self.seated:
            self.seated.stop()


def _trials(room: _Room, todo: list[Unit], jobs: int) -> Iterable[tuple[Unit, Trial]]:
    """Yield what came of each unit as it comes in, recorded."""
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        try:
            pending = {pool.submit(room.attempt, unit): unit for unit in todo}
            for future in as_completed(pending):
                yield pending[future], future.result()
        except BaseException:
            room.leave()
            pool.shutdown(wait=False, cancel_futures=True)
            raise


def _digest(task: Task) -> str:
    """Return the task's digest, '' where its files can't be read: the try itself will say so."""
    try:
        return task.digest()
    except (PrepsqlError, OSError):
        return ""

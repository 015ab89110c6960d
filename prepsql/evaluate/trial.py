"""One try: an agent at work on one task in one setting, and what is to be recorded of it."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prepsql.agents.brief import Brief
from prepsql.agents.simulators.contract import Secrets
from prepsql.agents.simulators.session import Asked, Session
from prepsql.compare import Comparison, compare_policies
from prepsql.errors import CapReached, InputError, NoAnswers, PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.calls import Call
from prepsql.evaluate.contender import Seated
from prepsql.evaluate.desk import Attempt, TaskDesk
from prepsql.evaluate.differences import Difference, differences
from prepsql.evaluate.settings import Setting
from prepsql.evaluate.solve import Terms, solve
from prepsql.evaluate.task import Task, Way
from prepsql.evaluate.verdict import POLICIES, Reading, Result, Verdict, judge, result_of
from prepsql.sandbox import Language, Status

_UNTRIED = "not tried: no code ran that a workflow could be made of"
_NOTHING_LEFT = {
    "code": "no tables were left and no code; a command leaves solution/cand/output_01.csv, …, or "
    "solution/solution.sql or solution/solution.py",
    "workflow": "no tables were left and no workflow; a command leaves solution/flow_cand/output_01.csv, …, or "
    "solution/workflow.json",
}


@dataclass(frozen=True)
class Trial:
    """What came of one try: a verdict for each thing that is judged, and all that happened on the way.

    `tables` tells of a way the folder of its tables, yet to be moved to the record. `questions` are rows of the record
    (number, round, question, classification, ref, answer); `summary` is the conversation in the release's form, None
    where the setting has no user; `budget` how many questions there might have been. `spent` is the wall time of each
    stage in seconds. `differences` are examples of what differs from gold, by way.
    """

    verdicts: tuple[Verdict, ...]
    tables: Mapping[str, Path] = field(default_factory=dict)
    attempts: tuple[Attempt, ...] = ()
    questions: Sequence[tuple[Any, ...]] = ()
    summary: Mapping[str, Any] | None = None
    budget: int = 0
    calls: Sequence[Call] = ()
    notes: Mapping[str, str] = field(default_factory=dict)
    spent: Mapping[str, float] = field(default_factory=dict)
    differences: Mapping[str, Sequence[Difference]] = field(default_factory=dict)


def try_agent(seated: Seated, task: Task, setting: Setting, repeat: int, folder: Path, terms: Terms) -> Trial:
    """Let an agent work on a task, and judge what it leaves; a fault of ours or of the machine is never the agent's.

    Raises CapReached where the run as a whole may cost no more, NoAnswers where no try can have an answer, SandboxError
    where it was stopped.
    """
    start = time.monotonic()
    desk = TaskDesk(task, folder, terms)
    ended: Result | None = None
    message = ""
    try:
        brief = brief_of(task, setting, repeat)
        for name, given in (("request", brief.request), ("code", brief.code)):
            if given:
                desk.note(name, given)
        if "clarify" in setting.stages:
            secrets = secrets_of(task)
            desk.session = Session(secrets, seated.simulated(secrets, task.id, setting.name, repeat))
        seated.agent.work(brief, desk)
    except CapReached as cap:
        if cap.scope == "run":
            raise
        ended, message = Result.CAP_REACHED, str(cap)
    except NoAnswers:
        raise
    except Exception as fault:  # one task's fault must not end the run
        if terms.stop is not None and terms.stop.is_set():
            raise
        ended, message = Result.INFRASTRUCTURE, _said(fault)
    seconds = round(time.monotonic() - start, 3)
    with desk.timed("judge"):
        judged = [_judged(desk, task, setting, repeat, way, ended, message, seconds) for way in setting.judged]
    session = desk.session
    return Trial(
        tuple(verdict for verdict, _ in judged),
        {way: place for way in setting.judged if way != "questions" and (place := desk.tables(way))},
        tuple(desk.attempts),
        [] if session is None else [_row(one) for one in session.asked],
        None if session is None else session.summary(),
        0 if session is None else session.max_questions,
        seated.log.take(task.id, setting.name, repeat),
        desk.notes,
        desk.spent,
        {verdict.way: found for verdict, found in judged},
    )


def try_reference(task: Task, way: Way, folder: Path, terms: Terms) -> Trial:
    """Run the suite's own solution of a task, and judge it."""
    start = time.monotonic()

    def told(
        result: Result, message: str, readings: Mapping[str, Reading] | None = None, seconds: float | None = None
    ) -> Verdict:
        took = time.monotonic() - start if seconds is None else seconds
        return Verdict(task.id, way, result, readings or {}, message, round(took, 3))

    try:
        code = reference.write_code(task, way)
        if code is None:
            return Trial((told(Result.NOT_FOUND, f"the suite ships no {way} solution of this task"),))
        made = folder / "cand"
        done = solve(task, way, code, made, terms)
        if done.status is not Status.OK:
            return Trial((told(result_of(done.status), done.message),))
        compared = compare_policies(task.gold, made, POLICIES)
        result, readings, message = judge(compared)
        verdict = told(result, message, readings, done.seconds)
        return Trial((verdict,), {way: made}, differences={way: differences(compared)})
    except Exception as fault:
        return Trial((told(Result.INFRASTRUCTURE, _said(fault)),))


def brief_of(task: Task, setting: Setting, repeat: int) -> Brief:
    """Return what an agent gets of a task in a setting, without its secrets."""
    if setting.request == "code":
        ways: tuple[Language, ...] = ("sql", "pandas")
        way = next((way for way in ways if task.reference.get(way)), None)
        if way is None:
            raise InputError(f"task {task.id}: has no solution.sql or solution.py to translate")
        code = task.reference[way].read_text(encoding="utf-8")
        return Brief(task.id, setting.name, repeat, "", task.inputs, setting.stages, code, way)
    request = task.request if setting.request == "query" else task.full_request
    return Brief(task.id, setting.name, repeat, request, task.inputs, setting.stages)


def secrets_of(task: Task) -> Secrets:
    """Return what the simulated user of a task knows."""
    code = next((path.read_text(encoding="utf-8") for path in task.reference.values()), "")
    gold = tuple(sorted(task.gold.glob("output_*.csv")))
    return Secrets(task.ambiguities, task.request, task.full_request, code, gold, task.inputs)


def _judged(
    desk: TaskDesk, task: Task, setting: Setting, repeat: int, way: str, ended: Result | None, message: str,
    seconds: float,
) -> tuple[Verdict, Sequence[Difference]]:  # fmt: skip
    """Return the verdict on what an agent left, and what differs; without tables its last attempt says why."""
    stage = {"code": "code", "workflow": "translate", "questions": "clarify"}[way]
    last = desk.last(stage)

    def told(
        result: Result, why: str, compared: Mapping[str, Comparison] | None = None
    ) -> tuple[Verdict, Sequence[Difference]]:
        readings = {policy: Reading.of(comparison) for policy, comparison in (compared or {}).items()}
        verdict = Verdict(task.id, way, result, readings, why, seconds, setting.name, repeat, desk.language)
        return verdict, differences(compared or {})

    if ended is Result.INFRASTRUCTURE:
        return told(ended, message)
    if way == "questions":
        broken_off = (Result(last.result), last.message) if last else (Result.ASKED, message)
        return told(ended, message) if ended else told(*broken_off)
    place = desk.tables(way)
    if place is None:
        if ended:
            return told(ended, message)
        if last:
            return told(Result(last.result), last.message)
        untried = way == "workflow" and desk.last("code") and not desk.tables("code")
        return told(Result.NOT_FOUND, _UNTRIED if untried else _NOTHING_LEFT[way])
    try:
        compared = compare_policies(task.gold, place, POLICIES)
    except (PrepsqlError, OSError) as fault:
        return told(Result.INFRASTRUCTURE, _said(fault))
    result, _, why = judge(compared)
    return told(result, why, compared)


def _row(asked: Asked) -> tuple[Any, ...]:
    said = asked.answer
    return asked.number, asked.round, said.question, said.classification, said.ref or None, said.text or None


def _said(fault: Exception) -> str:
    known = isinstance(fault, PrepsqlError | OSError)
    return " ".join(f"{'' if known else type(fault).__name__ + ': '}{fault}".split())

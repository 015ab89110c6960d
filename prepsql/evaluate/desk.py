"""The harness's side of an agent's work on one task: it runs what the agent writes, and keeps what happens."""

from __future__ import annotations

import csv
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from prepsql.agents.brief import Answered, Compiled, Stage, Tried
from prepsql.agents.simulators.session import Session
from prepsql.evaluate.score import FOLDERS
from prepsql.evaluate.solve import Terms, solve
from prepsql.evaluate.task import Task, Way
from prepsql.evaluate.verdict import result_of
from prepsql.sandbox import Language, Status, run_code
from prepsql.scratch import scratch_folder

_ROWS = 20
_CELL = 80
_SHOWN = 6_000


@dataclass(frozen=True)
class Attempt:
    """One attempt of a stage, counted from 1: the text that was run, what came of it, and the wall time in seconds."""

    stage: str
    attempt: int
    result: str
    message: str
    seconds: float
    text: str


@dataclass
class TaskDesk:
    """The desk of one try; `folder` is its own, in which tables are left as in a results folder."""

    task: Task
    folder: Path
    terms: Terms
    session: Session | None = None
    attempts: list[Attempt] = field(default_factory=list)
    notes: dict[str, str] = field(default_factory=dict)
    spent: dict[str, float] = field(default_factory=dict)
    language: str = ""

    @property
    def questions_left(self) -> int:
        """How many questions may still be asked."""
        return self.session.max_questions - self.session.questions_used if self.session else 0

    @property
    def rounds_left(self) -> int:
        """How often questions may still be handed over."""
        return self.session.rounds_left if self.session else 0

    @contextmanager
    def timed(self, stage: str) -> Iterator[None]:
        """Count the time of what happens within as a stage's."""
        start = time.monotonic()
        try:
            yield
        finally:
            self.spent[stage] = self.spent.get(stage, 0.0) + time.monotonic() - start

    def ask(self, questions: Sequence[str]) -> Sequence[Answered]:
        """Hand questions over to the user."""
        if self.session is None:
            return [Answered(question, "over_budget", "") for question in questions]
        before = len(self.session.asked)
        self.session.ask(questions)
        told = [one.answer for one in self.session.asked[before:]]
        return [Answered(one.question, one.classification, one.text) for one in told]

    def profiled(self) -> str:
        """Return the profile of the raw tables as text."""
        return self.terms.helpers.profiled(self.task.inputs)

    def look(self, text: str, language: Language) -> Tried:
        """Run a query of the agent's own over the full raw tables."""
        code = f"CREATE TABLE output_01 AS\n{text.strip().rstrip(';')}" if language == "sql" else text
        with scratch_folder("prepsql-look-") as out:
            done = run_code(
                code, self.task.inputs, out, language, stop=self.terms.stop,
                **self.terms.options(self.task, language),
            )  # fmt: skip
            shown = "\n\n".join(_shown(path) for path in done.outputs)[:_SHOWN]
        tried = Tried(done.status, done.message, done.seconds, shown)
        self._keep("profile", text, tried)
        return tried

    def run_code(self, text: str, language: Language) -> Tried:
        """Run a candidate's code."""
        return self._solve("code", language, text)

    def run_flow(self, text: str) -> Tried:
        """Check and run a workflow."""
        return self._solve("translate", "workflow", text)

    def compiled(self, text: str, language: Language) -> AbstractContextManager[Compiled | None]:
        """Translate code without a model."""
        options = {**self.terms.options(self.task, language), "stop": self.terms.stop}
        return self.terms.helpers.compiled(self.task.inputs, text, language, options)

    def leave(self, judged: str, folder: Path) -> None:
        """Take tables that were made elsewhere; links among them are left where they are."""
        place = self.folder / FOLDERS[judged]
        place.mkdir(parents=True, exist_ok=True)
        for path in sorted(folder.glob("output_*.csv")):
            if path.is_file() and not path.is_symlink():
                shutil.copyfile(path, place / path.name)

    def fail(self, stage: Stage, text: str, result: str, message: str) -> None:
        """Record an attempt from which nothing could be run."""
        self.attempts.append(Attempt(stage, self._next(stage), result, message, 0.0, text))

    def note(self, name: str, text: str) -> None:
        """Keep a text."""
        self.notes[name] = text

    def tables(self, judged: str) -> Path | None:
        """Return the folder of the tables that are judged, None where none were left."""
        folder = self.folder / FOLDERS[judged]
        return folder if folder.is_dir() and any(folder.glob("output_*")) else None

    def last(self, stage: str) -> Attempt | None:
        """Return the last attempt of a stage."""
        return next((one for one in reversed(self.attempts) if one.stage == stage), None)

    def _solve(self, stage: str, way: Way, text: str) -> Tried:
        place = self.folder / FOLDERS["workflow" if way == "workflow" else "code"]
        with scratch_folder("prepsql-made-") as made:
            done = solve(self.task, way, text, made / "out", self.terms)
            if done.status is Status.OK:
                self.language = self.language if way == "workflow" else way
                shutil.rmtree(place, ignore_errors=True)
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copytree(made / "out", place)
        tried = Tried(done.status, done.message, done.seconds)
        self._keep(stage, text, tried)
        return tried

    def _keep(self, stage: str, text: str, tried: Tried) -> None:
        result = "ran" if tried.ok else result_of(tried.status).value
        self.attempts.append(Attempt(stage, self._next(stage), result, tried.message, round(tried.seconds, 3), text))

    def _next(self, stage: str) -> int:
        return 1 + sum(one.stage == stage for one in self.attempts)


def _shown(path: Path) -> str:
    """Return the first rows of a table, cells between bars."""
    with path.open(encoding="utf-8", newline="") as file:
        rows = [row for _, row in zip(range(_ROWS + 2), csv.reader(file), strict=False)]
    lines = ["| " + " | ".join(cell[:_CELL] for cell in row) + " |" for row in rows[: _ROWS + 1]]
    return "\n".join([*lines, *(["…"] if len(rows) > _ROWS + 1 else [])])

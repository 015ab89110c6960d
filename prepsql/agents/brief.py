"""What an agent gets of one task, and the desk at which it works: the harness's side of every stage."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from prepsql.llm.model import Occasion
from prepsql.sandbox import Language, Status

Stage = Literal["clarify", "profile", "code", "translate"]
Written = Literal["sql", "pandas", "auto"]
"""What an agent is to write; `auto` leaves the choice to it, at each attempt."""

CODE_ATTEMPTS = 3
TRANSLATE_ATTEMPTS = 3
PROFILE_ATTEMPTS = 2
"""How often a stage may be tried, the first time counted (paper, section 5.1)."""


@dataclass(frozen=True)
class Brief:
    """One task in one setting, without its secrets.

    `request` is what the user says: the request as it was made, or the disambiguated one. `inputs` are the raw tables,
    by name. `code` is the code that is to be translated, of `language`, where the setting begins with code. `stages`
    are those that the setting has, in order.
    """

    task: str
    setting: str
    repeat: int
    request: str
    inputs: tuple[Path, ...]
    stages: tuple[Stage, ...]
    code: str = ""
    language: Language | None = None

    def occasion(self, stage: Stage, attempt: int) -> Occasion:
        """Return what a call of a model in this stage is made for."""
        return Occasion("agent", self.setting, self.task, stage, attempt, self.repeat)


@dataclass(frozen=True)
class Tried:
    """What came of running something: `message` is for the one who repairs it, empty where the status is ok.

    `shown` is what a query of a profile gives, as text.
    """

    status: Status
    message: str
    seconds: float
    shown: str = ""

    @property
    def ok(self) -> bool:
        """Whether it ran and left its tables."""
        return self.status is Status.OK


@dataclass(frozen=True)
class Answered:
    """What the user said to one question, and what became of it (`hit`, `fallback`, `refuse_…`, `over_budget`)."""

    question: str
    classification: str
    text: str


@dataclass(frozen=True)
class Script:
    """A step that the compiler left as a script: its code, why, and the columns with their types.

    `takes` are those of each step that it takes rows from, `gives` its own.
    """

    step: str
    language: str
    code: str
    reason: str
    takes: Mapping[str, Mapping[str, str]]
    gives: Mapping[str, str]


class Compiled(Protocol):
    """What the compiler made of code; `document` is the workflow, with its files where the desk runs it."""

    @property
    def document(self) -> Mapping[str, Any]:
        """The workflow."""

    @property
    def proven(self) -> bool:
        """Whether it gives what the code gives."""

    @property
    def scripts(self) -> Sequence[Script]:
        """Its script steps."""

    def against(self, document: Mapping[str, Any]) -> str:
        """Return what speaks against another workflow in its place, '' where that is proven to give the same."""


class Desk(Protocol):
    """Where an agent works: it runs what the agent writes, hands questions to the user, and keeps a record.

    What is run last and ends well is what is judged. Raises SandboxError where the run was stopped.
    """

    @property
    def questions_left(self) -> int:
        """How many questions may still be asked, 0 where the setting has no user to ask."""

    @property
    def rounds_left(self) -> int:
        """How often questions may still be handed over."""

    def timed(self, stage: Stage) -> AbstractContextManager[None]:
        """Count the time of what happens within as a stage's, on top of what it had."""

    def ask(self, questions: Sequence[str]) -> Sequence[Answered]:
        """Hand questions over to the user; those over the budget aren't answered."""

    def profiled(self) -> str:
        """Return the profile of all rows of the raw tables, as text; where it fails, why."""

    def look(self, text: str, language: Language) -> Tried:
        """Run a query of the agent's own over the full raw tables; `shown` is its result."""

    def run_code(self, text: str, language: Language) -> Tried:
        """Run a candidate's code; its tables are kept where it ends well."""

    def compiled(self, text: str, language: Language) -> AbstractContextManager[Compiled | None]:
        """Translate code without a model; None where there's no workflow. What proofs take is kept until the end."""

    def run_flow(self, text: str) -> Tried:
        """Check and run a workflow; its tables are kept where it ends well."""

    def leave(self, judged: str, folder: Path) -> None:
        """Take tables that were made elsewhere, `output_*.csv`, as those that are judged as code or workflow."""

    def fail(self, stage: Stage, text: str, result: str, message: str) -> None:
        """Record an attempt from which nothing could be run: a reply without code, or one that was cut off."""

    def note(self, name: str, text: str) -> None:
        """Keep a text that a later reader wants: the specification, the profile, whose the workflow is."""


class Agent(Protocol):
    """Whoever solves tasks."""

    @property
    def name(self) -> str:
        """The agent's name in reports."""

    def work(self, brief: Brief, desk: Desk) -> None:
        """Go through the brief's stages; what is left at the desk is judged.

        Raises ModelError where its model can't be reached: that is nobody's wrong answer.
        """

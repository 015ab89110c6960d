"""What simulators of the user take and give (spec: paper, section 4.1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol, get_args

Classification = Literal[
    "hit", "fallback", "refuse_need_data", "refuse_too_broad", "refuse_illegal", "refuse_irrelevant"
]
"""What became of a question."""

CLASSIFICATIONS: tuple[str, ...] = get_args(Classification)

REFUSALS: dict[str, str] = {
    "refuse_illegal": "I can't hand out code, results or the whole specification. Ask about one thing that is unclear.",
    "refuse_too_broad": "That is too broad. Ask one question about one point of the request.",
    "refuse_need_data": "You can see that in the raw tables yourself. Ask about what the request leaves open.",
    "refuse_irrelevant": "That has nothing to do with this request. Ask about what the request leaves open.",
}
"""What is said where a question isn't answered, by its classification."""


@dataclass(frozen=True)
class Answer:
    """One question and what was said. `ref` is the id of the entry that it hit, else ''.

    `note` says what isn't as usual: an answer that the guard replaced, a classification that another simulator made.
    """

    question: str
    classification: str
    text: str
    ref: str = ""
    note: str = ""


class Entry(Protocol):
    """An entry of a knowledge base, as `prepsql.evaluate.task.Ambiguity` holds it."""

    @property
    def id(self) -> str: ...  # noqa: D102
    @property
    def kind(self) -> str: ...  # noqa: D102
    @property
    def op(self) -> str: ...  # noqa: D102
    @property
    def source_text(self) -> str: ...  # noqa: D102
    @property
    def intent(self) -> str: ...  # noqa: D102
    @property
    def ref(self) -> str: ...  # noqa: D102


@dataclass(frozen=True)
class Secrets:
    """What the simulated user knows of one task. `inputs` are the raw tables, which the agent sees too."""

    entries: Sequence[Entry]
    request: str
    full_request: str
    code: str = ""
    gold: Sequence[Path] = ()
    inputs: Sequence[Path] = field(default=())


class Simulator(Protocol):
    """A simulated user: answers one question, given those before it. Its answers go through a guard."""

    name: str

    def answer(self, question: str, history: Sequence[Answer]) -> Answer:
        """Return the answer; never more than one entry's resolution."""
        ...


def refusal(question: str, classification: str, note: str = "") -> Answer:
    """Return the answer that refuses a question; KeyError where the classification isn't a refusal."""
    return Answer(question, classification, REFUSALS[classification], note=note)

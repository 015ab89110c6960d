"""One conversation about one task: budget, rounds, guard, and the summary in the release's layout."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from prepsql.agents.simulators.contract import Answer, Secrets, Simulator
from prepsql.agents.simulators.guard import Guard
from prepsql.errors import InputError, WriteError
from prepsql.tables.write import ADVICE, whole_file

PER_ENTRY = 2.5
CAP = 25
ROUNDS = 3
PER_ROUND = 10
OVER_BUDGET = "over_budget"
"""The classification of a question that was dropped."""

LONGEST_QUESTION = 2000
"""A longer question is cut to so many characters."""


def budget(entries: int) -> int:
    """Return how many questions a task allows: 2.5 an entry, at most 25, but never fewer than it has entries.

    >>> [budget(n) for n in (0, 3, 10, 27)]
    [0, 8, 25, 27]
    """
    return max(entries, min(CAP, math.ceil(PER_ENTRY * entries)))


@dataclass(frozen=True)
class Asked:
    """One question of a conversation: its number from 1, its round from 1, and what was said.

    A dropped question has the classification `over_budget`, no answer, and a number like the others.
    """

    number: int
    round: int
    answer: Answer


class Session:
    """A conversation with a simulated user, in the shape that agents of the release know: `start_session`, then `ask`.

    Questions over the budget, over `per_round` in one round, or in a round too many are dropped in order and recorded.
    A compound question counts as one. With a `folder`, `clarify/summary.json` in it is written anew after each round.
    """

    def __init__(
        self,
        secrets: Secrets,
        simulator: Simulator,
        *,
        folder: Path | None = None,
        max_questions: int | None = None,
        rounds: int = ROUNDS,
        per_round: int = PER_ROUND,
    ) -> None:
        self.max_questions = budget(len(secrets.entries)) if max_questions is None else max_questions
        self.rounds, self.per_round = rounds, per_round
        self._request = secrets.request
        self._simulator, self._guard = simulator, Guard(secrets)
        self._folder = folder
        self._asked: list[Asked] = []
        self._round = 0

    @property
    def asked(self) -> tuple[Asked, ...]:
        """All questions in order, also those that were dropped."""
        return tuple(self._asked)

    @property
    def answers(self) -> tuple[Answer, ...]:
        """What was said to questions within the budget, in order."""
        return tuple(one.answer for one in self._asked if one.answer.classification != OVER_BUDGET)

    @property
    def questions_used(self) -> int:
        """How many questions were answered or refused."""
        return len(self.answers)

    @property
    def rounds_left(self) -> int:
        """How often questions may still be asked."""
        return max(0, self.rounds - self._round)

    def start_session(self) -> dict[str, Any]:
        """Return the request and what may be asked; writes the summary of a conversation without questions."""
        self._write()
        return {"query": self._request, "rounds": self.rounds, "per_round": self.per_round, **self._state()}

    def ask(self, questions: str | Sequence[str]) -> dict[str, Any]:
        """Answer one round of questions. Raises InputError where they are no texts.

        The result has `answers` (each: sub_question, classification, answer), `dropped`, `questions_used`,
        `max_questions`, `questions_left` and `rounds_left`. Blank questions don't count.
        """
        listed = [questions] if isinstance(questions, str) else questions
        if not isinstance(listed, Sequence) or not all(isinstance(one, str) for one in listed):
            raise InputError("questions must be a text or a list of texts")
        wanted = [" ".join(one.split())[:LONGEST_QUESTION] for one in listed if one.strip()]
        self._round += bool(wanted)
        room = min(self.per_round, self.max_questions - self.questions_used) if self._round <= self.rounds else 0
        said = []
        for place, question in enumerate(wanted):
            if place < room:
                answer = self._guard.checked(self._simulator.answer(question, self.answers))
                said.append(answer)
            else:
                answer = Answer(question, OVER_BUDGET, "")
            self._asked.append(Asked(len(self._asked) + 1, self._round, answer))
        self._write()
        told = [
            {"sub_question": one.question, "classification": one.classification, "answer": one.text} for one in said
        ]
        return {"answers": told, "dropped": wanted[max(room, 0) :], **self._state()}

    def summary(self) -> dict[str, Any]:
        """Return what `clarify/summary.json` holds."""
        history = [
            {"sub_question": one.question, "classification": one.classification, "answer": one.text, "ref": one.ref}
            | ({"note": one.note} if one.note else {})
            for one in self.answers
        ]
        return {"questions_used": len(history), "max_questions": self.max_questions, "qa_history": history}

    def _state(self) -> dict[str, int]:
        return {
            "questions_used": self.questions_used,
            "max_questions": self.max_questions,
            "questions_left": self.max_questions - self.questions_used,
            "rounds_left": self.rounds_left,
        }

    def _write(self) -> None:
        if self._folder is None:
            return
        write_summary(self._folder, self.summary())


def write_summary(folder: Path, summary: Mapping[str, Any], advice: str = ADVICE) -> None:
    """Write `clarify/summary.json` in `folder`, whole or not at all. Raises WriteError, with `advice`."""
    path = folder / "clarify" / "summary.json"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as wrong:
        raise WriteError(f"{path}: can't be written ({wrong.strerror}); {advice}") from wrong
    with whole_file(path, advice) as file:
        file.write(f"{json.dumps(summary, indent=2, ensure_ascii=False)}\n".encode())

"""The action Clarify: ask what is unclear and changes the result, then write down what is to be made.

Spec: paper, section 4.1. Each question is atomic; the model stops by asking nothing more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from prepsql.agents.brief import Answered, Brief, Desk
from prepsql.agents.prompts import prompt
from prepsql.agents.simulators.session import PER_ROUND
from prepsql.agents.talk import NoReply, Talk
from prepsql.llm.model import Model

QUESTIONS: dict[str, Any] = {
    "type": "object",
    "properties": {"questions": {"type": "array", "items": {"type": "string"}, "maxItems": 40}},
    "required": ["questions"],
    "additionalProperties": False,
}
SPECIFICATION: dict[str, Any] = {
    "type": "object",
    "properties": {
        "specification": {"type": "string"},
        "choices": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "about": {"type": "string"},
                    "choice": {"type": "string"},
                    "source": {"enum": ["asked", "stated", "assumed"]},
                },
                "required": ["about", "choice", "source"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["specification", "choices"],
    "additionalProperties": False,
}


@dataclass(frozen=True)
class Choice:
    """One decision: what about, what was chosen, and whether the user was asked, had said it, or it's assumed."""

    about: str
    choice: str
    source: Literal["asked", "stated", "assumed"]


@dataclass(frozen=True)
class Specification:
    """What is to be made, for the stages after: in words, and the choices that it rests on."""

    text: str
    choices: tuple[Choice, ...] = ()

    def __str__(self) -> str:
        lines = [f"- {one.about}: {one.choice} ({one.source})" for one in self.choices]
        return "\n".join([self.text, *(["", "Choices made:", *lines] if lines else [])])


def clarify(brief: Brief, desk: Desk, model: Model, tables: str, temperature: float) -> Specification:
    """Ask the user in rounds, as the desk allows, and return the specification that came of it.

    `tables` is what is known of the raw tables. Where the model gives no usable reply, the request itself with the
    answers stands for the specification.
    """
    talk = Talk(model, brief, "clarify", temperature)
    talk.say(prompt("clarify", request=brief.request, tables=tables, budget=desk.questions_left,
                    rounds=desk.rounds_left, at_once=PER_ROUND), "system")  # fmt: skip
    talk.say("Which questions do you have?")
    history: list[Answered] = []
    while desk.questions_left and desk.rounds_left:
        try:
            questions = [text for text in map(str.strip, talk.json(QUESTIONS)["questions"]) if text]
        except NoReply:
            break
        if not questions:
            break
        answers = desk.ask(questions[:PER_ROUND])
        history += answers
        talk.say(prompt("answers", answers=answers, left=desk.questions_left, rounds=desk.rounds_left))
    talk.say(prompt("specification"))
    try:
        found = talk.json(SPECIFICATION)
    except NoReply:
        return Specification(_as_said(brief, history))
    choices = tuple(Choice(one["about"], one["choice"], one["source"]) for one in found["choices"])
    return Specification(f"{brief.request}\n\n{found['specification']}", choices)


def _as_said(brief: Brief, history: Sequence[Answered]) -> str:
    answered = [f"Question: {one.question}\nAnswer: {one.text}" for one in history if one.text]
    return "\n\n".join([brief.request, *answered])

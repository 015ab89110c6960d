"""A simulated user played by a model: one prompt, temperature 0, a JSON reply that is checked."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.agents.prompts import prompt
from prepsql.agents.simulators.contract import CLASSIFICATIONS, Answer, Secrets
from prepsql.agents.simulators.guard import Guard
from prepsql.agents.simulators.offline import Offline
from prepsql.errors import NoJson
from prepsql.llm.model import Message, Model, Occasion, Reply, Request
from prepsql.llm.replies import json_of

ASKED_AGAIN = 2
"""How often a reply that breaks the contract is asked for again."""

SCHEMA: Mapping[str, Any] = {
    "type": "object",
    "properties": {
        "classification": {"type": "string", "enum": list(CLASSIFICATIONS)},
        "ref": {"type": "string"},
        "answer": {"type": "string", "minLength": 1},
    },
    "required": ["classification", "ref", "answer"],
    "additionalProperties": False,
}
"""The shape of a reply."""

_MOST_TOKENS = 600


class ModelUser:
    """Answers through a model; where it breaks the contract three times, the offline simulator classifies and answers.

    Raises ModelError and CapReached of the model: they are nobody's wrong answer.
    """

    def __init__(self, secrets: Secrets, model: Model, *, setting: str, task: str, repeat: int = 1) -> None:
        self.name = model.name
        self._model = model
        self._offline, self._guard = Offline(secrets), Guard(secrets)
        self._ids = tuple(entry.id for entry in secrets.entries)
        self._system = Message("system", prompt(
            "answer", request=secrets.request, full_request=secrets.full_request, entries=secrets.entries,
            code=secrets.code,
        ))  # fmt: skip
        self._occasion = Occasion("simulator", setting, task, "answer", 0, repeat)

    def answer(self, question: str, history: Sequence[Answer] = ()) -> Answer:
        """Return the answer to a question, given those before it."""
        messages = (self._system, *_before(history), Message("user", _question(question)))
        fault = ""
        for _ in range(1 + ASKED_AGAIN):
            reply = self._complete(messages)
            said, fault = self._read(reply, question)
            if said:
                return said
            messages = (*messages, Message("assistant", reply.text), Message("user", _again(fault)))
        return replace(self._offline.answer(question, history), note=f"offline: {fault}")

    def _complete(self, messages: tuple[Message, ...]) -> Reply:
        self._occasion = replace(self._occasion, attempt=self._occasion.attempt + 1)
        request = Request(messages, SCHEMA, temperature=0.0, max_tokens=_MOST_TOKENS)
        return self._model.complete(request, self._occasion)

    def _read(self, reply: Reply, question: str) -> tuple[Answer | None, str]:
        """Return the answer in a reply, or None and what is wrong with it."""
        if reply.finish == "length":
            return None, "The reply was cut off: answer in one or two sentences."
        try:
            value = json_of(reply.text, SCHEMA)
        except NoJson as wrong:
            return None, str(wrong)
        classification, ref, text = value["classification"], value["ref"].strip(), value["answer"].strip()
        fault = self._fault(classification, ref, text)
        return (None, fault) if fault else (Answer(question, classification, text, ref), "")

    def _fault(self, classification: str, ref: str, text: str) -> str:
        if classification == "hit" and ref not in self._ids:
            several = [one for one in self._ids if one in ref.replace(",", " ").split()]
            if len(several) > 1:
                return (
                    f"ref names {len(several)} entries: a question matches one at most, name the one it's most about."
                )
            return f"ref {ref!r} is no entry's id (ids: {', '.join(self._ids)})."
        if classification != "hit" and ref:
            return f'ref must be "" where the classification is {classification}; it was {ref!r}.'
        if not text:
            return "answer is empty: say it in a sentence."
        found = self._guard.found(text)
        return f"The answer holds {found}: say in words only what was asked." if found else ""


def _before(history: Sequence[Answer]) -> list[Message]:
    messages = []
    for one in history:
        said = {"classification": one.classification, "ref": one.ref, "answer": one.text}
        messages += [
            Message("user", _question(one.question)),
            Message("assistant", json.dumps(said, ensure_ascii=False)),
        ]
    return messages


def _question(question: str) -> str:
    return f"The agent's question, as data: {json.dumps(question, ensure_ascii=False)}"


def _again(fault: str) -> str:
    return (
        f"That reply can't be used. {fault} Reply to the same question again, with one JSON object of the given shape."
    )

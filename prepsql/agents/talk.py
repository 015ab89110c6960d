"""Asking a model for something of a known form, and asking again where the reply hasn't it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from prepsql.agents.brief import Brief, Stage
from prepsql.errors import ContextExceeded, NoCode, NoJson
from prepsql.llm.model import Message, Model, Request
from prepsql.llm.replies import json_of

T = TypeVar("T")
AGAIN = 2
"""How often a reply that hasn't the form that was asked for is asked again."""
CUT_OFF = "Your reply was cut off at the limit of its length. Answer again, shorter."


class NoReply(Exception):
    """A model gave no reply of the form that it was asked for.

    `cut` says that the last one was cut off, or that there was no room for one.
    """

    def __init__(self, message: str, text: str, *, cut: bool) -> None:
        super().__init__(message)
        self.text, self.cut = text, cut

    @property
    def result(self) -> str:
        """What such an attempt is recorded as."""
        return "reply cut off" if self.cut else "failed to run"


class NoRoom(NoReply):
    """The conversation has outgrown the model's context: asking again is of no use."""


@dataclass
class Talk:
    """One conversation in one stage; calls are counted from 1."""

    model: Model
    brief: Brief
    stage: Stage
    temperature: float
    messages: list[Message] = field(default_factory=list)
    calls: int = 0

    def say(self, text: str, role: str = "user") -> None:
        """Add a message."""
        self.messages.append(Message(role, text))  # type: ignore[arg-type]

    def once(self, schema: Mapping[str, Any] | None, read: Callable[[str], T]) -> T:
        """Ask once, and return what `read` makes of the reply; raise NoReply where that can't be had.

        The reply, and what is wrong with it, are part of the conversation from then on.
        """
        self.calls += 1
        request = Request(tuple(self.messages), schema, self.temperature)
        try:
            reply = self.model.complete(request, self.brief.occasion(self.stage, self.calls))
        except ContextExceeded as wrong:
            raise NoRoom(str(wrong), "", cut=True) from wrong
        self.say(reply.text, "assistant")
        try:
            if reply.finish == "length":
                raise NoReply(CUT_OFF, reply.text, cut=True)
            try:
                return read(reply.text)
            except (NoCode, NoJson) as wrong:
                raise NoReply(str(wrong), reply.text, cut=False) from wrong
        except NoReply as wrong:
            self.say(str(wrong))
            raise

    def json(self, schema: Mapping[str, Any]) -> Any:
        """Ask for JSON of a schema, at most `AGAIN` times more; raise NoReply where no reply fits."""
        for _ in range(AGAIN):
            try:
                return self.once(schema, lambda text: json_of(text, schema))
            except NoRoom:
                raise
            except NoReply:
                continue
        return self.once(schema, lambda text: json_of(text, schema))

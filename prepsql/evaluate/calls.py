"""Which calls of models one try made: a model that notes each call for the record."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from prepsql.llm.model import Model, Occasion, Reply, Request

JOURNAL = "calls.journal"
"""The file in a record that keeps the replies of models."""


@dataclass(frozen=True)
class Call:
    """One call that was answered."""

    occasion: Occasion
    reply: Reply

    @property
    def row(self) -> tuple[Any, ...]:
        """The call as the record's table `calls` has it, behind the try's key."""
        o, r = self.occasion, self.reply
        return (
            o.stage, o.role, o.attempt, r.model, r.usage.prompt_tokens, r.usage.completion_tokens, r.usage.usd,
            round(r.seconds, 3), r.source, r.finish,
        )  # fmt: skip


@dataclass
class CallLog:
    """The calls of all tries that go on; may be written by several threads."""

    _calls: dict[tuple[str, str, int], list[Call]] = field(default_factory=lambda: defaultdict(list))
    _lock: Lock = field(default_factory=Lock)

    def add(self, call: Call) -> None:
        """Note a call."""
        with self._lock:
            self._calls[_key(call.occasion)].append(call)

    def take(self, task: str, setting: str, repeat: int) -> list[Call]:
        """Return a try's calls in order, and forget them."""
        with self._lock:
            return self._calls.pop((task, setting, repeat), [])


def _key(occasion: Occasion) -> tuple[str, str, int]:
    return occasion.task, occasion.setting, occasion.repeat


@dataclass(frozen=True)
class Logged:
    """A model whose answered calls are noted."""

    model: Model
    log: CallLog

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer a request, and note it."""
        reply = self.model.complete(request, occasion)
        self.log.add(Call(occasion, reply))
        return reply

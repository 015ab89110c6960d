"""What is said to a model, when, and what came back: the contract that every model of this room keeps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any, Literal, Protocol

from prepsql.llm.characters import whole_characters

Role = Literal["agent", "simulator"]
Finish = Literal["stop", "length", "filter"]
Source = Literal["paid", "cache", "journal", "script"]


@dataclass(frozen=True)
class Message:
    """One message of a conversation."""

    role: Literal["system", "user", "assistant"]
    content: str


@dataclass(frozen=True)
class Request:
    """What a model is asked.

    `schema` is a JSON Schema that the reply should fit; `max_tokens` bounds the reply, None leaves it to the endpoint,
    and so does `seed`.

    >>> Request((Message("user", "Which tables?"),), temperature=0).to_dict()["temperature"]
    0
    """

    messages: tuple[Message, ...]
    schema: Mapping[str, Any] | None = None
    temperature: float = 0.7
    max_tokens: int | None = None
    seed: int | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the request as plain values, for JSON."""
        plain = {name: getattr(self, name) for name in ("schema", "temperature", "max_tokens", "seed")}
        return {"messages": [asdict(message) for message in self.messages], **plain}


@dataclass(frozen=True)
class Occasion:
    """What a call is made for. `stage` is clarify, answer, profile, code or translate.

    `attempt` counts the calls of one role and stage of one task from 1; `repeat` the repeats of a task from 1.
    """

    role: Role
    setting: str
    task: str
    stage: str
    attempt: int = 1
    repeat: int = 1

    def __str__(self) -> str:
        return ", ".join(f"{name} {value}" for name, value in asdict(self).items())


@dataclass(frozen=True)
class Usage:
    """Tokens and US dollars of one call; None is unknown, never 0.

    `usd` is what the call cost when it was paid, also where its reply comes from a cache or a journal now.
    """

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    usd: float | None = None


UNKNOWN = Usage()


@dataclass(frozen=True)
class Reply:
    """What a model answered.

    `finish` is "length" where the reply was cut off at its bound on tokens, "filter" where the endpoint withheld it.
    `model` is the name that the endpoint gave. `seconds` is the time of the try that succeeded, without waiting before
    it; of a reply from a cache or a journal, as it was then. `source` says whether this call was paid now. The text has
    whole characters, whatever was sent.
    """

    text: str
    finish: Finish
    usage: Usage
    model: str
    seconds: float
    source: Source

    def __post_init__(self) -> None:
        object.__setattr__(self, "text", whole_characters(self.text))

    def to_dict(self) -> dict[str, Any]:
        """Return the reply as plain values, for JSON."""
        return asdict(self)


class Model(Protocol):
    """Whatever answers requests; may be called by several threads at once.

    Raises ModelError where no answer can be had, CapReached where a cap forbids the call.
    """

    @property
    def name(self) -> str:
        """The model's name as it was asked for."""

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer a request."""

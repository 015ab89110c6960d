"""A model under caps on money, tokens and calls."""

from __future__ import annotations

import json
from dataclasses import asdict

from prepsql.errors import ModelError
from prepsql.llm.budget import Budget, Spent
from prepsql.llm.model import Model, Occasion, Reply, Request, Usage
from prepsql.llm.prices import Price

UNBOUNDED_REPLY = 16_384
"""Tokens that a reply is taken to have at most where its request sets no bound."""

_PER_MESSAGE = 16
_PER_CALL = 256


class Capped:
    """A model that calls only while a budget has room.

    What a call may take is stated before it's made: a token for each byte of its prompt (no tokenizer makes more) and
    16 a message, and `max_tokens` for the reply, or 16,384 where there is no such bound. When it's over, it counts what
    the reply's usage says; a reply without usage counts what it might have taken, a failed call counts as a call.
    """

    def __init__(self, model: Model, budget: Budget, price: Price | None = None) -> None:
        """Raise ModelError where there is a cap on money and the model's price isn't known."""
        if budget.caps_usd and price is None:
            raise ModelError(
                f"model {model.name}: no price is known, so a cap in USD can't be kept: add its price to a file that "
                "PREPSQL_PRICES names (docs/models.md), or cap tokens or calls instead"
            )
        self._model = model
        self._budget = budget
        self._price = price

    @property
    def name(self) -> str:
        """The model's name."""
        return self._model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer a request. Raises CapReached where a cap forbids it, and what the model raises."""
        at_most = most_of(request, self._price)
        with self._budget.hold(occasion, at_most) as hold:
            hold.spent = Spent(calls=1)
            reply = self._model.complete(request, occasion)
            hold.spent = spent_by(reply.usage, at_most)
            return reply


def most_of(request: Request, price: Price | None) -> Spent:
    """Return the most that a call may take."""
    prompt = prompt_bound(request)
    reply = UNBOUNDED_REPLY if request.max_tokens is None else request.max_tokens
    usd = price.usd(prompt, reply) if price else None
    return Spent(usd or 0.0, prompt + reply, 1)


def prompt_bound(request: Request) -> int:
    """Return a number of tokens that a request's prompt doesn't exceed."""
    texts = [message.content for message in request.messages]
    if request.schema is not None:
        texts.append(json.dumps(request.schema, default=dict))
    return sum(len(text.encode(errors="replace")) for text in texts) + _PER_MESSAGE * len(texts) + _PER_CALL


def spent_by(usage: Usage, at_most: Spent | None = None) -> Spent:
    """Return what a reply counts; what its usage leaves out is taken from `at_most`, or is 0."""
    known = asdict(at_most or Spent())
    if usage.prompt_tokens is not None and usage.completion_tokens is not None:
        known["tokens"] = usage.prompt_tokens + usage.completion_tokens
    if usage.usd is not None:
        known["usd"] = usage.usd
    return Spent(known["usd"], known["tokens"], 1)

"""A model whose replies stand in a file, so that every path of an agent runs without a network."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

from prepsql.errors import ModelError
from prepsql.llm.clock import Clock, RealClock
from prepsql.llm.gate import Gate
from prepsql.llm.model import Occasion, Reply, Request, Usage
from prepsql.llm.patience import Fault, Patience, may_come_again, tried
from prepsql.llm.prices import Price
from prepsql.llm.script_file import Entry, Failure, load_script

_SHOWN = 8
_WORDS = {
    "timeout": "no whole answer in time",
    "connection": "no connection, or it broke",
    "broken": "the answer is not JSON",
    "cut": "the answer was cut off: its stream ended early",
}


class Scripted:
    """A model that answers from the script at `path`.

    Failures of the script are tried again as those of an endpoint are; between tries it waits only as long as the
    script's `retry_after` says. A reply without `usd` costs what `prices` say of the script's model, if anything.
    """

    def __init__(
        self,
        path: Path,
        *,
        prices: Mapping[str, Price] | None = None,
        patience: Patience | None = None,
        gate: Gate | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Raise InputError or ConfigError where the file isn't a script."""
        self._path = path
        self._script = load_script(path)
        self.price = (prices or {}).get(self._script.model)
        self._patience = patience or Patience(first=0.0)
        self._clock = clock or RealClock()
        self._gate = gate or Gate(64, self._clock)

    @property
    def name(self) -> str:
        """The name that the script gives its model."""
        return self._script.model

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer from the script. Raises ModelError where it has no reply, or fails for good."""
        entry = self._entry(occasion)
        errors = list(entry.errors)

        def send() -> Reply:
            began = self._clock.now()
            self._clock.sleep(self._script.defaults.delay if entry.delay is None else entry.delay)
            if errors:
                failure = errors.pop(0)
                if not errors and entry.text is None and entry.file is None:
                    errors.append(failure)
                raise _fault(failure, entry.retry_after)
            return self._reply(entry, occasion, self._clock.now() - began)

        where = f"scripted model {self._path}"
        return tried(
            send, where=where, patience=self._patience, gate=self._gate, clock=self._clock, chance=random.random
        )

    def _entry(self, occasion: Occasion) -> Entry:
        entries = self._script.replies
        for entry in entries:
            if entry.fits(occasion):
                return entry
        nearest = sorted(entries, key=lambda entry: len(entry.missed(occasion)))[:_SHOWN]
        shown = "; ".join(f"({entry})" for entry in nearest)
        more = f"; and {len(entries) - _SHOWN} more" if len(entries) > _SHOWN else ""
        raise ModelError(f"{self._path} has no reply for {occasion}; it has {shown or 'none at all'}{more}: add one")

    def _reply(self, entry: Entry, occasion: Occasion, seconds: float) -> Reply:
        stated = entry.usage or self._script.defaults.usage
        tokens = stated.prompt_tokens, stated.completion_tokens
        usd = stated.usd if stated.usd is not None or self.price is None else self.price.usd(*tokens)
        finish = entry.finish or self._script.defaults.finish
        return Reply(self._text(entry, occasion), finish, Usage(*tokens, usd), self.name, seconds, "script")

    def _text(self, entry: Entry, occasion: Occasion) -> str:
        if entry.file is None:
            return entry.text or ""
        path = self._path.parent / entry.file.format(**asdict(occasion))
        try:
            return path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeError) as wrong:
            reason = getattr(wrong, "strerror", None) or wrong
            raise ModelError(f"{self._path}: the reply for {occasion} cannot be read from {path}: {reason}") from wrong


def _fault(failure: Failure, retry_after: float | None) -> Fault:
    if isinstance(failure, int):
        again = may_come_again(failure)
        words = f"HTTP {failure}: the script says so"
        return Fault(words, again=again, status=failure, wait=retry_after if again else None)
    return Fault(_WORDS[failure], again=True, wait=retry_after)

"""A gate through which all threads call one endpoint: fewer at a time after a rate limit, slowly more again.

The number at a time halves with a rate limit and grows by one for each full round of answers (additive increase,
multiplicative decrease). Rate limits of calls that were under way together count once.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Condition

from prepsql.llm.clock import Clock


class Gate:
    """Lets at most `most` calls through at a time, and none before the moment that the endpoint named."""

    def __init__(self, most: int, clock: Clock) -> None:
        self.most = most
        self._clock = clock
        self._limit = float(most)
        self._inside = 0
        self._round = 0
        self._opens = float("-inf")
        self._changed = Condition()

    @property
    def limit(self) -> int:
        """How many calls may be under way now."""
        with self._changed:
            return int(self._limit)

    @contextmanager
    def slot(self) -> Iterator[int]:
        """Wait for a place and hold it; yields the round, for `narrow`."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._inside < int(self._limit))
                wait = self._opens - self._clock.now()
                if wait <= 0:
                    self._inside += 1
                    of_round = self._round
                    break
            self._clock.sleep(wait)
        try:
            yield of_round
        finally:
            with self._changed:
                self._inside -= 1
                self._changed.notify_all()

    def narrow(self, of_round: int) -> None:
        """Halve the number at a time, unless a call of the same round has done so already."""
        with self._changed:
            if of_round == self._round:
                self._limit = max(1.0, self._limit / 2)
                self._round += 1

    def widen(self) -> None:
        """Note a call that was answered."""
        with self._changed:
            self._limit = min(float(self.most), self._limit + 1 / int(self._limit))
            self._changed.notify_all()

    def hold(self, seconds: float) -> None:
        """Let nobody through for so long."""
        with self._changed:
            self._opens = max(self._opens, self._clock.now() + seconds)

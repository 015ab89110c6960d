"""Time as this room sees it, so that tests may replace it and a stopped run needn't wait."""

from __future__ import annotations

import time
from threading import Event
from typing import Protocol

from prepsql.errors import ModelError


class Clock(Protocol):
    """A clock: seconds that only grow, seconds since 1970, and a sleep."""

    def now(self) -> float:
        """Return seconds that only grow."""

    def wall(self) -> float:
        """Return seconds since 1970, UTC."""

    def sleep(self, seconds: float) -> None:
        """Wait. Raises ModelError where the run is stopped meanwhile."""


class RealClock:
    """The system's clock; `stop` ends every sleep, now and later."""

    def __init__(self) -> None:
        self._stopped = Event()

    def now(self) -> float:
        """Return seconds that only grow."""
        return time.monotonic()

    def wall(self) -> float:
        """Return seconds since 1970, UTC."""
        return time.time()

    def sleep(self, seconds: float) -> None:
        """Wait. Raises ModelError where `stop` was called."""
        if self._stopped.wait(max(0.0, seconds)):
            raise ModelError("the run was stopped while a call waited to be tried again: resume it")

    def stop(self) -> None:
        """End every sleep."""
        self._stopped.set()

"""How often, and after which waits, a call is tried again."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import TypeVar

from prepsql.errors import ContextExceeded, ModelError, NoAnswers
from prepsql.llm.clock import Clock
from prepsql.llm.gate import Gate

T = TypeVar("T")
_AGAIN = frozenset({408, 409, 425, 429})


class Fault(Exception):
    """One try that failed.

    `status` is the HTTP status, None where there was none. `again` says whether the same call may succeed later;
    `wait` is how many seconds the endpoint asked for, None where it named none. `mend` is the next step for the user.
    `too_long`: the request is longer than the model's context. `deaf`: any other request would meet the same.
    """

    def __init__(
        self, what: str, *, again: bool, status: int | None = None, wait: float | None = None, mend: str = "",
        too_long: bool = False, deaf: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(what)
        self.again = again
        self.status = status
        self.wait = wait
        self.mend = mend
        self.too_long = too_long
        self.deaf = deaf


@dataclass(frozen=True)
class Patience:
    """Bounds on trying again.

    A call is tried `tries` times. Where the endpoint names no wait it is `first` seconds, then twice as long each time,
    `longest` at most, of which a random half is left out. A wait that the endpoint asks for is kept to the second; one
    above `longest_asked` ends the call.
    """

    tries: int = 6
    first: float = 1.0
    longest: float = 60.0
    longest_asked: float = 600.0

    def wait(self, failed: int, chance: float) -> float:
        """Return the seconds to wait after `failed` tries; `chance` is from 0 to 1.

        >>> [Patience().wait(n, 1.0) for n in (1, 2, 3, 9)]
        [1.0, 2.0, 4.0, 60.0]
        """
        return min(self.longest, self.first * 2.0 ** min(failed - 1, 60)) * (0.5 + chance / 2)


def tried(
    send: Callable[[], T], *, where: str, patience: Patience, gate: Gate, clock: Clock, chance: Callable[[], float]
) -> T:
    """Call `send` until it succeeds; raises ModelError where it can't, or not within the bounds (NoAnswers where deaf).

    `where` names model and endpoint. `send` raises Fault where a try fails; `chance` gives numbers from 0 to 1.
    """
    failed = 0
    while True:
        try:
            with gate.slot() as of_round:
                found = send()
            gate.widen()
            return found
        except Fault as fault:
            failed += 1
            if fault.status == 429 and fault.again:
                gate.narrow(of_round)
            wait = _wait(fault, failed, where, patience, chance)
            if fault.wait is not None:
                gate.hold(wait)
            clock.sleep(wait)


def _wait(fault: Fault, failed: int, where: str, patience: Patience, chance: Callable[[], float]) -> float:
    """Return how long to wait after a fault; raises ModelError where it is the last."""
    if not fault.again:
        kind = ContextExceeded if fault.too_long else _kind(fault)
        raise kind(f"{where}: {fault}{_step(fault.mend)}") from fault
    if failed >= patience.tries:
        times = "once" if failed == 1 else f"{failed} times"
        mend = fault.mend or "see whether the endpoint works, then resume the run; what was answered is kept"
        raise _kind(fault)(f"{where}: {fault}; tried {times}{_step(mend)}") from fault
    if fault.wait is None:
        return patience.wait(failed, chance())
    if fault.wait > patience.longest_asked:
        raise ModelError(
            f"{where}: {fault}, and asks to wait {fault.wait:.0f} s, more than the {patience.longest_asked:.0f} s that "
            "a call waits: resume the run then; what was answered is kept"
        ) from fault
    return fault.wait


def _kind(fault: Fault) -> type[ModelError]:
    return NoAnswers if fault.deaf else ModelError


def _step(mend: str) -> str:
    return f": {mend}" if mend else ""


def may_come_again(status: int) -> bool:
    """Return whether a call that ended with this HTTP status may succeed later."""
    return status >= 500 or status in _AGAIN


def asked_wait(headers: Mapping[str, str], wall: float) -> float | None:
    """Return the seconds that an answer's headers ask to wait, None where they don't.

    `Retry-After` is seconds or a date; a date counts from the answer's own `Date`, else from `wall`, seconds since
    1970. `retry-after-ms`, which some endpoints send, is more exact and comes first. `headers` finds names in any case.

    >>> asked_wait({"retry-after": "30"}, 0)
    30.0
    """
    for name, unit in (("retry-after-ms", 1000), ("retry-after", 1)):
        try:
            seconds = float(headers.get(name, "")) / unit
        except ValueError:
            continue
        if math.isfinite(seconds):
            return max(0.0, seconds)
    until = _moment(headers.get("retry-after"))
    if until is None:
        return None
    since = _moment(headers.get("date"))
    return max(0.0, until - (wall if since is None else since))


def _moment(date: str | None) -> float | None:
    try:
        return parsedate_to_datetime(date).timestamp() if date else None
    except (ValueError, TypeError, OverflowError):
        return None

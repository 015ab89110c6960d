"""What a run and each of its tasks may spend, counting what is under way, so that no cap is overrun."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from threading import Condition
from typing import Literal

from prepsql.errors import CapReached
from prepsql.llm.model import Occasion

_SLACK = 1e-9  # of sums of dollars, in which digits get lost


@dataclass(frozen=True)
class Caps:
    """The most that may be spent; None is no cap. Tokens are those of prompts and replies together."""

    usd: float | None = None
    tokens: int | None = None
    calls: int | None = None


@dataclass(frozen=True)
class Spent:
    """What was, or may be, spent."""

    usd: float = 0.0
    tokens: int = 0
    calls: int = 0

    def __add__(self, other: Spent) -> Spent:
        return Spent(self.usd + other.usd, self.tokens + other.tokens, self.calls + other.calls)

    def __sub__(self, other: Spent) -> Spent:
        return Spent(self.usd - other.usd, self.tokens - other.tokens, self.calls - other.calls)


@dataclass
class Hold:
    """A call under way: `spent` is what it counts when it is over, at first what it may take."""

    spent: Spent


@dataclass
class _Purse:
    scope: Literal["task", "run"]
    caps: Caps
    name: str
    spent: Spent = field(default_factory=Spent)
    held: Spent = field(default_factory=Spent)

    def over(self, total: Spent) -> str | None:
        """Return the first measure in which a total is over its cap."""
        for measure in fields(Caps):
            cap, value = getattr(self.caps, measure.name), getattr(total, measure.name)
            if cap is not None and value > cap + (_SLACK if measure.name == "usd" else 0):
                return measure.name
        return None


class Budget:
    """Caps of a run and of each task in it, shared by its models and threads.

    A task is one repeat of one task in one setting. A call is let through if what was spent, what the calls under way
    may take, and what it may take itself stay within the caps. Where only the calls under way are too much it waits
    for them: most take less than they may.
    """

    def __init__(self, *, task: Caps = Caps(), run: Caps = Caps()) -> None:
        self.task = task
        self.run = run
        self._run = _Purse("run", run, "the run")
        self._tasks: dict[tuple[str, str, int], _Purse] = {}
        self._changed = Condition()

    @property
    def caps_usd(self) -> bool:
        """Whether there is a cap on money."""
        return self.task.usd is not None or self.run.usd is not None

    def spent(self, occasion: Occasion | None = None) -> Spent:
        """Return what the run has spent, or the task of an occasion."""
        with self._changed:
            return self._purses(occasion)[-1].spent if occasion else self._run.spent

    def note(self, occasion: Occasion, spent: Spent) -> None:
        """Count a call that was made before, as when a run resumes."""
        with self._changed:
            for purse in self._purses(occasion):
                purse.spent += spent

    @contextmanager
    def hold(self, occasion: Occasion, at_most: Spent) -> Iterator[Hold]:
        """Wait until a call fits and count it. Raises CapReached where it can't fit any more.

        What the call counts when it is over is the hold's `spent`, which the caller sets.
        """
        with self._changed:
            purses = self._purses(occasion)
            while not self._fits(purses, at_most):
                self._changed.wait()
            for purse in purses:
                purse.held += at_most
        hold = Hold(at_most)
        try:
            yield hold
        finally:
            with self._changed:
                for purse in purses:
                    purse.held -= at_most
                    purse.spent += hold.spent
                self._changed.notify_all()

    def _purses(self, occasion: Occasion) -> tuple[_Purse, _Purse]:
        key = occasion.setting, occasion.task, occasion.repeat
        if key not in self._tasks:
            self._tasks[key] = _Purse("task", self.task, f"task {occasion.task} in {occasion.setting}")
        return self._run, self._tasks[key]

    def _fits(self, purses: tuple[_Purse, ...], at_most: Spent) -> bool:
        for purse in purses:
            measure = purse.over(purse.spent + at_most)
            if measure:
                raise CapReached(_words(purse, measure, at_most), purse.scope)
        return not any(purse.over(purse.spent + purse.held + at_most) for purse in purses)


def _words(purse: _Purse, measure: str, at_most: Spent) -> str:
    cap, spent, more = (getattr(of, measure) for of in (purse.caps, purse.spent, at_most))
    shown = [f"{value:.6g}" if measure == "usd" else str(value) for value in (spent, cap, more)]
    unit = measure.upper() if measure == "usd" else measure
    flag = f" (--{purse.scope}-usd)" if measure == "usd" else ""
    less = "" if measure == "calls" else " (less in a new run with PREPSQL_MAX_TOKENS)"
    return (
        f"{purse.name} has spent {shown[0]} of {shown[1]} {unit}, and the next call may take {shown[2]}{less}: "
        f"raise PREPSQL_{purse.scope.upper()}_{measure.upper()}{flag} and resume the run; what was answered is kept"
    )

"""What may fail in a profile: each part fails alone, is noted, and the rest stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

import duckdb

from prepsql.profile.result import Failure
from prepsql.session import is_interrupt

S = TypeVar("S")
T = TypeVar("T")


class Attempts:
    """Runs the parts of one profile; `failures` are those that failed, in order."""

    def __init__(self) -> None:
        self.failures: list[Failure] = []

    def all_of(self, part: str, table: str, work: Callable[[], Iterable[T]]) -> tuple[T, ...]:
        """Return what `work` gives, up to where it fails; then `part` of `table` ('' for all tables) is a failure."""
        found: list[T] = []
        try:
            for item in work():
                found.append(item)
        except Exception as bad:
            self._note(part, table, bad)
        return tuple(found)

    def one(self, part: str, table: str, work: Callable[[], T], instead: S) -> T | S:
        """Return what `work` gives; `instead` where it fails, and then `part` is a failure as in `all_of`."""
        try:
            return work()
        except Exception as bad:
            self._note(part, table, bad)
        return instead

    def _note(self, part: str, table: str, bad: Exception) -> None:
        if is_interrupt(bad):
            raise bad
        self.failures.append(Failure(part, table, words_of(bad)))


def words_of(bad: Exception) -> str:
    """Return what an error says, on one line; of one that isn't DuckDB's also its name."""
    said = " ".join(str(bad).split())
    return said if isinstance(bad, duckdb.Error) else f"{type(bad).__name__}: {said}"

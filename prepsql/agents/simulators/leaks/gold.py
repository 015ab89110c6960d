"""Gold in an answer: cells of a row or of a column in sequence, and values that only gold has."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path

ROW_RUN = 3
"""So many cells of one row in sequence are a leak (all, where a row has fewer)."""
COLUMN_RUN = 5
"""So many cells of one column in sequence are a leak."""

_NEAR = 80
_SHORTEST = 8
_NO_WORD = re.compile(r"(?<!\d)\.|\.(?!\d)|[^\w.]+")
_DECIMAL = re.compile(r"(?<!\S)\d+\.\d+(?!\S)")
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w.])")


class GoldLeak:
    """Finds gold; `prose` is what may be said freely. Tables are read at the first answer, as text of any encoding."""

    def __init__(self, gold: Sequence[Path], inputs: Sequence[Path], prose: Iterable[str]) -> None:
        self._gold = tuple(path for path in gold if path.suffix == ".csv")
        self._inputs = tuple(inputs)
        self._prose = tuple(_plain(text) for text in prose)

    @cached_property
    def _tables(self) -> tuple[tuple[tuple[str, ...], ...], ...]:
        return tuple(_rows(path) for path in self._gold)

    @cached_property
    def _cells(self) -> frozenset[str]:
        return frozenset(cell for table in self._tables for row in table for cell in row if cell.strip())

    @cached_property
    def _known(self) -> str:
        return " ".join((*self._prose, *(_plain(path.read_text(errors="replace")) for path in self._inputs)))

    @cached_property
    def _numbers(self) -> frozenset[float]:
        """The numbers of gold, also rounded where four digits stay."""
        exact = {float(number) for cell in self._cells for number in _NUMBER.findall(cell)}
        rounded = {round(number, places) for number in exact for places in range(4) if abs(number) >= 1000 / 10**places}
        return frozenset(exact | rounded)

    @cached_property
    def _known_numbers(self) -> frozenset[float]:
        return frozenset(float(number) for number in _NUMBER.findall(self._known))

    def found(self, text: str) -> str:
        """Return what of gold a text holds, '' where nothing."""
        for said, backwards in ((text, False), (text[::-1], True)):
            plain = _plain(said)
            there = {cell for cell in self._cells if cell in plain}
            if self._own_text(there) or (not backwards and self._own_number(plain)):
                return "a value that only gold has"
            for table in self._tables if there else ():
                for row in table:
                    if _run(row, there, plain, min(ROW_RUN, len(row)), self._prose):
                        return "cells of a gold row"
                for row, below in pairwise(table) if table and len(table[0]) < ROW_RUN else ():
                    if _run(row + below, there, plain, 2 * len(row), self._prose):
                        return "gold rows"
                for column in zip(*table, strict=True):
                    if _run(column, there, plain, COLUMN_RUN, self._prose):
                        return "cells of a gold column"
        return ""

    def _own_number(self, plain: str) -> bool:
        numbers = {float(number) for number in _NUMBER.findall(plain)} & self._numbers
        return bool(numbers) and not numbers <= self._known_numbers

    def _own_text(self, there: set[str]) -> bool:
        return any(
            len(cell) >= _SHORTEST and not _NUMBER.fullmatch(cell.strip()) and cell not in self._known for cell in there
        )


def _run(cells: Sequence[str], there: set[str], plain: str, length: int, prose: Sequence[str]) -> bool:
    """Return whether so many neighbouring cells stand together in a text, in either order, but not in any prose."""
    for start in range(len(cells) - length + 1):
        part = cells[start : start + length]
        if (
            there.issuperset(part)
            and len(set(part)) >= max(min(2, length), length - 1)
            and sum(map(len, part)) - 2 * length >= _SHORTEST
        ):
            for run in (part, part[::-1]):
                if _near(run, plain) and not any(_near(run, text) for text in prose):
                    return True
    return False


def _near(cells: Sequence[str], plain: str) -> bool:
    """Return whether cells follow each other in a text with at most _NEAR characters between two."""
    ends: list[int] = []
    for cell in cells:
        starts = [match.start() for match in re.finditer(f"(?={re.escape(cell)})", plain)]
        ends = [at + len(cell) - 1 for at in starts if not ends or any(0 <= at - end <= _NEAR for end in ends)]
        if not ends:
            return False
    return True


def _rows(path: Path) -> tuple[tuple[str, ...], ...]:
    """Return the rows below a table's header, each cell between two spaces, all with as many cells as the longest."""
    with path.open(encoding="utf-8-sig", errors="replace", newline="") as file:
        rows = [[_plain(cell) for cell in row] for row in csv.reader(file)][1:]
    width = max(map(len, rows), default=0)
    return tuple((*row, *[" "] * (width - len(row))) for row in rows)


def _plain(text: str) -> str:
    """Return a text's words and numbers in lower case between spaces, numbers without separators and needless zeros."""
    low = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text.lower().replace("_", " "))
    words = " ".join(_NO_WORD.sub(" ", low).split())
    return f" {_DECIMAL.sub(_shortest, words)} " if words else " "


def _shortest(number: re.Match[str]) -> str:
    return number[0].rstrip("0").rstrip(".")

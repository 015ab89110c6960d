"""The closest pairs first, exactly, where one number is all that parts the keys: a walk over their sorted values.

On a line the closest pair that is left is always one of neighbours, so a heap of neighbours on different sides and
links over the values that are used up find it in n log n steps, without all near pairs ever being held.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import groupby

import duckdb

from prepsql.compare.shape import Shape

_NEAR = 0.02
# rows of both sides by group and value; infinite and undefined numbers are near none that isn't equal
_SORTED = """
SELECT part, k, gold, n FROM (
  SELECT *, dense_rank() OVER (ORDER BY {others}) AS part
  FROM (
    SELECT true AS gold, n, {keys} FROM gold_left
    UNION ALL SELECT false, n, {keys} FROM candidate_left
  )
) WHERE isfinite(k)
ORDER BY part, k, gold, n"""
_BATCH = 100_000


@dataclass
class _Line:
    """The values of one group in order, each with the rows of one side: `gold[i]` says which, `used[i]` how many."""

    values: list[float] = field(default_factory=list)
    gold: list[bool] = field(default_factory=list)
    rows: list[list[int]] = field(default_factory=list)
    used: list[int] = field(default_factory=list)

    def add(self, value: float, gold: bool, rows: list[int]) -> None:
        """Append the rows of a side that share a value, in file order."""
        self.values.append(value)
        self.gold.append(gold)
        self.rows.append(rows)
        self.used.append(0)

    def done(self, i: int) -> bool:
        """Return whether all rows of a value have a partner."""
        return self.used[i] == len(self.rows[i])

    def pair(self, g: int, c: int) -> Iterator[tuple[int, int]]:
        """Pair the rows of a value of gold's with those of one of the candidate's while both have any."""
        while not self.done(g) and not self.done(c):
            yield self.rows[g][self.used[g]], self.rows[c][self.used[c]]
            self.used[g] += 1
            self.used[c] += 1


def closest_on_line(con: duckdb.DuckDBPyConnection, shape: Shape) -> Iterator[tuple[int, int]]:
    """Yield the pairs of rows of `gold_left` and `candidate_left`, whose key has one number.

    They are those of all near pairs by distance, then gold's number, the candidate's, gold's row, the candidate's.
    """
    (number,) = shape.numbers
    others = [f"k{j}" for j in shape.others]
    keys = ", ".join([*others, f"k{number} AS k"])
    found = con.execute(_SORTED.format(others=", ".join(others) or "1", keys=keys))
    rows = iter(lambda: found.fetchmany(_BATCH), [])
    for _, part in groupby((row for batch in rows for row in batch), key=lambda row: row[0]):
        yield from _pair_part(part)


def _pair_part(rows: Iterable[tuple[int, float, bool, int]]) -> Iterator[tuple[int, int]]:
    line = _Line()
    for value, same in groupby(rows, key=lambda row: row[1]):
        sides: tuple[list[int], list[int]] = ([], [])
        for _, _, gold, row in same:
            sides[gold].append(row)
        candidates, golds = sides
        # equal as doubles, though not in all digits: no pair is closer
        yield from zip(golds, candidates, strict=False)
        both = min(len(golds), len(candidates))
        if len(golds) != len(candidates):
            line.add(value, len(golds) > both, golds[both:] or candidates[both:])
    yield from _pair_neighbours(line)
    yield from _pair_zero(line)


def _pair_neighbours(line: _Line) -> Iterator[tuple[int, int]]:
    values, count = line.values, len(line.values)
    before, after = list(range(-1, count - 1)), list(range(1, count + 1))
    heap: list[tuple[float, float, float, int, int]] = []

    def consider(left: int, right: int) -> None:
        if left < 0 or right == count or line.gold[left] == line.gold[right]:
            return
        distance = (values[right] - values[left]) / max(abs(values[left]), abs(values[right]))
        if distance < _NEAR:
            g, c = (left, right) if line.gold[left] else (right, left)
            heapq.heappush(heap, (distance, values[g], values[c], g, c))

    for i in range(count - 1):
        consider(i, i + 1)
    while heap:
        *_, g, c = heapq.heappop(heap)
        if line.done(g) or line.done(c):
            continue
        yield from line.pair(g, c)
        for i in filter(line.done, (g, c)):
            left, right = before[i], after[i]
            if left >= 0:
                after[left] = right
            if right < count:
                before[right] = left
            consider(left, right)


def _pair_zero(line: _Line) -> Iterator[tuple[int, int]]:
    """Pair 0, which is as far from any other number, with what lies within the absolute tolerance, in order."""
    if 0 in line.values:
        zero = line.values.index(0)
        for i, value in enumerate(line.values):
            if line.gold[i] != line.gold[zero] and abs(value) < _NEAR:
                yield from line.pair(zero, i) if line.gold[zero] else line.pair(i, zero)

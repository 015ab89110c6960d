"""Keys of a subject: columns that tell all its rows apart, or nearly.

Rows are told apart by the hash of their values: as many hashes as rows prove a key.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from math import prod
from string import Template

from prepsql.profile.result import NUMBERS, Column, Key
from prepsql.profile.subject import Scan, Subject
from prepsql.sqltext import quote

_WIDEST = 3
# how many columns are combined, and how many sets of them are kept
_COLUMNS = 10
_KEPT = 3
# longer texts are said, not named
_LONGEST_MEAN = 60
# a near key repeats so few of its rows, in a table of so many at least
_NEAR = 0.02
_NEAR_ROWS = 20
# an approximate count of distinct values is this far off at most
_ABOUT = 0.85
_SAMPLE = 10_000
_DISTINCT = Template("SELECT $counts FROM (FROM $table LIMIT $rows)")
_COUNT = Template("count(DISTINCT hash($cells))")
_ABOUT_COUNT = Template("approx_count_distinct(hash($cells))")


def keys(scan: Scan) -> tuple[Key, ...]:
    """Return the unique columns; where there is none the narrowest sets of up to three columns that are unique.

    Exact over all rows. An empty cell is a value like others. Decimals and long texts are no keys. Of sets at most
    three are kept, those that have the fewest possible combinations for the rows; then the near keys, fewest repeated
    rows first. A table of fewer than two rows has none.
    """
    subject = scan.subject
    if subject.rows < 2:
        return ()
    columns = [column for column in scan.columns if _may_be_key(column)]
    repeated = _repeated(subject, columns)
    unique = [column for column in columns if repeated.get(column.position) == 0]
    near = sorted(
        (repeated[column.position], column.position, column.name)
        for column in columns
        if 0 < repeated.get(column.position, 0) <= _NEAR * subject.rows and subject.rows >= _NEAR_ROWS
    )
    sets: list[tuple[int, ...]] = [(column.position,) for column in unique] or _composite(subject, columns)
    found = [Key(subject.table, tuple(subject.columns[at] for at in chosen)) for chosen in sets]
    return (*found, *(Key(subject.table, (name,), count) for count, _, name in near))


def _may_be_key(column: Column) -> bool:
    return not column.error and column.type not in ("decimal", "empty") and column.mean_length <= _LONGEST_MEAN


def _repeated(subject: Subject, columns: Sequence[Column]) -> dict[int, int]:
    """Return how many rows repeat a value of an earlier row, for the columns where that is known or few."""
    repeated = {
        column.position: subject.rows - column.distinct - bool(column.cells("empty"))
        for column in columns
        if column.exact
    }
    about = [column.position for column in columns if not column.exact and column.distinct >= _ABOUT * subject.rows]
    counts = _distinct(subject, [(at,) for at in about], subject.rows)
    return repeated | {at: subject.rows - count for at, count in zip(about, counts, strict=True)}


def _composite(subject: Subject, columns: Iterable[Column]) -> list[tuple[int, ...]]:
    """Return the narrowest sets of columns that are unique together, none of them being so alone."""
    sizes = {column.position: column.distinct + bool(column.cells("empty")) for column in columns}
    # texts and dates name things, numbers may measure them
    numeric = {column.position for column in columns if column.type in NUMBERS}
    positions = [at for at, size in sizes.items() if size > 1]
    positions = sorted(positions, key=lambda at: (at in numeric, -sizes[at], at))[:_COLUMNS]
    for width in range(2, _WIDEST + 1):
        sets = [
            tuple(sorted(chosen))
            for chosen in combinations(positions, width)
            if prod(sizes[at] for at in chosen) >= _ABOUT**width * subject.rows
        ]
        sets.sort(key=lambda chosen: (prod(sizes[at] for at in chosen), chosen))
        found = _unique(subject, sets)
        if found:
            return found
    return []


def _unique(subject: Subject, sets: Sequence[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return the first few of `sets` that are unique over all rows; cheaper looks come first."""
    looks = [(_ABOUT_COUNT, _SAMPLE, 30), (_COUNT, _SAMPLE, 12), (_ABOUT_COUNT, subject.rows, _KEPT)]
    if subject.rows <= _SAMPLE:
        looks = looks[:1]
    for count, most, kept in (*looks, (_COUNT, subject.rows, _KEPT)):
        rows = min(subject.rows, most)
        enough = rows if count is _COUNT else _ABOUT * rows
        counts = _distinct(subject, sets, rows, count)
        sets = [chosen for chosen, found in zip(sets, counts, strict=True) if found >= enough][:kept]
    return list(sets)


def _distinct(subject: Subject, sets: Sequence[tuple[int, ...]], rows: int, count: Template = _COUNT) -> list[int]:
    """Return how many distinct values each of `sets` has in the first `rows` rows."""
    if not sets:
        return []
    counts = []
    for chosen in sets:
        cells = ", ".join(f"coalesce({subject.field(at)}, '')" for at in chosen)
        counts.append(count.substitute(cells=cells))
    query = _DISTINCT.substitute(counts=", ".join(counts), table=quote(subject.name), rows=rows)
    return list(subject.con.execute(query).fetchall()[0])

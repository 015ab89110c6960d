"""Functional dependencies between columns of few values: which of them says another, and where that fails."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations
from math import log2
from string import Template
from typing import NamedTuple

from prepsql.profile.result import NUMBERS, Column, Dependency
from prepsql.profile.subject import Scan, Subject
from prepsql.sqltext import quote

# the columns that are looked at: so many, with so many values at most, each in two rows or more on average
_COLUMNS = 20
_MOST_VALUES = 1000
# exceptions are at most this share of the rows, and of the rows that always saying the most frequent value would miss
_EXCEPTIONS = 0.01
_OF_MISSED = 0.1
# how unlikely the agreement of the rows is by chance: one in 2 to this power
_SURPRISE = 20
# pairs are chosen by blocks of rows; so many are looked at in all rows, and fewer in a long table
_SAMPLE = 10_000
_BLOCKS = 10
# a few exceptions make a few pairs more than values, and so do empty cells
_SPREAD = 1.5
_SPREAD_WITH_EMPTY = 2.5
_CHECKED = 60
_CHECKED_LONG = 6
_CHECKED_ROWS = 30_000_000

_SAMPLED = Template("SELECT $counts FROM $table WHERE $blocks")
_BLOCK = Template("rowid BETWEEN $first AND $last")
_SINGLE = Template("approx_count_distinct($left)")
_PAIR = Template("approx_count_distinct(hash($left, $right))")
# two rows a pair of columns, one a direction; rows where either is empty say nothing
_CHECK = Template("""(WITH pairs AS (
  SELECT $left AS l, $right AS r, count(*) AS n, min(rowid) AS first
  FROM $table WHERE $left <> '' AND $right <> '' GROUP BY ALL)
SELECT $number AS pair, 0 AS reverse, $facts FROM (
  SELECT l AS value, n, first, row_number() OVER (PARTITION BY l ORDER BY n DESC, first) AS place FROM pairs)
UNION ALL
SELECT $number AS pair, 1 AS reverse, $facts FROM (
  SELECT r AS value, n, first, row_number() OVER (PARTITION BY r ORDER BY n DESC, first) AS place FROM pairs))""")
_FACTS = """coalesce(sum(n), 0)::BIGINT, count(*) FILTER (place = 1), coalesce(sum(n) FILTER (place > 1), 0)::BIGINT,
  arg_min(value, first) FILTER (place > 1), min(first) FILTER (place > 1)"""


class _Fact(NamedTuple):
    """What all rows say of a determinant and a dependent."""

    determinant: Column
    dependent: Column
    rows: int
    values: int
    exceptions: int
    example: str | None
    row: int | None

    @property
    def holds(self) -> bool:
        """Whether the one says the other but for few exceptions (none where it is a number), and not by chance."""
        most = min(_share_of_most(self.dependent), 1.0)
        agreeing = self.rows - self.values - self.exceptions
        return (
            self.exceptions <= (0 if self.determinant.type in NUMBERS else _EXCEPTIONS * self.rows)
            and self.exceptions <= _OF_MISSED * (1 - most) * self.rows
            and 0 < most < 1
            and -log2(most) * agreeing >= _SURPRISE
        )


def dependencies(scan: Scan) -> tuple[Dependency, ...]:
    """Return which columns of few values say another's value, exceptions exact over all rows with both filled.

    Left out are columns of one value, and what another dependency already says: of two columns that say each other
    only the left one as determinant; no A, C where A says B and B says C. The fewest values of the determinant stand
    first: they say most.
    """
    columns = [column for column in scan.columns if _few_values(column)][:_COLUMNS]
    facts = {
        (fact.determinant.position, fact.dependent.position): fact
        for fact in _checked(scan.subject, _chosen(scan.subject, columns))
        if fact.holds
    }
    said = sorted(_said_once(facts), key=lambda pair: (facts[pair].values, pair))
    return tuple(_record(scan.subject, facts[pair], pair[::-1] in facts) for pair in said)


def _few_values(column: Column) -> bool:
    return not column.error and column.exact and 2 <= column.distinct <= min(_MOST_VALUES, column.said / 2)


def _share_of_most(column: Column) -> float:
    return column.frequent[0].cells / column.said if column.frequent and column.said else 0.0


def _chosen(subject: Subject, columns: Sequence[Column]) -> list[tuple[Column, Column]]:
    """Return the pairs of which one may say the other, as blocks of rows show, the most promising first."""
    pairs = list(combinations(columns, 2))
    if not pairs:
        return []
    singles = [_SINGLE.substitute(left=subject.field(column.position)) for column in columns]
    doubles = [
        _PAIR.substitute(left=subject.field(one.position), right=subject.field(other.position)) for one, other in pairs
    ]
    query = _SAMPLED.substitute(
        counts=", ".join((*singles, *doubles)), table=quote(subject.name), blocks=_blocks(subject.rows)
    )
    counts = subject.con.execute(query).fetchall()[0]
    values = {column.position: count for column, count in zip(columns, counts, strict=False)}
    chosen = []
    for (one, other), count in zip(pairs, counts[len(columns) :], strict=True):
        spread = count / max(1, values[one.position], values[other.position])
        full = not one.cells("empty") and not other.cells("empty")
        if spread <= (_SPREAD if full else _SPREAD_WITH_EMPTY):
            chosen.append((spread, one, other))
    chosen.sort(key=lambda pair: pair[0])
    most = min(_CHECKED, max(_CHECKED_LONG, _CHECKED_ROWS // subject.rows))
    return [(one, other) for _, one, other in chosen[:most]]


def _blocks(rows: int) -> str:
    if rows <= _SAMPLE:
        return "true"
    size = _SAMPLE // _BLOCKS
    starts = (at * (rows - size) // (_BLOCKS - 1) for at in range(_BLOCKS))
    return " OR ".join(_BLOCK.substitute(first=start, last=start + size - 1) for start in starts)


def _checked(subject: Subject, pairs: Sequence[tuple[Column, Column]]) -> Iterable[_Fact]:
    """Return what all rows say of each pair, both ways."""
    if not pairs:
        return []
    query = "\nUNION ALL\n".join(
        _CHECK.substitute(
            number=number,
            left=subject.field(one.position),
            right=subject.field(other.position),
            table=quote(subject.name),
            facts=_FACTS,
        )
        for number, (one, other) in enumerate(pairs)
    )
    return [
        _Fact(*(pairs[number][::-1] if reverse else pairs[number]), *facts)
        for number, reverse, *facts in subject.con.execute(query).fetchall()
    ]


def _said_once(facts: Mapping[tuple[int, int], _Fact]) -> list[tuple[int, int]]:
    """Return the pairs of positions that nothing else says."""
    columns = {at for pair in facts for at in pair}
    # of columns that say one another the first speaks for all
    first = {a: min(b for b in columns if b == a or ((a, b) in facts and (b, a) in facts)) for a in columns}
    speakers = [at for at in columns if first[at] == at]
    same = [(first[at], at) for at in columns if first[at] != at]
    one_way = [(a, c) for a in speakers for c in speakers if (a, c) in facts]
    return same + [
        (a, c) for a, c in one_way if not any((a, b) in facts and (b, c) in facts for b in speakers if b not in (a, c))
    ]


def _record(subject: Subject, fact: _Fact, both: bool) -> Dependency:
    return Dependency(
        subject.table,
        fact.determinant.name,
        fact.dependent.name,
        fact.rows,
        fact.exceptions,
        both,
        () if fact.row is None else subject.examples([(fact.example or "", fact.row)]),
    )

"""Rows that sum up others: a cell says total, average or mean."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import added, cells_where, count_where, row_finding, without
from prepsql.profile.rules.writing import cells_of
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, literals, quote

_SPAN = "(?:day|week|month|quarter|year|q|fy|w|wk)[ -]?[0-9]{1,4}"
TOTAL = (
    rf"(?i)\s*(?:(?:grand|sub|page|over-?all|net|gross|final|year|month|week|ytd|q[1-4]|[0-9]{{4}}|{_SPAN}) *-? *)?"
    r"totals?:?\s*"
    r"|\s*totals? (?:for|of|in) .{1,30}|\s*(?:(?:grand|page) totals?|sub-? ?totals?)[ :–-].{1,40}"
)
_AVERAGE = (
    rf"(?i)\s*(?:(?:grand|over-?all|total|daily|weekly|monthly|yearly|annual|ytd|{_SPAN}) *-? *)?"
    r"(?:averages?|avg[.]?|mean)(?: (?:of|for|per) .{1,30})?:?\s*"
)
# what is summed up stands before or behind, and elsewhere in the column alone
_OF_A_VALUE = re.compile(
    r"(.{1,50}?)[ :–-]+(?:sub-?)?(?:totals?|averages?|avg[.]?|mean)|(?:sub-?)?totals?[ :–-]+(.{1,50})"
)
# what of all rows sums up others at most, and where each says which; how many such words are more than a few
_MOST = 0.2
_MOST_OF_VALUES = 0.5
_FEW = 50
_LOOKED_AT = 200
# an average alone is one in the last rows, or beside another such row
_LAST = 3
_MANY = 5_000
_OTHERS = "'Summe', 'Gesamt', 'Insgesamt', 'Totale', '合计', '总计', '小计'"
_MAY_SAY = Template(
    "($value IN ($others) OR (length($value) <= 60 AND regexp_matches(lower($value), 'total|average|avg|\\bmean\\b')))"
)
# which values of some columns there are, in small letters
_VALUES = Template("""SELECT DISTINCT position, tidy
FROM $cells WHERE position IN ($positions) AND tidy IN (SELECT unnest($stems))""")
_ROWS = Template("SELECT rowid, ($texts) = 1 FROM $table WHERE $condition ORDER BY rowid LIMIT $most")
_FILLED = Template("(NOT is_blank($field))::INTEGER")
Words = Mapping[int, list[str]]


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows of totals and averages."""
    subject = scan.subject
    texts = [column.position for column in scan.columns if column.cells("text")]
    may_say = Template(_MAY_SAY.safe_substitute(others=_OTHERS))
    found = {
        position: [value for value, _ in first]
        for position, _, first in cells_where(scan, texts, may_say, _LOOKED_AT)
        if len(first) < _LOOKED_AT
    }
    words = {}
    for at, some in _of_values(scan, found).items():
        others = sorted(set(_totals(found[at])) - set(some))
        few = others if _are_few(scan, {at: others}, _MOST) else []
        if 0 < len(some) + len(few) < _FEW and _are_few(scan, {at: some}, _MOST_OF_VALUES):
            words[at] = some + few
    averages = {
        at: left
        for at, some in found.items()
        if (left := sorted({value for value in some if re.fullmatch(_AVERAGE, value)} - set(words.get(at, []))))
    }
    averages = _beside(scan, averages, words)
    for at, some in averages.items():
        words[at] = words.get(at, []) + some
    if not words or not _are_few(scan, words, _MOST_OF_VALUES):
        return
    count, rows = count_where(subject, _condition(words, [subject.field(at) for at in words]))
    shown = _condition(words, [quote(subject.columns[at]) for at in words])
    detail = "a cell says total or average" if averages else "a cell says total"
    yield row_finding(subject, "total rows", count, rows, detail, without(subject, f"({shown})"))


def _totals(values: list[str]) -> list[str]:
    return [value for value in values if re.fullmatch(TOTAL, value) or literal(value) in _OTHERS]


def _of_values(scan: Scan, found: Words) -> dict[int, list[str]]:
    """Return by position the values that say total or average of what is another value of their column."""
    stems = {at: {value: stem for value in some if (stem := _stem(value))} for at, some in found.items()}
    some = [scan.columns[at] for at in stems if stems[at]]
    known: set[tuple[int, str]] = set()
    if some:
        wanted = {stem for by_value in stems.values() for stem in by_value.values()}
        query = _VALUES.substitute(cells_of(scan, some), stems=literals(sorted(wanted)))
        known = set(scan.subject.con.execute(query).fetchall())
    return {at: [value for value, stem in one.items() if (at, stem) in known] for at, one in stems.items()}


def _stem(value: str) -> str:
    """Return what a value says the total or average of, in small letters; '' where it doesn't."""
    match = _OF_A_VALUE.fullmatch(" ".join(value.lower().split()))
    return next(filter(None, match.groups()), "") if match else ""


def _beside(scan: Scan, averages: Words, words: Words) -> dict[int, list[str]]:
    """Return the words for averages that can't be values like others: each of their rows has no other text.

    And it is one of the last rows, or beside another such row or one of totals.
    """
    kept: dict[int, list[str]] = {}
    if not averages:
        return kept
    summed = {row for row, _ in _rows(scan, words)}
    for at, some in averages.items():
        rows = _rows(scan, {at: some})
        beside = summed | {row for row, _ in rows}
        if rows and all(
            alone and (row >= scan.subject.rows - _LAST or {row - 1, row + 1} & beside) for row, alone in rows
        ):
            kept[at] = some
    return kept


def _rows(scan: Scan, words: Words) -> list[tuple[int, bool]]:
    """Return the rows with one of the words, and whether it is their only text."""
    if not words:
        return []
    subject = scan.subject
    texts = [column for column in scan.columns if column.type == "text" or column.position in words]
    filled = added([_FILLED.substitute(field=subject.field(column.position)) for column in texts])
    condition = _condition(words, [subject.field(at) for at in words])
    query = _ROWS.substitute(texts=filled, table=quote(subject.name), condition=condition, most=_MANY)
    return subject.con.execute(query).fetchall()


def _are_few(scan: Scan, words: Words, most: float) -> bool:
    subject = scan.subject
    if not any(words.values()):
        return True
    return count_where(subject, _condition(words, [subject.field(at) for at in words]))[0] <= most * subject.rows


def _condition(words: Words, fields: list[str]) -> str:
    """Return the condition that one of the columns, given as they are to be named, has one of its words."""
    return " OR ".join(
        f"{field} IN ({', '.join(map(literal, some))})" for field, some in zip(fields, words.values(), strict=True)
    )

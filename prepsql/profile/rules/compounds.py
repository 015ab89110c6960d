"""Several values in one cell: as many in nearly every cell, or lists of varying length."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from string import Template
from typing import NamedTuple

from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import cells_of, column_finding, replaced, split
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, literals, quote

# those first that are found in nothing but compounds
_SEPARATORS = ("//", "|", ";", "\n", " - ", " – ", " x ", ", ", ",", " / ", "/", ":", "–", "-")
_OF_LISTS = ("|", ";", "\n", ", ", ",", " / ", "/")
# a look at the first rows says which columns may be compound; only those are counted
_LOOKED_AT = 100_000
_SAMPLE = Template("""SELECT position, separator,
  CASE WHEN starts_with(value, mark) OR ends_with(value, mark) THEN 0
    ELSE (length(value) - length(replace(value, separator, ''))) // length(separator) END AS k, count(*),
  avg(length(value)), count(*) FILTER (contains(value, '. ') OR starts_with(value, 'http'))
FROM (
  SELECT unnest($positions) AS position, strip_space(unnest([$columns])) AS value
  FROM (SELECT * FROM $table LIMIT $rows)),
  (SELECT separator, coalesce(nullif(strip_space(separator), ''), separator) AS mark
  FROM (SELECT unnest($separators) AS separator))
WHERE value <> '' AND NOT null_word_of(lower(value))
GROUP BY ALL""")
_COUNTED = Template("""SELECT position, sum(n)::BIGINT, arg_min(value, first, 5), min(first, 5)
FROM (SELECT * FROM $cells WHERE position IN ($positions))
JOIN (SELECT unnest($parted) AS position, unnest($separators) AS separator, unnest($least) AS least,
  unnest($most) AS most) USING (position)
WHERE (length(strip_space(value)) - length(replace(strip_space(value), separator, ''))) // length(separator)
  BETWEEN least AND most
GROUP BY position ORDER BY position""")
_MOST = 0.8
_TEXT_SHARE = 0.6
_FEWEST = 3
# a column that says less often something is one of remarks
_SAID = 0.01
# of more cells of several lines, lines are the parts
_LINES = 0.5
# what isn't looked at: names of files, whose marks part nothing, and a label before a value
_FILE = re.compile(r"[^\s/|;,]+[.][A-Za-z][A-Za-z0-9]{1,4}")
_TAG = re.compile(r"</?[A-Za-z][^<>]*>")
# a few letters and a number with a hyphen between are one code, and so are three groups of digits and a GUID
_CODE = re.compile("[Aa]{1,3}[-/ ]?9+|AAAA-9+|9{2,}(?:-9{2,}){2,}|…")
_GUID = re.compile("[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_LIST_SHARE = 0.3
_LONGEST_ITEM = 30
_LONGER = 0.1
_PROSE = 0.2


class Parts(NamedTuple):
    """How a column is parted: by `separator`, which stands `least` to `most` times in a cell."""

    separator: str
    least: int
    most: int


def find(scan: Scan) -> Iterator[Finding]:
    """Yield at most one finding a column of text."""
    found = _looked_at(scan)
    if not found:
        return
    query = _COUNTED.substitute(
        cells_of(scan, [scan.columns[at] for at in found]),
        parted=list(found),
        separators=literals(parts.separator for parts in found.values()),
        least=[parts.least for parts in found.values()],
        most=[parts.most for parts in found.values()],
    )
    for at, cells, values, rows in scan.subject.con.execute(query).fetchall():
        column, parts = scan.columns[at], found[at]
        examples = list(zip(values, rows, strict=True))
        if parts.least == parts.most and cells >= _MOST * column.said:
            detail = f"{parts.most + 1} values parted by {_shown(parts.separator)}"
            expressions = [f"split_nth(cell, separator, {nth})" for nth in range(1, parts.most + 2)]
            mend = split(scan, column, expressions, separator=literal(parts.separator))
            yield column_finding(scan, "compound values", column, cells, detail, examples, mend)
        elif parts.least != parts.most and cells >= _LIST_SHARE * column.said:
            detail = f"items parted by {_shown(parts.separator)}; the mend makes a row of each item"
            mend = replaced(scan, column, _UNNESTED, separator=literal(parts.separator))
            yield column_finding(scan, "lists", column, cells, detail, examples, mend)


_UNNESTED = "unnest(CASE WHEN contains(cell, separator) THEN split_list(cell, separator) ELSE [cell] END)"


def _looked_at(scan: Scan) -> dict[int, Parts]:
    """Return how the columns of text seem to be parted, by the first rows."""
    subject = scan.subject
    some = [
        column
        for column in scan.columns
        if column.type == "text"
        and column.cells("text") >= _TEXT_SHARE * column.said
        and column.said >= _SAID * column.rows
        and not _plain_codes(column)
        and not _mostly(column, _FILE)
        and not _mostly(column, _TAG)
    ]
    if not some or not subject.rows:
        return {}
    query = _SAMPLE.substitute(
        positions=[column.position for column in some],
        columns=", ".join(subject.field(column.position) for column in some),
        table=quote(subject.name),
        rows=max(200, _LOOKED_AT // (len(some) * len(_SEPARATORS))),
        separators=literals(_SEPARATORS),
    )
    counted: dict[int, dict[str, list[tuple[int, int, float, int]]]] = defaultdict(lambda: defaultdict(list))
    for position, separator, *facts in subject.con.execute(query).fetchall():
        counted[position][separator].append(tuple(facts))
    for by_separator in counted.values():
        if _of_lines(by_separator["\n"]):
            by_separator.update({separator: [] for separator in _SEPARATORS if separator != "\n"})
    parted = {at: _compound(by_separator) or _list(by_separator) for at, by_separator in counted.items()}
    return {at: p for at, p in sorted(parted.items()) if p and not (p.separator == ":" and _is_label(scan.columns[at]))}


def _of_lines(counts: list[tuple[int, int, float, int]]) -> bool:
    """Whether most cells are of several lines: what marks part inside those is no value of the cell."""
    return sum(cells for k, cells, _, _ in counts if k > 1) > _LINES * sum(cells for _, cells, _, _ in counts)


def _plain_codes(column: Column) -> bool:
    """Whether most values are codes whose marks part nothing."""
    codes = sum(
        shape.cells
        for shape in column.shapes
        if _CODE.fullmatch(shape.mask) and (shape.mask != "…" or _GUID.fullmatch(shape.example))
    )
    return codes >= _MOST * column.said


def _is_label(column: Column) -> bool:
    """Whether all values begin with the same words and a colon, as the first and the last of them say."""
    label, mark, _ = (column.first_text or "").partition(":")
    return bool(mark) and (column.last_text or "").startswith(label + mark)


def _mostly(column: Column, pattern: re.Pattern[str]) -> bool:
    """Whether the examples of most shapes are, or of markup hold, what a pattern says."""
    shown = [shape for shape in column.shapes if shape.kind == "text"]
    test = pattern.search if pattern is _TAG else pattern.fullmatch
    fitting = sum(shape.cells for shape in shown if test(shape.example))
    return fitting > _LINES * sum(shape.cells for shape in shown)


def _compound(counted: Mapping[str, list[tuple[int, int, float, int]]]) -> Parts | None:
    """Return how nearly all cells are parted, all into as many parts."""
    for separator in _SEPARATORS:
        counts = counted[separator]
        total = sum(cells for _, cells, _, _ in counts)
        if not total:
            continue
        k, cells, _, prose = max(counts, key=lambda count: count[1])
        if k and cells >= max(_FEWEST, _MOST * total) and prose < _PROSE * cells:
            return Parts(separator, k, k)
    return None


def _list(counted: Mapping[str, list[tuple[int, int, float, int]]]) -> Parts | None:
    """Return the separator of lists of short items."""
    for separator in _OF_LISTS:
        counts = [count for count in counted[separator] if count[0]]
        if not counts:
            continue
        cells = sum(count[1] for count in counts)
        longer = sum(count[1] for count in counts if count[0] > 1)
        total = sum(count[1] for count in counted[separator])
        prose = sum(count[3] for count in counts)
        if cells < _LIST_SHARE * total or not longer or longer < _LONGER * cells or prose > _PROSE * cells:
            continue
        items = sum((k + 1) * count for k, count, _, _ in counts)
        if sum(length * count for _, count, length, _ in counts) <= _LONGEST_ITEM * items:
            return Parts(separator, 1, 1_000_000)
    return None


def _shown(separator: str) -> str:
    return {"\n": "line breaks"}.get(separator, repr(separator))

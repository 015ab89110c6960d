"""Where the table is in a text: its delimiter, a directive, and the line of the header."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from prepsql.tables.parse import parse

DELIMITERS = (",", ";", "\t", "|")
DIRECTIVE = re.compile(r'"?sep=([ !#-~\t])"?(?:\r\n?|\n|$)', re.IGNORECASE)
# a number, a date or a time: what stands in a table and not in its header
_NUMBER = r"[-+(]?[$€£]?\s?-?\d[\d.,' ]*\s?[%€$£)]?"
_DATE = r"\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:[ T]\d{1,2}:\d{2}.*)?"
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?"
_VALUE = re.compile(f"(?P<number>{_NUMBER})|(?P<date>{_DATE})|(?P<time>{_TIME})")
_MOST = 0.9


def value_kind(cell: str) -> str | None:
    """Return 'number', 'date' or 'time' for what is rather a value than a name, else None.

    >>> value_kind("2021-07-01 00:00:00")
    'date'
    """
    found = _VALUE.fullmatch(cell.strip())
    return found.lastgroup if found else None


@dataclass(frozen=True)
class Layout:
    """Which delimiter a text has and how many of its records, blank lines left out, stand above the header."""

    delimiter: str
    above: int
    directive: bool


def find_layout(sample: str, usual: str, delimiter: str | None = None) -> Layout:
    """Return the layout of the text that starts with `sample` (whole lines), the `usual` delimiter if nothing tells.

    The first record is the header unless a preamble or a directive `sep=…` is evident. `delimiter` is what the caller
    knows.
    """
    directive = DIRECTIVE.match(sample)
    # in quotes it may as well be the name of the only column
    if directive and sample[0] == '"' and all(len(row) < 2 for row in parse(sample[directive.end() :], directive[1])):
        directive = None
    start = directive.end() if directive else 0
    if delimiter is None:
        delimiter = directive[1] if directive else _find_delimiter(sample, usual)
    above = preamble(parse(sample[start:], delimiter))
    return Layout(delimiter, above + (directive is not None), directive is not None)


def preamble(rows: Sequence[Sequence[str]]) -> int:
    """Return how many records stand above the header; blank lines, which are empty in `rows`, don't count.

    A preamble is evident where the first records have one or two cells, far fewer than most, the first full record
    names columns (no blank, number or date in it), and either a blank line or a column of values sets it off.
    """
    filled = [row for row in rows if row]
    width = _usual_width(filled)
    above = next((i for i, row in enumerate(filled) if len(row) == width), 0)
    if above == 0 or width < 2:
        return 0
    head, body = filled[above], filled[above + 1 :]
    if any(cell.strip() == "" or value_kind(cell) for cell in head):
        return 0
    set_off = [] in rows[: rows.index(head)]
    narrow = max((len(row) for row in filled[:above] if not row[0].startswith("#")), default=1)
    if narrow > 2 or not (set_off or narrow == 1 or width > narrow + 1):
        return 0
    return above if set_off or _has_values(body, width) else 0


def _has_values(body: Sequence[Sequence[str]], width: int) -> bool:
    """Return whether some column holds numbers or dates in most of its cells that hold anything."""
    for position in range(width):
        cells = [cell for row in body if len(row) == width and (cell := row[position].strip())]
        if cells and sum(value_kind(cell) is not None for cell in cells) >= _MOST * len(cells):
            return True
    return False


def _find_delimiter(sample: str, usual: str) -> str:
    candidates = [mark for mark in dict.fromkeys((usual, *DELIMITERS)) if mark in sample]
    if candidates in ([], [usual]):
        return usual
    parsed = {d: [row for row in parse(sample, d) if row] for d in candidates}
    scores, quoted = {}, '"' in sample
    for mark, rows in parsed.items():
        width = _usual_width(rows)
        above = next((i for i, row in enumerate(rows) if len(row) == width), 0)
        body = rows[above:]
        if width >= 2 and not _wrapped(body) and sum(len(row) == width for row in body) >= _MOST * len(body):
            scores[mark] = (not (quoted and _tears_quotes(body)), above == 0, width)
    if scores:
        # of equals the first, which is the usual one
        return max(scores, key=lambda mark: scores[mark])
    for mark, rows in parsed.items():
        if rows and mark == usual and len(rows[0]) >= 2:
            return mark
        if rows and not _wrapped(rows) and all(len(row) >= 2 for row in rows):
            return mark
    return usual


def _wrapped(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether brackets run around most records: then what is inside is one value and not cells."""
    return sum(row[0][:1] + row[-1][-1:] in {"[]", "{}", "()", "<>"} for row in rows) >= _MOST * len(rows)


def _tears_quotes(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether most records have cells with one quote of two, as a mark inside of quoted values makes them."""
    return sum(any(cell.count('"') % 2 for cell in row) for row in rows) >= _MOST * len(rows)


def _usual_width(rows: Sequence[Sequence[str]]) -> int:
    """Return the most frequent number of cells, of equals the smallest."""
    counts = Counter(map(len, rows))
    return max(counts, key=lambda width: (counts[width], -width)) if counts else 0

"""What stands in a column of numbers, dates or times and is none: words for nothing known, sentinels, other text."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from string import Template
from typing import NamedTuple

from prepsql.profile.finding import Finding
from prepsql.profile.names import is_placeholder
from prepsql.profile.result import DATES, NUMBERS, Column
from prepsql.profile.rules.writing import cells_of, column_finding, listed, of_cell, parted, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literals

# a row a value that is not of the column's type; words are few, other text is only counted
_WORDS = Template("""SELECT position, kind, tidy, sum(n)::BIGINT AS cells, arg_min(value, first), min(first)
FROM $cells
WHERE position IN ($positions) AND kind IN ('null word', 'text', 'boolean')
GROUP BY position, kind, tidy
QUALIFY row_number() OVER (PARTITION BY position, kind ORDER BY cells DESC, min(first)) <= $kept
ORDER BY position, cells DESC, min(first)""")
_KEPT = 200
# so few different words, together in so few cells, stand for nothing known
_FEW_WORDS = 3
_LONGEST_WORD = 16
_SUMMED = re.compile(r"\b(?:total|subtotal|sum|average|mean)\b")


class Word(NamedTuple):
    """A value that is not of its column's type: how many cells have it, one of them, and the first row that has."""

    kind: str
    tidy: str
    cells: int
    value: str
    row: int


def typed(column: Column) -> bool:
    """Whether the column is of numbers, dates or times."""
    return column.type in (*NUMBERS, *DATES, "time", "digits")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield at most one finding of each kind a typed column."""
    some = [column for column in scan.columns if typed(column) and column.cells("null word", "text", "boolean")]
    if not some:
        return
    query = _WORDS.substitute(cells_of(scan, some), kept=_KEPT)
    found: dict[int, list[Word]] = defaultdict(list)
    for position, *facts in scan.subject.con.execute(query).fetchall():
        found[position].append(Word(*facts))
    for column in some:
        # the column's own name is a header that comes again, which is for the rules about rows to tell
        words = [word for word in found[column.position] if word.tidy != column.name.strip().lower()]
        named = _cells(found[column.position]) - _cells(words)
        nothing = {word for word in words if word.kind == "null word"} | _for_nothing(column, words)
        if nothing:
            yield _null_words(scan, column, [word for word in words if word in nothing])
        others = [word for word in words if word not in nothing]
        if others:
            yield _texts(scan, column, others, column.cells("null word", "text", "boolean") - _cells(nothing) - named)


def _for_nothing(column: Column, words: list[Word]) -> set[Word]:
    """Return the words that stand for an unknown value: few, short and repeated, or the only one among dates."""
    if is_placeholder(column.name):
        return set()
    others = [word for word in words if word.kind == "text"]
    short = {
        word
        for word in others
        if (word.cells > 1 or (len(others) == 1 and column.type in DATES))
        and 1 < len(word.tidy) <= _LONGEST_WORD
        and re.sub("[ /.]", "", word.tidy).isalpha()
        and not _SUMMED.search(word.tidy)
    }
    return short if len(short) <= _FEW_WORDS else set()


def _null_words(scan: Scan, column: Column, words: list[Word]) -> Finding:
    detail = f"among {_plural(column)}: {listed((word.value, word.cells) for word in words)}"
    empty = column.unfilled
    if empty:
        detail += f"; and {empty:,} empty"
    mend = replaced(scan, column, "missing_to_null(cell, words)", words=literals(word.tidy for word in words))
    return column_finding(
        scan,
        "null words in a typed column",
        column,
        _cells(words),
        detail,
        [(word.value, word.row) for word in words],
        mend,
    )


def _texts(scan: Scan, column: Column, words: list[Word], cells: int) -> Finding:
    detail = f"among {_plural(column)}: {listed((word.value, word.cells) for word in words)}"
    is_text = of_cell(column, "cell_kind(cell) IN ('text', 'boolean')")
    mend = parted(
        scan, column, "CASE WHEN odd THEN NULL ELSE cell END", {"text": "CASE WHEN odd THEN cell END"}, odd=is_text
    )
    return column_finding(
        scan,
        "text in a typed column",
        column,
        cells,
        detail,
        [(word.value, word.row) for word in words],
        mend,
    )


def _cells(words: Iterable[Word]) -> int:
    return sum(word.cells for word in words)


def _plural(column: Column) -> str:
    if column.type in NUMBERS:
        return "numbers"
    return {"digits": "codes of digits", "time": "times"}.get(column.type, "dates")

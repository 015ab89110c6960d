"""Words that stand for nothing known, in columns of text."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.typed_columns import typed
from prepsql.profile.rules.writing import cells_of, column_finding, listed, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literals

_FIRST = Template("""SELECT position, value, min(first)
FROM $cells WHERE position IN ($positions) AND kind = 'null word'
GROUP BY ALL""")


# words for nothing known that are also names of people and the like
_NAMES = {"nil", "nat", "nan", "na", "missing", "blank", "empty"}
_MANY_VALUES = 30


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column of text with null words, or of nothing else."""
    some = [column for column in scan.columns if column.cells("null word") and not typed(column)]
    if not some:
        return
    query = _FIRST.substitute(cells_of(scan, some))
    firsts = {(position, value): row for position, value, row in scan.subject.con.execute(query).fetchall()}
    for column in some:
        words = column.null_words
        if _are_names(column):
            continue
        detail = listed((word.value, word.cells) for word in words)
        empty = column.unfilled
        if empty:
            detail += f"; and {empty:,} empty"
        tidy = dict.fromkeys(word.value.lower().strip() for word in words)
        mend = replaced(scan, column, "missing_to_null(cell, words)", words=literals(tidy))
        examples = [(word.value, firsts[column.position, word.value]) for word in words]
        kind = "null words" if column.said else "only null words"
        yield column_finding(scan, kind, column, column.cells("null word"), detail, examples, mend)


def _are_names(column: Column) -> bool:
    """Whether the words are as rare as other values of a column of many values, none of which is missing."""
    return (
        column.distinct >= _MANY_VALUES
        and not column.unfilled
        and all(
            word.value.strip().lower() in _NAMES and word.cells * column.distinct <= 3 * column.said
            for word in column.null_words
        )
    )

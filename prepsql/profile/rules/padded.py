"""White space at the ends of some values, and runs of it inside values."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from prepsql.profile.facts_sql import DOUBLED, PADDED
from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import cells_that, replaced
from prepsql.profile.subject import Scan

# white space at the ends of more cells than this share is the way the column is written
_MOST = 0.5
# in longer texts white space tells nothing apart
_PROSE = 60


def find(scan: Scan) -> Iterator[Finding]:
    """Yield findings of columns of short texts: some cells padded, or some with runs of white space inside."""
    texts = [column for column in scan.columns if column.type == "text" and column.mean_length <= _PROSE]
    padded = [column for column in texts if 0 < column.padded <= _MOST * column.filled]
    yield from _findings(scan, "padded values", padded, PADDED, "strip_space")
    if len(scan.columns) > 1:  # else whole records of fixed width
        doubled = [column for column in texts if column.doubled]
        yield from _findings(scan, "inner blanks", doubled, DOUBLED, "squeeze_space")


def _findings(scan: Scan, kind: str, columns: Iterable[Column], condition: str, macro: str) -> Iterator[Finding]:
    subject = scan.subject
    for column, count, found in cells_that(scan, columns, condition):
        yield Finding(
            kind,
            subject.table,
            column.name,
            count,
            column.filled,
            f"{count:,} of {column.filled:,} cells",
            subject.examples(found),
            replaced(scan, column, f"{macro}(cell)"),
            macro,
            subject.tables,
        )

"""Rows of more or fewer cells than the header."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator

from prepsql.profile.finding import EXAMPLES, Finding
from prepsql.profile.rows import row_finding
from prepsql.profile.subject import Scan
from prepsql.sqltext import select


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows that the reader filled or gave columns of their own."""
    subject = scan.subject
    counts = {"short rows": 0, "long rows": 0}
    rows: list[int] = []
    for part, offset in zip(subject.parts, subject.offsets, strict=True):
        for kind in counts:
            if entry := part.ledger.of(kind):
                counts[kind] += entry.count
                rows += [offset + bisect_left(range(part.rows), line, key=part.line) for line in entry.lines]
    if not rows:
        return
    details = [
        f"{counts[kind]:,} {kind.split()[0]}er: {effect}"
        for kind, effect in (
            ("short rows", "the reader left the missing cells empty"),
            ("long rows", "the reader gave the extra cells columns"),
        )
        if counts[kind]
    ]
    mend, count = select(["*"], subject.table), sum(counts.values())
    yield row_finding(subject, "rows of another width", count, sorted(rows)[:EXAMPLES], "; ".join(details), mend)

"""Rows that sum up others: a cell says total."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import cells_where, count_where, row_finding, without
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote

TOTAL = (
    r"(?i)\s*(?:(?:grand|sub|page|over-?all|net|gross|final|year|month|week|ytd|q[1-4]|[0-9]{4}) *-? *)?totals?:?\s*"
    r"|\s*totals? (?:for|of|in) .{1,30}|\s*(?:(?:grand|page) totals?|sub-? ?totals?)[ :–-].{1,40}"
)
# what of all rows sums up others at most, and how many such words are more than a few
_MOST = 0.2
_FEW = 50
_OTHERS = "'Summe', 'Gesamt', 'Insgesamt', 'Totale', '合计', '总计', '小计'"
_SAYS_TOTAL = Template(
    "($value IN ($others)"
    " OR (length($value) <= 60 AND contains(lower($value), 'total') AND regexp_full_match($value, $total)))"
)


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows of totals."""
    subject = scan.subject
    texts = [column.position for column in scan.columns if column.cells("text")]
    says_total = Template(_SAYS_TOTAL.safe_substitute(total=literal(TOTAL), others=_OTHERS))
    words = {
        position: sorted({literal(value) for value, _ in first})
        for position, count, first in cells_where(scan, texts, says_total, _FEW)
        if count <= _MOST * subject.rows and len(first) < _FEW
    }
    if not words:
        return
    condition = " OR ".join(f"{subject.field(at)} IN ({', '.join(values)})" for at, values in words.items())
    count, rows = count_where(subject, condition)
    if count > _MOST * subject.rows:
        return
    shown = " OR ".join(f"{quote(subject.columns[at])} IN ({', '.join(values)})" for at, values in words.items())
    yield row_finding(subject, "total rows", count, rows, "a cell says total", without(subject, f"({shown})"))

"""Rows that sum up others: a cell says total."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import count_where, row_examples, without
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote

TOTAL = (
    r"(?i)(?:(?:grand|sub|over-?all|net|gross|final|year|month|week|ytd|q[1-4]|[0-9]{4}) *-? *)?totals?:?"
    r"|totals? (?:for|of|in) .{1,30}|sum|summe|gesamt|insgesamt|total général|totale|suma|合计|总计|小计"
)
# what of all rows sums up others at most, and how many such words are more than a few
_MOST = 0.2
_FEW = 50
_WORDS = Template("""SELECT position, value FROM $cells
WHERE position IN ($positions) AND length(value) <= 40 AND regexp_full_match(trim(value), $total)
GROUP BY ALL HAVING sum(n) <= $most ORDER BY ALL LIMIT $limit""")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows of totals."""
    subject = scan.subject
    positions = [str(column.position) for column in scan.columns if column.cells("text")]
    if not positions:
        return
    query = _WORDS.substitute(
        cells=quote(scan.cells),
        positions=", ".join(positions),
        total=literal(TOTAL),
        most=_MOST * subject.rows,
        limit=_FEW + 1,
    )
    words: dict[int, list[str]] = defaultdict(list)
    for position, value in (found := subject.con.execute(query).fetchall()):
        words[position].append(literal(value))
    if not words or len(found) > _FEW:
        return
    condition = " OR ".join(f"{subject.field(at)} IN ({', '.join(values)})" for at, values in words.items())
    count, rows = count_where(subject, condition)
    if count > _MOST * subject.rows:
        return
    shown = " OR ".join(f"{quote(subject.columns[at])} IN ({', '.join(values)})" for at, values in words.items())
    yield Finding(
        "total rows",
        subject.table,
        None,
        count,
        subject.rows,
        "a cell says total",
        row_examples(subject, rows),
        without(subject, f"({shown})"),
        "",
        subject.tables,
    )

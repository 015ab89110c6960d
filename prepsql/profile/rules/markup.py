"""Cells of HTML."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import EXAMPLES, Finding
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill, literal, named, quote, select

_TAG = (
    r"(?i)</?(?:a|b|br|body|div|em|font|form|h[1-6]|hr|html|i|img|li|ol|p|script|span|strong|style|sub|sup|table|tbody"
    r"|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>"
)
_QUERY = Template("""SELECT position, sum(n)::BIGINT, min(struct_pack(first, value), $kept)
FROM $cells
WHERE position IN ($positions) AND contains(value, '>') AND regexp_matches(value, $tag)
GROUP BY position ORDER BY position""")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column with cells that have tags of HTML."""
    subject = scan.subject
    texts = {column.position: column for column in scan.columns if column.cells("text") and column.longest > 2}
    if not texts:
        return
    query = _QUERY.substitute(
        kept=EXAMPLES, cells=quote(scan.cells), positions=", ".join(map(str, texts)), tag=literal(_TAG)
    )
    for position, count, first in subject.con.execute(query).fetchall():
        name = subject.columns[position]
        replaced = named(fill("strip_html(cell)", cell=quote(name)), name)
        yield Finding(
            "markup",
            subject.table,
            name,
            count,
            subject.rows,
            "tags of HTML",
            subject.examples((found["value"], found["first"]) for found in first),
            select([f"* REPLACE ({replaced})"], subject.table),
            "strip_html",
            subject.tables,
        )

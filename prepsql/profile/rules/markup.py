"""Cells of HTML."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import cells_where
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill, literal, named, quote, select

_TAG = (
    r"(?i)</?(?:a|b|br|body|div|em|font|form|h[1-6]|hr|html|i|img|li|ol|p|script|span|strong|style|sub|sup|table|tbody"
    r"|td|th|thead|tr|u|ul)(?:\s[^<>]*)?/?>"
)
_TAGGED = Template("(contains($value, '>') AND regexp_matches($value, $tag))")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column with cells that have tags of HTML."""
    subject = scan.subject
    texts = [column.position for column in scan.columns if column.cells("text") and column.longest > 2]
    condition = Template(_TAGGED.safe_substitute(tag=literal(_TAG).replace("$", "$$")))
    for position, count, first in cells_where(scan, texts, condition):
        name = subject.columns[position]
        replaced = named(fill("strip_html(cell)", cell=quote(name)), name)
        yield Finding(
            "markup",
            subject.table,
            name,
            count,
            subject.rows,
            "tags of HTML",
            subject.examples(first),
            select([f"* REPLACE ({replaced})"], subject.table),
            "strip_html",
            subject.tables,
        )

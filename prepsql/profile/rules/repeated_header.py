"""Rows that are the header once more."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepsql.profile.finding import Finding
from prepsql.profile.rows import added, count_where, row_finding, without
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote

# so many of the names are in such a row
_MOST = 0.5
_NUMBERED = re.compile(r"_[0-9]+$")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows whose cells are the names of their columns."""
    subject = scan.subject
    # the reader numbers a name that comes again
    names = {at: {name, name.strip(), _NUMBERED.sub("", name)} for at, name in enumerate(subject.columns)}
    named = [column.position for column in scan.columns if column.error or column.said]
    if not named:
        return
    least = min(max(2, _MOST * len(named)), len(named))
    listed = {at: ", ".join(map(literal, sorted(names[at]))) for at in named}
    condition, shown = (
        added([f"(coalesce({field}, '') IN ({listed[at]}))::INTEGER" for at, field in fields])
        for fields in (
            [(at, subject.field(at)) for at in named],
            [(at, quote(subject.columns[at])) for at in named],
        )
    )
    count, rows = count_where(subject, f"{condition} >= {least}")
    if not count:
        return
    mend = without(subject, f"({shown} >= {least})")
    yield row_finding(subject, "repeated header", count, rows, "cells are the names of their columns", mend)

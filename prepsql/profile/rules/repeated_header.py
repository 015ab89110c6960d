"""Rows that are the header once more."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import count_where, row_examples, without
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote

# so many of the names are in such a row
_MOST = 0.5
_NAMED = Template("""SELECT DISTINCT position FROM $cells
WHERE (position, value) IN ($names)""")
_NUMBERED = re.compile(r"_[0-9]+$")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows whose cells are the names of their columns."""
    subject = scan.subject
    # the reader numbers a name that comes again
    names = {at: {name, name.strip(), _NUMBERED.sub("", name)} for at, name in enumerate(subject.columns)}
    pairs = ", ".join(f"({at}, {literal(name)})" for at, some in names.items() for name in sorted(some))
    query = _NAMED.substitute(cells=quote(scan.cells), names=pairs)
    positions = sorted(at for (at,) in subject.con.execute(query).fetchall())
    named = [column for column in scan.columns if column.error or column.said]
    least = min(max(2, _MOST * len(named)), len(named))
    if not positions or len(positions) < least:
        return
    listed = {at: ", ".join(map(literal, sorted(names[at]))) for at in positions}
    condition, shown = (
        " + ".join(f"(coalesce({field}, '') IN ({listed[at]}))::INTEGER" for at, field in fields)
        for fields in (
            [(at, subject.field(at)) for at in positions],
            [(at, quote(subject.columns[at])) for at in positions],
        )
    )
    count, rows = count_where(subject, f"{condition} >= {least}")
    if not count:
        return
    yield Finding(
        "repeated header",
        subject.table,
        None,
        count,
        subject.rows,
        "cells are the names of their columns",
        row_examples(subject, rows),
        without(subject, f"({shown} >= {least})"),
        "",
        subject.tables,
    )

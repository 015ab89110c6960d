"""Names of columns with white space at their ends."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.subject import Scan
from prepsql.sqltext import named, quote

_MEND = Template("SELECT * RENAME ($names) FROM $table")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield one finding a table; no mend where a name would then be there twice."""
    subject = scan.subject
    padded = [name for name in subject.columns if name.strip() and name != name.strip()]
    if not padded:
        return
    first = subject.parts[0]
    names = [name.strip().lower() for name in subject.columns]
    renamed = ", ".join(named(quote(name), name.strip()) for name in padded)
    twice = any(names.count(name.strip().lower()) > 1 for name in padded)
    yield Finding(
        "padded headers",
        subject.table,
        None,
        len(padded),
        len(subject.columns),
        ", ".join(f"'{name}'" for name in padded[:3]) + (", …" if len(padded) > 3 else ""),
        tuple(Example(name, first.name, first.ledger.header_line or 1) for name in padded[:EXAMPLES]),
        "" if twice else _MEND.substitute(names=renamed, table=quote(subject.table)),
        "RENAME",
        subject.tables,
    )

"""Names of columns with white space at their ends."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.subject import Scan
from prepsql.sqltext import free_name, named, quote

_MEND = Template("SELECT * RENAME ($names) FROM $table")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield one finding a table; its mend numbers a name that is there already."""
    subject = scan.subject
    padded = [name for name in subject.columns if name.strip() and name != name.strip()]
    if not padded:
        return
    first = subject.parts[0]
    names = [name for name in subject.columns if name not in padded]
    renamed = []
    for name in padded:
        names.append(free_name(name.strip(), names))
        renamed.append(named(quote(name), names[-1]))
    yield Finding(
        "padded headers",
        subject.table,
        None,
        len(padded),
        len(subject.columns),
        ", ".join(f"'{name}'" for name in padded[:3]) + (", …" if len(padded) > 3 else ""),
        tuple(Example(name, first.name, first.ledger.header_line or 1) for name in padded[:EXAMPLES]),
        _MEND.substitute(names=", ".join(renamed), table=quote(subject.table)),
        "RENAME",
        subject.tables,
    )

"""Names that come twice."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.subject import Scan
from prepsql.sqltext import free_name, named, quote, select

_RENAMED = Template("* RENAME ($names)")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about names that another column has, but for case or white space."""
    subject = scan.subject
    ledger = subject.parts[0].ledger
    seen: set[str] = set()
    again: list[str] = []
    for name in subject.columns:
        folded = _folded(name)
        if folded in seen:
            again.append(name)
        seen.add(folded)
    entry = ledger.of("duplicate header")
    count = len(again) + (entry.count if entry else 0)
    if not count:
        return
    header = ledger.header_line or 1
    texts = [*again, *(entry.texts if entry else ())]
    details = ["the reader numbered them"] if entry else []
    details += ["names equal but for case or white space"] if again else []
    yield Finding(
        "duplicate header",
        subject.table,
        again[0] if len(again) == 1 and not entry else None,
        count,
        len(subject.columns),
        "; ".join(details),
        tuple(Example(text, subject.table, header) for text in texts[:EXAMPLES]),
        _mend(subject.table, subject.columns, again),
        "",
        subject.tables,
    )


def _folded(name: str) -> str:
    return " ".join(name.split()).casefold()


def _mend(table: str, columns: tuple[str, ...], again: list[str]) -> str:
    taken = [" ".join(name.split()) for name in columns]
    renamed = []
    for name in again:
        taken.append(free_name(" ".join(name.split()), taken))
        renamed.append(named(quote(name), taken[-1]))
    return select([_RENAMED.substitute(names=", ".join(renamed)) if renamed else "*"], table)

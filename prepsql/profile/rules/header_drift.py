"""Header drift: one column under different names in tables of one shape, or under one name written differently."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.names import about_same
from prepsql.profile.stack import same_columns, union
from prepsql.profile.subject import Scan, Subject
from prepsql.sqltext import named, quote
from prepsql.tables import Table

_RENAMED = Template("SELECT * RENAME ($names)\nFROM $table")
_SHOWN = 6


def find(scans: Sequence[Scan]) -> Iterator[Finding]:
    """Yield one finding for tables of one shape, and one for a table whose names an earlier table writes otherwise."""
    for scan in scans:
        yield from _stacked(scan)
    known: dict[str, tuple[str, str]] = {}
    for scan in scans:
        subject = scan.subject
        drifted = {}
        for column in subject.columns:
            table, first = known.get(_key(column), (subject.table, column))
            other = table != subject.table and about_same(table, first, subject.table, column) is not False
            if other and first != column:
                drifted[column] = first
        if drifted:
            names = ", ".join(named(quote(column), first) for column, first in drifted.items())
            told = [f"{column!r}, elsewhere {first!r}" for column, first in drifted.items()]
            shown = [_example(subject.parts[0], column) for column in drifted]
            mend = _RENAMED.substitute(names=names, table=quote(subject.table))
            yield _finding(subject, told, shown, mend, "rename")
        for column in subject.columns:
            known.setdefault(_key(column), (subject.table, column))


def _key(name: str) -> str:
    """Return what names have in common that differ in case, white space, hyphens, underscores and stars alone."""
    return re.sub(r"[\s_*-]+", "", name.casefold()) or name


def _stacked(scan: Scan) -> Iterator[Finding]:
    subject = scan.subject
    orders = [same_columns(subject.parts[0], part) for part in subject.parts]
    names = [[part.columns[at] for at in order] for part, order in zip(subject.parts, orders, strict=True)]
    drifted = [list(dict.fromkeys(found)) for found in zip(*names, strict=True) if len(set(found)) > 1]
    if not drifted:
        return
    told = [" / ".join(repr(name) for name in found[:3]) for found in drifted]
    shown = [
        _example(next(part for part in subject.parts if name in part.columns), name)
        for found in drifted
        for name in found[1:2]
    ]
    yield _finding(subject, told, shown, union(subject.parts), "union")


def _example(table: Table, name: str) -> Example:
    return Example(name, table.name, table.ledger.header_line or 1)


def _finding(subject: Subject, drifted: Sequence[str], shown: Sequence[Example], mend: str, macro: str) -> Finding:
    more = f"; {len(drifted) - _SHOWN:,} more" if len(drifted) > _SHOWN else ""
    return Finding(
        "header drift",
        subject.table,
        None,
        len(drifted),
        len(subject.columns),
        "; ".join(drifted[:_SHOWN]) + more,
        tuple(shown[:EXAMPLES]),
        mend,
        macro,
        subject.tables,
    )

"""Columns without a name."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.header import unnamed
from prepsql.profile.result import Column
from prepsql.profile.subject import Scan
from prepsql.sqltext import named, quote, select

_RENAMED = Template("* RENAME ($names)")
_LEFT_OUT = Template("* EXCLUDE ($names)")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the findings about columns without a name, with values and without."""
    subject = scan.subject
    table = subject.parts[0]
    columns = [column for column, no_name in zip(scan.columns, unnamed(table), strict=True) if no_name]
    full = [column for column in columns if column.error or column.filled]
    empty = [column for column in columns if column not in full]
    # the reader makes no column where a header or all rows end with a delimiter and nothing follows
    dropped = sum(
        1 if entry.kind == "trailing delimiter" else entry.count
        for part in subject.parts
        for entry in part.ledger.entries
        if entry.kind == "trailing delimiter" or (entry.kind == "empty header" and not entry.texts)
    )
    total = len(subject.columns) + dropped
    header = table.ledger.header_line or 1
    if full:
        names = ", ".join(named(quote(column.name), f"column_{column.position + 1}_values") for column in full)
        yield Finding(
            "unnamed column with data",
            subject.table,
            full[0].name if len(full) == 1 else None,
            len(full),
            total,
            _listed("values in", full),
            tuple(filter(None, map(_first, full)))[:EXAMPLES],
            select([_RENAMED.substitute(names=names)], subject.table),
            "",
            subject.tables,
        )
    if empty or dropped:
        names = ", ".join(quote(column.name) for column in empty)
        rest = len(empty) < len(subject.columns)
        yield Finding(
            "unnamed empty column",
            subject.table,
            empty[0].name if len(empty) == 1 and not dropped else None,
            len(empty) + dropped,
            total,
            _listed("nothing in", empty) if empty else "the reader made no column for it",
            tuple(Example("", subject.table, header) for _ in (*empty, *range(dropped)))[:EXAMPLES],
            select([_LEFT_OUT.substitute(names=names) if empty and rest else "*"], subject.table),
            "",
            subject.tables,
        )


def _first(column: Column) -> Example | None:
    """Return the first value of the most frequent shape of a column."""
    shapes = (shape for shape in column.shapes if shape.kind not in {"empty", "blank"})
    return next((Example(shape.example, shape.table, shape.line) for shape in shapes), None)


def _listed(what: str, columns: Sequence[Column]) -> str:
    numbers = ", ".join(str(column.position + 1) for column in columns[:8])
    more = ", …" if len(columns) > 8 else ""
    return f"{what} column{'s' if len(columns) > 1 else ''} {numbers}{more} of the header"

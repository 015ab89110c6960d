"""Whole records in one cell: fields of fixed width, or a field a line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from string import Template

from prepsql.profile.finding import EXAMPLES, Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import in_place
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote
from prepsql.tables.names import unique_names

# so many of the filled cells are records; a record has so many gaps or line breaks; and so few columns are filled
_MOST = 0.5
_GAPS = 3
_BREAKS = 2
_COLUMNS = 2
_FIELDS = 100
_GAP = r"\s{2,}"
_LINE = r"\s*\n\s*"
_COUNT = Template("""SELECT sum(n)::BIGINT, mode(parts), max(parts), min(struct_pack(first, value), $kept)
FROM (
  SELECT n, first, value, len(regexp_split_to_array(trim(value, E' \\t\\r\\n'), $mark)) AS parts
  FROM $cells WHERE position = $position AND contains(value, $rare))
WHERE parts > $least""")
_PART = Template("regexp_split_to_array(trim($column, E' \\t\\r\\n'), $mark)[$number]")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the findings about columns whose cells are records, in tables of hardly any other column."""
    full = [column for column in scan.columns if column.said]
    if len(full) > _COLUMNS:
        return
    for column in full:
        if column.doubled >= _MOST * column.said and len(full) == 1:
            yield from _records(scan, column, "fixed-width records", _GAP, "  ", _GAPS)
        if column.type == "text":
            yield from _records(scan, column, "multi-line records", _LINE, "\n", _BREAKS)


def _records(scan: Scan, column: Column, kind: str, mark: str, rare: str, least: int) -> Iterator[Finding]:
    """Yield the finding about the cells of a column that have more than `least` parts between marks."""
    subject = scan.subject
    query = _COUNT.substitute(
        kept=EXAMPLES,
        mark=literal(mark),
        cells=scan.cells_of([column]),
        position=column.position,
        rare=literal(rare),
        least=least,
    )
    count, usual, most, first = subject.con.execute(query).fetchall()[0]
    if (count or 0) < _MOST * column.said:
        return
    yield Finding(
        kind,
        subject.table,
        column.name,
        count,
        subject.rows,
        f"mostly {usual} fields",
        subject.examples((found["value"], found["first"]) for found in first),
        _mend(scan, column, mark, _names(column.name, mark, min(most, _FIELDS))),
        "split_nth",
        subject.tables,
    )


def _names(header: str, mark: str, width: int) -> list[str]:
    """Return names for the fields: those in the header where it has as many."""
    fields = re.split(mark, header.strip())
    return unique_names(fields)[0] if len(fields) == width else [f"field_{i}" for i in range(1, width + 1)]


def _mend(scan: Scan, column: Column, mark: str, names: Sequence[str]) -> str:
    parts = (
        _PART.substitute(column=quote(column.name), mark=literal(mark), number=number)
        for number in range(1, len(names) + 1)
    )
    return in_place(scan, column, list(zip(parts, names, strict=True)))

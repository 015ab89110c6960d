"""One name that lists several fields over cells that hold as many."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Example, Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import in_place
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, quote

# so many of the cells have as many parts as the name
_MOST = 0.7
_MARKS = (",", ";", "|", "/")
_ANY_MARK = "[,;:|/]"
_LONGEST_FIELD = 30
_PARTS = Template("len(regexp_split_to_array(value, $mark)) = $parts")
_FITTING = Template("""SELECT coalesce(sum(n) FILTER ($given), 0)::BIGINT, coalesce(sum(n) FILTER ($any), 0)::BIGINT,
  arg_min(value, first), min(first)
FROM $cells WHERE position = $position AND value <> ''""")
_PART = Template("trim(regexp_split_to_array($column, $mark)[$number])")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each name that lists fields, where most cells hold as many values."""
    for column in scan.columns:
        fields, mark = _fields(column.name)
        if not fields or not column.filled or column.error:
            continue
        parts = {
            key: _PARTS.substitute(mark=literal(pattern), parts=len(fields))
            for key, pattern in (("given", mark), ("any", _ANY_MARK))
        }
        query = _FITTING.substitute(parts, cells=scan.cells_of([column]), position=column.position)
        given, any_mark, value, row = scan.subject.con.execute(query).fetchall()[0]
        if max(given, any_mark) >= _MOST * column.filled:
            pattern = mark if given >= any_mark else _ANY_MARK
            subject = scan.subject
            yield Finding(
                "composite header",
                subject.table,
                column.name,
                1,
                len(subject.columns),
                f"{len(fields)} fields in one name, and as many parts in {max(given, any_mark):,} cells",
                (
                    Example(column.name, subject.table, subject.parts[0].ledger.header_line or 1),
                    *subject.examples([(value, row)]),
                ),
                _mend(scan, column, fields, pattern),
                "split_nth",
                subject.tables,
            )


def _fields(name: str) -> tuple[list[str], str]:
    """Return the fields that a name lists, and the pattern of the mark between them; none where it lists none."""
    for mark in _MARKS:
        fields = [field.strip() for field in name.split(mark)]
        if len(fields) > 1 and all(len(f) <= _LONGEST_FIELD and re.search("[^\\W\\d_]", f) for f in fields):
            return fields, re.escape(mark)
    return [], ""


def _mend(scan: Scan, column: Column, fields: list[str], mark: str) -> str:
    parts = (
        _PART.substitute(column=quote(column.name), mark=literal(mark), number=number)
        for number in range(1, len(fields) + 1)
    )
    return in_place(scan, column, list(zip(parts, fields, strict=True)))

"""Names that are values: a series of dates, years or numbers, or the first record."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.header import unnamed
from prepsql.profile.result import DATES, NUMBERS
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, named, quote
from prepsql.tables.layout import value_kind

# so many names make a series
_SERIES = 3
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_YEAR = re.compile(r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?")
_PERIOD = re.compile(
    rf"(?i){_MONTH}[-/ .']*(?:\d\d|\d{{4}})|(?:\d\d|\d{{4}})[-/ .]*{_MONTH}|q[1-4][-/ ]*\d{{4}}|\d{{4}}[-/ ]*q[1-4]"
)
_FAMILIES = {"number": {*NUMBERS, "digits"}, "date": set(DATES), "time": {"time"}}
_UNPIVOTED = Template("""SELECT * FROM (
  UNPIVOT (SELECT * REPLACE ($filled) FROM $table)
  ON $names
  INTO NAME "header" VALUE "value")""")
_FILLED = Template("coalesce($column, '')")
_WITH_RECORD = Template("SELECT $record\nUNION ALL\nFROM $table")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about names that are values."""
    subject = scan.subject
    kinds = {
        at: kind
        for at, (name, no_name) in enumerate(zip(subject.columns, unnamed(subject.parts[0]), strict=True))
        if not no_name and (kind := _kind(name))
    }
    if not kinds:
        return
    series = [at for at, kind in kinds.items() if kind in {"year", "date", "period"}]
    if len(series) < _SERIES:
        series = _counting(scan, kinds)
    if len(series) >= _SERIES:
        yield _series(scan, series)
    elif _is_record(scan, kinds):
        yield _record(scan)


def _kind(name: str) -> str | None:
    name = name.strip()
    if _YEAR.fullmatch(name):
        return "year"
    return "period" if _PERIOD.fullmatch(name) else value_kind(name)


def _counting(scan: Scan, kinds: Mapping[int, str]) -> list[int]:
    """Return the positions of names that count on: whole numbers side by side, with one step between."""
    numbers = {at: int(name) for at in kinds if re.fullmatch(r"\d{1,9}", name := scan.subject.columns[at].strip())}
    runs: list[list[int]] = [[]]
    for at, number in numbers.items():
        run = runs[-1]
        step = number - numbers.get(at - 1, number)
        if run and step > 0 and (len(run) < 2 or step == numbers[run[-1]] - numbers[run[-2]]):
            run.append(at)
        else:
            runs.append([at])
    return [at for run in runs if len(run) >= _SERIES for at in run]


def _is_record(scan: Scan, kinds: Mapping[int, str]) -> bool:
    """Return whether the names are to the columns of numbers and dates what their cells are."""
    typed = [column for column in scan.columns if any(column.type in family for family in _FAMILIES.values())]
    like = [column for column in typed if column.type in _FAMILIES.get(_plain(kinds.get(column.position)), set())]
    # a year or two may well be names
    certain = any(kinds[column.position] != "year" for column in like)
    return certain and len(like) == len(typed) and 2 * len(like) >= min(4, len(scan.columns))


def _plain(kind: str | None) -> str:
    return "number" if kind == "year" else kind or ""


def _series(scan: Scan, series: list[int]) -> Finding:
    subject = scan.subject
    names = [subject.columns[at] for at in series]
    header = subject.parts[0].ledger.header_line or 1
    filled = ", ".join(named(_FILLED.substitute(column=quote(name)), name) for name in names)
    mend = _UNPIVOTED.substitute(filled=filled, table=quote(subject.table), names=", ".join(map(quote, names)))
    return Finding(
        "data as header",
        subject.table,
        None,
        len(series),
        len(subject.columns),
        f"a column for each of {names[0].strip()} to {names[-1].strip()}",
        tuple(Example(name, subject.table, header) for name in names[:EXAMPLES]),
        mend,
        "unpivot",
        subject.tables,
    )


def _record(scan: Scan) -> Finding:
    subject = scan.subject
    header = subject.parts[0].ledger.header_line or 1
    cells = [named(literal(name), f"field_{at}") for at, name in enumerate(subject.columns, start=1)]
    return Finding(
        "header is a record",
        subject.table,
        None,
        len(subject.columns),
        len(subject.columns),
        "the names are values like those below them",
        tuple(Example(name, subject.table, header) for name in subject.columns[:EXAMPLES]),
        _WITH_RECORD.substitute(record=", ".join(cells), table=quote(subject.table)),
        "read(header=0)",
        subject.tables,
    )

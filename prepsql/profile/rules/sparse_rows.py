"""Rows with at most one filled cell: blank rows, and rows that head others or are notes."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.rows import filled_count, names_list, numbered, row_finding, sparse_rows, without
from prepsql.profile.rules.total_rows import TOTAL
from prepsql.profile.subject import Scan, Subject
from prepsql.sqltext import free_name, literal, quote, select
from prepsql.tables import Table, plural
from prepsql.tables.ledger import Entry

# of the rows with a filled cell so many may have only one: beyond, it's how the table is
MOST_SINGLE = 0.35
NARROW = 3
NOTE = (
    r"(?i)(?:sources?\b|notes?\b|footnote|disclaimer|copyright|licen[cs]e|see |prepared by|generated|last updated"
    r"|exported|©|[*†‡]|(?-i:[0-9]\)? ?[A-Z])).*|.{60,}"
)
_SINGLE = Template("""SELECT kind, count(*), min(row, $kept)
FROM (
  SELECT row, CASE WHEN NOT regexp_matches(text, '\\p{L}') OR regexp_full_match(text, $total) THEN 'other'
    WHEN row > $last OR regexp_full_match(text, $note, 's') THEN 'note'
    WHEN first THEN 'section' ELSE 'other' END AS kind
  FROM (
    SELECT rowid AS row, squeeze_space(concat($cells)) AS text, NOT is_blank($first) AS first
    FROM $table WHERE $filled = 1))
GROUP BY kind""")
_SINGLE_CELL = Template("len(list_filter($cells, lambda cell: NOT is_blank(cell))) = 1")
_NOTE = Template("($single\n  AND ($row > $last OR regexp_full_match(squeeze_space(concat($cells)), $note, 's')))")
_FILLED_DOWN = Template("""SELECT
  CASE WHEN NOT is_blank(concat($cells)) THEN
    last_value(if($section, $first, NULL) IGNORE NULLS) OVER (ORDER BY $row) END AS $name, $all
FROM $table
QUALIFY NOT $section
ORDER BY $row""")
_WITHOUT_NOTES = Template("SELECT $all FROM $table\nWHERE NOT coalesce($note, false)")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the findings about rows with at most one filled cell."""
    subject = scan.subject
    dropped = [
        (part, entry) for part in subject.parts if (entry := part.ledger.of("blank lines")) and not _is_end(part, entry)
    ]
    sparse = sparse_rows(scan)
    blank = sparse.blank
    left_out = sum(entry.count for _, entry in dropped)
    if blank or left_out:
        lines = [Example("", part.name, line) for part, entry in dropped for line in entry.lines]
        lines = sorted(
            [*lines, *subject.examples(("", row) for row in sparse.blank_rows)], key=lambda e: (e.table, e.line)
        )
        yield Finding(
            "blank rows",
            subject.table,
            None,
            blank + left_out,
            subject.rows + left_out,
            f"the reader left out {plural(left_out, 'blank line')}" if left_out else "rows of empty cells",
            tuple(lines[:EXAMPLES]),
            _without_blank(subject) if blank else select(["*"], subject.table),
            "filter" if blank else "",
            subject.tables,
        )
    if sparse.last is not None and are_no_records(scan):
        yield from _single_cells(scan, sparse.last)


def are_no_records(scan: Scan) -> bool:
    """Whether the rows with one filled cell are few enough to be no records."""
    sparse = sparse_rows(scan)
    return 0 < sparse.single <= MOST_SINGLE * (scan.subject.rows - sparse.blank)


def _is_end(part: Table, entry: Entry) -> bool:
    """Whether the only blank line is at the end of the file, as one line end too many is."""
    return entry.count == 1 and part.rows > 0 and entry.lines[:1] > (part.line(part.rows - 1),)


def _without_blank(subject: Subject) -> str:
    return without(subject, f"is_blank(concat({', '.join(map(quote, subject.columns))}))")


def _single_cells(scan: Scan, last: int) -> Iterator[Finding]:
    """Yield the findings about rows with one filled cell; `last` is the last row with more."""
    subject = scan.subject
    used = [column.position for column in scan.columns if column.error or column.said]
    if len(used) < NARROW:
        return
    cells = ", ".join(map(subject.field, range(len(subject.columns))))
    first = next(at for at in used)
    found = subject.con.execute(
        _SINGLE.substitute(
            kept=EXAMPLES,
            total=literal(TOTAL),
            note=literal(NOTE),
            last=last,
            cells=cells,
            first=subject.field(first),
            table=quote(subject.name),
            filled=filled_count(scan),
        )
    ).fetchall()
    kinds = {kind: (count, rows) for kind, count, rows in found}
    is_single = _SINGLE_CELL.substitute(cells=names_list(subject))
    names = ", ".join(map(quote, subject.columns))
    parts = numbered(subject)
    is_note = _NOTE.substitute(single=is_single, row=parts["row"], last=last, cells=names, note=literal(NOTE))
    if "section" in kinds:
        count, rows = kinds["section"]
        head = quote(subject.columns[first])
        section = f"({is_single}\n  AND NOT is_blank({head}) AND NOT {is_note})"
        name = quote(free_name("section", subject.columns))
        mend = _FILLED_DOWN.substitute(parts, section=section, first=head, cells=names, name=name)
        detail = "one filled cell, and rows of more below it"
        yield row_finding(subject, "section rows", count, rows, detail, mend)
    if "note" in kinds:
        count, rows = kinds["note"]
        mend = _WITHOUT_NOTES.substitute(parts, note=is_note)
        yield row_finding(subject, "note rows", count, rows, "one filled cell with a note", mend)

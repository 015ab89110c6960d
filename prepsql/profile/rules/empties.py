"""Cells that say nothing, and what their emptiness means: a partner, a flag, the value above, or not known."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.names import is_placeholder
from prepsql.profile.result import Column
from prepsql.profile.rows import filled_count, sparse_rows
from prepsql.profile.rules.fill_down import ditto_marks, groups
from prepsql.profile.rules.sparse_rows import NARROW, are_no_records
from prepsql.profile.rules.typed_columns import typed
from prepsql.profile.rules.writing import (
    cells_of,
    cells_that,
    column_finding,
    dropped,
    kept,
    replaced,
    shortened,
)
from prepsql.profile.subject import Scan
from prepsql.sqltext import quote

_SHARE = 0.02
_COMPLEMENT_SHARE = 0.05
_COMPLEMENT_CELLS = 5
_MOST_COLUMNS = 20
_LONGEST_FLAG = 12
_SPARSE = Template("SELECT $counts FROM $table WHERE $filled <= 1")
_FIRST_EMPTY = Template("""SELECT position, min(first) FROM $cells
WHERE position IN ($positions) AND kind IN ('empty', 'blank') GROUP BY position""")
_NO_WORD = "coalesce(nullif(strip_space(cell), ''), '(none)')"


def find(scan: Scan) -> Iterator[Finding]:
    """Yield at most one finding a column about its empty cells, and one about cells of white space alone."""
    dittos = list(ditto_marks(scan))
    yield from dittos
    yield from _blank_cells(scan)
    for column in scan.columns:
        if column.unfilled == column.rows > 0 and not is_placeholder(column.name):
            mend = dropped(scan, column) if len(scan.columns) > 1 else ""
            yield column_finding(scan, "empty column", column, column.rows, "no cell has a value", [], mend)
    some = [column for column in scan.columns if 0 < column.unfilled < column.rows]
    if not some:
        return
    sparse = _in_sparse_rows(scan)
    told: set[int] = set()
    for column, finding in groups(scan, {finding.column for finding in dittos}):
        if column.unfilled > sparse[column.position]:
            told.add(column.position)
            yield finding
    some = [
        column
        for column in some
        if column.unfilled - sparse[column.position] >= max(1, _SHARE * column.rows) and column.position not in told
    ]
    for column, finding in _complements(scan, [c for c in some if c.distinct > 1]):
        told.add(column.position)
        yield finding
    left = [column for column in some if column.position not in told]
    rows = _first_empty(scan, left)
    for column in left:
        yield (_flag if _is_flag(column) else _empty_cells)(scan, column, rows[column.position])


def _is_flag(column: Column) -> bool:
    """Whether the column has one short word or number, more than once, or nothing."""
    return (
        column.distinct == 1
        and column.said > 1
        and column.longest <= _LONGEST_FLAG
        and column.type in ("text", "boolean", "integer", "decimal")
        and (column.type != "decimal" or column.numbers is None or column.numbers.minimum == 1)
    )


def _in_sparse_rows(scan: Scan) -> list[int]:
    """Return of each column how many of its empty cells are in blank rows, or in such of one cell as aren't records.

    Other findings tell of those rows.
    """
    width = len(scan.columns)
    if width < NARROW or not are_no_records(scan):
        return [sparse_rows(scan).blank] * width
    subject = scan.subject
    empty = Template("count(*) FILTER (coalesce($field, '') = '')")
    counts = ", ".join(empty.substitute(field=subject.field(at)) for at in range(width))
    query = _SPARSE.substitute(counts=counts, table=quote(subject.name), filled=f"({filled_count(scan)})")
    return list(subject.con.execute(query).fetchall()[0])


def _complements(scan: Scan, columns: list[Column]) -> Iterator[tuple[Column, Finding]]:
    """Yield each column that is empty only where a partner is filled, so often that it isn't by chance."""
    some = [c for c in columns if c.unfilled >= max(_COMPLEMENT_CELLS, _COMPLEMENT_SHARE * c.rows)][:_MOST_COLUMNS]
    pairs = [
        (one, other)
        for one, other in combinations(some, 2)
        if one.unfilled * other.unfilled >= _COMPLEMENT_CELLS * one.rows
        and 0.4 * one.rows <= one.unfilled + other.unfilled <= 1.01 * one.rows
    ]
    if not pairs:
        return
    subject = scan.subject
    both = Template("count(*) FILTER (coalesce($one, '') = '' AND coalesce($other, '') = '')")
    counts = ", ".join(
        both.substitute(one=subject.field(one.position), other=subject.field(other.position)) for one, other in pairs
    )
    query = Template("SELECT $counts FROM $table").substitute(counts=counts, table=quote(subject.name))
    told: set[int] = set()
    for (one, other), empty in zip(pairs, subject.con.execute(query).fetchall()[0], strict=True):
        if empty > 0.01 * min(one.unfilled, other.unfilled) or {one.position, other.position} & told:
            continue
        told |= {one.position, other.position}
        first = _first_empty(scan, [one, other])
        for column, partner in ((one, other), (other, one)):
            detail = f"where it is empty, {shortened(partner.name)!r} is filled, and the other way round"
            mend = replaced(scan, column, "first_filled(cell, partner)", partner=quote(partner.name))
            found = [("", first[column.position])]
            count = column.unfilled - empty
            yield column, column_finding(scan, "complementary columns", column, count, detail, found, mend)


def _flag(scan: Scan, column: Column, row: int) -> Finding:
    detail = f"{column.frequent[0].value!r} {column.said:,} or nothing; the mend says true or false"
    mend = replaced(scan, column, "NOT is_blank(cell)")
    return column_finding(scan, "flag by presence", column, column.unfilled, detail, [("", row)], mend, "is_blank")


def _empty_cells(scan: Scan, column: Column, row: int) -> Finding:
    detail = "to fill, keep or drop them is for the request to decide"
    if typed(column):
        detail += "; the mend keeps the rows that have a value"
        mend = kept(scan, column, "NOT is_blank(cell)")
    else:
        mend = replaced(scan, column, _NO_WORD)
    macro = "filter" if typed(column) else ""
    return column_finding(scan, "empty cells", column, column.unfilled, detail, [("", row)], mend, macro)


def _blank_cells(scan: Scan) -> Iterator[Finding]:
    some = [column for column in scan.columns if column.cells("blank")]
    for column, cells, found in cells_that(scan, some, "kind = 'blank'"):
        mend = replaced(scan, column, "nullif(strip_space(cell), '')")
        yield column_finding(scan, "blank cells", column, cells, "white space, which isn't empty", found, mend)


def _first_empty(scan: Scan, columns: list[Column]) -> dict[int, int]:
    """Return by position the first row in which a column is empty."""
    if not columns:
        return {}
    query = _FIRST_EMPTY.substitute(cells_of(scan, columns))
    return dict(scan.subject.con.execute(query).fetchall())

"""Values that stand once above the cells they are meant for, which are empty or hold a ditto mark."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import MISSING, Column
from prepsql.profile.rows import numbered
from prepsql.profile.rules.writing import cells_that, column_finding, of_cell
from prepsql.profile.subject import Scan
from prepsql.sqltext import quote

_DITTO = "tidy IN ('\"', '''''', '〃', '″', 'ditto', 'do.')"
_IS_DITTO = "lower(strip_space(cell)) IN ('\"', '''''', '〃', '″', 'ditto', 'do.')"
_FILLED = "last_value(CASE WHEN nothing THEN NULL ELSE cell END IGNORE NULLS) OVER (ORDER BY row)"
_DITTOED = f"CASE WHEN nothing THEN {_FILLED} ELSE cell END"
_MEND = Template("SELECT $all REPLACE ($cell AS $name)\nFROM $table\nORDER BY $row")
_MANY_EMPTY = 0.3
# the first value stands in one of the first rows
_FIRST_ROWS = 4
_FEWEST_ROWS = 6
_MOST_COLUMNS = 12


def ditto_marks(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column with ditto marks."""
    some = [column for column in scan.columns if column.exact and column.cells("text")]
    for column, cells, found in cells_that(scan, some, _DITTO):
        if cells < 2 or not found[0][1]:
            continue
        detail = "marks that say: as above"
        mend = _mend(scan, column, _DITTOED, _IS_DITTO)
        yield column_finding(scan, "fill down", column, cells, detail, found, mend, "")


def groups(scan: Scan, told: Collection[str | None]) -> Iterator[tuple[Column, Finding]]:
    """Yield each column but those `told` whose value stands above the empty cells that it is meant for."""
    may_be = [column for column in scan.columns if column.name not in told and _may_be_filled_down(scan, column)]
    some = may_be[:_MOST_COLUMNS]
    for column, adjacent in zip(some, _adjacent(scan, some), strict=True):
        filled = column.filled
        if adjacent > 0.5 * filled * filled / column.rows:
            continue
        if not all(other in some or other.cells("empty") < 1 for other in scan.columns[: column.position]):
            continue
        cells = column.unfilled
        shown = [
            (s.example, s.row) for s in sorted(column.shapes, key=lambda s: s.row) if s.kind not in ("empty", "blank")
        ]
        detail = f"{filled:,} values, each above the empty cells it is meant for"
        mend = _mend(scan, column, _FILLED, "is_blank(cell)")
        yield column, column_finding(scan, "fill down", column, cells, detail, shown, mend, "")


def _may_be_filled_down(scan: Scan, column: Column) -> bool:
    first = min((s.row for s in column.shapes if s.kind not in MISSING), default=_FIRST_ROWS)
    return (
        column.distinct >= 2
        and column.rows >= _FEWEST_ROWS
        and column.unfilled >= _MANY_EMPTY * column.rows
        and first < _FIRST_ROWS
        and column.position < max(1, len(scan.columns) // 2)
    )


def _adjacent(scan: Scan, columns: list[Column]) -> list[int]:
    """Return of each column how many filled cells stand right below a filled one."""
    if not columns:
        return []
    subject = scan.subject
    lags = ", ".join(
        Template("coalesce($field, '') <> '' AND lag($field) OVER (ORDER BY rowid) <> '' AS $name").substitute(
            field=subject.field(column.position), name=quote(f"adjacent {column.position}")
        )
        for column in columns
    )
    counts = ", ".join(f"count(*) FILTER ({quote(f'adjacent {column.position}')})" for column in columns)
    query = Template("SELECT $counts FROM (SELECT $lags FROM $table)").substitute(
        counts=counts, lags=lags, table=quote(subject.name)
    )
    return list(subject.con.execute(query).fetchall()[0])


def _mend(scan: Scan, column: Column, filled: str, nothing: str) -> str:
    """Return the SELECT that fills down, in the order of rows."""
    parts = numbered(scan.subject)
    cell = of_cell(column, filled, nothing=of_cell(column, nothing), row=parts["row"])
    return _MEND.substitute(parts, cell=cell, name=quote(column.name))

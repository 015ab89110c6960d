"""Dates that no calendar has, such as 30 February: a date but for its day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.rules.writing import cells_of, column_finding, of_cell, parted
from prepsql.profile.subject import Scan

# only from day 29 on a month may lack one; with the 28th instead, what is written so is a date
_DAY = "(^|[^0-9])(?:29|3[01])([^0-9]|$)"
_IMPOSSIBLE = Template("""(regexp_matches($cell, '$day')
  AND coalesce(parse_any_date($cell, 'dmy'), parse_any_date($cell, 'mdy')) IS NULL
  AND coalesce(parse_any_date($with_28, 'dmy'), parse_any_date($with_28, 'mdy')) IS NOT NULL)""")
_WITH_28 = Template("regexp_replace($cell, '$day', '\\1 28\\2')")
_FOUND = Template("""SELECT position, sum(n)::BIGINT, list(struct_pack(value, first) ORDER BY first)[:$kept]
FROM $cells
WHERE position IN ($positions) AND kind IN ('date', 'timestamp') AND CASE
    WHEN form IN ('yyyy-n-n', 'yyyy-n-n time') AND substr(tidy, 8, 1) = '-'
      THEN substr(tidy, 9, 2) > '28' AND TRY_CAST(left(tidy, 10) AS DATE) IS NULL
    ELSE $impossible END
GROUP BY position ORDER BY position""")
_KEPT = 200
# the cells of a column, how many, and its first values with their rows
Impossible = Mapping[int, tuple[int, list[tuple[str, int]]]]


def impossible(scan: Scan, columns: Iterable[Column]) -> Impossible:
    """Return by position how many cells are no dates but for their day, and the first such values with their rows."""
    some = [column for column in columns if column.cells("date", "timestamp")]
    if not some:
        return {}
    query = _FOUND.substitute(cells_of(scan, some), impossible=_condition("tidy"), kept=_KEPT)
    return {
        at: (cells, [(one["value"], one["first"]) for one in found])
        for at, cells, found in scan.subject.con.execute(query).fetchall()
    }


def findings(scan: Scan, found: Impossible) -> Iterator[Finding]:
    """Yield a finding for each column with impossible dates, which its mend puts into a column of their own."""
    for at, (cells, values) in found.items():
        column = scan.columns[at]
        mend = parted(
            scan,
            column,
            "CASE WHEN odd THEN NULL ELSE cell END",
            {"impossible": "CASE WHEN odd THEN cell END"},
            odd=of_cell(column, _condition("lower(cell)")),
        )
        detail = f"of {column.cells('date', 'timestamp'):,} dates"
        yield column_finding(scan, "impossible dates", column, cells, detail, values, mend, "")


def _condition(cell: str) -> str:
    return _IMPOSSIBLE.substitute(cell=cell, day=_DAY, with_28=_WITH_28.substitute(cell=cell, day=_DAY))

"""Records that are there again, cell by cell."""

from __future__ import annotations

from collections.abc import Iterator
from math import prod
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.rows import filled_count, names_list, row_finding
from prepsql.profile.stack import union
from prepsql.profile.subject import Scan
from prepsql.sqltext import free_name, literal, quote

# narrower tables list values, and beyond this share of the rows to come again is how the table is
_NARROW = 3
_MOST = 0.5
# of the filled columns a record fills so many
_FILLED = 0.5
_COUNT = Template("""SELECT coalesce(sum(n - 1), 0)::BIGINT, min(last, 5)
FROM (
  SELECT count(*) AS n, max(rowid) AS last FROM $table
  WHERE $again$head <> $name AND $filled >= $least
  GROUP BY hash($cells) HAVING n > 1)""")
# only rows whose value of the most telling column comes again may come again
_AGAIN = Template("""coalesce($key, '') IN (
    SELECT coalesce($key, '') FROM $table GROUP BY 1 HAVING count(*) > 1) AND """)
_TELLING = 0.85
_FIRST = Template("""SELECT * EXCLUDE ($number)
FROM (SELECT *, row_number() OVER () AS $number FROM ($tables))
QUALIFY row_number() OVER (PARTITION BY $cells ORDER BY $number) = 1
  OR coalesce($head, '') = $name OR len(list_filter($list, lambda cell: NOT is_blank(cell))) < $least
ORDER BY $number""")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about records that an earlier row is, where so many can't be equal by chance.

    It counts the rows but for the first of each. Rows of few cells and headers that come again are no records.
    """
    subject = scan.subject
    used = [column for column in scan.columns if column.error or column.said]
    sizes = [column.distinct + bool(column.cells("empty")) for column in scan.columns if not column.error]
    unique = any(column.exact and column.distinct == subject.rows for column in scan.columns)
    if len(used) < _NARROW or subject.rows < 2 or unique or prod(sizes) < subject.rows**2:
        return
    head, least = used[0], max(2, int(_FILLED * len(used)))
    key = max(used, key=lambda column: column.distinct)
    table = quote(subject.name)
    again = _AGAIN.substitute(key=subject.field(key.position), table=table)
    field = Template("coalesce($field, '')")
    query = _COUNT.substitute(
        table=table,
        again=again if key.distinct >= _TELLING * subject.rows else "",
        head=field.substitute(field=subject.field(head.position)),
        name=literal(head.name),
        filled=f"({filled_count(scan)})",
        least=least,
        cells=", ".join(field.substitute(field=subject.field(column.position)) for column in used),
    )
    count, rows = subject.con.execute(query).fetchall()[0]
    if not 0 < count <= _MOST * subject.rows:
        return
    mend = _FIRST.substitute(
        number=quote(free_name("row number", subject.columns)),
        tables=union(subject.parts),
        cells=", ".join(map(quote, subject.columns)),
        head=quote(head.name),
        name=literal(head.name),
        list=names_list(subject),
        least=least,
    )
    detail = "all cells are those of an earlier row"
    if len(subject.parts) > 1:
        detail += ", of any of the tables; the mend puts them together"
    yield row_finding(subject, "repeated rows", count, rows, detail, mend, "distinct")

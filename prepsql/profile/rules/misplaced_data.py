"""Named columns that are empty while one column holds what they name."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Example, Finding
from prepsql.profile.header import unnamed
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal, named, quote, select

# so many named columns are empty, and so many cells name one of them
_LEAST = 2
_MOST = 0.5
_NAMING = Template("""SELECT sum(n)::BIGINT, arg_min(value, first), min(first)
FROM $cells WHERE position = $position AND ($named)""")
_NAMED = Template("contains(lower(value), $name)")
_TAKEN = Template("nullif(trim(regexp_extract($column, $pattern, 1)), '')")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about a column whose cells name the empty columns beside it."""
    subject = scan.subject
    blank = unnamed(subject.parts[0])
    empty = [column for column in scan.columns if not column.error and not column.said and not blank[column.position]]
    full = [column for column in scan.columns if column.said]
    texts = [column for column in full if column.type == "text"]
    if len(empty) < _LEAST or len(full) > len(empty) or not texts:
        return
    column = max(texts, key=lambda text: text.mean_length)
    lowered = [column.name.strip().lower() for column in empty]
    query = _NAMING.substitute(
        cells=scan.cells_of([column]),
        position=column.position,
        named=" OR ".join(_NAMED.substitute(name=literal(name)) for name in lowered),
    )
    count, value, row = subject.con.execute(query).fetchall()[0]
    if (count or 0) < _MOST * column.said:
        return
    cells = {c.name: named(_taken(column.name, c.name), c.name) for c in empty}
    yield Finding(
        "misplaced data",
        subject.table,
        column.name,
        len(empty),
        len(subject.columns),
        f"{count:,} of its cells name the empty columns {', '.join(c.name.strip() for c in empty[:4])}",
        (
            *subject.examples([(value, row)]),
            *(Example(c.name, subject.table, subject.parts[0].ledger.header_line or 1) for c in empty[:3]),
        ),
        select([cells.get(name, quote(name)) for name in subject.columns], subject.table),
        "text_between",
        subject.tables,
    )


def _taken(column: str, name: str) -> str:
    """Return the expression for what stands behind a name in the cells of a column."""
    words = "".join(letter if letter.isalnum() else "." for letter in name.strip())
    return _TAKEN.substitute(column=quote(column), pattern=literal(rf"(?i){words}\s*[:=]\s*([^,;]*)"))

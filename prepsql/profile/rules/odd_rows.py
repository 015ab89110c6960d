"""Rows with words where their columns have numbers or dates: units, headers of parts, notes."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import DATES, NUMBERS
from prepsql.profile.rows import added, count_where, row_finding, without
from prepsql.profile.subject import Scan, positions
from prepsql.sqltext import literal, quote

# of a column so many cells may be odd, and so many distinct ones; and a row has so many odd cells
_RARE = 0.05
_FEW = 30
_LEAST = 2
_ODD = Template("""SELECT position, value FROM $cells
WHERE position IN ($positions) AND kind = 'text' ORDER BY ALL""")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield the finding about rows of which two cells and half of the filled ones are words out of place."""
    subject = scan.subject
    typed = [column for column in scan.columns if column.type in {*NUMBERS, *DATES, "time", "digits"}]
    odd = [column for column in typed if 0 < column.cells("text") <= max(1, _RARE * column.said) and column.exact]
    if len(odd) < _LEAST:
        return
    query = _ODD.substitute(cells=scan.cells_of(odd), positions=positions(odd))
    words: dict[int, list[str]] = defaultdict(list)
    for position, value in subject.con.execute(query).fetchall():
        # the header once more is another finding
        if value.strip() != subject.columns[position].strip():
            words[position].append(literal(value))
    few = {at: ", ".join(values) for at, values in words.items() if len(values) <= _FEW}
    least = max(_LEAST, len(typed) // 2)
    if len(few) < least:
        return
    condition, shown = (
        added([f"(coalesce({field}, '') IN ({few[at]}))::INTEGER" for at, field in fields])
        for fields in ([(at, subject.field(at)) for at in few], [(at, quote(subject.columns[at])) for at in few])
    )
    count, rows = count_where(subject, f"{condition} >= {least}")
    if not count:
        return
    first = "a row of units or lower names under the header" if rows[0] == 0 else "words in columns of numbers or dates"
    yield row_finding(subject, "odd rows", count, rows, first, without(subject, f"({shown} >= {least})"))

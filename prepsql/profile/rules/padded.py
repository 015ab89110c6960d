"""White space at the ends of some values, and runs of it inside values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from string import Template

from prepsql.profile.finding import EXAMPLES, Finding
from prepsql.profile.result import Column
from prepsql.profile.subject import Scan
from prepsql.sqltext import quote

# white space at the ends of more cells than this share is the way the column is written
_MOST = 0.5
# in longer texts white space tells nothing apart
_PROSE = 60

_PADDED, _INNER = "padded values", "inner blanks"
_TESTS = {
    _PADDED: "CASE WHEN plain THEN false ELSE strip_space(value) <> value END",
    _INNER: "CASE WHEN plain THEN false ELSE regexp_matches(value, '[^\\s\\p{Z}][\\s\\p{Z}]{2,}[^\\s\\p{Z}]') END",
}
_MACROS = {_PADDED: "strip_space", _INNER: "squeeze_space"}
_EXAMPLES = Template("""SELECT position, value, first
FROM $cells
WHERE position IN ($positions) AND kind NOT IN ('empty', 'blank') AND $test
QUALIFY row_number() OVER (PARTITION BY position ORDER BY first) <= $examples
ORDER BY position, first""")
_MEND = Template("SELECT * REPLACE ($macro($column) AS $column) FROM $table")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield findings of columns of short texts: some cells padded, or some with runs of white space inside."""
    texts = [column for column in scan.columns if column.type == "text" and column.mean_length <= _PROSE]
    padded = [(column, column.padded) for column in texts if column.padded <= _MOST * _filled(column)]
    yield from _findings(scan, _PADDED, padded)
    if len(scan.columns) > 1:  # else whole records of fixed width
        yield from _findings(scan, _INNER, [(column, column.doubled) for column in texts])


def _findings(scan: Scan, kind: str, counts: Sequence[tuple[Column, int]]) -> Iterator[Finding]:
    counts = [(column, count) for column, count in counts if count]
    if not counts:
        return
    positions = ", ".join(str(column.position) for column, _ in counts)
    query = _EXAMPLES.substitute(
        cells=scan.cells_of(column for column, _ in counts), positions=positions, test=_TESTS[kind], examples=EXAMPLES
    )
    examples = defaultdict(list)
    for position, value, row in scan.subject.con.execute(query).fetchall():
        examples[position].append((value, row))
    table = scan.subject.table
    for column, count in counts:
        mend = _MEND.substitute(macro=_MACROS[kind], column=quote(column.name), table=quote(table))
        found = scan.subject.examples(examples[column.position])
        detail = f"{count} of {_filled(column)} cells"
        yield Finding(
            kind, table, column.name, count, _filled(column), detail, found, mend, _MACROS[kind], scan.subject.tables
        )


def _filled(column: Column) -> int:
    return column.rows - column.cells("empty", "blank")

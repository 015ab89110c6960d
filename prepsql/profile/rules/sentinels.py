"""Numbers and dates that stand for nothing known: far from all others and repeated."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import DATES, NUMBERS, Column
from prepsql.profile.rules.writing import cells_of, column_finding, listed, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literals

# a row a candidate, beside the nearest of the column's other numbers below and above
_NUMBERS = Template("""WITH numbers AS (
  SELECT position, value, n, first, TRY_CAST(tidy AS DOUBLE) AS number,
    regexp_full_match(tidy, '-(?:1|9|9{2,6})(?:[.]0+)?|9{3,7}(?:[.]0+)?') AS odd
  FROM $cells WHERE position IN ($positions) AND kind IN ('integer', 'decimal')
), others AS (
  SELECT position, min(number) AS low, max(number) AS high, count(*) AS many
  FROM numbers WHERE NOT odd GROUP BY position
)
SELECT position, value, n::BIGINT, first
FROM numbers JOIN others USING (position)
WHERE odd AND many >= 3 AND CASE
    WHEN number = -1 THEN low >= 0 AND high > 1
    WHEN number < 0 THEN low > number / 3
    ELSE high < number / 3 END
ORDER BY position, n DESC, first""")
# dates that systems write for none, and the years between which the others must be
_DATES = Template("""WITH dated AS (
  SELECT position, value, n, first, TRY_CAST(regexp_extract(tidy, '[0-9]{4}') AS INTEGER) AS year,
    regexp_matches(tidy, '$none') AS odd
  FROM $cells WHERE position IN ($positions)
    AND (kind IN ('date', 'timestamp') OR regexp_matches(tidy, '^(?:0000|0001|9999)|(?:0000|0001|9999)$$'))
), others AS (
  SELECT position, min(year) AS low, max(year) AS high FROM dated WHERE NOT odd GROUP BY position
)
SELECT position, value, n::BIGINT, first
FROM dated JOIN others USING (position)
WHERE odd AND (year < low - 10 OR year > high + 20)
ORDER BY position, n DESC, first""")
_YEAR = "(?:0000|0001|1899|1900|1970|2099|2999|9999)"
_NO_DATE = Template(
    "^(?:$year-(?:01-01|00-00|12-3[01])|(?:0?1[-/.]0?1|00[-/.]00|3[01][-/.]12|12[-/.]3[01])[-/.]$year)"
    "(?:[ t]00:00(?::00)?(?:[.]0+)?z?)?$$"
).substitute(year=_YEAR)
_REPEATED = 2


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column of numbers or dates with such values."""
    numeric = [column for column in scan.columns if column.type in NUMBERS and _may_have(column)]
    dated = [column for column in scan.columns if column.type in DATES and _may_have_dates(column)]
    for query, columns in ((_NUMBERS, numeric), (_DATES, dated)):
        if not columns:
            continue
        found: dict[int, list[tuple[str, int, int]]] = defaultdict(list)
        filled = query.substitute(cells_of(scan, columns), none=_NO_DATE)
        for position, *facts in scan.subject.con.execute(filled).fetchall():
            found[position].append(tuple(facts))
        for at, values in found.items():
            cells = sum(n for _, n, _ in values)
            if cells < _REPEATED:
                continue
            column = scan.columns[at]
            detail = f"far from the others: {listed((value, n) for value, n, _ in values)}"
            words = literals(dict.fromkeys(" ".join(value.split()).lower() for value, _, _ in values))
            mend = replaced(scan, column, "missing_to_null(cell, words)", words=words)
            yield column_finding(scan, "sentinels", column, cells, detail, [(v, row) for v, _, row in values], mend)


def _may_have(column: Column) -> bool:
    """Whether the least or the greatest number may be one: what is far from all others is one of these."""
    numbers = column.numbers
    return numbers is not None and (
        re.fullmatch("-(?:1|9+)", f"{numbers.minimum:.0f}") is not None
        or re.fullmatch("9{3,7}", f"{numbers.maximum:.0f}") is not None
    )


def _may_have_dates(column: Column) -> bool:
    """Whether the first or the last date may be one, or a text is like one."""
    ends = [column.first_text, column.last_text]
    ends += [end for reading in column.readings for end in (reading.earliest, reading.latest)]
    texts = [shape.example for shape in column.shapes if shape.kind == "text"]
    return any(re.search(_YEAR, end or "") for end in ends + texts)

"""Signs of numbers that differ: decimal points beside decimal commas, and another minus than the hyphen."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import NUMBERS
from prepsql.profile.rules.forms import or_as_it_is
from prepsql.profile.rules.writing import cells_of, column_finding, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill

COMMA = "[0-9],(?:[0-9]{1,2}|[0-9]{4,})(?:[^0-9,.]|$)"
_POINT = "[0-9][.](?:[0-9]{1,2}|[0-9]{4,})(?:[^0-9,.]|$)"
# where some number begins so, every single comma is a decimal one
_ZERO = "(?:^|[^0-9.,])0,[0-9]"
_SINGLE = "^[^,.]*,[^,.]*$"
_MINUS = r"^([(\p{Sc}]?)[−–] ?"
_COUNTED = Template("""SELECT position, bool_or(zero), sum(n) FILTER (comma)::BIGINT, sum(n) FILTER (point)::BIGINT,
  sum(n) FILTER (minus)::BIGINT,
  arg_min(value, first) FILTER (comma), min(first) FILTER (comma),
  arg_min(value, first) FILTER (point), min(first) FILTER (point),
  arg_min(value, first) FILTER (minus), min(first) FILTER (minus)
FROM (
  SELECT *, regexp_matches(tidy, '$comma_sign') OR (zero AND regexp_matches(tidy, '$single')) AS comma,
    kind = 'decimal' OR regexp_matches(tidy, '$point_sign') AS point,
    kind = 'number' AND regexp_matches(tidy, '$minus_sign') AS minus
  FROM (
    SELECT *, bool_or(kind = 'number' AND regexp_matches(tidy, '$zero_sign')) OVER (PARTITION BY position) AS zero
    FROM $cells WHERE position IN ($positions) AND kind IN ('decimal', 'number')))
GROUP BY position ORDER BY position""")
_READ = Template("CASE WHEN regexp_matches(cell, '$comma') THEN parse_number(cell, ',') ELSE parse_number(cell) END")
EITHER_SIGN = _READ.substitute(comma=COMMA)
_SINGLE_COMMA = _READ.substitute(comma=_SINGLE)
# the number in a text, its comma a point where it is a decimal one
ANY_NUMBER = Template(
    "coalesce($either, first_number(regexp_replace(cell, '([0-9]),([0-9]{1,2})([^0-9,.]|$$)', '\\1.\\2\\3')))"
).substitute(either=EITHER_SIGN)
# a scaled number is read as such: of another, m, mm and t may be units
WITH_SCALE = fill(
    "CASE cell_number_form(cell) WHEN 'scale' THEN parse_magnitude(cell) ELSE either END", either=EITHER_SIGN
)
_HYPHEN = Template("regexp_replace(strip_space(cell), '$minus', '\\1-')").substitute(minus=_MINUS)
_SHARE = 0.5


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding of each kind a column of numbers."""
    some = [
        column
        for column in scan.columns
        if column.cells("number")
        and column.cells(*NUMBERS) >= _SHARE * column.said
        and any(
            s.kind == "number" and re.search("[−–]|,9{1,2}(?!9)|,9{4}|(?<![9,.])9,9+(?![9,.])", s.mask)
            for s in column.shapes
        )
    ]
    if not some:
        return
    query = _COUNTED.substitute(
        cells_of(scan, some),
        comma_sign=COMMA,
        point_sign=_POINT,
        minus_sign=_MINUS,
        zero_sign=_ZERO,
        single=_SINGLE,
    )
    for at, zero, commas, points, minuses, *examples in scan.subject.con.execute(query).fetchall():
        column = scan.columns[at]
        comma, point, minus = zip(examples[::2], examples[1::2], strict=True)
        if commas and points:
            few, found = min((commas, [comma, point]), (points, [point, comma]))
            mend = replaced(
                scan, column, or_as_it_is(column, _SINGLE_COMMA if zero else EITHER_SIGN, column.cells(*NUMBERS))
            )
            detail = f"{commas:,} cells with a decimal comma, {points:,} with a point"
            yield column_finding(scan, "mixed decimal signs", column, few, detail, found, mend)
        if minuses:
            mend = replaced(scan, column, _HYPHEN)
            detail = "a minus sign or dash that a cast doesn't read"
            yield column_finding(scan, "minus signs", column, minuses, detail, [minus], mend)

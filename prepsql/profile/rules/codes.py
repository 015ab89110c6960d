"""Codes: of digits, some with and some without their leading zeros, and such whose shape is unlike the others'."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from string import Template

from prepsql.profile.finding import Finding
from prepsql.profile.result import Column, Shape
from prepsql.profile.rules.writing import cells_of, column_finding, listed, parted, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal

# a row a column: its cells with zeros in front, and those shorter than the longest
_ZEROS = Template("""SELECT position, longest, sum(n)::BIGINT,
  coalesce(sum(n) FILTER (zero), 0)::BIGINT, arg_min(value, first, 5) FILTER (zero), min(first, 5) FILTER (zero),
  coalesce(sum(n) FILTER (short), 0)::BIGINT, arg_min(value, first, 5) FILTER (short), min(first, 5) FILTER (short)
FROM (
  SELECT *, starts_with(tidy, '0') AND tidy <> '0' AS zero, max(length(tidy)) OVER (PARTITION BY position) AS longest,
    length(tidy) < longest AS short
  FROM $cells WHERE position IN ($positions) AND kind IN ('digits', 'integer') AND regexp_full_match(tidy, '[0-9]+'))
GROUP BY ALL ORDER BY position""")
_PADDED = "lpad(strip_space(cell), longest, '0')"
_STRIPPED = "regexp_replace(strip_space(cell), '^0+([0-9])', '\\1')"
_DIGITS = Template("CASE WHEN regexp_full_match(strip_space(cell), '[0-9]+') THEN $changed ELSE cell END")
_MOST = 0.8
_USUAL = "CASE WHEN value_mask(cell) IN (others) THEN NULL ELSE cell END"
_OTHER = "CASE WHEN value_mask(cell) IN (others) THEN cell END"
# a code: digits with few letters, without a word of three small letters
_CODE = re.compile(r"(?=.*9)(?=.*[Aa])(?!.*aaa)[Aa9]+(?:[-_./# ][Aa9]+){0,4}")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding of each kind a column of codes."""
    yield from _zeros(scan)
    for column in scan.columns:
        if column.type == "text":
            yield from _unlike(scan, column)


def _zeros(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column in which only some cells have the zeros that the others lack.

    Codes of one length are no finding but a fact of the column: its type is digits.
    """
    digits = [c for c in scan.columns if c.cells("digits") and c.cells("digits", "integer") >= _MOST * c.said]
    if not digits:
        return
    query = _ZEROS.substitute(cells_of(scan, digits))
    for at, longest, cells, *found in scan.subject.con.execute(query).fetchall():
        zeros, zero_values, zero_rows, short, short_values, short_rows = found
        column = scan.columns[at]
        if zeros and 0 < short <= cells / 2:
            mend = replaced(scan, column, _DIGITS.substitute(changed=_PADDED), longest=str(longest))
            detail = f"shorter than the other codes, of {longest} digits: as if their zeros had been lost"
            examples = zip(short_values, short_rows, strict=True)
            yield column_finding(scan, "leading zeros", column, short, detail, examples, mend)
        elif short and 0 < zeros <= cells / 2:
            mend = replaced(scan, column, _DIGITS.substitute(changed=_STRIPPED))
            examples = zip(zero_values, zero_rows, strict=True)
            yield column_finding(scan, "leading zeros", column, zeros, "numbers, the others without", examples, mend)


def _unlike(scan: Scan, column: Column) -> Iterator[Finding]:
    """Yield the finding of a column of codes with few ways to write them."""
    shapes = [shape for shape in column.shapes if shape.kind not in ("empty", "blank", "null word")]
    by_notation: dict[str, list[Shape]] = defaultdict(list)
    for shape in shapes:
        if _CODE.fullmatch(shape.mask.strip()):
            by_notation[re.sub("(.)\\1+", "\\1", shape.mask.strip())].append(shape)
    counts = {notation: sum(shape.cells for shape in some) for notation, some in by_notation.items()}
    if sum(counts.values()) != column.said or len(counts) < 2:
        return
    most = max(counts, key=lambda notation: counts[notation])
    if counts[most] < column.said / 2:
        return
    others = sorted((s for s in shapes if s not in by_notation[most]), key=lambda shape: shape.row)
    detail = (
        f"{counts[most]:,} like {by_notation[most][0].example!r}; others {listed((s.example, s.cells) for s in others)}"
    )
    # codes that differ by case and marks alone are one code after folding
    folded = {re.sub("[^A9]", "", notation.upper()) for notation in counts}
    if len(folded) == 1:
        mend = replaced(scan, column, "upper(regexp_replace(strip_space(cell), '[-_./# ]', '', 'g'))")
    else:
        masks = ", ".join(literal(mask) for mask in dict.fromkeys(shape.mask for shape in others))
        mend = parted(scan, column, _USUAL, {"unlike": _OTHER}, others=masks)
    found = [(shape.example, shape.row) for shape in others]
    count = column.said - counts[most]
    yield column_finding(scan, "unlike masks", column, count, detail, found, mend)

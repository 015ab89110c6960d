"""Codes: leading zeros that a cast would drop, and codes whose shape is unlike the others'."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from prepsql.profile.finding import Finding
from prepsql.profile.result import Column, Shape
from prepsql.profile.rules.writing import cells_that, column_finding, listed, replaced
from prepsql.profile.subject import Scan

_ZEROS = "kind = 'digits' AND starts_with(tidy, '0')"
_MOST = 0.8
# a code: digits with few letters, without a word of three small letters
_CODE = re.compile(r"(?=.*9)(?=.*[Aa])(?!.*aaa)[Aa9]+(?:[-_./# ][Aa9]+){0,4}")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding of each kind a column of codes."""
    digits = [c for c in scan.columns if c.cells("digits") and c.cells("digits", "integer") >= _MOST * c.said]
    for column, cells, found in cells_that(scan, digits, _ZEROS):
        detail = "a number would lose the zeros in front: keep it a text"
        yield column_finding(scan, "leading zeros", column, cells, detail, found)
    for column in scan.columns:
        if column.type == "text":
            yield from _unlike(scan, column)


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
    mend = replaced(scan, column, "upper(regexp_replace(strip_space(cell), '[-_./# ]', '', 'g'))")
    found = [(shape.example, shape.row) for shape in others]
    count = column.said - counts[most]
    yield column_finding(scan, "unlike masks", column, count, detail, found, mend if len(folded) == 1 else "")

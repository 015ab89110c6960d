"""Dates or times beside numbers in one column: readings that a spreadsheet stored, scores that it took for dates."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template

from prepsql.profile.date_order import order_of
from prepsql.profile.finding import Finding
from prepsql.profile.result import DATES, NUMBERS, Column, Shape
from prepsql.profile.rules.writing import column_finding, listed, of_cell, parted, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import literal

_MOST = 0.5
_SOME = 0.02
_DATED = Template("cell_kind(cell) IN ($kinds)")
_LENGTH = re.compile(r"\s*[0-9.]+ ?(?:h|hrs?|hours?|m|mins?|minutes?|s|secs?|seconds?)[.]?\s*")
# two numbers with a mark between, as scores and ranges are
_SCORE = re.compile("9{1,3} ?[-–/:] ?9{1,3}")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield at most one finding a column."""
    for column in scan.columns:
        if not column.cells(*DATES, "time"):
            continue
        scores = [shape for shape in column.shapes if shape.kind == "text" and _SCORE.fullmatch(shape.mask)]
        if column.cells("date", "timestamp") and _both(
            column, sum(shape.cells for shape in scores), "date", "timestamp"
        ):
            yield _corrupted(scan, column, scores)
        elif _both(column, column.cells(*NUMBERS), *DATES, "time") and not _are_lengths(column):
            yield _beside(scan, column)


def _both(column: Column, others: int, *kinds: str) -> bool:
    """Whether the column is made of these kinds and of the other cells, both more than once."""
    cells = column.cells(*kinds)
    return cells + others >= _MOST * column.said and min(cells, others) >= max(2, int(_SOME * column.said))


def _are_lengths(column: Column) -> bool:
    """Whether what is no time beside times is a length of time, such as 90 min."""
    others = [shape for shape in column.shapes if shape.kind in NUMBERS]
    return not column.cells(*DATES) and all(_LENGTH.fullmatch(shape.example.lower()) for shape in others)


def _corrupted(scan: Scan, column: Column, scores: list[Shape]) -> Finding:
    """Return the finding of dates that were scores: the month is taken for the first number."""
    dates = [shape for shape in column.shapes if shape.kind in ("date", "timestamp")]
    cells = column.cells("date", "timestamp")
    detail = f"beside pairs of numbers such as {scores[0].example!r}; the month is taken for the first number"
    mend = replaced(
        scan,
        column,
        "coalesce(strftime(parse_any_date(cell, parts), '%-m-%-d'), cell)",
        parts=f"'{order_of(column).parts}'",
    )
    return column_finding(scan, "corrupted dates", column, cells, detail, _firsts(dates), mend)


def _beside(scan: Scan, column: Column) -> Finding:
    """Return the finding of dates or times beside numbers, of which the mend gives the dates a column of their own."""
    families = [[s for s in column.shapes if s.kind in kinds] for kinds in ((*DATES, "time"), NUMBERS)]
    few, most = sorted(families, key=lambda shapes: sum(shape.cells for shape in shapes))
    cells = min(column.cells(*DATES, "time"), column.cells(*NUMBERS))
    detail = listed((shapes[0].example, shapes[0].cells) for shapes in (most, few))
    dated = of_cell(column, _DATED.substitute(kinds=", ".join(map(literal, (*DATES, "time")))))
    own = "time" if column.cells("time") > column.cells(*DATES) else "date"
    more = {own: "CASE WHEN dated THEN cell END"}
    mend = parted(scan, column, "CASE WHEN dated THEN NULL ELSE cell END", more, dated=dated)
    return column_finding(scan, "dates and numbers", column, cells, f"such as {detail}", _firsts(few + most), mend)


def _firsts(shapes: list[Shape]) -> list[tuple[str, int]]:
    return [(shape.example, shape.row) for shape in shapes]

"""How the numbers of columns are spread: cells by bins of equal width, all columns in one query.

The bins lie between the fences: three times the middle half's width beyond it, or the least and greatest number where
those are nearer. The first and last bin hold what is beyond the fences too, so that a few numbers far off don't press
all others into one bin. Where the middle half has no width, the fences are the least and greatest number.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from string import Template

import duckdb

from prepsql.profile.result import Numbers
from prepsql.sqltext import literal

BINS = 20

# halves, since the distance of two numbers may be more than a DOUBLE holds
_QUERY = Template("""WITH fences(position, low, high) AS (VALUES $fences)
SELECT position,
  coalesce(least($bins - 1, greatest(0, floor((number / 2 - low / 2) / nullif(high / 2 - low / 2, 0) * $bins))), 0)
    ::INTEGER AS bin,
  sum(n)::BIGINT AS cells
FROM ($numbers) JOIN fences USING (position)
GROUP BY ALL""")
_FENCES = Template("($at, $low::DOUBLE, $high::DOUBLE)")


def histograms(
    con: duckdb.DuckDBPyConnection, numbers_sql: str, numbers: Mapping[int, Numbers]
) -> dict[int, tuple[int, ...]]:
    """Return for each position of `numbers` how many of its cells fall into each of BINS bins, low to high.

    `numbers_sql` is a query that gives `position`, `number` (a finite DOUBLE) and `n`, how many cells have it.
    """
    if not numbers:
        return {}
    found = [(at, fences(facts)) for at, facts in numbers.items()]
    placed = ", ".join(
        _FENCES.substitute(at=at, low=literal(repr(low)), high=literal(repr(high))) for at, (low, high) in found
    )
    query = _QUERY.substitute(fences=placed, bins=BINS, numbers=numbers_sql)
    counts = {at: [0] * BINS for at in numbers}
    try:
        rows = con.execute(query).fetchall()
    except duckdb.Error:
        # one that fails costs its own
        each = ({at: facts} for at, facts in numbers.items() if len(numbers) > 1)
        return {at: bins for one in each for at, bins in histograms(con, numbers_sql, one).items()}
    for position, bin_, cells in rows:
        counts[position][bin_] = cells
    return {at: tuple(cells) for at, cells in counts.items()}


def fences(numbers: Numbers) -> tuple[float, float]:
    """Return the low end of the first bin and the high end of the last."""
    width = numbers.three_quarters - numbers.quarter
    if width <= 0 or not isfinite(width):
        return numbers.minimum, numbers.maximum
    return max(numbers.minimum, numbers.quarter - 3 * width), min(numbers.maximum, numbers.three_quarters + 3 * width)

"""Two runs over the same tasks: who passes what the other doesn't, setting by setting."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb

from prepsql.evaluate.statistics import interval, mcnemar

# with repeats a task counts as passed where more than half of its judged repeats are
_PAIRED = """
WITH pairs AS (
    SELECT measure, task, a.score AS first, b.score AS second, a.score > 0.5 AS one, b.score > 0.5 AS other
    FROM scores AS a
    JOIN scores AS b USING (measure, task)
    WHERE a.run = $first AND b.run = $second
)
SELECT measure, count(*) AS tasks, count(*) FILTER (one AND other) AS both,
    count(*) FILTER (one AND NOT other) AS only_first, count(*) FILTER (other AND NOT one) AS only_second,
    count(*) FILTER (NOT one AND NOT other) AS neither, avg(first) - avg(second) AS difference,
    list([first - second, 1] ORDER BY task) AS sample
FROM pairs
GROUP BY measure
ORDER BY measure
"""


@dataclass(frozen=True)
class Paired:
    """Two runs in one measure over the tasks that both judged: how many both pass, either alone, or neither.

    `difference` is the first's accuracy less the second's over these tasks, from `low` to `high` by bootstrap (None for
    a single task); `p` is McNemar's, exact and two-sided, not corrected for several measures. With repeats, a task
    counts as passed where more than half of its judged repeats pass; `difference` takes the mean of the repeats.
    """

    first: str
    second: str
    measure: str
    tasks: int
    both: int
    only_first: int
    only_second: int
    neither: int
    difference: float
    low: float | None
    high: float | None
    p: float


def paired(con: duckdb.DuckDBPyConnection, labels: dict[int, str], first: int, second: int) -> list[Paired]:
    """Return one comparison a measure in which both runs judged a task."""
    rows = con.execute(_PAIRED, {"first": first, "second": second}).fetchall()
    return [_paired(labels[first], labels[second], *row) for row in rows]


def _paired(
    first: str, second: str, measure: str, tasks: int, both: int, one: int, other: int, neither: int, difference: float,
    sample: list[list[float]],
) -> Paired:  # fmt: skip
    low, high = interval(sample) or (None, None)
    p = mcnemar(one, other)
    return Paired(first, second, measure, tasks, both, one, other, neither, difference, low, high, p)

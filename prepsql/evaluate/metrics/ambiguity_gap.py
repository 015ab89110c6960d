"""Ambiguity gap: accuracy of codegen (disambiguated request) less that of direct (original one; paper, section 5.3).

One row a run, as shares of 1. Denominator: the tasks judged in both settings; with repeats a task counts by its mean.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "ambiguity_gap",
    "Ambiguity gap (RQ2)",
    __doc__ or "",
    """
SELECT run, count(*) AS tasks, avg(b.score) AS direct, avg(a.score) AS codegen,
    avg(a.score) - avg(b.score) AS gap, list([a.score - b.score, 1] ORDER BY task) AS sample
FROM scores AS b
JOIN scores AS a USING (run, task)
WHERE b.measure = 'direct' AND a.measure = 'codegen'
GROUP BY run
ORDER BY run
    """,
)

"""Profiling gain: accuracy of codegen (profiles) less that of codegen-noprofile (paper, section 5.5).

One row a run, as shares of 1; below 0 where profiling did harm. Denominator: the tasks judged in both settings.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "profiling_gain",
    "Profiling gain (RQ4)",
    __doc__ or "",
    """
SELECT run, count(*) AS tasks, avg(b.score) AS noprofile, avg(a.score) AS codegen,
    avg(a.score) - avg(b.score) AS gain, list([a.score - b.score, 1] ORDER BY task) AS sample
FROM scores AS b
JOIN scores AS a USING (run, task)
WHERE b.measure = 'codegen-noprofile' AND a.measure = 'codegen'
GROUP BY run
ORDER BY run
    """,
)

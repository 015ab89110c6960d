"""Interaction gain: accuracy of e2e-code (Interact) less that of direct (Orig), which doesn't ask (section 5.4).

One row a run, as shares of 1. Denominator: the tasks judged in both settings.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "interaction_gain",
    "Interaction gain (RQ3)",
    __doc__ or "",
    """
SELECT run, count(*) AS tasks, avg(b.score) AS direct, avg(a.score) AS e2e_code,
    avg(a.score) - avg(b.score) AS gain, list([a.score - b.score, 1] ORDER BY task) AS sample
FROM scores AS b
JOIN scores AS a USING (run, task)
WHERE b.measure = 'direct' AND a.measure = 'e2e-code'
GROUP BY run
ORDER BY run
    """,
)

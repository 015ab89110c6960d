"""Accuracy: the share of tasks that pass, by what is measured (paper, section 4.1: code-acc and workflow-acc).

One row a run and measure. Denominator: the tasks judged; a task without tables is judged and doesn't pass, one that
only met faults of the infrastructure isn't judged. With repeats, a task counts by the share of its judged repeats
that pass. `passed` is the sum of these shares.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "accuracy",
    "Accuracy by setting",
    __doc__ or "",
    """
SELECT run, measure, sum(score) AS passed, count(*) AS tasks, avg(score) AS accuracy,
    list([score, 1] ORDER BY task) AS sample
FROM scores
GROUP BY run, measure
ORDER BY run, measure
    """,
)

"""Outcomes: how many tries ended how, by setting and what is judged; one row a run, setting, way and result.

`result` is as in the record, null where it isn't known how a try that doesn't pass failed. `infrastructure` is in no
other figure.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "results",
    "Outcomes by setting",
    __doc__ or "",
    """
SELECT run, setting, way, result, count(*) AS tries
FROM outcomes
GROUP BY run, setting, way, result
ORDER BY run, setting, way, tries DESC, result
    """,
)

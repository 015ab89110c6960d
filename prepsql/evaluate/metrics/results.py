"""Outcomes: how many verdicts said what, by setting and what is judged; one row a run, setting, way and result.

`result` is as in the record, null where it isn't known how a try that doesn't pass failed. `infrastructure` is in no
other figure. `measure` is what other figures measure by it, null where that is none.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "results",
    "Outcomes by setting",
    __doc__ or "",
    """
SELECT run, measure, setting, way, result, count(*) AS verdicts
FROM outcomes
LEFT JOIN measures USING (setting, way)
GROUP BY run, measure, setting, way, result
ORDER BY run, setting, way, verdicts DESC, result
    """,
)

"""Infrastructure faults: verdicts that nobody's answer spoiled, scored nowhere; one row a run, also where it has none.

`verdicts` are all in the record, one a try and way that is judged; `tasks_unjudged` have only faults in some measure.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "faults",
    "Infrastructure faults",
    __doc__ or "",
    """
SELECT run, count(*) FILTER (result = 'infrastructure') AS faults, count(*) AS verdicts,
    (
        SELECT count(DISTINCT task)
        FROM (
            SELECT task, bool_and(fault) AS unjudged
            FROM tries
            WHERE tries.run = outcomes.run
            GROUP BY task, measure
        ) AS t
        WHERE unjudged
    ) AS tasks_unjudged
FROM outcomes
GROUP BY run
ORDER BY run
    """,
)

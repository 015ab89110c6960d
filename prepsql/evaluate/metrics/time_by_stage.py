"""Time by stage: how long the stages of a model's agent took, and the comparison (`judge`); one row a run and stage.

`seconds` is wall time, summed over all tries of the record, also over those that met a fault; `model` is how much of it
was spent in calls that were made now, for the agent or for the user that it asks, without what passed between the tries
of a call; a script's replies count too. `median` is of one try. Tries that run beside one another each count in full.
Slowest first.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "time_by_stage",
    "Time by stage",
    __doc__ or "",
    """
WITH called AS (
    SELECT run, task, setting, repeat, if(stage = 'answer', 'clarify', stage) AS stage, sum(seconds) AS seconds
    FROM calls
    WHERE source IN ('paid', 'script')
    GROUP BY ALL
)
SELECT s.run, s.stage, count(*) AS tries, sum(s.seconds) AS seconds, coalesce(sum(c.seconds), 0) AS model,
    median(s.seconds) AS median
FROM stages AS s
LEFT JOIN called AS c USING (run, task, setting, repeat, stage)
GROUP BY s.run, s.stage
ORDER BY s.run, seconds DESC, s.stage
    """,
)

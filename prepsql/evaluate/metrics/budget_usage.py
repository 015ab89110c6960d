"""Budget usage: questions asked over questions allowed, summed over all conversations (paper, Figure 10).

One row a run. `usage` is a ratio of sums, so tasks with a large budget weigh more. `asked` are the questions within
the budget; `over_budget` were dropped unasked. Conversations that met a fault of the infrastructure aren't counted.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "budget_usage",
    "Question budget usage (RQ3)",
    __doc__ or "",
    """
WITH each_task AS (
    SELECT run, task, sum(max_questions) AS allowed, sum(coalesce(asked, 0)) AS asked, sum(coalesce(over, 0)) AS over
    FROM conversations
    LEFT JOIN (
        SELECT run, task, setting, repeat,
            count(*) FILTER (classification IS DISTINCT FROM 'over_budget') AS asked,
            count(*) FILTER (classification = 'over_budget') AS over
        FROM questions
        GROUP BY run, task, setting, repeat
    ) AS q USING (run, task, setting, repeat)
    GROUP BY run, task
)
SELECT run, count(*) AS tasks, sum(asked)::BIGINT AS asked, sum(allowed)::BIGINT AS allowed,
    sum(over)::BIGINT AS over_budget, sum(asked) / nullif(sum(allowed), 0) AS usage,
    list([asked, allowed] ORDER BY task) AS sample
FROM each_task
GROUP BY run
ORDER BY run
    """,
)

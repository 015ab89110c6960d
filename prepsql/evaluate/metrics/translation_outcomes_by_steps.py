"""Translation outcomes by preparation steps: 3-5, 6-8, 9-11, 12-18 (paper, Figure 15), and others if there are.

One row a run, measure and bin, in percent of the judged tries of the bin; `bin` numbers the bins from the paper's
first, which is 0, and is null for tasks whose steps aren't known. `low` and `high` are those of Correct.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "translation_outcomes_by_steps",
    "Translation outcomes by preparation steps (RQ5)",
    __doc__ or "",
    """
WITH each_task AS (
    SELECT run, measure, task,
        CASE WHEN steps < 3 THEN -1 WHEN steps <= 5 THEN 0 WHEN steps <= 8 THEN 1 WHEN steps <= 11 THEN 2
            WHEN steps <= 18 THEN 3 WHEN steps > 18 THEN 4 END AS bin,
        count(*) AS tries,
        count(*) FILTER (NOT passed AND coalesce(result, '') NOT IN ('wrong', 'correct')) AS fail,
        count(*) FILTER (NOT passed AND result IN ('wrong', 'correct')) AS wrong,
        count(*) FILTER (passed) AS correct
    FROM tries
    LEFT JOIN tasks USING (run, task)
    WHERE NOT fault AND measure IN ('translate', 'e2e-workflow')
    GROUP BY run, measure, task, steps
)
SELECT run, measure, bin,
    CASE bin WHEN -1 THEN '1-2' WHEN 0 THEN '3-5' WHEN 1 THEN '6-8' WHEN 2 THEN '9-11' WHEN 3 THEN '12-18'
        WHEN 4 THEN '19+' ELSE 'unknown' END AS steps,
    100 * sum(fail) / sum(tries) AS fail_pct, 100 * sum(wrong) / sum(tries) AS wrong_pct,
    100 * sum(correct) / sum(tries) AS correct_pct, sum(tries)::BIGINT AS total,
    list([100 * correct, tries] ORDER BY task) AS sample
FROM each_task
GROUP BY run, measure, bin
ORDER BY run, measure DESC, bin
    """,
)

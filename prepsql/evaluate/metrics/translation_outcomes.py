"""Translation outcomes: Fail, it can't run; Wrong, it runs and its tables differ; Correct (paper, section 4.3).

One row a run and measure that ends in a workflow, in percent of the judged tries (`total`); faults of the
infrastructure aren't judged. Timed out, refused and out of memory are Fail, as is a reply that was cut off. `low` and
`high` are those of Correct.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "translation_outcomes",
    "Translation outcomes (RQ5)",
    __doc__ or "",
    """
WITH each_task AS (
    SELECT run, measure, task, count(*) AS tries,
        count(*) FILTER (NOT passed AND coalesce(result, '') NOT IN ('wrong', 'correct')) AS fail,
        count(*) FILTER (NOT passed AND result IN ('wrong', 'correct')) AS wrong,
        count(*) FILTER (passed) AS correct
    FROM tries
    WHERE NOT fault AND measure IN ('translate', 'e2e-workflow')
    GROUP BY run, measure, task
)
SELECT run, measure, 100 * sum(fail) / sum(tries) AS fail_pct, 100 * sum(wrong) / sum(tries) AS wrong_pct,
    100 * sum(correct) / sum(tries) AS correct_pct, sum(tries)::BIGINT AS total,
    list([100 * correct, tries] ORDER BY task) AS sample
FROM each_task
GROUP BY run, measure
ORDER BY run, measure DESC
    """,
)

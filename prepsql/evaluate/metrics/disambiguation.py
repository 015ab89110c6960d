"""Disambiguation: precision is distinct entries hit over questions asked, recall over all entries (section 4.1).

One row a run. `f1` is macro as in the paper's Table 6: the mean of each task's F1, over tasks that have entries; a
task where nothing was asked has 0. The `micro` figures are ratios of sums over all conversations. A question that
hits an entry again counts as asked, the entry once. `macro_precision` leaves out tasks where nothing was asked.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "disambiguation",
    "Disambiguation F1",
    __doc__ or "",
    """
WITH each_conversation AS (
    SELECT run, task, any_value(entries) AS entries, count(number) AS asked, count(DISTINCT entry) AS hits
    FROM conversations
    JOIN (SELECT run, task, count(*) AS entries FROM task_entries GROUP BY run, task) AS e USING (run, task)
    LEFT JOIN asked USING (run, task, setting, repeat)
    GROUP BY run, task, setting, repeat
),
questions_of_others AS (
    SELECT run, count(number) AS asked
    FROM conversations
    LEFT JOIN asked USING (run, task, setting, repeat)
    ANTI JOIN task_entries USING (run, task)
    GROUP BY run
),
each_task AS (
    SELECT run, task, sum(entries) AS entries, sum(asked) AS asked, sum(hits) AS hits,
        avg(2 * hits / (asked + entries)) AS f1, avg(hits / nullif(asked, 0)) AS precision,
        avg(hits / entries) AS recall
    FROM each_conversation
    GROUP BY run, task
)
SELECT run, count(*) AS tasks, avg(f1) AS f1, list([f1, 1] ORDER BY task) AS sample,
    avg(precision) AS macro_precision, avg(recall) AS macro_recall,
    sum(hits) / nullif(sum(each_task.asked) + coalesce(any_value(o.asked), 0), 0) AS micro_precision,
    sum(hits) / sum(entries) AS micro_recall,
    2 * sum(hits) / (sum(each_task.asked) + coalesce(any_value(o.asked), 0) + sum(entries)) AS micro_f1
FROM each_task
LEFT JOIN questions_of_others AS o USING (run)
GROUP BY run
ORDER BY run
    """,
)

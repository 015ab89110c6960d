"""Disambiguation by kind: recall is |M_t| / |A_t| over the entries of kind t in all conversations (section 5.1).

One row a run and kind; all are ratios of sums. `precision` has only the questions that hit an entry of the kind below
the line, since what hit nothing has no kind; so it falls only by hitting an entry again. `low` and `high` are those
of recall.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "disambiguation_by_kind",
    "Disambiguation by kind (RQ3)",
    __doc__ or "",
    """
WITH each_task AS (
    SELECT run, task, kind, sum(entries) AS entries, sum(coalesce(questions, 0)) AS questions,
        sum(coalesce(hits, 0)) AS hits
    FROM conversations
    JOIN task_kinds USING (run, task)
    LEFT JOIN (
        SELECT run, task, setting, repeat, kind, count(*) AS questions, count(DISTINCT entry) AS hits
        FROM asked
        WHERE kind IS NOT NULL
        GROUP BY run, task, setting, repeat, kind
    ) AS q USING (run, task, setting, repeat, kind)
    GROUP BY run, task, kind
)
SELECT run, kind, sum(entries)::BIGINT AS entries, sum(questions)::BIGINT AS questions, sum(hits)::BIGINT AS hits,
    sum(hits) / nullif(sum(questions), 0) AS precision, sum(hits) / sum(entries) AS recall,
    2 * sum(hits) / (sum(questions) + sum(entries)) AS f1, list([hits, entries] ORDER BY task) AS sample
FROM each_task
GROUP BY run, kind
ORDER BY run, list_position(['Single-table reference', 'Multi-table alignment', 'Group-level concept',
    'Row-level concept', 'Operation incomplete', 'Operation inconsistent', 'Operation boundary'], kind)
    """,
)

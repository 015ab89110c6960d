"""Ambiguity gap by kind (paper, Figure 8): direct and codegen over the tasks with an entry of that kind of ambiguity.

One row a run and kind. A task with several kinds counts in each; one without entries in none. Denominator: the tasks
of the kind judged in both settings.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "ambiguity_gap_by_kind",
    "Ambiguity gap by kind (RQ2)",
    __doc__ or "",
    """
SELECT run, kind, count(*) AS tasks, avg(b.score) AS direct, avg(a.score) AS codegen,
    avg(a.score) - avg(b.score) AS gap, list([a.score - b.score, 1] ORDER BY task) AS sample
FROM scores AS b
JOIN scores AS a USING (run, task)
JOIN task_kinds USING (run, task)
WHERE b.measure = 'direct' AND a.measure = 'codegen'
GROUP BY run, kind
ORDER BY run, list_position(['Single-table reference', 'Multi-table alignment', 'Group-level concept',
    'Row-level concept', 'Operation incomplete', 'Operation inconsistent', 'Operation boundary'], kind)
    """,
)

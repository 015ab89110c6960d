"""Profiling gain by irregularity (paper, Figure 13): codegen less codegen-noprofile over the tasks with that pattern.

One row a run and pattern (HI header, RI rows, FV formats, SV spellings, MV missing). A task with several patterns
counts in each. Denominator: the tasks labelled with the pattern and judged in both settings.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "profiling_gain_by_pattern",
    "Profiling gain by irregularity (RQ4)",
    __doc__ or "",
    """
SELECT run, pattern, count(*) AS tasks, avg(b.score) AS noprofile, avg(a.score) AS codegen,
    avg(a.score) - avg(b.score) AS gain, list([a.score - b.score, 1] ORDER BY task) AS sample
FROM scores AS b
JOIN scores AS a USING (run, task)
JOIN task_patterns USING (run, task)
WHERE b.measure = 'codegen-noprofile' AND a.measure = 'codegen'
GROUP BY run, pattern
ORDER BY run, list_position(['HI', 'RI', 'FV', 'SV', 'MV'], pattern)
    """,
)

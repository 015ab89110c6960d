"""What the simulator made of the questions asked: one row a run and classification, null where it isn't known.

`share` is of all questions asked in conversations that came to their end.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "question_classes",
    "Answers of the simulator",
    __doc__ or "",
    """
SELECT run, classification, count(*) AS questions, count(*) / sum(count(*)) OVER (PARTITION BY run) AS share
FROM asked
GROUP BY run, classification
ORDER BY run, questions DESC, classification
    """,
)

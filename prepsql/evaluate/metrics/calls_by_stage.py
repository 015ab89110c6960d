"""Calls by role, model, stage and where the reply came from (paid, cache, journal, script); one row a run and these.

All calls of the record, also those of tries that met a fault; `model` is the name that prices go by. Tokens and `usd`
are sums, null where any call's are unknown; `calls_without_usage` are those of unknown cost whose reply didn't tell its
tokens, the others had no price. `seconds` is the sum of the time that calls took.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "calls_by_stage",
    "Calls by stage",
    __doc__ or "",
    """
SELECT run, role, model, stage, source, count(*) AS calls,
    CASE WHEN count(prompt_tokens) = count(*) THEN sum(prompt_tokens)::BIGINT END AS prompt_tokens,
    CASE WHEN count(completion_tokens) = count(*) THEN sum(completion_tokens)::BIGINT END AS completion_tokens,
    CASE WHEN count(usd) = count(*) THEN money(sum(usd)) END AS usd,
    count(*) FILTER (usd IS NULL) AS calls_of_unknown_cost,
    count(*) FILTER (usd IS NULL AND (prompt_tokens IS NULL OR completion_tokens IS NULL)) AS calls_without_usage,
    sum(seconds) AS seconds
FROM calls
GROUP BY run, role, model, stage, source
ORDER BY run, role, model, stage, source
    """,
)

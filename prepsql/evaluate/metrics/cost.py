"""Cost: dollars × 1000 a task over the agent's calls of a measure's path (paper, section 5.1, and Table 6).

One row a run and measure. The path of disambiguate is clarify, of e2e-code clarify, profile and code, of e2e-workflow
also translate, of direct and codegen profile and code, of codegen-noprofile code, of translate translate; retries
count. Denominator: the tasks judged, one without a call costs 0; with repeats, the mean of its repeats. Replies from
the cache count with the price that they had. The simulator's calls aren't in it (the paper's least Disambig cost,
1.24, has no room for them) but in `simulator_millidollars`. Null where any call's cost is unknown, or the run has no
call by that role at all. Tokens are the agent's, a task.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "cost",
    "Cost by setting",
    __doc__ or "",
    """
WITH judged AS (
    SELECT run, measure, setting, task, repeat
    FROM tries
    WHERE NOT fault AND way <> 'questions'
    UNION ALL
    SELECT run, 'disambiguate', setting, task, repeat
    FROM conversations
),
on_path AS (
    SELECT run, measure, setting, task, repeat, role, usd, prompt_tokens, completion_tokens
    FROM calls
    JOIN paths USING (setting, stage)
),
each_try AS (
    SELECT run, measure, task,
        count(role) FILTER (role = 'agent') AS calls,
        count(role) FILTER (role = 'agent' AND usd IS NULL) AS unpriced,
        coalesce(money(sum(usd) FILTER (role = 'agent')), 0) AS usd,
        count(role) FILTER (role = 'agent' AND (prompt_tokens IS NULL OR completion_tokens IS NULL)) AS uncounted,
        coalesce(sum(prompt_tokens) FILTER (role = 'agent'), 0) AS prompt_tokens,
        coalesce(sum(completion_tokens) FILTER (role = 'agent'), 0) AS completion_tokens,
        count(role) FILTER (role = 'simulator' AND usd IS NULL) AS simulator_unpriced,
        coalesce(money(sum(usd) FILTER (role = 'simulator')), 0) AS simulator_usd
    FROM judged
    LEFT JOIN on_path USING (run, measure, setting, task, repeat)
    GROUP BY run, measure, setting, task, repeat
),
each_task AS (
    SELECT run, measure, task, sum(calls) AS calls, sum(unpriced) AS unpriced, money(avg(usd)) AS usd,
        sum(uncounted) AS uncounted, avg(prompt_tokens) AS prompt_tokens, avg(completion_tokens) AS completion_tokens,
        sum(simulator_unpriced) AS simulator_unpriced, money(avg(simulator_usd)) AS simulator_usd
    FROM each_try
    GROUP BY run, measure, task
),
callers AS (
    SELECT run, bool_or(role = 'agent') AS agent, bool_or(role = 'simulator') AS simulator
    FROM calls
    GROUP BY run
)
SELECT run, measure, count(*) AS tasks, sum(calls)::BIGINT AS calls, sum(unpriced)::BIGINT AS calls_of_unknown_cost,
    CASE WHEN any_value(agent) AND sum(unpriced) = 0 THEN 1000 * money(avg(usd)) END AS millidollars,
    CASE WHEN any_value(agent) AND sum(unpriced) = 0 THEN list([1000 * usd, 1] ORDER BY task) END AS sample,
    CASE WHEN any_value(simulator) AND sum(simulator_unpriced) = 0 THEN 1000 * money(avg(simulator_usd)) END
        AS simulator_millidollars,
    CASE WHEN any_value(agent) AND sum(uncounted) = 0 THEN avg(prompt_tokens) END AS prompt_tokens,
    CASE WHEN any_value(agent) AND sum(uncounted) = 0 THEN avg(completion_tokens) END AS completion_tokens
FROM each_task
LEFT JOIN callers USING (run)
GROUP BY run, measure
ORDER BY run, measure
    """,
)

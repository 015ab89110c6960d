"""Parameters that a model's endpoint refused, so that its calls were made without them; none where it took all.

Without `temperature` the endpoint's own holds, whatever the run's settings say; without `response_format` replies had
no schema to keep to; without `seed` repeats aren't drawn from it.
"""

from __future__ import annotations

from prepsql.evaluate.metrics.metric import Metric

METRIC = Metric(
    "left_out",
    "Left out of calls",
    __doc__ or "",
    "SELECT DISTINCT run, model, parameter FROM left_out ORDER BY run, model, parameter",
)

"""The figures of a report, one a file: a statement over the tables that `prepsql.evaluate.reports.load` fills."""

from prepsql.evaluate.metrics import (
    accuracy,
    ambiguity_gap,
    ambiguity_gap_by_kind,
    budget_usage,
    calls_by_stage,
    cost,
    disambiguation,
    disambiguation_by_kind,
    faults,
    interaction_gain,
    left_out,
    profiling_gain,
    profiling_gain_by_pattern,
    question_classes,
    results,
    time_by_stage,
    translation_outcomes,
    translation_outcomes_by_steps,
)
from prepsql.evaluate.metrics.metric import Metric

METRICS: dict[str, Metric] = {
    module.METRIC.name: module.METRIC
    for module in (
        accuracy,
        cost,
        disambiguation,
        ambiguity_gap,
        ambiguity_gap_by_kind,
        interaction_gain,
        budget_usage,
        disambiguation_by_kind,
        question_classes,
        profiling_gain,
        profiling_gain_by_pattern,
        translation_outcomes,
        translation_outcomes_by_steps,
        results,
        faults,
        calls_by_stage,
        time_by_stage,
        left_out,
    )
}
"""Name → figure, in the order in which a report tells them."""

"""A script step: rows out to the sandbox, rows back as a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prepsql.errors import MemoryLimitError, OtherColumnsError, TimeLimitError, WorkflowError
from prepsql.sandbox import Limits, Status, run_scalar, run_transform
from prepsql.workflow.document import Step
from prepsql.workflow.operators.script import Script
from prepsql.workflow.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa

_LIMITS = {Status.TIMED_OUT: TimeLimitError, Status.OUT_OF_MEMORY: MemoryLimitError}


def run_script(step: Step, script: Script, tables: Mapping[str, pa.Table], settings: Settings) -> pa.Table:
    """Return what a script step's code makes of its inputs' rows; of the declared columns and types, where it has any.

    Raises WorkflowError with what the sandbox says where the code fails; that is TimeLimitError or MemoryLimitError
    where it met a limit, and OtherColumnsError where it gives other columns than declared.
    """
    bounds = settings.limits or Limits(seconds=script.timeout)
    terms: dict[str, Any] = {
        "limits": replace(bounds, seconds=min(bounds.seconds, script.timeout)), "accept_risk": settings.accept_risk,
        "hidden": settings.hidden, "stop": settings.stop, "server": settings.server,
    }  # fmt: skip
    if script.scalar:
        ((_, rows),) = tables.items()
        ((column, _),) = (script.columns or {"value": ""}).items()
        done = run_scalar(script.code, rows, **terms)
        made = None if done.table is None else rows.append_column(column, done.table.column(0))
    else:
        done = run_transform(script.code, tables, script.language, **terms)
        made = done.table
    if done.outcome.status is not Status.OK or made is None:
        failure = _LIMITS.get(done.outcome.status, WorkflowError)
        raise failure(
            f"step '{step.name}', code: {done.outcome.status.value}: {' '.join(done.outcome.message.split())}"
        )
    if script.columns is not None and not script.scalar and made.column_names != list(script.columns):
        raise OtherColumnsError(
            f"step '{step.name}', columns: the code returned {', '.join(made.column_names)}; declared are "
            f"{', '.join(script.columns)}; let the code return these, or declare what it returns",
            step.name,
        )
    return made

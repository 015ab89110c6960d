"""A script step: rows out to the sandbox, rows back as a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepsql.errors import WorkflowError
from prepsql.sandbox import Limits, Status, run_scalar, run_transform
from prepsql.workflow.document import Step
from prepsql.workflow.operators.script import Script

if TYPE_CHECKING:
    from collections.abc import Mapping

    import pyarrow as pa


def run_script(step: Step, script: Script, tables: Mapping[str, pa.Table], *, accept_risk: bool = False) -> pa.Table:
    """Return what a script step's code makes of its inputs' rows; of the declared columns and types, where it has any.

    Raises WorkflowError with what the sandbox says where the code fails or gives other columns than declared.
    """
    limits = Limits(seconds=script.timeout)
    if script.scalar:
        ((_, rows),) = tables.items()
        ((column, _),) = (script.columns or {"value": ""}).items()
        done = run_scalar(script.code, rows, limits=limits, accept_risk=accept_risk)
        made = None if done.table is None else rows.append_column(column, done.table.column(0))
    else:
        done = run_transform(script.code, tables, script.language, limits=limits, accept_risk=accept_risk)
        made = done.table
    if done.outcome.status is not Status.OK or made is None:
        raise WorkflowError(f"step '{step.name}', code: {done.outcome.status.value}: {done.outcome.message}")
    if script.columns is not None and not script.scalar and made.column_names != list(script.columns):
        raise WorkflowError(
            f"step '{step.name}', columns: the code returned {', '.join(made.column_names)}; declared are "
            f"{', '.join(script.columns)}; let the code return these, or declare what it returns"
        )
    return made

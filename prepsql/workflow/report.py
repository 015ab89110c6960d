"""Problems and traces as a person reads them in a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.workflow.problem import Problem
from prepsql.workflow.run import Run

_COLUMNS = 6


def problem_list(problems: Sequence[Problem]) -> RenderableType:
    """Return the problems, each with its place, what it is and the mend below it."""
    parts: list[RenderableType] = []
    for problem in problems:
        place = f"step '{problem.step}'" if problem.step else "workflow"
        where = f"{place}, {problem.parameter}" if problem.parameter else place
        parts.append(Text(f"{where} [{problem.code}]", style="bold"))
        parts.append(Padding(Text(problem.message), (0, 0, 0, 2)))
        if problem.suggestion:
            parts.append(Padding(Text(f"→ {problem.suggestion}", style="green"), (0, 0, 0, 2)))
    count = f"{len(problems)} problem{'s' if len(problems) != 1 else ''}"
    return Group(*parts, Text(f"{count}; nothing was run"))


def trace_table(run: Run) -> RenderableType:
    """Return a row a step: rows in and out, seconds, and the columns that came and went."""
    table = Table(box=None, pad_edge=False)
    table.add_column("step", overflow="fold")
    table.add_column("kind")
    table.add_column("rows in", justify="right")
    table.add_column("rows out", justify="right")
    table.add_column("seconds", justify="right")
    table.add_column("columns", overflow="fold")
    for step in run.steps:
        rows_in = " + ".join(f"{rows:,}" for rows in step.rows_in.values())
        changes = [f"+{name}" for name in step.added[:_COLUMNS]] + [f"-{name}" for name in step.dropped[:_COLUMNS]]
        more = max(0, len(step.added) - _COLUMNS) + max(0, len(step.dropped) - _COLUMNS)
        words = " ".join([*changes, *([f"… {more} more"] if more else []), *filter(None, [step.remark])])
        table.add_row(step.name, step.kind, rows_in, f"{step.rows_out:,}", f"{step.seconds:.3f}", words)
    return table

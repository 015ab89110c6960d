"""The agent `reference`: answers each task with the task's own solutions, so it shows that the harness is right."""

from __future__ import annotations

from prepsql.evaluate.task import Task, Way

NAME = "reference"
WAYS: tuple[Way, ...] = ("sql", "pandas", "workflow")


def write_code(task: Task, way: Way) -> str | None:
    """Return the task's own code or workflow of one way, or None where the suite ships none."""
    path = task.reference.get(way)
    return None if path is None else path.read_text(encoding="utf-8")

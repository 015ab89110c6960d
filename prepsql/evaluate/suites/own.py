"""Our own form: all assets of a task stand in one folder."""

from __future__ import annotations

from pathlib import Path

from prepsql.evaluate.task import Task, Way

_SOLUTIONS: dict[Way, str] = {"sql": "solution.sql", "pandas": "solution.py", "workflow": "workflow.json"}


def tasks(root: Path) -> tuple[Task, ...]:
    """Return the tasks under `root`, each a folder with query.md and config.json, by name; none is no error."""
    folders = sorted(p for p in root.iterdir() if (p / "query.md").is_file() and (p / "config.json").is_file())
    return tuple(Task(p.name, p, p, reference(p)) for p in folders)


def reference(folder: Path) -> dict[Way, Path]:
    """Return the reference code that stands in `folder`, by the way it's written."""
    return {way: folder / name for way, name in _SOLUTIONS.items() if (folder / name).is_file()}

"""A checkout of PrepBench's release, read in place: `data/case_NNN`, gold apart in `src/evaluate/gt/case_NNN`."""

from __future__ import annotations

from pathlib import Path

from prepsql.evaluate.suites.own import reference
from prepsql.evaluate.task import Task


def tasks(root: Path) -> tuple[Task, ...]:
    """Return the cases that have both data and gold, by name; a folder of another form gives none."""
    cases = sorted((root / "data").glob("case_*"))
    gold = root / "src" / "evaluate" / "gt"
    return tuple(Task(p.name, p, gold / p.name, reference(p)) for p in cases if (gold / p.name).is_dir())

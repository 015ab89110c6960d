"""A checkout of PrepBench's release, read in place: `data/case_NNN`, gold apart in `src/evaluate/gt/case_NNN`."""

from __future__ import annotations

from pathlib import Path

from prepsql.evaluate.suites.labels import Label, labels
from prepsql.evaluate.suites.own import reference
from prepsql.evaluate.task import Task


def tasks(root: Path) -> tuple[Task, ...]:
    """Return the cases that have both data and gold, by name; a folder of another form gives none.

    Raises ConfigError where what is known of them (`labels`) can't be read.
    """
    cases = sorted((root / "data").glob("case_*"))
    gold = root / "src" / "evaluate" / "gt"
    cases = [path for path in cases if (gold / path.name).is_dir()]
    known = labels(root) if cases else {}
    return tuple(_task(path, gold / path.name, known.get(path.name, Label())) for path in cases)


def _task(path: Path, gold: Path, label: Label) -> Task:
    return Task(path.name, path, gold, reference(path), label.steps, label.patterns)

"""What is known of a release's tasks beside their own files: patterns of irregularity, and how many steps they take.

| file | columns | where |
|---|---|---|
| irregularity_labels.csv | case, patterns (`FV`, or `FV|MV`; none is empty) | in the checkout |
| processing_steps.csv | id (`001` of case_001), processing_steps | in the checkout, or in its folder `results` |
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from prepsql.errors import ConfigError
from prepsql.evaluate.task import IRREGULARITY_PATTERNS

LABELS = "irregularity_labels.csv"
STEPS = "processing_steps.csv"


@dataclass(frozen=True)
class Label:
    """What is known of one task; `steps` is None where it isn't."""

    patterns: tuple[str, ...] = ()
    steps: int | None = None


def labels(root: Path) -> dict[str, Label]:
    """Return what the files of a checkout say of its tasks, by id; nothing where there are none.

    Raises ConfigError where a file is there and isn't of that form.
    """
    patterns = {row["case"]: _patterns(row, root / LABELS) for row in _rows(root / LABELS, ("case", "patterns"))}
    steps: dict[str, int] = {}
    for path in (root / "results" / STEPS, root / STEPS):
        for row in _rows(path, ("id", "processing_steps")):
            if row["processing_steps"].strip().isdecimal():
                steps[f"case_{row['id'].removeprefix('case_')}"] = int(row["processing_steps"])
    return {task: Label(patterns.get(task, ()), steps.get(task)) for task in patterns.keys() | steps.keys()}


def _patterns(row: Mapping[str, str], path: Path) -> tuple[str, ...]:
    found = sorted({word.strip() for word in row["patterns"].split("|") if word.strip()})
    for word in found:
        if word not in IRREGULARITY_PATTERNS:
            known = ", ".join(IRREGULARITY_PATTERNS)
            raise ConfigError(f"{path}: {row['case']} has the pattern {word!r} (patterns: {known}): correct the file")
    return tuple(found)


def _rows(path: Path, columns: tuple[str, ...]) -> list[dict[str, str]]:
    if not path.is_file():
        return []
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            reader = csv.DictReader(file, restval="")
            rows = list(reader)
    except (OSError, UnicodeError, csv.Error) as wrong:
        raise ConfigError(f"{path}: can't be read ({getattr(wrong, 'strerror', None) or wrong})") from wrong
    missing = [name for name in columns if name not in (reader.fieldnames or ())]
    if missing:
        has = ", ".join(reader.fieldnames or ()) or "nothing"
        raise ConfigError(f"{path}: no column {', '.join(missing)} (has: {has}): correct the file, or move it away")
    return rows

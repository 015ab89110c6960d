"""What the rows of a report are called, and which records make one row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

# what may differ between records that are one run: they were made in several goes
_PER_RECORD = frozenset({"setting", "settings", "way", "ways", "jobs"})
# what a label begins with, of scripted models and programs without their folders, which would say no more
_NAMES = frozenset({"agent", "model", "command"})


@dataclass(frozen=True)
class Named:
    """A record, or a model of the release's outcomes (`model` is its id, '' in a record), before it has its label."""

    folder: Path
    name: str
    model: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    measured: frozenset[str] = frozenset()

    def belongs_to(self, run: Sequence[Named]) -> bool:
        """Return whether it is in the run already, or one of its records, each of other settings of the paper."""
        return self in run or all(self._goes_on(other) for other in run)

    def _goes_on(self, other: Named) -> bool:
        alike = {k: v for k, v in self.settings.items() if k not in _PER_RECORD} == {
            k: v for k, v in other.settings.items() if k not in _PER_RECORD
        }
        return not (self.model or other.model) and alike and not self.measured & other.measured


def labels_of(every: Sequence[Named]) -> tuple[list[int], dict[int, str]]:
    """Return the number of each one's run, from 1, and the runs' labels, no two alike.

    A label is the model, or the agent that has none; where several are called so, what else differs too.
    """
    runs: list[list[Named]] = []
    numbers = []
    for named in every:
        at = next((at for at, run in enumerate(runs) if named.belongs_to(run)), len(runs))
        if at == len(runs):
            runs.append([])
        runs[at].append(named)
        numbers.append(at + 1)
    firsts = [run[0] for run in runs]
    labels = [named.name for named in firsts]
    for more in (_differences, _folder_name, _folder, _number):
        labels = _told_apart(firsts, labels, more)
    return numbers, dict(enumerate(labels, 1))


def _told_apart(firsts: Sequence[Named], labels: Sequence[str], more: Any) -> list[str]:
    """Return the labels with `more` added to each that isn't the only one of its kind."""
    alike = {label: [at for at, other in enumerate(labels) if other == label] for label in labels}
    return [
        label if len(alike[label]) == 1 or not (what := more(at, [firsts[i] for i in alike[label]], firsts[at]))
        else f"{label} · {what}"
        for at, label in enumerate(labels)
    ]  # fmt: skip


def _differences(at: int, alike: Sequence[Named], named: Named) -> str:
    values = {key: {str(other.settings.get(key)) for other in alike} for key in named.settings}
    differ = [key for key, found in values.items() if len(found) > 1 and key not in _PER_RECORD | _NAMES]
    told = [f"{named.settings[key]}" for key in differ if isinstance(named.settings[key], str | int | float)]
    return " · ".join(dict.fromkeys(told))


def _folder_name(at: int, alike: Sequence[Named], named: Named) -> str:
    return named.folder.resolve().name


def _folder(at: int, alike: Sequence[Named], named: Named) -> str:
    return str(named.folder)


def _number(at: int, alike: Sequence[Named], named: Named) -> str:
    return str(at + 1)

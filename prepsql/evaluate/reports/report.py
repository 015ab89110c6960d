"""A report: the figures of one or many runs, as values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from prepsql.errors import RecordError
from prepsql.evaluate.metrics import METRICS
from prepsql.evaluate.metrics.views import MEASURES
from prepsql.evaluate.reports.against import Paired, paired
from prepsql.evaluate.reports.load import Loaded, load
from prepsql.evaluate.statistics import DRAWS, LEVEL, SEED


@dataclass(frozen=True)
class Report:
    """The figures of runs: `runs` are their labels in order, `figures` the rows of each metric by its name.

    A row has the run's label and the columns that the metric's definition tells; None is unknown, or of nothing.
    `comparisons` are those with the run that the report was held against.
    """

    runs: tuple[str, ...]
    policy: str
    figures: dict[str, list[dict[str, Any]]]
    comparisons: tuple[Paired, ...]

    def row(self, figure: str, run: str, **where: Any) -> dict[str, Any] | None:
        """Return the row of a figure for a run, where the columns `where` have these values; None if there is none."""
        wanted = {"run": run, **where}
        return next((r for r in self.figures[figure] if all(r[k] == v for k, v in wanted.items())), None)

    @property
    def measures(self) -> tuple[str, ...]:
        """What any run was tried in or has a figure of, in the order of the paper's table."""
        found = {row["measure"] for row in self.figures["results"]}
        found |= {"disambiguate"} if self.figures["disambiguation"] else set()
        return tuple(measure for measure in MEASURES if measure in found)

    def tried(self, run: str, measure: str) -> bool:
        """Return whether a run has tries of a measure, be it that none could be judged."""
        return self.row("results", run, measure=measure) is not None

    def to_dict(self) -> dict[str, Any]:
        """Return the report as JSON-ready values, each figure with its definition."""
        return {
            "runs": list(self.runs),
            "policy": self.policy,
            "intervals": {"method": "bootstrap over tasks, percentile", "level": LEVEL, "draws": DRAWS, "seed": SEED},
            "figures": {
                name: {"title": METRICS[name].title, "definition": METRICS[name].definition.strip(), "rows": rows}
                for name, rows in self.figures.items()
            },
            "comparisons": [asdict(found) for found in self.comparisons],
        }


def report(sources: Sequence[str | Path], *, against: str | Path | None = None, policy: str = "paper") -> Report:
    """Return the figures of the sources' runs, each compared with the one run of `against` where that is given.

    Raises RecordError as `load` does, and where `against` holds more than one run, or shares no judged task.

    >>> report(["runs/first"], against="runs/before").comparisons[0].p  # doctest: +SKIP
    0.0625
    """
    with load([*sources, *([against] if against is not None else [])], policy) as loaded:
        return report_of(loaded, against is not None)


def report_of(loaded: Loaded, has_against: bool = False) -> Report:
    """Return the figures over open tables; `has_against`: the last source is what the others are held against."""
    figures = {name: metric.rows(loaded.con, loaded.labels) for name, metric in METRICS.items()}
    order = {label: at for at, label in enumerate(loaded.labels.values())}
    position = {measure: at for at, measure in enumerate(MEASURES)}
    for rows in figures.values():
        rows.sort(key=lambda row: (order[row["run"]], position.get(row.get("measure", ""), 0)))
    comparisons = _comparisons(loaded) if has_against else ()
    return Report(tuple(loaded.labels.values()), loaded.policy, figures, comparisons)


def _comparisons(loaded: Loaded) -> tuple[Paired, ...]:
    *given, against = loaded.runs_of
    if len(against) != 1:
        names = ", ".join(loaded.labels[run] for run in against)
        raise RecordError(f"what runs are held against must be one run, not {len(against)} ({names}): FOLDER:MODEL")
    second = against[0]
    others = [run for run in dict.fromkeys(run for runs in given for run in runs) if run != second]
    if not others:
        raise RecordError(f"{loaded.labels[second]} is held against itself: name another run")
    position = list(MEASURES)
    found = tuple(
        pair
        for first in others
        for pair in sorted(paired(loaded.con, loaded.labels, first, second), key=lambda p: position.index(p.measure))
    )
    if not found:
        raise RecordError(f"{loaded.labels[second]} has no task and setting that was judged in the others too")
    return found

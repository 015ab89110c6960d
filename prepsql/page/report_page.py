"""A report as pages: the paper's table, figures of RQ1 to RQ5 and comparisons; beside it a page a task of records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from prepsql.evaluate.metrics.views import MEASURES
from prepsql.evaluate.reports.load import Loaded
from prepsql.evaluate.reports.notable import notable
from prepsql.evaluate.reports.report import Report
from prepsql.evaluate.reports.tasks import by_task, stories
from prepsql.evaluate.reports.text import figure, unjudged
from prepsql.evaluate.reports.words import chance, cost, points, span
from prepsql.evaluate.settings import order
from prepsql.evaluate.statistics import DRAWS
from prepsql.evaluate.task import IRREGULARITY_PATTERNS
from prepsql.evaluate.verdict import Result
from prepsql.page.charts import Chart, accuracy_cell, changes, outcomes, shares, shift, widest
from prepsql.page.environment import render
from prepsql.page.task_page import file_names, task_page
from prepsql.page.task_table import TaskTable, task_table

_UNKNOWN = "not passed, unknown how"


@dataclass(frozen=True)
class Panel:
    """A figure of the page: its heading, what it shows, its chart over all runs, and a small one for each run."""

    id: str
    heading: str
    told: str
    chart: Chart | None
    panels: tuple[tuple[str, Chart], ...] = ()
    panels_told: str = ""


def report_pages(report: Report, loaded: Loaded, name: str = "report.html") -> dict[str, str]:
    """Return pages as HTML by their path: first those of tasks, in a folder, then `name`, which links to them.

    Each is a file that loads nothing. Tasks are those of the runs that are records; others have no pages.
    """
    told = by_task(stories(loaded.con, loaded.labels))
    folder = f"{name.rpartition('.')[0] or name}_tasks"
    files = {task: f"{folder}/{file}" for task, file in file_names(told).items()}
    pages = {path: task_page(task, told[task], f"../{quote(name)}") for task, path in files.items()}
    return {**pages, name: _report_page(report, task_table(told, {task: quote(path) for task, path in files.items()}))}


def _report_page(report: Report, tasks: TaskTable) -> str:
    return render(
        "report",
        report=report,
        title=_title(report),
        measures=[(measure, MEASURES[measure]) for measure in report.measures],
        cell=lambda run, measure: _cell(report, run, measure),
        tried=report.tried,
        unjudged=unjudged(report),
        same_tasks=lambda measure: _same_tasks(report, measure),
        priced=bool(report.figures["calls_by_stage"]),
        cost=lambda run, measure: cost(report.row("cost", run, measure=measure)),
        notes=notable(report),
        endings=_endings(report),
        questions=[panel for make in _PANELS if (panel := make(report))],
        comparisons=report.comparisons,
        names=MEASURES,
        points=points,
        span=span,
        chance=chance,
        sure=any(row.get("low") is not None for rows in report.figures.values() for row in rows),
        draws=DRAWS,
        tasks=tasks,
    )


def _title(report: Report) -> str:
    if len(report.runs) <= 2:
        return "Report on " + " and ".join(report.runs)
    return f"Report on {len(report.runs)} runs"


def _cell(report: Report, run: str, measure: str) -> dict[str, Any] | None:
    """Return a figure of the table: its line, its tasks, and whether it's the best of its column."""
    row = figure(report, run, measure)
    if row is None:
        return None
    values = [other["value"] for name in report.runs if (other := figure(report, name, measure))]
    return {"line": accuracy_cell(row), "tasks": row["tasks"], "best": min(values) < row["value"] == max(values)}


@dataclass(frozen=True)
class Endings:
    """What verdicts said: the results that occur, and a line a run, setting and thing judged with its count of each."""

    results: tuple[str, ...]
    lines: tuple[Ending, ...]


@dataclass(frozen=True)
class Ending:
    """A line of `Endings`."""

    run: str
    setting: str
    way: str
    counts: tuple[int, ...]


def _endings(report: Report) -> Endings:
    counts: dict[tuple[str, str, str], Counter[str]] = {}
    for row in report.figures["results"]:
        key = row["run"], row["setting"], row["way"]
        counts.setdefault(key, Counter())[row["result"] or _UNKNOWN] += row["verdicts"]
    found = {result for line in counts.values() for result in line}
    keys = sorted(counts, key=lambda key: (report.runs.index(key[0]), order(key[1]), key[2]))
    results = tuple(result for result in (*Result, _UNKNOWN) if result in found)
    return Endings(results, tuple(Ending(*key, tuple(counts[key][r] for r in results)) for key in keys))


def _same_tasks(report: Report, measure: str) -> int | None:
    """Return how many tasks a measure was judged over, None where runs differ."""
    counts = {row["tasks"] for run in report.runs if (row := figure(report, run, measure))}
    return counts.pop() if len(counts) == 1 else None


def _by_run(report: Report, name: str, draw: Callable[[list[dict[str, Any]]], Chart]) -> tuple[tuple[str, Chart], ...]:
    """Return a chart for each run that has rows of a figure."""
    rows = {run: [row for row in report.figures[name] if row["run"] == run] for run in report.runs}
    return tuple((run, draw(found)) for run, found in rows.items() if found)


def _ambiguity(report: Report) -> Panel | None:
    rows = report.figures["ambiguity_gap"]
    words = ("Direct: the request as said", "CodeGen: disambiguated")
    return (rows and Panel(
        "rq2", "RQ2: what ambiguity costs",
        "Accuracy with the request as it was said and with it disambiguated; the gap in points.",
        shift(rows, "run", "direct", "codegen", "gap", words),
        _by_run(report, "ambiguity_gap_by_kind", lambda r: shift(r, "kind", "direct", "codegen", "gap", words)),
        "The gap by kind of ambiguity, over the tasks (their number in brackets) that have it",
    )) or None  # fmt: skip


def _interaction(report: Report) -> Panel | None:
    rows = report.figures["interaction_gain"]
    words = ("Direct: doesn't ask", "E2E-Code: asks")
    return (rows and Panel(
        "rq3", "RQ3: what asking gains", "Accuracy without and with questions, from the request as it was said.",
        shift(rows, "run", "direct", "e2e_code", "gain", words),
    )) or None  # fmt: skip


def _asking(report: Report) -> Panel | None:
    rows = report.figures["budget_usage"]
    return (rows and Panel(
        "budget", "RQ3: what was asked", "Questions asked, as a share of the questions allowed.",
        shares(rows, "run", "usage", "budget used"),
        _by_run(report, "disambiguation_by_kind", lambda r: shares(r, "kind", "recall", "recall")),
        "Recall by kind of ambiguity: entries of the knowledge base that a question hit",
    )) or None  # fmt: skip


def _profiling(report: Report) -> Panel | None:
    rows = report.figures["profiling_gain"]
    by_pattern = report.figures["profiling_gain_by_pattern"]
    most = widest(by_pattern, "gain")

    def drawn(rows: list[dict[str, Any]]) -> Chart:
        named = [{**row, "pattern": IRREGULARITY_PATTERNS.get(row["pattern"], row["pattern"])} for row in rows]
        return changes(named, "pattern", "gain", most)

    return (rows and Panel(
        "rq4", "RQ4: what profiling gains",
        "Accuracy without and with a profile of the whole tables, from the disambiguated request.",
        shift(rows, "run", "noprofile", "codegen", "gain", ("NoProfile", "CodeGen: profiles")),
        _by_run(report, "profiling_gain_by_pattern", drawn),
        "The gain by irregularity, over the tasks (their number in brackets) that have it",
    )) or None  # fmt: skip


def _translating(report: Report) -> Panel | None:
    rows = report.figures["translation_outcomes"]
    several = len({row["measure"] for row in rows}) > 1

    def named(rows: list[dict[str, Any]], column: str) -> list[dict[str, Any]]:
        return [{**row, column: f"{row[column]} · {MEASURES[row['measure']]}"} for row in rows] if several else rows

    return (rows and Panel(
        "rq5", "RQ5: whether workflows come out right",
        "How workflows end, in percent: Fail · Wrong · Correct.",
        outcomes(named(rows, "run"), "run"),
        _by_run(report, "translation_outcomes_by_steps", lambda r: outcomes(named(r, "steps"), "steps")),
        "The same by number of preparation steps",
    )) or None  # fmt: skip


_PANELS = (_ambiguity, _interaction, _asking, _profiling, _translating)

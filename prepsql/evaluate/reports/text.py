"""A report on a terminal: the paper's table, one row a run, then what is notable, then comparisons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from prepsql.evaluate.metrics.views import MEASURES
from prepsql.evaluate.reports.against import Paired
from prepsql.evaluate.reports.notable import notable
from prepsql.evaluate.reports.report import Report
from prepsql.evaluate.reports.words import UNJUDGED, chance, cost, percent, points, span

# what fits into 80 columns beside the runs' names
_MOST_COLUMNS = 7
_SHORT_BEYOND = 4
_BROKEN = {"e2e-code": "E2E-\nCode", "e2e-workflow": "E2E-\nWorkflow", "codegen-noprofile": "No-\nProfile",
           "translate": "Trans-\nlation", "disambiguate": "Disambig\nF1"}  # fmt: skip


def report_text(report: Report) -> RenderableType:
    """Return the report for a terminal of 80 columns: figures in percent, each with its 95 % interval in brackets."""
    measures = report.measures
    tables = [_table(report, measures[at : at + _MOST_COLUMNS]) for at in range(0, len(measures), _MOST_COLUMNS)]
    lines = Table.grid(padding=(0, 1, 0, 0))
    for line in notable(report):
        lines.add_row("·", Text(line))
    caption = Text(f"\n{_caption(report)}\n", style="dim")
    return Group(*_spaced(tables), caption, lines, *_against(report.comparisons))


def _spaced(tables: Sequence[Table]) -> Iterator[RenderableType]:
    for at, table in enumerate(tables):
        if at:
            yield Text("")
        yield table


def _table(report: Report, measures: Sequence[str]) -> Table:
    digits = 0 if len(measures) > _SHORT_BEYOND else 1
    rows = {(run, m): figure(report, run, m) for run in report.runs for m in measures}
    tasks = {m: {row["tasks"] for run in report.runs if (row := rows[run, m])} for m in measures}
    priced = bool(report.figures["calls_by_stage"])
    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), header_style="bold")
    table.add_column("\nrun\ntasks", overflow="fold")
    for m in measures:
        heading = _BROKEN.get(m, f"\n{MEASURES[m]}")
        count = f"{min(tasks[m]):,}" if len(tasks[m]) == 1 else ""
        table.add_column(f"{heading}\n{count}", justify="right", no_wrap=True)
    for run in report.runs:
        cells: list[Text] = []
        for m in measures:
            cells.append(_cell(rows[run, m], m, report, run, digits, vary=len(tasks[m]) > 1, priced=priced))
        table.add_row(Text(run), *cells)
    return table


def figure(report: Report, run: str, measure: str) -> dict[str, Any] | None:
    """Return a run's tasks, value, low and high in a measure, as shares of 1; None where it has none."""
    name, column = ("disambiguation", "f1") if measure == "disambiguate" else ("accuracy", "accuracy")
    where = {} if measure == "disambiguate" else {"measure": measure}
    row = report.row(name, run, **where)
    return row and {**row, "value": row[column]}


def unjudged(report: Report) -> bool:
    """Return whether a run was tried in a measure in which it has no figure."""
    return any(report.tried(run, m) and not figure(report, run, m) for run in report.runs for m in report.measures)


def _cell(
    row: dict[str, Any] | None, measure: str, report: Report, run: str, digits: int, *, vary: bool, priced: bool
) -> Text:
    if row is None:
        return Text(UNJUDGED if report.tried(run, measure) else "")
    cell = Text(percent(row["value"]))
    if row["low"] is not None:
        cell.append(f"\n{span(row['low'], row['high'], digits=digits)}", style="dim")
    if vary:
        cell.append(f"\nn={row['tasks']:,}", style="dim")
    if priced:
        cell.append(f"\nm${cost(report.row('cost', run, measure=measure))}")
    return cell


def _caption(report: Report) -> str:
    told = ["accuracy"] if report.figures["accuracy"] else []
    told += ["F1 of Disambig"] if report.figures["disambiguation"] else []
    if not told:
        return "Nothing was judged."
    line = f"{' and '.join(told)} in % under the policy {report.policy}"
    if any((row := figure(report, run, m)) and row["low"] is not None for run in report.runs for m in report.measures):
        line += ", [95 % bootstrap interval over tasks]"
    if report.figures["calls_by_stage"]:
        line += "; m$: cost in 1e-3 USD a task, ? unknown, – no calls"
    if unjudged(report):
        line += f"; {UNJUDGED} nothing judged"
    return line[0].upper() + line[1:]


def _against(comparisons: Sequence[Paired]) -> Iterator[RenderableType]:
    for (first, second), found in groupby(comparisons, key=lambda c: (c.first, c.second)):
        yield Text(f"\n{first} against {second}", style="bold")
        yield Text("Tasks that only one passes; p by McNemar, exact, two-sided; [95 % interval]", style="dim")
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        table.add_column("")
        for name in ("tasks", "only first", "only second", "points", "", "p"):
            table.add_column(name, justify="right", no_wrap=True)
        for c in found:
            around = span(c.low, c.high, signed=True) if c.low is not None and c.high is not None else ""
            table.add_row(
                MEASURES[c.measure], f"{c.tasks:,}", f"{c.only_first:,}", f"{c.only_second:,}", points(c.difference),
                Text(around, style="dim"), Text(chance(c.p), style="bold" if c.p < 0.05 else ""),
            )  # fmt: skip
        yield table
        if not any(c.only_first or c.only_second for c in comparisons):
            yield Text("Of the tasks that both judged, both pass the same.")

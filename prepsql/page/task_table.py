"""The tasks of a report as a table: a line a task, a column a run, setting and thing judged."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from prepsql.evaluate.reports.tasks import Rows, TaskStory, Try
from prepsql.evaluate.reports.words import millidollars
from prepsql.evaluate.settings import order
from prepsql.page.task_page import state


@dataclass(frozen=True)
class Column:
    """What a column is about, and its place from 0; `judged` is empty where the setting judges one thing."""

    place: int
    run: str
    setting: str
    way: str
    judged: str


@dataclass(frozen=True)
class Cell:
    """What a task came to in a column: its outcome, of repeats how many passed, and how it looks."""

    said: str
    look: str


@dataclass(frozen=True)
class Line:
    """A task: its name and page, how it came out in all, its cells by column, its cost, and what went wrong first."""

    task: str
    link: str
    state: str
    cells: tuple[Cell | None, ...]
    cost: str
    why: str


@dataclass(frozen=True)
class TaskTable:
    """The table; `priced` where any run made calls, `several` where there is more than one run."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    priced: bool
    several: bool


def task_table(told: Mapping[str, Mapping[str, TaskStory]], links: Mapping[str, str]) -> TaskTable:
    """Return the table of the stories by task and run; `links` has the address of each task's page."""
    tries = [(run, one) for stories in told.values() for run, story in stories.items() for one in story.tries]
    columns = _columns(tries)
    lines = tuple(_line(task, links[task], stories, columns) for task, stories in told.items())
    return TaskTable(columns, lines, any(one.calls for _, one in tries), len({column.run for column in columns}) > 1)


def _columns(tries: Iterable[tuple[str, Try]]) -> tuple[Column, ...]:
    found = list(dict.fromkeys((run, one.setting, row["way"]) for run, one in tries for row in one.outcomes))
    runs = list(dict.fromkeys(run for run, _, _ in found))
    settings = [(run, setting) for run, setting, _ in found]
    return tuple(
        Column(at, run, setting, way, way if settings.count((run, setting)) > 1 else "")
        for at, (run, setting, way) in enumerate(sorted(found, key=lambda key: (runs.index(key[0]), order(key[1]))))
    )


def _line(task: str, link: str, stories: Mapping[str, TaskStory], columns: Iterable[Column]) -> Line:
    cells = []
    for column in columns:
        tries = stories[column.run].tries if column.run in stories else []
        rows = [r for one in tries if one.setting == column.setting for r in one.outcomes if r["way"] == column.way]
        cells.append(_cell(rows) if rows else None)
    every = [one for story in stories.values() for one in story.tries]
    rows = [row for one in every for row in one.outcomes]
    priced = [one for one in every if one.calls]
    usd = None if any(one.usd is None for one in priced) else sum(one.usd or 0 for one in priced)
    return Line(task, link, state(rows), tuple(cells), millidollars(usd) if priced else "", _why(every))


def _cell(rows: Rows) -> Cell:
    judged = [row for row in rows if row["result"] != "infrastructure"]
    how = {"passed": "good", "failed": "bad", "fault": "quiet"}[state(judged or rows)]
    if rows[0]["way"] == "questions":
        return Cell(rows[0]["result"] or "", "quiet")
    if len(rows) == 1:
        return Cell(rows[0]["result"] or "not passed", how)
    return Cell(f"{sum(row['result'] == 'correct' for row in judged)} of {len(judged)}", how)


def _why(tries: Iterable[Try]) -> str:
    """Return what was said first of something that didn't pass."""
    rows = [row for one in tries for row in one.outcomes if row["result"] != "correct"]
    texts = (text for row in rows for text in (row["message"], *(v["message"] for v in row["readings"])) if text)
    return str(next(texts, "")).partition("\n")[0]

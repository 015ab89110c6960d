"""A page per task of a report: what each run was told, asked, saw, wrote and left, and what that cost."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from prepsql.evaluate.reports.tasks import Rows, TaskStory, Try, longest_text
from prepsql.evaluate.reports.words import millidollars
from prepsql.evaluate.task import IRREGULARITY_PATTERNS
from prepsql.page.environment import render
from prepsql.page.flow_drawing import Drawing, flow_drawing

# the texts of one page together; longer ones are cut
_ROOM = 1_000_000
_COUNTED = ("calls", "prompt_tokens", "completion_tokens", "usd", "seconds")


@dataclass(frozen=True)
class Examples:
    """What differs in one file and is of one kind: its rows are those of the record's table `differences`."""

    file: str
    what: str
    column: str | None
    total: int
    rows: Rows


def task_page(task: str, told: Mapping[str, TaskStory], back: str) -> str:
    """Return the page of a task, given its story in each run; `back` is the address of the report's page."""
    every = [one for story in told.values() for one in story.tries]
    known = next(iter(told.values()))
    return render(
        "task",
        task=task,
        back=back,
        about=known,
        patterns=[IRREGULARITY_PATTERNS.get(pattern, pattern) for pattern in known.patterns],
        runs=told,
        requests=_requests(every),
        most=longest_text((text for one in every for text in one.texts), _ROOM),
        examples=_examples,
        drawn=_drawn,
        total=_total,
        milli=lambda one: millidollars(one.usd) if one.calls else "",
        state=state,
    )


def file_names(tasks: Iterable[str]) -> dict[str, str]:
    """Return a file name for the page of each task, no two alike, also where case doesn't count."""
    found: dict[str, str] = {}
    taken: set[str] = set()
    for task in tasks:
        plain = re.sub(r"[^A-Za-z0-9_-]+", "_", task)[:80] or "task"
        name = next(n for n in (plain, *(f"{plain}-{at}" for at in range(2, 10_000))) if n.lower() not in taken)
        taken.add(name.lower())
        found[task] = f"{name}.html"
    return found


def state(rows: Rows) -> str:
    """Return `failed` where any outcome that was judged doesn't pass, else `fault` where any couldn't be."""
    if any(row["result"] not in ("correct", "infrastructure") and row["way"] != "questions" for row in rows):
        return "failed"
    return "fault" if any(row["result"] == "infrastructure" for row in rows) else "passed"


def _requests(tries: Iterable[Try]) -> dict[str, list[str]]:
    """Return the texts that agents were given for a request, with the settings in which they were."""
    found: dict[str, list[str]] = {}
    for one in tries:
        if text := one.notes.get("request"):
            settings = found.setdefault(text, [])
            settings += [one.setting] if one.setting not in settings else []
    return found


def _examples(outcome: Mapping[str, Any]) -> list[Examples]:
    """Return what differs from gold by file, kind and column, in the comparator's order."""

    def kind(row: Mapping[str, Any]) -> tuple[str, str, str | None]:
        return row["file"], row["what"], row["col"] if row["what"] == "cell" else None

    return [
        Examples(file, what, column, rows[0]["total"], rows)
        for (file, what, column), found in groupby(outcome["differences"], kind)
        if (rows := list(found))
    ]


def _drawn(one: Try) -> tuple[Drawing, int] | None:
    """Return the workflow of the last attempt that ran, else that can be drawn, and the attempt's number."""
    attempts = one.attempts_at("translate")
    for row in [*(a for a in reversed(attempts) if a["result"] == "ran"), *reversed(attempts)]:
        if row["text"] and (drawing := flow_drawing(row["text"])):
            return drawing, row["attempt"]
    return None


def _total(calls: Rows) -> dict[str, Any]:
    """Return the sums of calls, tokens, USD and seconds; None where any is unknown."""
    sums = {}
    for name in _COUNTED:
        values = [row[name] for row in calls]
        sums[name] = None if None in values else sum(values)
    return sums

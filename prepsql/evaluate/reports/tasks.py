"""What happened in each task of a record: conversation, attempts, verdicts and calls, as the tables hold it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

Rows = list[dict[str, Any]]

_TABLES = {
    "outcomes": """
        FROM outcomes
        SEMI JOIN recorded USING (run)
        ORDER BY run, task, list_position(['e2e', 'e2e-code', 'e2e-workflow', 'disambiguate', 'direct', 'codegen',
            'codegen-noprofile', 'translate'], setting), setting, repeat, way""",
    "verdicts": "FROM verdicts SEMI JOIN recorded USING (run) ORDER BY run, task, setting, repeat, way, policy",
    "differences": "FROM differences SEMI JOIN recorded USING (run) ORDER BY run, task, setting, repeat, way, number",
    "notes": "FROM notes SEMI JOIN recorded USING (run) ORDER BY run, task, setting, repeat, name",
    "questions": "FROM questions SEMI JOIN recorded USING (run) ORDER BY run, task, setting, repeat, number",
    "attempts": """
        FROM attempts
        SEMI JOIN recorded USING (run)
        ORDER BY run, task, setting, repeat, list_position(['profile', 'code', 'translate'], stage), attempt""",
    "calls": """
        SELECT run, task, setting, repeat, stage, role, count(*) AS calls,
            CASE WHEN count(prompt_tokens) = count(*) THEN sum(prompt_tokens)::BIGINT END AS prompt_tokens,
            CASE WHEN count(completion_tokens) = count(*) THEN sum(completion_tokens)::BIGINT END AS completion_tokens,
            CASE WHEN count(usd) = count(*) THEN money(sum(usd)) END AS usd, sum(seconds) AS seconds
        FROM calls
        SEMI JOIN recorded USING (run)
        GROUP BY run, task, setting, repeat, stage, role
        ORDER BY list_position(['clarify', 'answer', 'profile', 'code', 'translate'], stage), role""",
}
_ABOUT = """
SELECT run, task, steps, list(DISTINCT kind ORDER BY kind) FILTER (kind IS NOT NULL) AS kinds,
    list(DISTINCT pattern ORDER BY pattern) FILTER (pattern IS NOT NULL) AS patterns
FROM tasks
LEFT JOIN task_entries USING (run, task)
LEFT JOIN task_patterns USING (run, task)
GROUP BY ALL
"""


@dataclass(frozen=True)
class Try:
    """One setting and repeat of a task; the lists are rows of the record's tables of these names, as dicts.

    Each of `outcomes` has its verdicts under `readings` and what differs from gold under `differences`. `notes` are the
    texts that the agent worked from, by name. `calls` are summed by stage and role, None where unknown.
    """

    setting: str
    repeat: int
    outcomes: Rows
    questions: Rows
    attempts: Rows
    calls: Rows
    max_questions: int | None
    notes: dict[str, str] = field(default_factory=dict)

    def attempts_at(self, stage: str) -> Rows:
        """Return the attempts at a stage, in order."""
        return [row for row in self.attempts if row["stage"] == stage]

    @property
    def texts(self) -> list[str]:
        """All texts of any length that it has."""
        rows = [*self.outcomes, *self.questions, *self.attempts, *(r for o in self.outcomes for r in o["readings"])]
        found = [row.get(name) for row in rows for name in ("text", "message", "question", "answer")]
        return [*filter(None, found), *self.notes.values()]

    @property
    def usd(self) -> float | None:
        """What all its calls cost, the simulator's too; None where any call's cost is unknown, or there are none."""
        known = [row["usd"] for row in self.calls]
        return sum(known) if known and None not in known else None


@dataclass
class TaskStory:
    """A task of a run, and its tries by setting and repeat; `steps` is None where unknown."""

    task: str
    steps: int | None
    kinds: list[str]
    patterns: list[str]
    tries: list[Try] = field(default_factory=list)


def stories(con: duckdb.DuckDBPyConnection, labels: dict[int, str]) -> dict[str, list[TaskStory]]:
    """Return the tasks of each run that is a record, by the run's label; runs of the release's outcomes have none."""
    records = {run for (run,) in con.execute("FROM recorded").fetchall()}
    if not records:
        return {}
    grouped = {name: _grouped(_rows(con, query)) for name, query in _TABLES.items()}
    budgets = {_key(row): row["max_questions"] for row in _rows(con, "FROM clarified SEMI JOIN recorded USING (run)")}
    about = {(row["run"], row["task"]): row for row in _rows(con, _ABOUT)}
    told: dict[str, list[TaskStory]] = {labels[run]: [] for run in sorted(records)}
    for key, outcomes in grouped["outcomes"].items():
        run, task, setting, repeat = key
        in_run = told[labels[run]]
        if not in_run or in_run[-1].task != task:
            known = about.get((run, task), {})
            in_run.append(TaskStory(task, known.get("steps"), known.get("kinds") or [], known.get("patterns") or []))
        for row in outcomes:
            row["readings"] = [v for v in grouped["verdicts"].get(key, []) if v["way"] == row["way"]]
            row["differences"] = [d for d in grouped["differences"].get(key, []) if d["way"] == row["way"]]
        notes = {row["name"]: row["text"] for row in grouped["notes"].get(key, [])}
        questions, attempts, calls = (grouped[name].get(key, []) for name in ("questions", "attempts", "calls"))
        in_run[-1].tries.append(Try(setting, repeat, outcomes, questions, attempts, calls, budgets.get(key), notes))
    return {run: found for run, found in told.items() if found}


def by_task(told: Mapping[str, Sequence[TaskStory]]) -> dict[str, dict[str, TaskStory]]:
    """Return the stories of each task by the run's label, tasks by name."""
    found: dict[str, dict[str, TaskStory]] = {}
    for run, tasks in told.items():
        for story in tasks:
            found.setdefault(story.task, {})[run] = story
    return dict(sorted(found.items()))


def longest_text(texts: Iterable[str], room: int) -> int:
    """Return where to cut each text so that all of them together have `room` characters: at least 200."""
    lengths = sorted(map(len, texts))
    for at, length in enumerate(lengths):
        rest = len(lengths) - at
        if length * rest > room:
            return max(room // rest, 200)
        room -= length
    return max(lengths, default=200)


def _rows(con: duckdb.DuckDBPyConnection, query: str) -> Rows:
    found = con.execute(query)
    names = [column[0] for column in found.description or ()]
    return [dict(zip(names, row, strict=True)) for row in found.fetchall()]


def _grouped(rows: Iterable[dict[str, Any]]) -> dict[tuple[int, str, str, int], Rows]:
    grouped: dict[tuple[int, str, str, int], Rows] = {}
    for row in rows:
        grouped.setdefault(_key(row), []).append(row)
    return grouped


def _key(row: dict[str, Any]) -> tuple[int, str, str, int]:
    return row["run"], row["task"], row["setting"], row["repeat"]

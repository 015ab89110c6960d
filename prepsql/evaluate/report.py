"""The verdict table that a person reads: one row a task, `paper` and `strict` side by side for each way."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.evaluate.reports.words import UNJUDGED
from prepsql.evaluate.settings import REFERENCE, SETTINGS
from prepsql.evaluate.verdict import POLICIES, Result, Verdict, accuracy

_SIDE_BY_SIDE = 3
_WHOLE_NAME = 16


def verdict_table(verdicts: Sequence[Verdict], policies: Sequence[str] = POLICIES) -> RenderableType:
    """Return the table of verdicts, its last row the accuracy, and under it a line for each try that isn't correct.

    A cell says `pass`, `differs`, or, once a column, the outcome where no tables came out. Seconds are the wall time of
    the candidate's run; none for tables that were only scored. Where there are many columns, each is told under the
    first policy alone, without seconds.
    """
    columns = list(dict.fromkeys(_heading(v) for v in verdicts))
    cells: dict[tuple[str, str], list[Verdict]] = {}
    for v in verdicts:
        cells.setdefault((v.task, _heading(v)), []).append(v)
    crowded = len(columns) > _SIDE_BY_SIDE
    policies = policies[:1] if crowded else policies
    timed = any(v.seconds for v in verdicts) and not crowded
    table = Table(box=None, pad_edge=False, header_style="bold")
    longest = max((len(v.task) for v in verdicts), default=0)
    table.add_column("task", overflow="fold", min_width=min(longest, _WHOLE_NAME))
    for column in columns:
        for policy in policies:
            heading = column if policy == policies[0] else ""
            broken = heading.replace(" ", "\n").replace("-", "-\n")
            table.add_column(broken if crowded else f"{heading}\n{policy}")
        if timed:
            table.add_column("\ns", justify="right")
    for task in dict.fromkeys(v.task for v in verdicts):
        row: list[str | Text] = [task]
        for column in columns:
            tries = cells.get((task, column), [])
            row += [_cell(tries, policy, first=policy == policies[0]) for policy in policies]
            row += [f"{sum(v.seconds for v in tries):.1f}"] if timed else []
        table.add_row(*row)
    table.add_section()
    totals: list[str | Text] = [Text("accuracy", style="bold")]
    for column in columns:
        own = [v for v in verdicts if _heading(v) == column]
        totals += [Text(_share(own, policy), style="bold") for policy in policies] + ([""] if timed else [])
    table.add_row(*totals)
    return Group(table, *_notes(verdicts))


def _heading(verdict: Verdict) -> str:
    """Return the column in which a verdict stands: its setting, with what is judged where that is several."""
    if verdict.setting == REFERENCE:
        return verdict.way
    return f"{verdict.setting} {verdict.way}" if len(SETTINGS[verdict.setting].judged) > 1 else verdict.setting


def _share(verdicts: Sequence[Verdict], policy: str) -> str:
    passed, judged = accuracy(verdicts, policy)
    return f"{passed}/{judged}" if judged else UNJUDGED


def _cell(tries: Sequence[Verdict], policy: str, *, first: bool) -> Text:
    """Return what one task's tries came to: of several how many passed."""
    if len(tries) > 1:
        return Text(_share(tries, policy))
    if not tries:
        return Text("")
    (verdict,) = tries
    reading = verdict.readings.get(policy)
    if reading is None and not first:
        return Text("")
    if reading is None:
        quiet = verdict.result in (Result.NOT_FOUND, Result.INFRASTRUCTURE, Result.ASKED)
        return Text(verdict.result.value, style="yellow" if quiet else "red")
    return Text("pass", style="green") if reading.passed else Text("differs", style="red")


def _notes(verdicts: Sequence[Verdict]) -> list[RenderableType]:
    """Say of each try that isn't correct under every policy why, in a line, at most 20 of them."""
    fine = (Result.CORRECT, Result.ASKED)
    bad = [v for v in verdicts if v.result not in fine or not all(r.passed for r in v.readings.values())]
    lines: list[RenderableType] = [Text("")] if bad else []
    for v in bad[:20]:
        readings = [f"{policy}: {r.error_type}" for policy, r in v.readings.items() if not r.passed]
        which = f"{_heading(v)}, repeat {v.repeat}" if v.repeat > 1 else _heading(v)
        lines.append(Text(f"{v.task} ({which}): {', '.join(readings) or v.result.value}", style="bold"))
        if v.message:
            first = v.message.splitlines()[0]
            lines.append(Padding(Text(first, overflow="fold"), (0, 0, 0, 2)))
    if len(bad) > 20:
        lines.append(Text(f"… and {len(bad) - 20} more"))
    return lines

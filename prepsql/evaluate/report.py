"""The verdict table that a person reads: one row a task, `paper` and `strict` side by side for each way."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from prepsql.evaluate.reports.words import UNJUDGED
from prepsql.evaluate.settings import REFERENCE, SETTINGS
from prepsql.evaluate.verdict import POLICIES, Result, Verdict, accuracy

_SIDE_BY_SIDE = 3
_WHOLE_NAME = 16
_GAP = 2


def verdict_table(verdicts: Sequence[Verdict], policies: Sequence[str] = POLICIES) -> RenderableType:
    """Return the table of verdicts, its last row the accuracy, and under it a line for each try that isn't correct.

    A cell says `pass`, `differs`, or, once a column, the outcome where no tables came out. Seconds are the wall time of
    the candidate's run; none for tables that were only scored. Where there are many columns, each is told under the
    first policy alone, without seconds. Columns that don't fit side by side stand in tables one below the other.
    """
    headings = list(dict.fromkeys(_heading(v) for v in verdicts))
    tasks = list(dict.fromkeys(v.task for v in verdicts))
    crowded = len(headings) > _SIDE_BY_SIDE
    policies = policies[:1] if crowded else policies
    timed = any(v.seconds for v in verdicts) and not crowded
    blocks = []
    for heading in headings:
        own = [v for v in verdicts if _heading(v) == heading]
        broken = heading.replace(" ", "\n").replace("-", "-\n")
        blocks.append(_block(broken if crowded else heading, own, tasks, policies, crowded=crowded, timed=timed))
    return Group(_SideBySide(tasks, blocks), *_notes(verdicts))


@dataclass(frozen=True)
class _Column:
    """A column as it's shown: its heading, a cell a task, and the last row's."""

    heading: str
    cells: tuple[Text, ...]
    total: Text
    justify: Literal["left", "right"] = "left"

    @property
    def width(self) -> int:
        lines = (self.heading, self.total.plain, *(cell.plain for cell in self.cells))
        return max(cell_len(line) for text in lines for line in text.split("\n"))


@dataclass(frozen=True)
class _SideBySide:
    """Blocks of columns beside the tasks' names: as many a table as the console is wide, none of them cut."""

    tasks: Sequence[str]
    blocks: Sequence[Sequence[_Column]]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[RenderableType]:
        longest = max(map(cell_len, (*self.tasks, "accuracy")))
        room = options.max_width - min(longest, _WHOLE_NAME)
        tables: list[list[_Column]] = []
        for block in self.blocks:
            if tables and _width([*tables[-1], *block]) <= room:
                tables[-1] += block
            else:
                tables.append([*block])
        left = options.max_width - max(map(_width, tables), default=0)
        for at, columns in enumerate(tables):
            if at:
                yield ""
            yield self._table(columns, min(longest, max(left, _WHOLE_NAME)))

    def _table(self, columns: Sequence[_Column], name: int) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, _GAP, 0, 0), header_style="bold")
        table.add_column("task", overflow="fold", width=name)
        for column in columns:
            table.add_column(column.heading, justify=column.justify, overflow="fold")
        for at, task in enumerate(self.tasks):
            table.add_row(task, *(column.cells[at] for column in columns))
        table.add_row("accuracy", *(column.total for column in columns), style="bold")
        return table


def _width(columns: Sequence[_Column]) -> int:
    return sum(_GAP + column.width for column in columns)


def _block(
    heading: str, verdicts: Sequence[Verdict], tasks: Sequence[str], policies: Sequence[str],
    *, crowded: bool, timed: bool,
) -> list[_Column]:  # fmt: skip
    """Return the columns of what stands under one heading: one a policy, and the seconds."""
    tries: dict[str, list[Verdict]] = {task: [] for task in tasks}
    for v in verdicts:
        tries[v.task].append(v)
    columns = []
    for policy in policies:
        first = policy == policies[0]
        cells = tuple(_cell(own, policy, first=first) for own in tries.values())
        over = heading if first else ""
        columns.append(_Column(over if crowded else f"{over}\n{policy}", cells, Text(_share(verdicts, policy))))
    if timed:
        seconds = tuple(Text(f"{sum(v.seconds for v in own):.1f}" if own else "") for own in tries.values())
        columns.append(_Column("\ns", seconds, Text(""), "right"))
    return columns


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

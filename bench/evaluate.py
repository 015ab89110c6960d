"""How long the harness takes for many tasks when the model takes no time, and which stage is the slowest.

python bench/evaluate.py [--tasks 300] [--jobs 2] [--language sql|pandas|auto] [--cpu] [--keep DIR]

Copies of the bundled tasks under other names, and a script of replies by which each of them goes through all stages of
`e2e`: two rounds of questions about every entry of its knowledge base and the specification, a query and a program over
the full tables, code that fails once, then the task's own solution (`auto`: every second copy in pandas), translated by
the compiler; where its workflow isn't proven, the model gives the task's own. `prepsql eval` runs them as a user would.
With `--cpu` that happens in this process, one task at a time, so that CPU seconds are known by stage. They are those of
all processes together, where this one may have a control group of its own (Linux, cpuacct), else they are left out.
`--keep` names a new folder for suite and record.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import duckdb

from prepsql.cli.main import main as command_line
from prepsql.evaluate.desk import TaskDesk
from prepsql.evaluate.suites import open_suite

STAGES = ("clarify", "profile", "code", "translate", "judge")
WRITTEN = {
    "sql": ("sql", "sql", "CREATE TABLE output_01 AS SELECT no_such_column FROM input_01;"),
    "pandas": ("py", "python", "def solve(tables):\n    return {}[1]"),
}
"""Language → how its files end, how its blocks begin, code that fails."""
LOOKS = (
    {"sql": "SELECT count(*) AS rows FROM raw_input_01"},
    {"python": "def solve(tables):\n    return {'output_01': tables['raw_input_01'].describe().reset_index()}"},
)
GROUPS = Path("/sys/fs/cgroup/cpuacct")


def make_suite(folder: Path, count: int) -> dict[str, list[str]]:
    """Copy the bundled tasks, in turn, until there are so many; return the ids of the copies of each."""
    copies: dict[str, list[str]] = {}
    for number, task in enumerate(islice(cycle(open_suite().tasks), count)):
        name = f"{task.id}_{number:03}"
        shutil.copytree(task.folder, folder / name)
        copies.setdefault(task.id, []).append(name)
    return copies


def make_script(folder: Path, copies: dict[str, list[str]], language: str) -> Path:
    """Write the replies of the model that solves them."""
    replies: list[dict[str, Any]] = []
    for task in open_suite().tasks:
        asked = [f"What do you mean by {entry.source_text!r}?" for entry in task.ambiguities]
        half = len(asked) // 2
        said: list[dict[str, Any]] = [{"questions": questions} for questions in (asked[:half], asked[half:], [])]
        said.append({"specification": task.full_request, "choices": []})
        for attempt, reply in enumerate(said, 1):
            key = {"stage": "clarify", "task": f"{task.id}_*", "attempt": attempt}
            replies.append({**key, "text": json.dumps(reply)})
        for place, name in enumerate(copies.get(task.id, ())):
            suffix, fence, broken = WRITTEN[("sql", "pandas")[place % 2] if language == "auto" else language]
            solution = (task.folder / f"solution.{suffix}").read_text(encoding="utf-8")
            for attempt, code in enumerate((broken, solution), 1):
                key = {"stage": "code", "task": name, "attempt": attempt}
                replies.append({**key, "text": f"```{fence}\n{code}\n```"})
        flow = (task.folder / "workflow.json").read_text(encoding="utf-8")
        replies.append({"stage": "translate", "task": f"{task.id}_*", "text": flow})
    replies += [{"stage": "profile", "attempt": at, "text": json.dumps(look)} for at, look in enumerate(LOOKS, 1)]
    path = folder / "replies.json"
    path.write_text(json.dumps({"model": "scripted", "replies": replies}), encoding="utf-8")
    return path


@contextlib.contextmanager
def own_group() -> Iterator[Path | None]:
    """Put this process, and what it starts, into a control group; yield what tells its CPU time, None without one."""
    group = GROUPS / f"prepsql-bench-{os.getpid()}"
    try:
        group.mkdir()
        (group / "cgroup.procs").write_text(str(os.getpid()))
    except OSError:
        yield None
        return
    try:
        yield group / "cpuacct.usage"
    finally:
        (GROUPS / "cgroup.procs").write_text(str(os.getpid()))
        with contextlib.suppress(OSError):
            group.rmdir()


@dataclass
class Meter:
    """What was used: wall and CPU seconds, and CPU seconds by stage where one task ran at a time."""

    usage: Path | None
    wall: float = 0.0
    cpu: float = 0.0
    by_stage: dict[str, float] = field(default_factory=dict)

    def now(self) -> float:
        """Return the CPU seconds of all processes of the group so far."""
        return int(self.usage.read_text()) / 1e9 if self.usage else 0.0

    def as_a_user(self, arguments: list[str]) -> None:
        """Run the command line in a process of its own."""
        with self._counted():
            command = [sys.executable, "-m", "prepsql.cli", *arguments]
            done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode == 2:
            raise SystemExit(done.stderr)

    def by_stages(self, arguments: list[str]) -> None:
        """Run it here."""
        timed = TaskDesk.timed

        @contextlib.contextmanager
        def metered(desk: TaskDesk, stage: str) -> Iterator[None]:
            before = self.now()
            with timed(desk, stage):
                yield
            self.by_stage[stage] = self.by_stage.get(stage, 0.0) + self.now() - before

        TaskDesk.timed = metered  # type: ignore[method-assign]
        with self._counted(), contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
            command_line(arguments)

    @contextlib.contextmanager
    def _counted(self) -> Iterator[None]:
        before, start = self.now(), time.monotonic()
        yield
        self.wall, self.cpu = time.monotonic() - start, self.now() - before


def table(record: Path, meter: Meter, tasks: int, jobs: int) -> str:
    """Return the figures: wall seconds of stages are of one task, beside which others may run."""
    with duckdb.connect(str(record / "record.duckdb"), read_only=True) as con:
        stages = con.execute("SELECT stage, sum(seconds), median(seconds) FROM stages GROUP BY stage").fetchall()
        results = con.execute("SELECT way, result, count(*) FROM outcomes GROUP BY ALL ORDER BY ALL").fetchall()
        counts = con.execute("SELECT (SELECT count(*) FROM calls), (SELECT count(*) FROM questions)").fetchone() or ()
        asked = con.execute("SELECT count(DISTINCT task) FROM calls WHERE stage = 'translate'").fetchone() or ()
    whole = sum(total for _, total, _ in stages)
    head = ["stage", "wall s a task", "median", "share", *(["CPU s a task"] if meter.by_stage else [])]
    rows = [head, ["---"] * len(head)]
    for stage, total, median in sorted(stages, key=lambda row: STAGES.index(row[0])):
        used = [f"{meter.by_stage[stage] / tasks:.2f}"] if meter.by_stage else []
        rows.append([stage, f"{total / tasks:.2f}", f"{median:.2f}", f"{total / whole:.0%}", *used])
    lines = [f"| {' | '.join(row)} |" for row in rows]
    lines.append("\n" + "; ".join(f"{way} {result}: {count}" for way, result, count in results))
    lines.append(f"{counts[0]} calls, {counts[1]} questions; {asked[0]} tasks whose compiled workflow wasn't proven")
    used = f", {meter.cpu:.0f} s CPU ({meter.cpu / tasks:.2f} a task)" if meter.usage else ""
    lines.append(f"{tasks} tasks, {jobs} at a time: {meter.wall:.0f} s wall ({meter.wall / tasks:.2f} a task){used}")
    lines.append(f"300 tasks at this rate: {meter.wall / tasks * 300:.0f} s")
    lines.append(f"the slowest stage: {max(stages, key=lambda row: row[1])[0]}")
    return "\n".join(lines)


def main() -> None:
    """Make suite and script, run them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=["sql", "pandas", "auto"], default="sql")
    parser.add_argument("--cpu", action="store_true", help="CPU seconds by stage; one task at a time")
    parser.add_argument("--keep", type=Path, help="a new folder for suite and record")
    given = parser.parse_args()
    jobs = 1 if given.cpu else given.jobs
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prepsql-bench-")))
        suite = folder / "suite"
        suite.mkdir(parents=True)
        script = make_script(folder, make_suite(suite, given.tasks), given.language)
        arguments = [
            "eval", "--agent", "model", "--model", f"script:{script}", "--suite", str(suite), "--setting", "e2e",
            "--language", given.language, "--out", str(folder / "record"), "--jobs", str(jobs),
        ]  # fmt: skip
        before = os.getloadavg()[0]
        meter = Meter(stack.enter_context(own_group()))
        meter.by_stages(arguments) if given.cpu else meter.as_a_user(arguments)
        print(table(folder / "record", meter, given.tasks, jobs))
        print(f"load of the machine: {before:.1f} before, {os.getloadavg()[0]:.1f} after")


if __name__ == "__main__":
    main()

"""How long the harness takes for many tasks when the model takes no time, and which stage is the slowest.

`python bench/evaluate.py [--tasks 300] [--jobs 2] [--language sql|pandas|auto]`: copies of the bundled tasks under other
names, and a script of replies by which each of them goes through all stages of `e2e`: two rounds of questions about
every entry of its knowledge base and the specification, a query and a program over the full tables, code that fails
once, then the task's own solution (`auto`: every second copy in pandas), translated by the compiler; where its
workflow isn't proven, the model gives the task's own. `prepsql eval` runs them as a user would. `--keep DIR` leaves suite and
record there; `--cpu` runs in this process, one task at a time, and counts CPU seconds by stage too.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import duckdb

from prepsql.evaluate.suites import open_suite

STAGES = ("clarify", "profile", "code", "translate", "judge")
"""In the order in which they come."""
SUFFIXES = {"sql": "sql", "pandas": "py"}
FENCES = {"sql": "sql", "pandas": "python"}
BROKEN = {
    "sql": "CREATE TABLE output_01 AS SELECT no_such_column FROM input_01;",
    "pandas": "def solve(tables):\n    return {}[1]",
}
COUNTS = json.dumps({"sql": "SELECT count(*) AS rows FROM raw_input_01"})
PROGRAM = json.dumps(
    {"python": "def solve(tables):\n    return {'output_01': tables['raw_input_01'].describe().reset_index()}"}
)


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
        replies += [
            {"stage": "clarify", "task": f"{task.id}_*", "attempt": attempt, "text": json.dumps(text)}
            for attempt, text in enumerate(said, 1)
        ]
        for place, name in enumerate(copies.get(task.id, ())):
            written = ("sql", "pandas")[place % 2] if language == "auto" else language
            code = (task.folder / f"solution.{SUFFIXES[written]}").read_text(encoding="utf-8")
            for attempt, text in enumerate((BROKEN[written], code), 1):
                reply = {
                    "stage": "code",
                    "task": name,
                    "attempt": attempt,
                    "text": f"```{FENCES[written]}\n{text}\n```",
                }
                replies.append(reply)
        flow = (task.folder / "workflow.json").read_text(encoding="utf-8")
        replies.append({"stage": "translate", "task": f"{task.id}_*", "text": flow})
    replies += [{"stage": "profile", "attempt": at, "text": text} for at, text in enumerate((COUNTS, PROGRAM), 1)]
    path = folder / "replies.json"
    path.write_text(json.dumps({"model": "scripted", "replies": replies}), encoding="utf-8")
    return path


def cpu() -> float:
    """Return the CPU seconds of this process and of those that it waited for."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(each.ru_utime + each.ru_stime for each in used)


def as_a_user(arguments: list[str]) -> tuple[float, float]:
    """Run the command line; return wall and CPU seconds."""
    before, start = cpu(), time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "prepsql.cli", *arguments], capture_output=True, text=True, check=False
    )
    if done.returncode == 2:
        raise SystemExit(done.stderr)
    return time.monotonic() - start, cpu() - before


def in_this_process(arguments: list[str], spent: dict[str, float]) -> tuple[float, float]:
    """Do the same here; CPU seconds by stage go into `spent`."""
    from prepsql.cli.main import main
    from prepsql.evaluate.desk import TaskDesk

    timed = TaskDesk.timed

    @contextlib.contextmanager
    def counted(desk: TaskDesk, stage: str) -> Iterator[None]:
        before = cpu()
        with timed(desk, stage):
            yield
        spent[stage] = spent.get(stage, 0.0) + cpu() - before

    TaskDesk.timed = counted  # type: ignore[method-assign]
    before, start = cpu(), time.monotonic()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):
        main(arguments)
    return time.monotonic() - start, cpu() - before


def stages_of(record: Path) -> dict[str, tuple[float, float]]:
    """Return by stage the sum of wall seconds over all tasks, and the median of one task."""
    with duckdb.connect(str(record / "record.duckdb"), read_only=True) as con:
        rows = con.execute("SELECT stage, sum(seconds), median(seconds) FROM stages GROUP BY stage").fetchall()
        results = con.execute("SELECT way, result, count(*) FROM outcomes GROUP BY ALL ORDER BY ALL").fetchall()
        asked = con.execute("SELECT count(*) FROM questions").fetchone()
        calls = con.execute("SELECT count(*) FROM calls").fetchone()
        flows = con.execute("SELECT count(DISTINCT task) FROM calls WHERE stage = 'translate'").fetchone()
    print("; ".join(f"{way} {result}: {count}" for way, result, count in results), end="; ")
    print(f"{calls[0]} calls, {asked[0]} questions, {flows[0]} tasks whose compiled workflow wasn't proven\n")
    return {stage: (total, median) for stage, total, median in rows}


def table(
    stages: dict[str, tuple[float, float]], spent: dict[str, float], tasks: int, jobs: int, took: tuple[float, float]
) -> str:
    """Return the figures; wall seconds of stages are of one task, of which `jobs` run at a time."""
    rows = [
        f"| stage | wall s a task | median | share |{' CPU s a task |' if spent else ''}",
        "|---|---|---|---|" + ("---|" if spent else ""),
    ]
    wall, used = took
    whole = sum(total for total, _ in stages.values())
    for stage in STAGES:
        total, median = stages.get(stage, (0.0, 0.0))
        cells = [stage, f"{total / tasks:.2f}", f"{median:.2f}", f"{total / whole:.0%}"]
        rows.append(f"| {' | '.join([*cells, *([f'{spent.get(stage, 0.0) / tasks:.2f}'] if spent else [])])} |")
    slowest = max(stages, key=lambda stage: stages[stage][0])
    rows.append(
        f"\n{tasks} tasks, {jobs} at a time: {wall:.0f} s wall ({wall / tasks:.2f} a task), {used:.0f} s CPU ({used / tasks:.2f} a task); the slowest stage is {slowest}"
    )
    if tasks != 300:
        rows.append(f"projected to 300 tasks: {wall / tasks * 300:.0f} s")
    return "\n".join(rows)


def main() -> None:
    """Make suite and script, run them, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tasks", type=int, default=300)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--language", choices=["sql", "pandas", "auto"], default="sql")
    parser.add_argument("--keep", type=Path, help="a new folder for suite and record")
    parser.add_argument("--cpu", action="store_true")
    given = parser.parse_args()
    with contextlib.ExitStack() as stack:
        folder = given.keep or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="prepsql-bench-")))
        suite = folder / "suite"
        suite.mkdir(parents=True)
        script = make_script(folder, make_suite(suite, given.tasks), given.language)
        jobs = 1 if given.cpu else given.jobs
        arguments = [
            "eval", "--agent", "model", "--model", f"script:{script}", "--suite", str(suite), "--setting", "e2e",
            "--language", given.language, "--out", str(folder / "record"), "--jobs", str(jobs),
        ]  # fmt: skip
        print(f"load before: {os.getloadavg()[0]:.1f}")
        spent: dict[str, float] = {}
        took = in_this_process(arguments, spent) if given.cpu else as_a_user(arguments)
        print(table(stages_of(folder / "record"), spent, given.tasks, jobs, took))
        print(f"load after: {os.getloadavg()[0]:.1f}")


if __name__ == "__main__":
    main()

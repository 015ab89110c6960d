"""`prepsql tasks`: list our own tasks, and prove that they are whole."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import click
from rich.table import Table

from prepsql.cli.shared import DEFAULT_JOBS, progress, show, show_json
from prepsql.evaluate.check import check_task, describe
from prepsql.evaluate.suites import BUNDLED, open_suite
from prepsql.evaluate.task import AMBIGUITY_KINDS, IRREGULARITY_PATTERNS, Task

_SUITE = click.option(
    "--suite", default=BUNDLED, show_default=True, metavar="SUITE", help="'bundled' or a folder of tasks."
)


@click.group("tasks", short_help="List the bundled tasks, and prove them.")
def command() -> None:
    """List tasks in our own form, and prove that they are whole."""


@command.command("list")
@_SUITE
@click.option("--json", "as_json", is_flag=True, help="Print the list as JSON.")
def list_tasks(suite: str, as_json: bool) -> None:
    """Print each task with its domain, steps, irregularities and ambiguities."""
    tasks = open_suite(suite).tasks
    rows = [
        {
            "task": task.id,
            **{key: describe(task)[key] for key in ("title", "domain", "steps")},
            "patterns": sorted({entry["pattern"] for entry in describe(task)["irregularities"]}),
            "ambiguities": dict(Counter(entry.kind for entry in task.ambiguities)),
        }
        for task in tasks
    ]
    if as_json:
        show_json(rows)
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name, justify in (("task", "left"), ("domain", "left"), ("steps", "right"), ("irregular", "left")):
        table.add_column(name, justify=justify)  # type: ignore[arg-type]
    table.add_column("ambiguities", justify="right")
    for row in rows:
        asked = str(sum(row["ambiguities"].values()))
        table.add_row(row["task"], row["domain"], str(row["steps"]), " ".join(row["patterns"]), asked)
    show(table)
    show(f"\n{len(rows)} tasks; irregular: " + ", ".join(f"{k} {v}" for k, v in IRREGULARITY_PATTERNS.items()))


@command.command("check")
@click.argument("names", nargs=-1, metavar="[TASK]…")
@_SUITE
@click.option("--jobs", type=click.IntRange(1), default=DEFAULT_JOBS, show_default=True, help="Tasks at a time.")
def check(names: tuple[str, ...], suite: str, jobs: int) -> None:
    """Prove tasks: solutions give gold, the generator gives the inputs, and each ambiguity changes the output.

    Exit code 0: all are whole; 1: problems were found, each printed.
    """
    tasks = open_suite(suite).select(names).tasks
    with progress("checking", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:

        def one(task: Task) -> list[str]:
            problems = check_task(task)
            advance(task)
            return problems

        found = dict(zip((task.id for task in tasks), pool.map(one, tasks), strict=True))
    for task, problems in found.items():
        click.echo(f"{task}: {'whole' if not problems else f'{len(problems)} problems'}")
        for problem in problems:
            click.echo(f"  {problem}")
    if not names:
        kinds = {entry.kind for task in tasks for entry in task.ambiguities}
        patterns = {entry["pattern"] for task in tasks for entry in describe(task)["irregularities"]}
        missing = [k for k in AMBIGUITY_KINDS if k not in kinds] + [
            p for p in IRREGULARITY_PATTERNS if p not in patterns
        ]
        click.echo(
            "all ambiguity kinds and irregularity patterns occur" if not missing else f"nowhere: {', '.join(missing)}"
        )
        if missing:
            raise click.exceptions.Exit(1)
    if any(found.values()):
        raise click.exceptions.Exit(1)

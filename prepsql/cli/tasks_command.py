"""`prepsql tasks`: list our own tasks, and prove that they are whole."""

from __future__ import annotations

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import click
from rich.table import Table

from prepsql.cli.shared import jobs_option, json_option, progress, show, show_json
from prepsql.evaluate.check import check_task, coverage_gaps, describe
from prepsql.evaluate.suites import BUNDLED, own_suite
from prepsql.evaluate.task import IRREGULARITY_PATTERNS, Task
from prepsql.tables import plural

_suite_option = click.option(
    "--suite", default=BUNDLED, show_default=True, metavar="SUITE", help="'bundled' or a folder of task folders."
)


@click.group("tasks", short_help="List the bundled tasks, and prove them.")
def command() -> None:
    """List tasks in our own form, and prove that they are whole."""


@command.command("list", short_help="Print each task with its domain and what is hard in it.")
@_suite_option
@json_option
def list_tasks(suite: str, as_json: bool) -> None:
    """Print each task with its domain, steps, irregularities and ambiguities."""
    opened = own_suite(suite)
    rows = [
        {
            "task": task.id,
            **{key: describe(task)[key] for key in ("title", "domain", "steps")},
            "patterns": sorted({entry["pattern"] for entry in describe(task)["irregularities"]}),
            "ambiguities": dict(Counter(entry.kind for entry in task.ambiguities)),
        }
        for task in opened.tasks
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
    show(f"\n{plural(len(rows), 'task')} in {opened.root}")
    show("irregular: " + ", ".join(f"{k} {v}" for k, v in IRREGULARITY_PATTERNS.items()))


@command.command("check", short_help="Prove that tasks are whole and solved by their solutions.")
@click.argument("names", nargs=-1, metavar="[TASK]…")
@_suite_option
@jobs_option
def check(names: tuple[str, ...], suite: str, jobs: int) -> None:
    """Prove tasks: solutions give gold, the generator gives the inputs, and each ambiguity changes the output.

    All bundled tasks together must have each kind of ambiguity and each pattern of irregularity.
    Exit code 0: all are whole; 1: problems were found, each printed.
    """
    tasks = own_suite(suite).select(names).tasks
    with progress("checking", len(tasks)) as advance, ThreadPoolExecutor(jobs) as pool:

        def one(task: Task) -> list[str]:
            problems = check_task(task)
            advance(task)
            return problems

        found = dict(zip((task.id for task in tasks), pool.map(one, tasks), strict=True))
    for task, problems in found.items():
        click.echo(f"{task}: {'whole' if not problems else plural(len(problems), 'problem')}")
        for problem in problems:
            click.echo(f"  {problem}")
    if suite == BUNDLED and not names:
        for gap in coverage_gaps(tasks):
            click.echo(f"no bundled task has {gap}")
            found[gap] = [gap]
    if any(found.values()):
        raise click.exceptions.Exit(1)

"""`prepsql eval`: run an agent over a suite and print the verdict table."""

from __future__ import annotations

import shlex
import sys
from datetime import datetime
from pathlib import Path

import click

from prepsql.cli.shared import jobs_option, json_option, progress, show, show_json, suite_option, task_option
from prepsql.errors import PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.suites import open_suite
from prepsql.evaluate.task import Way
from prepsql.evaluate.verdict import POLICIES, Result, accuracy
from prepsql.sandbox import Limits


class Interrupted(PrepsqlError):
    """The run was stopped by the user."""


@click.command("eval", short_help="Run an agent over a suite of tasks.")
@click.option("--engine", type=click.Choice(["duckdb"]), default="duckdb", show_default=True, help="What runs SQL.")
@suite_option
@click.option("--agent", type=click.Choice([reference.NAME]), default=reference.NAME, show_default=True,
              help="Who solves the tasks; 'reference' is the tasks' own solutions.")  # fmt: skip
@click.option("--way", "ways", type=click.Choice(reference.WAYS), multiple=True,
              help="How it is written; by default every way of which the suite has a solution.")  # fmt: skip
@task_option
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="The run's record; one that is there is resumed.  [default: runs/<time>]")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=Limits().seconds, show_default=True,
              metavar="SECONDS", help="Bound on one run.")  # fmt: skip
@jobs_option
@click.option("--accept-risk", is_flag=True, help="Run code even where no real layer of the sandbox is active.")
@json_option
def command(
    engine: str, suite: str, agent: str, ways: tuple[Way, ...], patterns: tuple[str, ...], out: Path | None,
    timeout: float, jobs: int, accept_risk: bool, as_json: bool,
) -> None:  # fmt: skip
    """Run an agent over a suite of tasks and print the verdict table.

    Every try is kept in the run's record as soon as its verdict is in: the same command with --out resumes it.
    Exit code 0: all correct; 1: some are not; 2: the run could not be done.
    """
    tasks = open_suite(suite).select(patterns)
    plan = Plan(
        suite=tasks, ways=tuple(dict.fromkeys(ways)), engine=engine, agent=agent,
        limits=Limits(seconds=timeout), accept_risk=accept_risk or tasks.trusted,
    )  # fmt: skip
    folder = out or Path("runs") / datetime.now().strftime("%Y-%m-%dT%H-%M-%S")
    tries = len(plan.tries())
    finished = 0
    try:
        with progress("running", tries) as advance:

            def count(verdict: object) -> None:
                nonlocal finished
                finished += 1
                advance(verdict)

            verdicts = run(plan, folder, jobs=jobs, on_verdict=count)
    except KeyboardInterrupt:
        again = shlex.join(["prepsql", *sys.argv[1:], *([] if out else ["--out", str(folder)])])
        raise Interrupted(f"interrupted: {finished} of {tries} tries are kept; go on with: {again}") from None
    if as_json:
        scores = {p: dict(zip(("passed", "judged"), accuracy(verdicts, p), strict=True)) for p in POLICIES}
        found = [verdict.to_dict() for verdict in verdicts]
        show_json({"run": str(folder), **plan.settings(), "accuracy": scores, "verdicts": found})
    else:
        show(f"suite {tasks.name} · agent {agent} · engine {engine}\n")
        show(verdict_table(verdicts))
        show(f"\nThe record of this run: {folder}")
    if any(v.result is not Result.CORRECT for v in verdicts):
        raise click.exceptions.Exit(1)

"""`prepsql eval`: run an agent over a suite and print the verdict table."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable, Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from prepsql.cli.shared import jobs_option, json_option, progress, show, show_json, suite_option, task_option
from prepsql.errors import PrepsqlError
from prepsql.evaluate import reference
from prepsql.evaluate.report import verdict_table
from prepsql.evaluate.runner import Plan, run
from prepsql.evaluate.settings import SETTINGS
from prepsql.evaluate.suites import Suite, open_suite
from prepsql.evaluate.task import Way
from prepsql.evaluate.verdict import POLICIES, Result, Verdict, accuracy
from prepsql.sandbox import Limits

_AGENTS_OWN = {
    "model": "--model", "base_url": "--base-url", "settings": "--setting", "repeats": "--repeats",
    "language": "--language", "translator": "--translate", "temperature": "--temperature", "simulator": "--simulator",
    "simulator_model": "--simulator-model", "task_usd": "--task-usd", "run_usd": "--run-usd",
    "agent_timeout": "--agent-timeout",
}  # fmt: skip
"""Options of agents, which mean nothing where the tasks' own solutions run, by parameter."""
_LAID_OUT = ("request.md", "code.sql", "code.py", "task.json")
"""Files that an agent's command finds where it starts."""


class Interrupted(PrepsqlError):
    """The run was stopped by the user."""


def model_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options that say which model an agent uses, what it writes and whom it asks."""
    options = (
        click.option("--agent-cmd", metavar="COMMAND", help="Measure this program instead (docs/evaluate.md)."),
        click.option("--agent-timeout", type=click.FloatRange(0, min_open=True), default=1800.0, show_default=True,
                     metavar="SECONDS", help="How long that program may take for a task."),
        click.option("--model", metavar="NAME", help="A model, or script:FILE, replies from a file.  [PREPSQL_MODEL]"),
        click.option("--base-url", metavar="URL", help="Its endpoint.  [PREPSQL_BASE_URL]"),
        click.option("--simulator", type=click.Choice(["offline", "llm"]), default="offline", show_default=True,
                     help="Who plays the user: word matching, or a model."),
        click.option("--simulator-model", metavar="NAME", help="That model.  [PREPSQL_SIMULATOR_MODEL]"),
        click.option("--language", type=click.Choice(["sql", "pandas", "auto"]), default="sql", show_default=True,
                     help="What the agent writes."),
        click.option("--translate", "translator", type=click.Choice(["compiler", "model"]), default="compiler",
                     show_default=True, help="The compiler first, the model what it leaves; or the model."),
        click.option("--temperature", type=click.FloatRange(0, 2), default=0.7, show_default=True, metavar="T"),
        click.option("--repeats", type=click.IntRange(1), default=1, show_default=True, metavar="N",
                     help="How often each task is tried in a setting."),
        click.option("--task-usd", type=click.FloatRange(0), metavar="USD", help="Cap on what a task may cost."),
        click.option("--run-usd", type=click.FloatRange(0), metavar="USD", help="Cap on what the run may cost."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@click.command("eval", short_help="Run an agent over a suite of tasks.")
@click.option("--engine", type=click.Choice(["duckdb"]), default="duckdb", show_default=True, help="What runs SQL.")
@suite_option
@click.option("--agent", type=click.Choice([reference.NAME, "model"]), default=reference.NAME, show_default=True,
              help="Who solves the tasks; 'reference' is the tasks' own solutions.")  # fmt: skip
@click.option("--way", "ways", type=click.Choice(reference.WAYS), multiple=True,
              help="How those are written; by default every way of which the suite has one.")  # fmt: skip
@click.option("--setting", "settings", type=click.Choice(list(SETTINGS)), multiple=True, metavar="SETTING",
              help=f"How an agent is measured: {', '.join(SETTINGS)}; may be repeated.  [default: e2e]")  # fmt: skip
@model_options
@task_option
@click.option("--out", type=click.Path(path_type=Path), metavar="DIR",
              help="The run's record; one that is there is resumed.  [default: runs/<time>]")  # fmt: skip
@click.option("--timeout", type=click.FloatRange(0, min_open=True), default=Limits().seconds, show_default=True,
              metavar="SECONDS", help="Bound on one run of code.")  # fmt: skip
@jobs_option
@click.option("--accept-risk", is_flag=True, help="Run code even where no real layer of the sandbox is active.")
@json_option
def command(
    engine: str, suite: str, agent: str, ways: tuple[Way, ...], settings: tuple[str, ...], patterns: tuple[str, ...],
    out: Path | None, timeout: float, jobs: int, accept_risk: bool, as_json: bool, repeats: int, **chosen: Any,
) -> None:  # fmt: skip
    """Run an agent over a suite of tasks and print the verdict table.

    Every try is kept in the run's record as soon as its verdict is in: the same command with --out resumes it, and
    no reply of a model is paid twice.

    Exit code 0: all correct; 1: some are not; 2: the run could not be done.
    """
    tasks = open_suite(suite).select(patterns)
    contender = _contender(agent, tasks, accept_risk, chosen)
    plan = Plan(
        suite=tasks, ways=tuple(dict.fromkeys(ways)), engine=engine, contender=contender,
        names=tuple(dict.fromkeys(settings)) or ("e2e",), repeats=repeats,
        limits=Limits(seconds=timeout), accept_risk=accept_risk or (tasks.trusted and contender is None),
    )  # fmt: skip
    folder = out or Path("runs") / datetime.now().strftime("%Y-%m-%dT%H-%M-%S")
    verdicts, new = _run(plan, folder, jobs, out)
    if as_json:
        scores = {p: dict(zip(("passed", "judged"), accuracy(verdicts, p), strict=True)) for p in POLICIES}
        found = [verdict.to_dict() for verdict in verdicts]
        show_json({"run": str(folder), **plan.settings(), "accuracy": scores, "verdicts": found})
    else:
        show(f"suite {tasks.name} · agent {plan.agent} · engine {engine}\n")
        show(verdict_table(verdicts))
        show(f"\nThe record of this run: {folder}{'' if new else ' (all tries were already in it)'}")
        if contender:
            show(f"Its figures: prepsql report {folder}")
    if any(v.result not in (Result.CORRECT, Result.ASKED) for v in verdicts):
        raise click.exceptions.Exit(1)


def _run(plan: Plan, folder: Path, jobs: int, out: Path | None) -> tuple[list[Verdict], int]:
    """Return the verdicts, and how many tries weren't in the record before."""
    units = len(plan.units())
    finished = made = 0
    try:
        with progress("running", units) as advance:

            def count(unit: object, new: bool) -> None:
                nonlocal finished, made
                finished += 1
                made += new
                advance(unit)

            return run(plan, folder, jobs=jobs, on_unit=count), made
    except KeyboardInterrupt:
        again = shlex.join(["prepsql", *sys.argv[1:], *([] if out else ["--out", str(folder)])])
        kept = f"{finished} of {units} tries are kept{', and replies that were paid' if plan.contender else ''}"
        raise Interrupted(f"interrupted: {kept}; go on with: {again}") from None


def _contender(agent: str, tasks: Suite, accept_risk: bool, chosen: dict[str, Any]) -> Any:
    """Return who is measured, None for the suite's own solutions."""
    command = chosen["agent_cmd"]
    if agent == "model" and command is not None:
        raise click.UsageError("--agent model and --agent-cmd are two agents: name one of them")
    _refuse_idle(agent, command, chosen["simulator"])
    if agent == reference.NAME and command is None:
        return None
    from prepsql.agents.external import ExternalAgent
    from prepsql.evaluate.contender import by_command, by_model
    from prepsql.llm.settings import resolve

    named = ("model", "base_url", "simulator_model", "task_usd", "run_usd")
    models = resolve({name: chosen[name] for name in named})
    if command is not None:
        hidden = tuple({*tasks.secret, *(path for task in tasks.tasks for path in task.secret)})
        program = ExternalAgent(_words(command), hidden, chosen["agent_timeout"], accept_risk)
        return by_command(program, models, chosen["simulator"])
    return by_model(models, chosen["language"], chosen["translator"], chosen["simulator"], chosen["temperature"])


def _refuse_idle(agent: str, command: str | None, simulator: str) -> None:
    """Refuse options that were given and would do nothing."""
    program, played = command is not None, simulator == "llm"
    own = agent == reference.NAME and not program
    rules: tuple[tuple[bool, Iterable[str], str], ...] = (
        (own, _AGENTS_OWN, "is for an agent, and without one the tasks' own solutions run: add --agent model or "
         "--agent-cmd"),
        (program, ("model", "language", "translator", "temperature"),
         "is for --agent model, and --agent-cmd runs a program: leave it out"),
        (program and not played, ("base_url", "task_usd", "run_usd"),
         "is for a model, and none is asked here: leave it out, or add --simulator llm"),
        (not played, ("simulator_model",), "is for a user that a model plays: add --simulator llm"),
        (not program, ("agent_timeout",), "is for --agent-cmd: leave it out"),
    )  # fmt: skip
    for idle, names, why in rules:
        for name in names:
            if idle and _given(name):
                raise click.UsageError(f"{_AGENTS_OWN[name]} {why}")
    if not own and _given("ways"):
        raise click.UsageError("--way is for the tasks' own solutions; --language says what a model writes")


def _given(option: str) -> bool:
    source = click.get_current_context().get_parameter_source(option)
    return source is ParameterSource.COMMANDLINE


def _words(command: str) -> tuple[str, ...]:
    """Split an agent's command, and refuse one that can't start in the folder of a task."""
    try:
        words = tuple(shlex.split(command))
    except ValueError as wrong:
        raise click.UsageError(f"--agent-cmd {command!r}: {wrong}") from wrong
    if not words:
        raise click.UsageError("--agent-cmd is empty: name the program that is started for each task")
    if not shutil.which(words[0]) and not Path(words[0]).is_file():
        raise click.UsageError(f"--agent-cmd: no program {words[0]!r}: give its full path, or its name if PATH has it")
    for n, word in enumerate(words):
        here = Path(word)
        if here.is_absolute() or word in _LAID_OUT:
            continue
        if here.is_file() and (n or "/" in word):
            raise click.UsageError(
                f"--agent-cmd starts in a folder of its own, where there is no {word}: say {here.resolve()}"
            )
    return words

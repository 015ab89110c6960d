"""What several commands share: options, a progress bar, and where text goes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from prepsql.cli.terminal import Harmless
from prepsql.evaluate.suites import BUNDLED

suite_option = click.option(
    "--suite", default=BUNDLED, show_default=True, metavar="SUITE",
    help="'bundled', a folder of tasks, or a PrepBench checkout.",
)  # fmt: skip
task_option = click.option(
    "--task", "patterns", multiple=True, metavar="PATTERN",
    help="Only tasks whose id matches, like 'case_00*'; may be repeated.",
)  # fmt: skip
jobs_option = click.option(
    "--jobs", type=click.IntRange(1), default=os.cpu_count() or 2, show_default=True, metavar="N",
    help="Tasks at a time.",
)  # fmt: skip
inputs_option = click.option(
    "--inputs", type=click.Path(path_type=Path, exists=True, file_okay=False), show_default="the workflow's own folder",
    help="Folder with the input files.",
)  # fmt: skip
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")


def show(what: RenderableType) -> None:
    """Print for a person on standard output; a pipe gets 80 columns, no colour and no blanks at line ends."""
    console = Console(highlight=False)
    if console.is_terminal:
        console.print(Harmless(what), markup=False)
        return
    plain = Console(highlight=False, width=80)
    with plain.capture() as captured:
        plain.print(Harmless(what), markup=False)
    click.echo("\n".join(line.rstrip() for line in captured.get().splitlines()))


def show_json(what: Any) -> None:
    """Print JSON on standard output."""
    click.echo(json.dumps(what, ensure_ascii=False, indent=2, default=str))


@contextmanager
def progress(what: str, total: int) -> Iterator[Callable[[object], None]]:
    """Yield a function that moves a bar on standard error by one; where that is no terminal there is no bar."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=total)
        yield lambda _: bar.advance(task)

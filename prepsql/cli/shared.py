"""What several commands share: a progress bar, and where text goes."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click
from rich.console import Console, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

DEFAULT_JOBS = os.cpu_count() or 2


def show(what: RenderableType) -> None:
    """Print for a person on standard output; a pipe gets 80 columns and no colour."""
    Console(highlight=False, width=None if _is_terminal() else 80).print(what)


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


def _is_terminal() -> bool:
    return Console().is_terminal

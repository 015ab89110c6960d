"""`prepsql report`: the paper's table and figures for one or many runs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import click

from prepsql.cli.shared import json_option, show, show_json
from prepsql.errors import WriteError
from prepsql.evaluate.reports.load import load
from prepsql.evaluate.reports.report import report_of
from prepsql.evaluate.reports.text import report_text
from prepsql.evaluate.verdict import POLICIES
from prepsql.tables import plural
from prepsql.tables.write import whole_file


@click.command("report", short_help="Tell the figures of runs: accuracy, cost, gaps, gains.")
@click.argument("runs", nargs=-1, required=True, metavar="RUN…")
@click.option("--against", metavar="RUN", help="Compare each RUN with this one, task by task (McNemar).")
@click.option("--policy", type=click.Choice(POLICIES), default=POLICIES[0], show_default=True,
              help="The reading that decides what passes.")  # fmt: skip
@json_option
@click.option("--csv", "tables", type=click.Path(path_type=Path, file_okay=False), metavar="DIR",
              help="Write each figure as <name>.csv into DIR too.")  # fmt: skip
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="OUT.html",
              help="Write a page with charts too, and in OUT_tasks a page for each task.")  # fmt: skip
def command(
    runs: tuple[str, ...], against: str | None, policy: str, as_json: bool, tables: Path | None, page: Path | None
) -> None:
    """Print the paper's table for one or many runs, one row a run, and what is notable.

    RUN is a record folder of `prepsql eval`, or a folder with the outcomes of PrepBench's release (FOLDER:MODEL for one
    of its models). Exit code 0: the report is made, whatever it says; 2: it can't be.
    """
    _check(tables, page)
    pages: Mapping[str, str] = {}
    with load([*runs, *([against] if against else [])], policy) as loaded:
        made = report_of(loaded, against is not None)
        if page is not None:
            from prepsql.page.report_page import report_pages

            pages = report_pages(made, loaded, page.name)
            _write(pages, page.parent)
    if tables is not None:
        from prepsql.evaluate.reports.files import write_figures

        write_figures(made, tables)
    if as_json:
        show_json(made.to_dict())
        return
    show(report_text(made))
    if page is not None:
        show(f"The page: {page}" + (f", and {plural(len(pages) - 1, 'page')} of tasks" if len(pages) > 1 else ""))
    if tables is not None:
        show(f"The figures' tables: {tables}")


def _write(pages: Mapping[str, str], folder: Path) -> None:
    """Write pages in their order: what links comes after what it links to."""
    for path, text in pages.items():
        try:
            (folder / path).parent.mkdir(exist_ok=True)
        except OSError as wrong:
            raise WriteError(f"cannot make the folder {(folder / path).parent}: {wrong.strerror}") from wrong
        with whole_file(folder / path) as file:
            file.write(text.encode())


def _check(tables: Path | None, page: Path | None) -> None:
    """Refuse what can't be written before the work is done."""
    if page is not None and page.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{str(page)!r} doesn't end in .html, as a page does", param_hint="--html")
    for path in filter(None, (tables, page)):
        if not path.parent.is_dir():
            raise WriteError(f"{path}: no folder {path.parent}; make it, or name one that is there")

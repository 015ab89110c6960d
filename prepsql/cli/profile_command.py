"""`prepsql profile`: what is irregular in tables, for a person, a program or a model."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from prepsql.cli.shared import show_json
from prepsql.errors import WriteError
from prepsql.page.profile_page import profile_page
from prepsql.profile import profile, profile_sql
from prepsql.profile.report import print_report
from prepsql.tables.write import whole_file


@click.command("profile", short_help="Say what is irregular in tables, where, and how often.")
@click.argument("files", type=click.Path(path_type=Path), nargs=-1, required=True, metavar="FILE…")
@click.option("--json", "as_json", is_flag=True, help="Print everything as JSON.")
@click.option(
    "--html", "page", type=click.Path(path_type=Path, dir_okay=False), metavar="OUT.html",
    help="Write everything as one page with charts, which needs nothing besides itself.",
)  # fmt: skip
@click.option(
    "--prompt", "most", type=click.IntRange(0), is_flag=False, flag_value=4000, metavar="N",
    help="Print what a model must know, in at most N characters (4000 without N).",
)  # fmt: skip
@click.option("--show-sql", is_flag=True, help="Print the statements that were run instead of what they found.")
@click.option(
    "--memory-limit", help="Memory before spilling to disk, e.g. 4GB, from 64MB on (2GiB at most by default)."
)
def command(
    files: tuple[Path, ...],
    as_json: bool,
    page: Path | None,
    most: int | None,
    show_sql: bool,
    memory_limit: str | None,
) -> None:
    """Read every row of each FILE and say what is irregular, where, how often, and what would mend it.

    Several files are looked at together: what differs between them, and how they can be joined. Exit code 0: the tables
    were profiled, whatever was found; 2: they can't be, or the page can't be written.
    """
    _check(as_json, page, most, show_sql)
    if show_sql:
        click.echo(profile_sql(files, memory_limit=memory_limit), nl=False)
        return
    found = profile(files, memory_limit=memory_limit)
    if page is not None:
        with whole_file(page) as file:
            file.write(profile_page(found).encode())
        click.echo(str(page))
    elif as_json:
        show_json(found.to_dict())
    elif most is not None:
        click.echo(found.prompt(most))
    else:
        print_report(found, Console(highlight=False, emoji=False))


def _check(as_json: bool, page: Path | None, most: int | None, show_sql: bool) -> None:
    """Refuse what can't be before the work is done: two forms at once, or a page that is no page or has no place."""
    given = {"--json": as_json, "--html": page is not None, "--prompt": most is not None, "--show-sql": show_sql}
    forms = [option for option, is_given in given.items() if is_given]
    if len(forms) > 1:
        raise click.UsageError(f"{' and '.join(forms)} each give the profile in a form of their own; give one of them")
    if page is None:
        return
    if page.suffix.lower() not in (".html", ".htm"):
        raise click.BadParameter(f"{str(page)!r} doesn't end in .html, as a page does", param_hint="--html")
    if not page.parent.is_dir():
        raise WriteError(f"{page}: no folder {page.parent}; make it, or name one that is there")

"""`prepsql compare`: two folders under gold's config, or two files by a key."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import Console

from prepsql.cli.shared import show_json
from prepsql.compare import POLICIES, TYPE_NAMES, compare, compare_sql
from prepsql.compare.report import print_report


@click.command("compare", short_help="Compare two tables, or two folders of tables.")
@click.argument("gold", type=click.Path(path_type=Path))
@click.argument("candidate", type=click.Path(path_type=Path))
@click.option(
    "--policy",
    type=click.Choice(list(POLICIES)),
    default="paper",
    show_default=True,
    help="paper: numbers within 2 %; strict: within 1e-6, keys exactly equal; published: as PrepBench's evaluator.",
)
@click.option("-k", "--key", multiple=True, help="For two files: a column that identifies a row (repeat for several).")
@click.option(
    "-t",
    "--type",
    "types",
    multiple=True,
    metavar="COLUMN=TYPE",
    help=f"For two files: compare a column as {', '.join(TYPE_NAMES)}.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the whole account as JSON.")
@click.option("--show-sql", is_flag=True, help="Print the SQL instead of running it.")
@click.option("-n", "--examples", type=click.IntRange(0), default=5, show_default=True, help="Examples per column.")
@click.option(
    "--memory-limit", help="Memory before spilling to disk, e.g. 4GB, from 64MB on (2GiB at most by default)."
)
@click.pass_context
def command(
    ctx: click.Context,
    gold: Path,
    candidate: Path,
    policy: str,
    key: tuple[str, ...],
    types: tuple[str, ...],
    as_json: bool,
    show_sql: bool,
    examples: int,
    memory_limit: str | None,
) -> None:
    """Compare CANDIDATE with GOLD: folders with gold's config.json, or two files and -k.

    Exit code 0: the same under the policy; 1: different; 2: they can't be compared.
    """
    if show_sql and as_json:
        raise click.UsageError("--show-sql prints SQL and --json a comparison; give one of them")
    given = dict(map(_column_type, types))
    if show_sql:
        click.echo(compare_sql(gold, candidate, policy, key, types=given))
        return
    comparison = compare(gold, candidate, policy, key, types=given, examples=examples, memory_limit=memory_limit)
    if as_json:
        show_json(comparison.to_dict())
    else:
        print_report(comparison, Console(highlight=False, emoji=False))
    ctx.exit(0 if comparison.passed else 1)


def _column_type(text: str) -> tuple[str, str]:
    """Return column and type of COLUMN=TYPE; a column's name may hold = itself."""
    column, equals, type_ = text.rpartition("=")
    if not equals:
        raise click.BadParameter(f"{text!r} is not COLUMN=TYPE, such as zip=text_exact", param_hint="--type")
    return column, type_

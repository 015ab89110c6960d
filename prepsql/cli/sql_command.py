"""`prepsql sql`: a workflow as SQL for another database."""

from __future__ import annotations

from pathlib import Path

import click

from prepsql.cli.shared import inputs_option
from prepsql.errors import WorkflowError
from prepsql.workflow import Problem, Workflow
from prepsql.workflow.dialects import DIALECTS
from prepsql.workflow.export import FORMS, write_files


@click.command("sql", short_help="Show a workflow as SQL for another database.")
@click.argument("flow", type=click.Path(path_type=Path))
@click.option(
    "-d",
    "--dialect",
    type=click.Choice(list(DIALECTS)),
    default="duckdb",
    show_default=True,
    metavar="DIALECT",
    help=f"For which database: {', '.join(DIALECTS)}.",
)
@click.option(
    "--form", type=click.Choice(FORMS), default="query", show_default=True,
    help="One query an output, a view a step, or a dbt project.",
)  # fmt: skip
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), help="Write files into this folder instead.",
)  # fmt: skip
@inputs_option
@click.option(
    "--table", "pairs", multiple=True, metavar="STEP=NAME",
    help="The table that an input step (or its path) stands for, like sales=raw.sales; may be repeated.",
)  # fmt: skip
@click.option("--external-scripts", is_flag=True, help="Let a script step's result be a table that you supply.")
@click.pass_context
def command(
    ctx: click.Context, flow: Path, dialect: str, form: str, out: Path | None, inputs: Path | None,
    pairs: tuple[str, ...], external_scripts: bool,
) -> None:  # fmt: skip
    """Show the workflow FLOW as SQL that gives the same rows in another database.

    A table has its input step's name. What the dialect can't say exactly is refused, step by step. Exit code 0: all is
    said; 1: something can't be, each step with its reason; 2: it could not be read or written.
    """
    tables = dict(_pair(pair) for pair in pairs)
    try:
        made = Workflow.load(flow).export(dialect, inputs, tables=tables, external_scripts=external_scripts)
    except WorkflowError as no:
        problems = [problem for problem in no.problems if isinstance(problem, Problem)]
        if not problems:
            raise
        click.echo("\n".join(f"prepsql: {problem}" for problem in problems), err=True)
        ctx.exit(1)
    if out is None:
        click.echo(made.text(form), nl=False)
        return
    for path in write_files(out, made.files(form)):
        click.echo(str(path))


def _pair(text: str) -> tuple[str, str]:
    step, equals, table = text.partition("=")
    if not (step and equals and table):
        raise click.BadParameter(f"{text!r} isn't STEP=NAME, like sales=raw.sales", param_hint="--table")
    return step, table

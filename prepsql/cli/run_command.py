"""`prepsql run`: a workflow on its input files."""

from __future__ import annotations

from pathlib import Path

import click

from prepsql.cli.shared import inputs_option, json_option, show, show_json
from prepsql.errors import WorkflowError
from prepsql.workflow import Problem, Workflow
from prepsql.workflow.report import trace_table


@click.command("run", short_help="Run a workflow and leave its outputs in a folder.")
@click.argument("flow", type=click.Path(path_type=Path))
@inputs_option
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, file_okay=False), default=Path(), show_default="here",
    help="Folder for the outputs.",
)  # fmt: skip
@click.option("--trace", is_flag=True, help="Show rows in and out, time and columns of every step.")
@click.option("--show-sql", is_flag=True, help="Print the SQL that runs, and run nothing.")
@json_option
@click.option("--memory-limit", help="DuckDB's memory before it spills to disk, e.g. 4GB.")
@click.option("--threads", type=click.IntRange(1), help="DuckDB's threads.")
@click.option("--accept-risk", is_flag=True, help="Run script steps where the sandbox has no real layer.")
@click.pass_context
def command(
    ctx: click.Context, flow: Path, inputs: Path | None, out: Path, trace: bool, show_sql: bool, as_json: bool,
    memory_limit: str | None, threads: int | None, accept_risk: bool,
) -> None:  # fmt: skip
    """Run the workflow FLOW and leave its outputs in a folder, all of them or none.

    It is checked first. Exit code 0: done; 1: it has problems or a step failed; 2: it could not be read or written.
    """
    workflow = Workflow.load(flow)
    try:
        if show_sql:
            for path, text in workflow.statements(inputs).items():
                click.echo(f"-- {path}\n{text};\n")
            return
        done = workflow.run(
            inputs, out, trace=trace, memory_limit=memory_limit, threads=threads, accept_risk=accept_risk
        )
    except WorkflowError as wrong:
        problems = [problem for problem in wrong.problems if isinstance(problem, Problem)]
        if not problems:
            raise
        click.echo("\n".join(f"prepsql: {problem}" for problem in problems), err=True)
        ctx.exit(1)
    if as_json:
        show_json(done.to_dict())
        return
    for note in done.notes:
        click.echo(f"note: {note}", err=True)
    if trace:
        show(trace_table(done))
    for made, rows in zip(done.outputs, done.rows, strict=True):
        click.echo(f"{made}: {rows:,} {'row' if rows == 1 else 'rows'}")

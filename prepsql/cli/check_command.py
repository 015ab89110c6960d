"""`prepsql check`: every problem of a workflow, before any row moves."""

from __future__ import annotations

from pathlib import Path

import click

from prepsql.cli.shared import inputs_option, json_option, show, show_json
from prepsql.errors import WorkflowError
from prepsql.workflow import Problem, Workflow, schema
from prepsql.workflow.report import problem_list


@click.command("check", short_help="Check a workflow before it runs; no step does.")
@click.argument("flow", type=click.Path(path_type=Path), required=False)
@inputs_option
@json_option
@click.option("--schema", "as_schema", is_flag=True, help="Print the JSON Schema of workflows instead.")
@click.pass_context
def command(ctx: click.Context, flow: Path | None, inputs: Path | None, as_json: bool, as_schema: bool) -> None:
    """Check the workflow FLOW: its form, its steps' parameters, columns, functions and types.

    The input files are read for their columns; no step runs. Exit code 0: it can run; 1: it has problems, all listed.
    """
    if as_schema:
        show_json(schema())
        return
    if flow is None:
        raise click.UsageError("name the workflow's JSON file, or give --schema")
    problems: list[Problem]
    try:
        problems = Workflow.load(flow).check(inputs)
    except WorkflowError as broken:
        problems = [problem for problem in broken.problems if isinstance(problem, Problem)]
    if as_json:
        show_json([problem.to_dict() for problem in problems])
    elif problems:
        show(problem_list(problems))
    else:
        click.echo(f"{flow}: no problems")
    ctx.exit(1 if problems else 0)

"""`prepsql import`: a flow of the PrepBench authors' format as a workflow."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from prepsql.cli.shared import inputs_option, json_option, show, show_json
from prepsql.errors import ConfigError, WorkflowError
from prepsql.workflow import Workflow
from prepsql.workflow.document import read_json
from prepsql.workflow.exchange import Entry, import_flow


@click.command("import", short_help="Turn a flow of the PrepBench authors into a workflow.")
@click.argument("flow", type=click.Path(path_type=Path))
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the workflow here."
)
@inputs_option
@json_option
@click.pass_context
def command(ctx: click.Context, flow: Path, out: Path | None, inputs: Path | None, as_json: bool) -> None:
    """Turn FLOW, a flow of the PrepBench authors with pandas expressions, into a workflow in SQL.

    What became of each step is listed. The input files tell the types of columns, on which the meaning of an expression
    may hang. Exit code 0: all of it is SQL; 1: something became a script or was left out; 2: it can't be read.
    """
    try:
        document = read_json(flow)
    except WorkflowError as wrong:
        raise ConfigError(f"{flow}: not a flow: {wrong}") from wrong
    imported = import_flow(document, inputs or flow.parent)
    if out:
        Workflow(imported.workflow).save(out)
    if as_json:
        show_json(imported.to_dict())
    else:
        show(_account(imported.report, len(imported.workflow["nodes"])))
        if out:
            click.echo(f"written: {out}")
    ctx.exit(0 if imported.native else 1)


def _account(report: Sequence[Entry], steps: int) -> RenderableType:
    table = Table(box=None, pad_edge=False)
    table.add_column("step", overflow="fold")
    table.add_column("what", no_wrap=True)
    table.add_column("how, or why not", overflow="fold")
    for entry in report:
        table.add_row(entry.step, entry.what, Text(entry.reason))
    scripts = sum(entry.what == "script" for entry in report)
    return Group(table, Text(f"{steps} steps, {scripts} of them scripts"))

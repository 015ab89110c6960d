"""`prepsql translate`: SQL or pandas as a workflow, proven equal."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import click

from prepsql.cli.shared import json_option, show_json
from prepsql.sandbox import DEFAULT_LIMITS, Language
from prepsql.translate import translate


@click.command("translate", short_help="Turn SQL or pandas into a workflow, and prove it.")
@click.argument("code", type=click.Path(path_type=Path))
@click.option(
    "--inputs", type=click.Path(path_type=Path, exists=True, file_okay=False), required=True,
    help="Folder with the input files that the code reads.",
)  # fmt: skip
@click.option(
    "-o", "--out", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE", help="Write the workflow here."
)
@click.option("--language", type=click.Choice(["sql", "pandas"]), help="By default what the suffix says, .sql or .py.")
@click.option(
    "--timeout", type=click.FloatRange(min=1), default=DEFAULT_LIMITS.seconds, show_default=True, metavar="SECONDS",
    help="The most that one run of the code, or of the workflow, may take.",
)  # fmt: skip
@click.option("--accept-risk", is_flag=True, help="Run code where the sandbox has no real layer.")
@json_option
@click.pass_context
def command(
    ctx: click.Context, code: Path, inputs: Path, out: Path | None, language: Language | None, timeout: float,
    accept_risk: bool, as_json: bool,
) -> None:  # fmt: skip
    """Turn CODE, a SQL script or a pandas program, into a workflow, and prove by running that both do the same.

    The proof compares outputs on the inputs given and on changed ones: samples, shuffled and doubled rows, emptied
    cells. Exit code 0: proven; 1: the outputs aren't equal (the workflow is written, and says so); 2: the code can't be
    translated, or doesn't run.
    """
    translation = translate(
        code, inputs, language, limits=replace(DEFAULT_LIMITS, seconds=timeout), accept_risk=accept_risk
    )
    if out:
        translation.save(out)
    if as_json:
        show_json(translation.to_dict())
    else:
        from prepsql.translate.report import summary  # which loads what `translate` loads beside the sandbox

        click.echo(summary(translation))
        if out:
            click.echo(f"\nwritten: {out}" + ("" if translation.proven else " (NOT PROVEN, as its name says)"))
    ctx.exit(0 if translation.proven else 1)

"""`prepsql sandbox`: what stands between this machine and code that isn't ours."""

from __future__ import annotations

import click
from rich.table import Table
from rich.text import Text

from prepsql.cli.shared import json_option, show, show_json
from prepsql.sandbox.layers import LAYERS


@click.command("sandbox")
@json_option
@click.pass_context
def command(ctx: click.Context, as_json: bool) -> None:
    """Show which layers are active here and what each stops.

    Exit code 1 where no layer here keeps files from the code, so that runs need --accept-risk.
    """
    states = [(layer, layer.missing()) for layer in LAYERS]
    safe = any(layer.real and missing is None for layer, missing in states)
    if as_json:
        layers = [
            {"name": x.name, "active": missing is None, "real": x.real, "stops": x.stops, "missing": missing}
            for x, missing in states
        ]
        show_json({"safe": safe, "layers": layers})
    else:
        table = Table.grid(padding=(0, 1, 0, 0))
        for layer, missing in states:
            table.add_row(layer.name, "active" if missing is None else "missing", Text(f"stops {layer.stops}"))
            if missing:
                table.add_row("", "", Text(missing))
        show(table)
        click.echo("Code that isn't ours runs here." if safe else "Code that isn't ours runs only with --accept-risk.")
    ctx.exit(0 if safe else 1)

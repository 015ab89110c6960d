"""`prepsql sandbox`: what stands between this machine and code that isn't ours."""

from __future__ import annotations

import click

from prepsql.cli.shared import json_option, show_json
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
        for layer, missing in states:
            click.echo(f"{layer.name:<12} {'active' if missing is None else 'missing':<8} stops {layer.stops}")
            if missing:
                click.echo(f"{'':<21} {missing}")
        click.echo("Code that isn't ours runs here." if safe else "Code that isn't ours runs only with --accept-risk.")
    ctx.exit(0 if safe else 1)

"""`prepsql macros`: list, search and show the library of SQL functions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Sequence
from difflib import get_close_matches

import click

from prepsql.cli.shared import json_option, show_json
from prepsql.macros import Macro, create_sql, library
from prepsql.macros.aliases import alias, suggest
from prepsql.macros.library import INNER, TOPICS

_WIDTH = 80


@click.command("macros", short_help="List, search and show the SQL functions for data preparation.")
@click.argument("words", nargs=-1, metavar="[WORD]…")
@click.option("--all", "inner", is_flag=True, help="List what other macros and comparisons are made of, too.")
@click.option("--create", is_flag=True, help="Print the CREATE MACRO statements: a script for any DuckDB 2.")
@json_option
@click.pass_context
def command(ctx: click.Context, words: tuple[str, ...], inner: bool, create: bool, as_json: bool) -> None:
    """List the macros; those that have all WORDs in their name, purpose or other names; or all of the one named so.

    Names from other tools lead here too, like initcap and str.title.

    Exit code 0: something was found; 1: nothing, and what is nearest is named.
    """
    exact = [library()[word.lower()] for word in words if word.lower() in library()]
    named = len(exact) == len(words) > 0
    found = exact if named else [macro for macro in library().values() if _listed(macro, words, inner or create)]
    if as_json:
        show_json([macro.to_dict() for macro in found])
    elif create and found:
        click.echo(";\n\n".join(create_sql(macro.name for macro in found)) + ";")
    elif named:
        click.echo("\n\n".join(map(_whole, found)))
    elif found:
        click.echo("\n\n".join(_topic(topic, found) for topic in TOPICS if any(m.topic == topic for m in found)))
    _explain(ctx, " ".join(words), found, as_json)


def _listed(macro: Macro, words: Sequence[str], inner: bool) -> bool:
    """Return whether a macro is in the list for `words`."""
    told = " ".join((macro.name, macro.name.replace("_", " "), macro.purpose, *macro.also)).lower()
    return (inner or macro.topic not in INNER) and all(word.lower() in told for word in words)


def _explain(ctx: click.Context, asked: str, found: Sequence[Macro], as_json: bool) -> None:
    """Say what else the words mean; leave with 1 where they mean nothing."""
    other = alias(asked) if asked else None
    if other and not any(macro.signature in other for macro in found):
        click.echo(f"{asked} is written {other}", err=as_json or bool(found))
    elif not found:
        near = suggest(asked) or next(iter(get_close_matches(asked.lower(), _vocabulary(), 1)), None)
        click.echo(f"no macro has {asked!r}" + (f"; the nearest is {near}" if near else ""), err=True)
        ctx.exit(1)


def _vocabulary() -> list[str]:
    return sorted({word for macro in library().values() for word in macro.name.split("_")})


def _topic(topic: str, macros: Sequence[Macro]) -> str:
    """Return a topic and a line for each of its macros."""
    width = max(len(macro.name) for macro in macros) + 2
    here = [macro for macro in macros if macro.topic == topic]
    lines = [f"  {macro.name:<{width}}{_short(macro.purpose, _WIDTH - width - 2)}" for macro in here]
    return "\n".join([topic, *lines])


def _short(purpose: str, most: int) -> str:
    """Return the first clause of a purpose, cut after a word where it is too long."""
    return textwrap.shorten(re.split("[;:] ", purpose)[0], most, placeholder=" …")


def _whole(macro: Macro) -> str:
    """Return everything about a macro."""
    width = max(len(call) for call, _ in macro.examples)
    facts = [
        macro.signature,
        click.wrap_text(f"{macro.purpose}.", _WIDTH, "  ", "  "),
        click.wrap_text(f"Nulls: {macro.nulls}.", _WIDTH, "  ", "  "),
    ]
    if macro.also:
        facts.append(click.wrap_text(f"Elsewhere: {', '.join(macro.also)}.", _WIDTH, "  ", "  "))
    facts += ["", *(f"  {call:<{width}} → {result}" for call, result in macro.examples)]
    return "\n".join([*facts, "", macro.create_sql() + ";"])

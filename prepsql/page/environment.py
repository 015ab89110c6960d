"""Templates of pages: escaped throughout, and a page that may load nothing and run only its own script."""

from __future__ import annotations

import base64
import hashlib
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from prepsql.profile.words import cut, number, percent, told, visible
from prepsql.tables import plural

_FOLDER = Path(__file__).parent / "templates"
# style and script are known by their hashes; everything else, whatever a cell says, is not loaded and not run
_POLICY = Template(
    "default-src 'none'; style-src 'sha256-$style'; script-src 'sha256-$script'; base-uri 'none'; form-action 'none'"
)


def render(name: str, **context: Any) -> str:
    """Return the page of the template `name`.html, with the style and script of all pages and of that name in it.

    Everything in `context` is escaped where it is put into the page.
    """
    style, script = (_text(f"base.{kind}") + _text(f"{name}.{kind}") for kind in ("css", "js"))
    policy = _POLICY.substitute(style=_hash(style), script=_hash(script))
    template = _environment().get_template(f"{name}.html")
    return template.render(**context, policy=policy, style=Markup(style), script=Markup(script))


@cache
def _environment() -> Environment:
    made = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {
        "shown": _shown,
        "told": told,
        "visible": visible,
        "number": number,
        "percent": percent,
        "many": plural,
        "block": block,
    }
    return made


def block(text: str, most: int) -> str:
    """Return a text of many lines with what nobody sees as escapes, but for tabs and line ends; at most `most` long."""
    kept = text[:most].replace("\r\n", "\n")
    lines = (line if line.isascii() and line.isprintable() else _visible_line(line) for line in kept.split("\n"))
    return "\n".join(lines) + ("…" if len(text) > most else "")


def _visible_line(line: str) -> str:
    return "".join(character if character in "\t\\" else visible(character) for character in line)


def _shown(text: str, most: int = 120) -> str:
    return cut(text, most)


@cache
def _text(name: str) -> str:
    return (_FOLDER / name).read_text(encoding="utf-8")


def _hash(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()

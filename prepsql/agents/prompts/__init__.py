"""What agents say to models: one jinja2 file each, filled strictly."""

from __future__ import annotations

import json
from functools import cache, partial
from typing import Any

import jinja2

from prepsql.llm.model import Message


@cache
def _environment() -> jinja2.Environment:
    made = jinja2.Environment(
        loader=jinja2.PackageLoader("prepsql.agents", "prompts"), undefined=jinja2.StrictUndefined,
        autoescape=False, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=False,
    )  # fmt: skip
    # jinja's own is for HTML: it would make \u0027 of an apostrophe
    made.filters["tojson"] = partial(json.dumps, ensure_ascii=False)
    return made


def prompt(name: str, **values: Any) -> str:
    """Return the text of `prompts/<name>.md.j2`; a value that it wants and isn't given is an error."""
    return _environment().get_template(f"{name}.md.j2").render(**values).strip()


def said(*turns: tuple[str, str]) -> tuple[Message, ...]:
    """Return turns of a conversation, (role, text), as messages."""
    return tuple(Message(role, text) for role, text in turns)  # type: ignore[arg-type]

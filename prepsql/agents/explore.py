"""The action Profile: the profile of all rows, and what a few queries of the agent's own show beyond it.

Spec: paper, section 4.2; at most two queries.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prepsql.agents.brief import PROFILE_ATTEMPTS, Brief, Desk
from prepsql.agents.prompts import prompt
from prepsql.agents.talk import NoReply, Talk
from prepsql.errors import PrepsqlError
from prepsql.llm.model import Model
from prepsql.profile import profile
from prepsql.sandbox import Language

LOOK: dict[str, Any] = {
    "type": "object",
    "properties": {"sql": {"type": "string"}, "python": {"type": "string"}, "enough": {"type": "boolean"}},
    "additionalProperties": False,
}


def profiled(inputs: Sequence[Path], characters: int = 4000) -> str:
    """Return the profile of raw tables as text of at most so many characters; where it fails, why."""
    try:
        return profile(list(inputs)).prompt(characters)
    except PrepsqlError as wrong:
        return f"(no profile: {wrong})"


def explore(brief: Brief, desk: Desk, model: Model, known: str, specification: str, temperature: float) -> str:
    """Let the model look at the full tables, at most twice, and return what is known then."""
    talk = Talk(model, brief, "profile", temperature)
    talk.say(prompt("explore", specification=specification, known=known, looks=PROFILE_ATTEMPTS), "system")
    talk.say("What do you want to look at?")
    found: list[str] = []
    for left in range(PROFILE_ATTEMPTS - 1, -1, -1):
        try:
            reply = talk.json(LOOK)
        except NoReply as none:
            desk.fail("profile", none.text, none.result, str(none))
            break
        language: Language = "sql" if reply.get("sql") else "pandas"
        text = str(reply.get("sql") or reply.get("python") or "").strip()
        if reply.get("enough") or not text:
            break
        tried = desk.look(text, language)
        shown = tried.shown if tried.ok else f"failed: {tried.message}"
        found.append(f"{text}\n→ {shown}")
        talk.say(f"{shown}\n\n{f'You may look {left} more time.' if left else ''}".strip())
    return "\n\n".join([known, *(["Looked up in all rows:", *found] if found else [])])

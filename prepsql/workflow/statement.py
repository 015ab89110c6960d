"""Compiled steps as one statement: a WITH query whose CTEs bear the steps' names."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.workflow.compile import Compiled
from prepsql.workflow.quoted import indented
from prepsql.workflow.render import identifier


def statement(steps: Sequence[Compiled], dialect: str = "duckdb", last: str | None = None) -> str:
    """Return the query of a chain: its last step's SELECT over CTEs of those before it, with notes as comments.

    With `last` every step is a CTE, and that is the query over them.
    """
    *before, final = steps
    ctes = [*before, final] if last is not None else before
    query = last if last is not None else f"{_note(final)}{final.sql}"
    if not ctes:
        return query
    text = "WITH"
    for position, c in enumerate(ctes):
        note, comma = _note(c), "," if position else ""
        text += f"{comma}\n{note}" if note else f"{comma} "
        text += f"{identifier(c.step.name, dialect)} AS (\n{indented(c.sql)}\n)"
    return f"{text}\n{query}"


def _note(compiled: Compiled) -> str:
    note = " ".join(compiled.step.note.split())
    return f"-- {note}\n" if note else ""

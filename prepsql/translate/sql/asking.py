"""PIVOT without IN: its columns are the values that the data have, so they are asked for, and the step says so."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from pathlib import Path

from prepsql.errors import PrepsqlError
from prepsql.sandbox.child.lexing import Word, words
from prepsql.scratch import scratch_folder
from prepsql.translate import graph
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import mark, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow import Workflow

ASKED = "\ue000values of the data"
"""What stands in IN where the query has none."""

_ENDS = ("USING", "GROUP", "ORDER", "LIMIT", "OFFSET")
_MOST = 200


def with_in(text: str) -> str:
    """Return a query in which each column of PIVOT … ON that has no IN has one, of a value that means: ask the data."""
    tokens = words(text)
    places = [
        place
        for at, token in enumerate(tokens)
        if token.text.upper() in ("PIVOT", "PIVOT_WIDER")
        for place in _lacking(tokens, at)
    ]
    raw = text.encode()
    for place in sorted(places, reverse=True):
        raw = raw[:place] + f" IN ('{ASKED}') ".encode() + raw[place:]
    return raw.decode()


def _lacking(tokens: Sequence[Word], start: int) -> list[int]:
    """Return the places behind the columns of ON which have no IN, for the PIVOT at `start`."""
    depth, on, found, has = 0, False, [], False
    end = tokens[start].start + len(tokens[start].text.encode())
    for token in tokens[start + 1 :]:
        word = token.text.upper()
        if depth == 0 and on and (word in _ENDS or word in (",", ";") or word.startswith((")",))):
            if not has:
                found.append(end)
            has = False
            if word != ",":
                return found
        elif depth == 0 and word == "ON":
            on = True
        elif depth == 0 and word == "IN":
            has = True
        if depth == 0 and not on and word.startswith(")"):
            return []
        depth += token.text.count("(") - token.text.count(")") if not token.text.startswith(("'", '"')) else 0
        end = token.start + len(token.text.encode())
    return [*found, end] if on and not has else found


def is_asked(entries: Sequence[Node]) -> bool:
    """Return whether the values of a PIVOT are to be asked for."""
    return len(entries) == 1 and (entries[0]["star_expr"] or {}).get("literal", {}).get("text") == ASKED


def values(ctx: Context, source: Rows, expr: str) -> list[str]:
    """Return the values that an expression has in the data, as text in the order of text, nulls left out."""
    kept = ctx.steps.keep()
    try:
        items = [Item("value", f"CAST({expr} AS VARCHAR)")]
        step, (at,), _ = project(ctx.steps, source.step, items, "asked_values", exactly=True)
        column = written(mark(at))
        step = ctx.steps.add("filter", {"predicate": f"{column} IS NOT NULL"}, {"in": step}, "asked_known")
        step = ctx.steps.add("aggregate", {"group_keys": [at]}, {"in": step}, "asked_distinct")
        step = ctx.steps.add("output", {"path": "asked.csv"}, {"in": step}, "asked")
        return _answer(ctx, step)
    finally:
        ctx.steps.back(kept)


def _answer(ctx: Context, step: str) -> list[str]:
    if ctx.inputs is None:
        raise Unsayable("a PIVOT over values that only data tell")
    document = {"nodes": graph.only(ctx.steps.nodes, [step])}
    with scratch_folder("prepsql-asked-") as out:
        try:
            Workflow(document).run(ctx.inputs, out)
        except PrepsqlError as bad:
            raise Unsayable(f"a PIVOT over values that can't be asked for ({str(bad)[:100]})") from bad
        found = _column(out / "asked.csv")
    if not 0 < len(found) <= _MOST:
        raise Unsayable(f"a PIVOT over {len(found):,} values")
    return found


def _column(path: Path) -> list[str]:
    with path.open(encoding="utf-8", newline="") as file:
        return [row[0] for row in list(csv.reader(file))[1:]]

"""What a SQL script leaves open: its answers when the tables that it makes hold their rows in other orders."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

import duckdb

from prepsql.sandbox.child.lexing import head, words
from prepsql.sqltext import quote

_ORDERS = ("ALL", "ALL DESC", "hash(t)")
_AGAIN = Template(";\nCREATE OR REPLACE $temp TABLE $table AS SELECT * FROM $table AS t ORDER BY $order")


def other_answers(script: str) -> Sequence[str]:
    """Return scripts that mean the same to SQL, which knows no order of a table's rows.

    Each puts the rows of every table that the script makes, but for its outputs, into another order as soon as it is
    made. None where nothing is made on the way, or the script can't be taken apart.
    """
    try:
        parsed = duckdb.extract_statements(script)
    except duckdb.Error:
        return []
    return [made for order in _ORDERS if (made := _reordered([each.query for each in parsed], order)) is not None]


def _reordered(texts: Sequence[str], order: str) -> str | None:
    made, changed = [], False
    for text in texts:
        found = words(text)
        named = head(found)
        upper = [word.text.upper() for word in found[:5]]
        again = ""
        if named and "TABLE" in upper and not named[0].lower().startswith("output_"):
            temp = "TEMP" if "TEMP" in upper or "TEMPORARY" in upper else ""
            again = _AGAIN.substitute(temp=temp, table=quote(named[0]), order=order)
            changed = True
        made.append(text.rstrip().rstrip(";") + f"\n{again}")
    return ";\n".join(made) + ";\n" if changed else None

"""Conditions of a subquery on the query around it, each column naming the side that it is of."""

from __future__ import annotations

from prepsql.translate.sql.conditions import references
from prepsql.translate.sql.lens import column_in, copy_of
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import NOWHERE, Node
from prepsql.translate.sql.unsayable import Unsayable

OUTER, INNER = "<", ">"
"""The aliases of both sides."""


def sided(node: Node, rows: Rows | None, outer: Rows) -> Node:
    """Return an expression whose columns name the side that they are of: the subquery's first, then those around."""
    made = copy_of(node)
    for each in references(made):
        names = each["column_names"]
        found = rows.find(names) if rows is not None else None
        side, expr = (INNER, found) if found is not None else (OUTER, outer.find(names))
        if expr is None:
            raise Unsayable(f"the name {'.'.join(names)}, which is no column here")
        column, _, fields = expr.rpartition("\x01")
        at = column_in(column + "\x01")
        if at is None:
            raise Unsayable("a column that is no column of a step")
        each["written"] = names
        each["column_names"] = [side, at, *filter(None, fields.split("."))]
    return made


def reference(side: str, at: str) -> Node:
    """Return the expression that is a column of one side."""
    return {
        "class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "query_location": NOWHERE,
        "query_location_length": 0, "column_names": [side, at],
    }  # fmt: skip


def comparison(kind: str, left: Node, right: Node) -> Node:
    """Return a comparison that the query doesn't have as such."""
    return {"class": "COMPARISON", "type": kind, "alias": "", "left": left, "right": right, "made": True}

"""Subqueries in conditions and in expressions."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable


def condition(ctx: Context, rows: Rows, part: Node, lens: Lens) -> Rows:
    """Add what a condition on a subquery needs; return the rows for which it holds."""
    raise Unsayable("a subquery in a condition")


def values(ctx: Context, rows: Rows, places: Sequence[Node], lens: Lens) -> tuple[Rows, dict[int, str]]:
    """Add what the subqueries in these expressions need; return the rows, and what each subquery's node became."""
    if any(has_query(place) for place in places):
        raise Unsayable("a subquery in an expression")
    return rows, {}

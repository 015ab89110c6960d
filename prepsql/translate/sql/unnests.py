"""UNNEST and tables made by functions: lists that become rows."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable


def table_function(ctx: Context, node: Node) -> Rows:
    raise Unsayable("a table function")


def constant_select(ctx: Context, node: Node) -> Rows | None:
    """Return the rows of a SELECT without FROM, None for any other."""
    return None


def explode(ctx: Context, rows: Rows, listed: Sequence[Listed], lens: Lens) -> tuple[Rows, dict[int, str]]:
    """Add the steps of UNNEST in a select list; return the rows, and what each UNNEST became."""
    for item in listed:
        if item.node and any(each.get("function_name") == "unnest" for each in walk(item.node, into_queries=False)):
            raise Unsayable("UNNEST")
    return rows, {}

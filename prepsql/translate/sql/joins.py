"""JOIN in FROM: which kind it is, and what it is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prepsql.translate.sql import laterals, nearest, unnests
from prepsql.translate.sql.conditions import has_query, has_window, names, names_any, parts
from prepsql.translate.sql.matching import joined
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From

HOW = {
    "INNER": "inner", "LEFT": "left", "RIGHT": "right", "OUTER": "full", "FULL": "full", "SEMI": "semi", "ANTI": "anti",
}  # fmt: skip


def join(given: From, node: Node) -> Rows:
    """Add the steps of a join in FROM; return its rows."""
    if node["join_type"] not in HOW:
        raise Unsayable(f"a join of the kind {node['join_type']}")
    left = given.rows(node["left"])
    if unnests.depends(node["right"]):
        return laterals.function(given, left, node)
    kept, conditions = given.ctx.steps.keep(), given.conditions
    try:
        right = given.rows(node["right"])
    except Unsayable:
        if node["right"]["type"] != "SUBQUERY":
            raise
        given.ctx.steps.back(kept)
        given.conditions = conditions
        return laterals.subquery(given, left, node)
    if node["ref_type"] == "POSITIONAL":
        return nearest.positional(given, left, right)
    using = _using(node, left, right)
    if node["ref_type"] == "ASOF":
        return nearest.asof(given, left, right, node, using)
    conditions = parts(node.get("condition"))
    if any(has_query(part) or has_window(part) for part in conditions):
        raise Unsayable("a subquery in the condition of a join")
    if node["ref_type"] == "CROSS":
        conditions = taken(given, left, right)
    return joined(given.ctx, left, right, HOW[node["join_type"]], conditions, using, given.used.without(conditions))


def taken(given: From, left: Rows, right: Rows) -> list[Node]:
    """Return the conditions of WHERE that tie both sides of a cross join together; WHERE loses them."""
    both = Rows("", (*left.columns, *right.columns))
    found = [
        part
        for part in given.conditions
        if not has_query(part) and names(part, both) and names_any(part, left) and names_any(part, right)
    ]
    given.conditions = [part for part in given.conditions if not any(part is one for one in found)]
    return found


def _using(node: Node, left: Rows, right: Rows) -> list[str]:
    if node["ref_type"] != "NATURAL":
        return list(node.get("using_columns", []))
    have = {c.name.lower() for c in right.visible}
    return list(dict.fromkeys(c.name for c in left.visible if c.name.lower() in have))

"""Conditions: their parts joined by AND, and which of two sides each part names."""

from __future__ import annotations

from collections.abc import Iterator

from prepsql.translate.sql.lens import parameters
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node, children, walk


def parts(condition: Node | None) -> list[Node]:
    """Return the conditions that are joined by AND."""
    if condition is None:
        return []
    if condition.get("type") == "CONJUNCTION_AND":
        return [part for child in condition["children"] for part in parts(child)]
    return [condition]


def has_query(node: Node) -> bool:
    """Return whether a subquery is in an expression."""
    return any("node" in each for each in walk(node))


def has_window(node: Node) -> bool:
    """Return whether a window is in an expression, outside its subqueries."""
    return any(each.get("class") == "WINDOW" for each in walk(node, into_queries=False))


def references(node: Node, bound: frozenset[str] = frozenset()) -> Iterator[Node]:
    """Yield the column references of an expression, outside its subqueries, but for lambdas' own names."""
    if node.get("class") == "COLUMN_REF":
        if str(node["column_names"][0]).lower() not in bound:
            yield node
        return
    if node.get("class") == "LAMBDA":
        bound |= frozenset(parameters(node["lhs"]))
    for child in children(node):
        if "node" not in child:
            yield from references(child, bound)


def names(node: Node, rows: Rows) -> bool:
    """Return whether every column that an expression names is one of these rows'."""
    return all(rows.find(each["column_names"]) is not None for each in references(node))


def names_any(node: Node, rows: Rows) -> bool:
    """Return whether an expression names a column of these rows."""
    return any(rows.find(each["column_names"]) is not None for each in references(node))


def equality(node: Node) -> tuple[Node, Node, bool] | None:
    """Return both sides of an equality, and whether nulls are equal in it; None for another condition."""
    if node.get("type") in ("COMPARE_EQUAL", "COMPARE_NOT_DISTINCT_FROM"):
        return node["left"], node["right"], node["type"] == "COMPARE_NOT_DISTINCT_FROM"
    return None

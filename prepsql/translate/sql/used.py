"""Which columns a SELECT names, and how often, so that joins needn't carry the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from prepsql.translate.sql.scope import Column
from prepsql.translate.sql.tree import Node, children


@dataclass
class Used:
    """Names as they are written: alone, or under an alias; `stars` are the aliases of stars, '' for all tables."""

    alone: Counter[str] = field(default_factory=Counter)
    under: Counter[tuple[str, str]] = field(default_factory=Counter)
    stars: set[str] = field(default_factory=set)

    def needs(self, column: Column) -> bool:
        """Return whether a column may be named."""
        name, table = column.name.lower(), column.table.lower()
        starred = bool({"", table} & self.stars) and not column.aside
        return starred or (self.alone[name] > 0 and not column.aside) or self.names_fully(column)

    def names_fully(self, column: Column) -> bool:
        """Return whether a column is named under its alias."""
        return self.under[column.table.lower(), column.name.lower()] > 0

    def row_number(self, alias: str) -> bool:
        """Return whether a table's row numbers are asked for."""
        return self.alone["rowid"] > 0 or self.under[alias.lower(), "rowid"] > 0

    def without(self, nodes: Iterable[Node]) -> Used:
        """Return what is named elsewhere than in these expressions."""
        less = used(*nodes)
        return Used(self.alone - less.alone, self.under - less.under, self.stars)


def used(*nodes: Node) -> Used:
    """Return what expressions and queries name, their subqueries with them.

    A subquery in FROM can name columns of those beside it under their aliases only.
    """
    found = Used()
    for node in nodes:
        _take(node, found, inside=False, aside=False)
    return found


def _take(node: Node, found: Used, *, inside: bool, aside: bool) -> None:
    if node.get("class") == "COLUMN_REF":
        parts = [part.lower() for part in node["column_names"]]
        if not aside:
            found.alone[parts[0]] += 1
        if len(parts) > 1:
            found.under[parts[0], parts[1]] += 1
    elif node.get("class") == "STAR" and not inside:
        found.stars.add(str(node.get("relation_name", "")).lower())
    aside = aside or ("subquery" in node and node.get("class") is None)
    for child in children({key: value for key, value in node.items() if key != "cte_map"}):
        _take(child, found, inside=inside or "node" in child, aside=aside)

"""Which columns a SELECT names, and how often, so that joins needn't carry the others."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from prepsql.translate.sql.scope import Column
from prepsql.translate.sql.tree import Node, walk


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
    """Return what expressions and queries and all inside them name."""
    found = Used()
    for node in nodes:
        for each in walk(node):
            if each.get("class") == "COLUMN_REF":
                parts = [part.lower() for part in each["column_names"]]
                found.alone[parts[0]] += 1
                if len(parts) > 1:
                    found.under[parts[0], parts[1]] += 1
            elif each.get("class") == "STAR":
                found.stars.add(str(each.get("relation_name", "")).lower())
    return found

"""A SELECT, clause by clause, from FROM to LIMIT."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from prepsql.translate.sql import grouping_sets, subqueries, unnests, where, windows
from prepsql.translate.sql.conditions import parts
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.from_ import From
from prepsql.translate.sql.grouping import Grouping, is_grouped, key_nodes
from prepsql.translate.sql.lens import Lens, mark
from prepsql.translate.sql.ordering import Plan, finish, order_of
from prepsql.translate.sql.project import Item, alias_mark
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.stars import select_list
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.sql.used import used
from prepsql.workflow.functions import catalogue


def select(ctx: Context, node: Node) -> Rows:
    """Add the steps of a SELECT; return its rows, columns under no alias."""
    if node.get("sample"):
        raise Unsayable("a sample, which is another one each time")
    constant = unnests.constant_select(ctx, node)
    if constant is not None:
        return constant
    given = From(ctx, used(node), parts(node["where_clause"]))
    rows = given.rows(node["from_table"])
    return Select(ctx, node, rows).add(given.conditions)


@dataclass
class Select:
    """A SELECT in the making, its FROM done."""

    ctx: Context
    node: Node
    rows: Rows
    by: str = ""
    """a column of the rows that tells for which row around they are, where it's for each of those"""

    def add(self, conditions: Sequence[Node]) -> Rows:
        """Add the steps after FROM."""
        node, ctx = self.node, self.ctx
        self.replaced: dict[int, str] = {}
        self.listed = select_list(node["select_list"], self.rows)
        self.items: list[Item] = []
        self._list(None)
        self.rows = where.where(ctx, self.rows, conditions, self.items, self.lens())
        self.order = order_of(node, self.listed)
        places = [item.node for item in self.listed if item.node is not None]
        after = [*self.order.nodes, *([node["qualify"]] if node["qualify"] else [])]
        if is_grouped(node, [*places, *after]):
            return self._grouped([*places, *after])
        self._queries([*places, *after])
        return self._exploded()

    def lens(self) -> Lens:
        """Return what writes expressions over the rows so far; a name that is no column is an item before it."""
        replaced = dict(self.replaced)
        for item in self.listed:
            replaced |= item.replaced
        return Lens(self.ctx.text, self._column, replaced)

    def _column(self, node: Node) -> str:
        found = self.rows.find(node["column_names"])
        if found is not None:
            return found
        if len(node["column_names"]) == 1:
            name = node["column_names"][0].lower()
            for position, item in enumerate(self.listed):
                if item.name.lower() == name and item.alias:
                    return alias_mark(position)
        if self.ctx.outer is not None and self.ctx.outer.find(node["column_names"]) is not None:
            raise Unsayable("a subquery that names a column of the query around it in a way that no operator says")
        name = ".".join(node["column_names"])
        if catalogue().get(name.lower()) == "volatile":
            raise Unsayable(f"{name}, which is another value each time")
        raise Unsayable(f"the name {name}, which is no column here")

    def _list(self, lens: Lens | None) -> None:
        """Write the items of the select list, those that can be written by now."""
        items = []
        for item in self.listed:
            if item.node is None:
                items.append(Item(item.name, mark(item.at)))
                continue
            try:
                items.append(Item(item.name, (lens or self.lens()).write(item.node)))
            except Unsayable:
                if lens is not None:
                    raise
                items.append(Item(item.name, ""))
        self.items = items

    def _queries(self, places: Sequence[Node]) -> None:
        """Add what the subqueries of these expressions need."""
        self.rows, found = subqueries.values(self.ctx, self.rows, places, self.lens())
        self.replaced |= found

    def _grouped(self, places: Sequence[Node]) -> Rows:
        having = parts(self.node["having"])
        keys = key_nodes(self.node, self.listed, self.rows)
        if len(self.node["group_sets"]) > 1:
            made = grouping_sets.union(
                self.ctx, self.rows, self.lens(), self.listed, self.items, self.node["group_sets"], keys, places, having
            )
        else:
            grouping = Grouping(self.ctx, self.rows, self.lens(), self.listed, self.items)
            keys = [*([(None, self.by)] if self.by else []), *keys]
            made = grouping.add(keys, [*places], having)
        before = self.rows
        self.rows = made.rows
        self.replaced |= made.replaced
        for item in self.listed:
            if item.at:
                item.at = next((c.at for c in made.rows.columns if c.name == self._name_at(before, item.at)), item.at)
        if made.rest:
            self.rows = where.where(self.ctx, self.rows, made.rest, [], self.lens())
        self._queries(places)
        return self._exploded()

    def _exploded(self) -> Rows:
        """Add UNNEST, before which windows are computed, and what comes after the select list."""
        places = [item.node for item in self.listed if item.node is not None]
        if any(unnests.calls(place) for place in places):
            self.rows, computed = windows.computed(self.ctx, self.rows, places, self.items, self.lens())
            self.replaced |= computed
            self.rows, exploded = unnests.explode(self.ctx, self.rows, self.listed, self.items, self.lens())
            self.replaced |= exploded
        return self._finish(self.lens())

    def _name_at(self, rows: Rows, at: str) -> str:
        return next((c.name for c in rows.columns if c.at == at), at)

    def _finish(self, lens: Lens) -> Rows:
        """Add the project, and what comes after it: QUALIFY, DISTINCT, ORDER BY, LIMIT."""
        self._list(lens)
        return finish(Plan(self.ctx, self.rows, self.items, lens, self.node, self.order, self.listed, self.by))

"""FROM: the tables of a SELECT as one relation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from prepsql.translate.sql import joins, pivots, unnests, values
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.sql.used import Used

_SHORT = 2
"""Aliases of so many letters say nothing."""


@dataclass
class From:
    """A FROM in the making: `conditions` are those of WHERE, of which a join takes what are its own."""

    ctx: Context
    used: Used
    conditions: list[Node]

    def rows(self, node: Node) -> Rows:
        """Add the steps of a table, a subquery or a join; return its rows."""
        rule = _RULES.get(node["type"])
        if rule is None:
            raise Unsayable(f"a table of the kind {node['type']} in FROM")
        if node.get("sample"):
            raise Unsayable("a sample, which is another one each time")
        return rule(self, node)


def _base_table(given: From, node: Node) -> Rows:
    table = given.ctx.table(node["table_name"])
    alias = node["alias"] or node["table_name"]
    rows = table.rows.under(alias, node.get("column_name_alias", []))
    if table.numbered and given.used.row_number(alias) and not any(c.name.lower() == "rowid" for c in rows.columns):
        rows = _numbered(given.ctx, rows, alias)
    return rows


def _numbered(ctx: Context, rows: Rows, alias: str) -> Rows:
    """Add the column that holds the rows' numbers from 0."""
    there = {c.lower() for c in ctx.steps.columns(rows.step)}
    name = next(n for n in ("rowid", "row_id", "row_number_from_0") if n not in there)
    compute = [{"as": name, "expr": "row_number() OVER () - 1"}]
    step = ctx.steps.add("project", {"compute": compute}, {"in": rows.step}, f"numbered_{rows.step}")
    return replace(rows.moved(step), numbers={alias: name})


def _subquery(given: From, node: Node) -> Rows:
    alias = node["alias"]
    rows = given.ctx.named(alias if len(alias) > _SHORT else "").query(node["subquery"]["node"])
    return rows.under(alias, node.get("column_name_alias", []))


def _empty(given: From, node: Node) -> Rows:
    """Return one row: a SELECT without FROM is over that."""
    return Rows(given.ctx.steps.add_data([{"one_row": 1}], "one_row"), ())


def _join(given: From, node: Node) -> Rows:
    return joins.join(given, node)


def _values(given: From, node: Node) -> Rows:
    rows = values.inline(given.ctx, node["values"], node.get("column_name_alias") or node.get("expected_names") or [])
    return rows.under(node["alias"], node.get("column_name_alias", []))


def _function(given: From, node: Node) -> Rows:
    return unnests.table_function(given.ctx, node)


def _pivot(given: From, node: Node) -> Rows:
    return pivots.pivot(given, node)


_RULES: Mapping[str, Callable[[From, Node], Rows]] = {
    "BASE_TABLE": _base_table,
    "SUBQUERY": _subquery,
    "EMPTY": _empty,
    "JOIN": _join,
    "EXPRESSION_LIST": _values,
    "TABLE_FUNCTION": _function,
    "PIVOT": _pivot,
}

"""A query: its common tables, and what kind of node it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import duckdb

from prepsql.errors import PrepsqlError
from prepsql.translate.sql import select, sets
from prepsql.translate.sql.context import Context, Source
from prepsql.translate.sql.lens import mark
from prepsql.translate.sql.notes import comment_above
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows, Table
from prepsql.translate.sql.scripts import recursive, script
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

_KINDS: Mapping[str, Callable[[Context, Node], Rows]] = {
    "SELECT_NODE": select.select,
    "SET_OPERATION_NODE": sets.set_operation,
}

# a rule that meets what it doesn't foresee leaves the query to a script, as one that says so does
_UNFORESEEN = (duckdb.Error, PrepsqlError, LookupError, ValueError, TypeError, AttributeError, RecursionError)
_NO_RULE = "a query in a form that no rule foresees"


def query(ctx: Context, node: Node) -> Rows:
    """Add the steps of a query; return its rows, columns under no alias.

    A part that no operator says becomes a script step, as small as a SELECT.
    """
    ctx = with_common_tables(ctx, node)
    kept = ctx.steps.keep()
    try:
        if node["type"] not in _KINDS:
            raise Unsayable(f"a query of the kind {node['type']}")
        return _KINDS[node["type"]](ctx, node)
    except (Unsayable, *_UNFORESEEN) as failure:
        ctx.steps.back(kept)
        return script(ctx, node, str(failure) if isinstance(failure, Unsayable) else _NO_RULE)


def with_common_tables(ctx: Context, node: Node) -> Context:
    """Return the context in which the query's WITH is known; its steps are made when they are asked for."""
    tables = dict(ctx.tables)
    for entry in node.get("cte_map", {}).get("map", ()):
        inside = replace(ctx, tables=dict(tables), outer=None)
        tables[entry["key"].lower()] = _common_table(inside, entry["key"], entry["value"])
    return replace(ctx, tables=tables)


def _common_table(ctx: Context, name: str, value: Node) -> Source:
    def source() -> Table:
        memo = ctx.steps.tables
        if id(value) not in memo:
            if value["query_node"]["type"] == "RECURSIVE_CTE_NODE":
                rows = recursive(ctx.named(name), name, value)
            else:
                names = tuple(value.get("aliases", []))
                rows = query(replace(ctx.named(name), names=names, final=True), value["query_node"])
            rows = rows.under("", value.get("aliases", []))
            rows = settled(ctx, rows, name)
            ctx.steps.note(rows.step, comment_above(ctx.text, name))
            memo[id(value)] = Table(rows, numbered=False)
        found: Table = memo[id(value)]
        return found

    return source


def settled(ctx: Context, rows: Rows, name: str) -> Rows:
    """Return rows whose columns are called in the step as SQL calls them, in a step of this name unless it has one."""
    if any(c.name != c.at for c in rows.visible):
        items = [Item(c.name, mark(c.at)) for c in rows.visible]
        step, names, _ = project(ctx.steps, rows.step, items, name)
        columns = tuple(replace(c, at=at) for c, at in zip(rows.visible, names, strict=True))
        rows = Rows(step, columns)
    if rows.step not in ctx.steps.owned:
        rows = rows.moved(ctx.steps.rename(rows.step, name))
        ctx.steps.owned.add(rows.step)
    return rows

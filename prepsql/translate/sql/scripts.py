"""What no operator says, as a SQL script step: a query alone, over the steps that it reads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from string import Template

import duckdb

from prepsql.macros import install, named_in
from prepsql.sqltext import free_name, quote
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import mark
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows, Table
from prepsql.translate.sql.steps import Params
from prepsql.translate.sql.tree import Node, children, parse_query, query_text
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.operators.script import SCRIPT_CHARACTERS
from prepsql.workflow.relation import Relation

_ALL = Template("SELECT * FROM $name")
_TABLE = Template("CREATE TABLE $name ($cells)")


def script(ctx: Context, node: Node, reason: str) -> Rows:
    """Add the script step of a query; raises Unsayable where even that can't be: it depends on the query around it.

    Where it is too long for one, its subqueries in FROM are steps of their own.
    """
    if ctx.outer is not None:
        raise Unsayable(reason)
    try:
        text = query_text(node)
        if len(text) > SCRIPT_CHARACTERS:
            ctx, node = _shortened(ctx, node)
            text = query_text(node)
        tables = {name.lower(): name for name in tables_read(node)}
        narrow = {name: _narrow(ctx, ctx.table(name), name).rows.step for name in tables.values()}
        parents = [Relation(name, dict(ctx.steps.types(step))) for name, step in narrow.items()]
        columns = described(text, parents)
    except duckdb.Error as bad:
        raise Unsayable(reason) from bad
    if len(text) > SCRIPT_CHARACTERS:
        raise Unsayable(f"{reason}, which has {len(text):,} characters, too many for a script")
    inputs = narrow or {"one_row": ctx.steps.add_data([{"one_row": 1}], "one_row")}
    params: Params = {"language": "sql", "code": text, "columns": columns}
    step = ctx.steps.add("script", params, inputs, ctx.wanted or "query")
    ctx.steps.reasons[step] = reason
    ctx.steps.note(step, f"a script: {reason}")
    return Rows(step, tuple(Column(name, "", name) for name in columns))


def _shortened(ctx: Context, node: Node) -> tuple[Context, Node]:
    """Return a query whose subqueries in FROM are tables of their own, and the context that knows them."""
    tables = dict(ctx.tables)

    def lifted(part: Node) -> Node:
        if part.get("type") == "JOIN":
            return {**part, "left": lifted(part["left"]), "right": lifted(part["right"])}
        if part.get("type") != "SUBQUERY":
            return part
        name = free_name("part", tables)
        kept = ctx.steps.keep()
        try:
            rows = ctx.named(name).query(part["subquery"]["node"])
        except Unsayable:
            ctx.steps.back(kept)
            return part
        tables[name] = lambda: Table(rows, numbered=False)
        return base_table(name, part["alias"] or name, part.get("column_name_alias", []))

    made = {**node, "from_table": lifted(node["from_table"])} if node.get("type") == "SELECT_NODE" else node
    return replace(ctx, tables=tables), made


def base_table(name: str, alias: str = "", columns: Sequence[str] = ()) -> Node:
    """Return the tree of a table in FROM."""
    table: Node = parse_query(_ALL.substitute(name=quote(name)))["from_table"]
    return {**table, "alias": alias, "column_name_alias": list(columns)}


def described(text: str, parents: Sequence[Relation]) -> dict[str, str]:
    """Return a query's columns with their types, over empty tables of these columns; raises duckdb.Error."""
    with duckdb.connect(config={"threads": 1, "enable_external_access": False}) as con:
        install(con, named_in(text))
        for parent in parents:
            cells = ", ".join(f"{quote(name)} {kind}" for name, kind in parent.columns.items())
            con.execute(_TABLE.substitute(name=quote(parent.name), cells=cells))
        found = con.sql(text)
        return {name: str(kind) for name, kind in zip(found.columns, found.types, strict=True)}


def recursive(ctx: Context, name: str, value: Node) -> Rows:
    """Add the script step of a recursive common table; return its rows."""
    node = parse_query(_ALL.substitute(name=quote(name)))
    node["cte_map"] = {"map": [{"key": name, "value": value}]}
    return script(ctx, node, "a recursive query")


def tables_read(node: Node, own: frozenset[str] = frozenset()) -> Iterator[str]:
    """Yield the names of the tables that a query reads, but for its own common tables."""
    for entry in node.get("cte_map", {}).get("map", ()) if "cte_map" in node else ():
        # a recursive table reads itself; a plain one of this name reads another one
        inner = own | {entry["key"].lower()} if entry["value"]["query_node"]["type"] == "RECURSIVE_CTE_NODE" else own
        yield from tables_read(entry["value"]["query_node"], inner)
        own |= {entry["key"].lower()}
    if node.get("type") == "BASE_TABLE" and str(node["table_name"]).lower() not in own:
        yield str(node["table_name"])
    for child in children({key: value for key, value in node.items() if key != "cte_map"}):
        yield from tables_read(child, own)


def _narrow(ctx: Context, table: Table, name: str) -> Table:
    """Return the table in a step that has its columns only, under their names."""
    rows = table.rows
    if [c.name for c in rows.visible] == ctx.steps.columns(rows.step):
        return table
    items = [Item(c.name, mark(c.at)) for c in rows.visible]
    step, ats, _ = project(ctx.steps, rows.step, items, f"{name}_columns", exactly=True)
    columns = tuple(replace(c, at=at) for c, at in zip(rows.visible, ats, strict=True))
    return Table(Rows(step, columns), table.numbered)

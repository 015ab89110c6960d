"""LATERAL: tables in FROM that are made of the columns of those before them."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from prepsql.translate.sql import correlated, unnests
from prepsql.translate.sql.conditions import has_query, parts
from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.grouping import is_grouped
from prepsql.translate.sql.limits import BY
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.sides import INNER, OUTER, comparison, reference
from prepsql.translate.sql.stars import select_list
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From

_HOW = {"INNER": "inner", "LEFT": "left"}


def function(given: From, left: Rows, node: Node) -> Rows:
    """Add UNNEST or a series of the left's columns beside them."""
    how = _how(node)
    rows = unnests.exploded(given.ctx, left, node["right"], keep=how == "left")
    return _filtered(given, rows, node, how)


def subquery(given: From, left: Rows, node: Node) -> Rows:
    """Add a subquery that names the left's columns beside them."""
    ctx, how = given.ctx, _how(node)
    alias, query = node["right"]["alias"], node["right"]["subquery"]["node"]
    names = node["right"].get("column_name_alias", [])
    if query["type"] != "SELECT_NODE":
        raise Unsayable("a LATERAL set operation")
    if query["from_table"]["type"] == "EMPTY":
        made = _computed(ctx, left, query)
    elif is_grouped(query, query["select_list"]) and not query["group_expressions"]:
        made = _aggregates(ctx, left, query)
    else:
        made = _rows(ctx, left, query, how)
    own = tuple(
        replace(c, name=names[i] if i < len(names) else c.name, table=alias)
        for i, c in enumerate(made.columns[len(left.columns) :])
    )
    rows = Rows(made.step, (*made.columns[: len(left.columns)], *own), made.numbers)
    return _filtered(given, rows, node, how)


def _how(node: Node) -> str:
    if node["join_type"] not in _HOW:
        raise Unsayable("a LATERAL join other than INNER or LEFT")
    return _HOW[node["join_type"]]


def _filtered(given: From, rows: Rows, node: Node, how: str) -> Rows:
    """Add the condition of the join, which says no more than true for a left one."""
    from prepsql.translate.sql import where

    conditions = [part for part in parts(node.get("condition")) if not _is_true(part)]
    if conditions and how != "inner":
        raise Unsayable("a LATERAL left join on a condition")
    ctx = given.ctx
    return where.where(ctx, rows, conditions, [], ctx.lens(rows))


def _is_true(node: Node) -> bool:
    constant = node["child"] if node["class"] == "CAST" else node
    text = str(constant.get("literal", {}).get("text", constant.get("literal", {}).get("kind", ""))).lower()
    return constant["class"] == "CONSTANT" and text in ("true", "t", "1", "true_literal", "boolean")


def _computed(ctx: Context, left: Rows, query: Node) -> Rows:
    """Add a SELECT without FROM: columns computed beside the left's."""
    if query["where_clause"] or query["modifiers"] or has_query({"all": query["select_list"]}):
        raise Unsayable("a LATERAL subquery without FROM that does more than compute")
    listed = select_list(query["select_list"], left)
    lens = ctx.lens(left)
    left, found = unnests.explode(ctx, left, listed, [], lens)
    lens.replaced |= found
    items = [Item(item.name, lens.write(item.node)) for item in listed if item.node is not None]
    there = ctx.steps.columns(left.step)
    taken = {c.lower() for c in there}
    free = [_free(item, taken) for item in items]
    step, ats, moved = project(ctx.steps, left.step, free, f"{left.step}_beside", carry=there)
    rows = left.moved(step, moved)
    return Rows(
        step, (*rows.columns, *(Column(i.name, "", at) for i, at in zip(items, ats, strict=True))), rows.numbers
    )


def _free(item: Item, taken: set[str]) -> Item:
    name, number = item.name, 2
    while name.lower() in taken:
        name, number = f"{item.name}_{number}", number + 1
    taken.add(name.lower())
    return Item(name, item.expr)


def _aggregates(ctx: Context, left: Rows, query: Node) -> Rows:
    """Add a SELECT of aggregates alone: a scalar subquery an item."""
    from prepsql.translate.sql import scalars

    if query["having"] or query["modifiers"] or any(each["class"] == "STAR" for each in query["select_list"]):
        raise Unsayable("a LATERAL subquery of aggregates that does more")
    rows, exprs = left, []
    for item in query["select_list"]:
        rows, expr = scalars.tied(ctx, rows, {**query, "select_list": [item]})
        exprs.append(expr)
    listed = select_list(query["select_list"], rows)
    taken = {c.lower() for c in ctx.steps.columns(rows.step)}
    items = [_free(Item(item.name, expr), taken) for item, expr in zip(listed, exprs, strict=True)]
    step, ats, moved = project(ctx.steps, rows.step, items, f"{left.step}_beside", carry=ctx.steps.columns(rows.step))
    rows = rows.moved(step, moved)
    return Rows(
        step, (*rows.columns, *(Column(i.name, "", at) for i, at in zip(listed, ats, strict=True))), rows.numbers
    )


def _rows(ctx: Context, left: Rows, query: Node, how: str) -> Rows:
    """Add a SELECT of rows: each left row with those of the subquery, numbered by the left row."""
    from prepsql.translate.sql.scalars import pairs_of
    from prepsql.translate.sql.select import Select

    if any(each.get("class") == "WINDOW" for each in walk(query, into_queries=False)):
        raise Unsayable("a LATERAL subquery with windows")
    rows, place = number_rows(ctx, left)
    given = correlated.inner(ctx, rows, query)
    pairs = pairs_of(ctx, rows, given)
    made = Select(given.ctx, query, pairs, by=place).add([])
    by = made.numbers[BY]
    match = comparison("COMPARE_EQUAL", reference(OUTER, place), reference(INNER, by))
    wanted = [c.at for c in made.columns]
    rows, there = correlated.beside(ctx, rows, Rows(made.step, ()), how, [match], wanted)
    return Rows(rows.step, (*rows.columns, *(replace(c, at=there[c.at]) for c in made.columns)), rows.numbers)

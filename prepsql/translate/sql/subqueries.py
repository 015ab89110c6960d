"""Subqueries: in conditions they are semi and anti joins, in expressions columns of a join."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.translate.sql import correlated, scalars
from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.grouping import is_grouped
from prepsql.translate.sql.lens import Lens, column_in, wrapped
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.sides import INNER, OUTER, comparison, reference, sided
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable


def condition(ctx: Context, rows: Rows, part: Node, lens: Lens) -> Rows:
    """Add what a condition on a subquery needs; return the rows for which it is true."""
    turned = part.get("type") == "OPERATOR_NOT" and part["children"][0].get("class") == "SUBQUERY"
    query = part["children"][0] if turned else part
    if query.get("class") == "SUBQUERY" and query["subquery_type"] == "EXISTS":
        return _exists(ctx, rows, query["subquery"]["node"], "anti" if turned else "semi")
    if query.get("class") == "SUBQUERY" and query["subquery_type"] == "ANY" and not has_query(query["child"]):
        kept = ctx.steps.keep()
        try:
            return _any(ctx, rows, query, lens, "anti" if turned else "semi")
        except Unsayable:
            ctx.steps.back(kept)
    moved, found = values(ctx, rows, [part], lens)
    again = Lens(lens.text, lens.column, {**lens.replaced, **found})
    from prepsql.translate.sql.where import filtered

    return filtered(ctx, moved, [(part, again.write(part))])


def _exists(ctx: Context, rows: Rows, node: Node, how: str) -> Rows:
    found = correlated.whole(ctx, node)
    if found is not None:
        return correlated.beside(ctx, rows, found, how, ())[0]
    given = correlated.inner(ctx, rows, node)
    _only_rows(node)
    simple = [part for part in given.tied if not has_query(part)]
    deep = [part for part in given.tied if has_query(part)]
    if not deep:
        conditions = [sided(part, given.rows, rows) for part in simple]
        return correlated.beside(ctx, rows, given.rows, how, conditions)[0]
    from prepsql.translate.sql import where

    rows, place = number_rows(ctx, rows)
    pairs = correlated.both(ctx, rows, given, [sided(part, given.rows, rows) for part in simple])
    pairs = where.where(given.ctx, pairs, deep, [], given.ctx.lens(pairs))
    match = comparison("COMPARE_EQUAL", reference(OUTER, place), reference(INNER, place))
    return correlated.beside(ctx, rows, Rows(pairs.step, ()), how, [match])[0]


def _only_rows(node: Node) -> None:
    """Raise Unsayable where whether a subquery has rows depends on more than FROM and WHERE."""
    limits = [each for each in node["modifiers"] if each["type"].startswith("LIMIT")]
    if is_grouped(node, node["select_list"]) or node["qualify"] or limits:
        raise Unsayable("a correlated EXISTS over groups or a LIMIT")


def _any(ctx: Context, rows: Rows, query: Node, lens: Lens, how: str) -> Rows:
    """Add the semi or anti join of `x = ANY (…)`; NOT keeps a row only where the comparison is false throughout."""
    node = query["subquery"]["node"]
    rows, child = _sides(ctx, rows, query["child"], lens)
    found = correlated.whole(ctx, node)
    if found is not None:
        columns = [reference(INNER, c.at) for c in found.visible]
        tied: list[Node] = []
        there = found
    else:
        given = correlated.inner(ctx, rows, node)
        _only_rows(node)
        if any(has_query(part) for part in given.tied):
            raise Unsayable("a subquery in a subquery, both of which depend on the query around them")
        there = given.rows
        tied = [sided(part, there, rows) for part in given.tied]
        columns = [sided(item, there, rows) for item in node["select_list"]]
    if len(columns) != len(child):
        raise Unsayable("a row of values compared with rows of another width")
    pairs = [comparison(query["comparison_type"], a, b) for a, b in zip(child, columns, strict=True)]
    if how == "anti":
        pairs = [{"class": "OPERATOR", "type": "NOT_FALSE", "alias": "", "children": pairs, "made": True}]
    return correlated.beside(ctx, rows, there, how, [*tied, *pairs])[0]


def _sides(ctx: Context, rows: Rows, child: Node, lens: Lens) -> tuple[Rows, list[Node]]:
    """Return what is compared with a subquery's columns, a value each; one that is no plain expression is computed."""
    nodes = [a["expression"] for a in child["arguments"]] if child.get("function_name") == "row" else [child]
    made: list[Node] = []
    for node in nodes:
        expr = lens.write(node)
        column = column_in(expr)
        if column is not None:
            made.append(reference(OUTER, column))
        elif any(id(each) in lens.replaced for each in walk(node)) or "\x02" in expr:
            items = [Item("compared", expr)]
            step, ats, _ = project(
                ctx.steps, rows.step, items, f"{rows.step}_compared", carry=ctx.steps.columns(rows.step)
            )
            rows = rows.moved(step)
            made.append(reference(OUTER, ats[0]))
        else:
            made.append(sided(node, None, rows))
    return rows, made


def values(ctx: Context, rows: Rows, places: Sequence[Node], lens: Lens) -> tuple[Rows, dict[int, str]]:
    """Add what the subqueries in these expressions need; return the rows, and what each subquery became."""
    found: dict[int, str] = {}
    for node in [each for place in places for each in _queries(place)]:
        turned = node["class"] != "SUBQUERY"
        rows, expr = scalars.value(ctx, rows, node["children"][0] if turned else node, lens)
        found[id(node)] = f"NOT {wrapped(expr)}" if turned else expr
    return rows, found


def _is_turned(node: Node) -> bool:
    """Return whether a node is NOT IN or a comparison with ALL: the text of what NOT turns isn't to be had alone."""
    child = node["children"][0] if node.get("type") == "OPERATOR_NOT" else {}
    return child.get("class") == "SUBQUERY" and child["subquery_type"] == "ANY"


def _queries(node: Node) -> list[Node]:
    """Return the subqueries of an expression, each with the NOT around it where that's a part of it."""
    from prepsql.translate.sql.tree import children

    if node.get("class") == "SUBQUERY" or _is_turned(node):
        return [node]
    return [query for child in children(node) for query in _queries(child)]

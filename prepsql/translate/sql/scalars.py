"""Subqueries as values: a scalar, EXISTS, IN or a comparison with ANY becomes a column of a join."""

from __future__ import annotations

from typing import Any

from prepsql.translate.sql import correlated
from prepsql.translate.sql.aggregates import order_key
from prepsql.translate.sql.conditions import equality, has_query, names
from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.correlated import Inner
from prepsql.translate.sql.grouping import Grouping, is_grouped
from prepsql.translate.sql.lens import Lens, column_in, mark, marked, renamed, wrapped, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.sides import INNER, OUTER, comparison, reference, sided
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.tree import Node, parse_expression, walk
from prepsql.translate.sql.unsayable import Unsayable

_COUNTS = ("count",)


def value(ctx: Context, rows: Rows, query: Node, lens: Lens) -> tuple[Rows, str]:
    """Add what a subquery in an expression needs; return the rows, and the expression that stands for it."""
    node, kind = query["subquery"]["node"], query["subquery_type"]
    if kind == "SCALAR":
        return _scalar(ctx, rows, node)
    if kind == "EXISTS":
        rows, count = _counted(ctx, rows, node)
        return rows, f"{wrapped(count)} > 0"
    if kind == "ANY":
        from prepsql.translate.sql import any_values

        return any_values.value(ctx, rows, query, lens)
    raise Unsayable(f"a subquery of the kind {kind}")


def _scalar(ctx: Context, rows: Rows, node: Node) -> tuple[Rows, str]:
    found = correlated.whole(ctx, node)
    if found is None:
        return tied(ctx, rows, node)
    column = found.visible[0]
    if len(found.visible) != 1:
        raise Unsayable("a scalar subquery of several columns")
    one = (
        node["type"] == "SELECT_NODE" and not node["having"] and not node["modifiers"] and not node["group_expressions"]
    )
    one = one and is_grouped(node, node["select_list"])
    rows, there = correlated.beside(ctx, rows, found, "inner" if one else "left", (), [column.at])
    return rows, mark(there[column.at])


def _counted(ctx: Context, rows: Rows, node: Node) -> tuple[Rows, str]:
    """Return the rows, and how many rows a subquery has for each."""
    found = correlated.whole(ctx, node)
    if found is not None:
        step = ctx.steps.add(
            "aggregate",
            {"aggs": [{"as": "row_count", "func": "count"}]},
            {"in": found.step},
            f"count_of_{ctx.steps.subject(found.step)}",
        )
        rows, there = correlated.beside(ctx, rows, Rows(step, ()), "inner", (), ["row_count"])
        return rows, mark(there["row_count"])
    given = correlated.inner(ctx, rows, node)
    if is_grouped(node, node["select_list"]) or node["qualify"]:
        raise Unsayable("a correlated EXISTS over groups")
    return _grouped(ctx, rows, given, parse_expression("count(*)"), "row_count")


def tied(ctx: Context, rows: Rows, node: Node) -> tuple[Rows, str]:
    """Add a correlated scalar subquery."""
    given = correlated.inner(ctx, rows, node)
    if len(node["select_list"]) != 1 or node["qualify"]:
        raise Unsayable("a correlated subquery of several columns")
    item = node["select_list"][0]
    if is_grouped(node, [item]):
        if node["group_expressions"] or node["having"]:
            raise Unsayable("a correlated subquery of groups")
        return _grouped(ctx, rows, given, item, item.get("alias") or "")
    return _single(ctx, rows, given, item)


def _keys(given: Inner, rows: Rows) -> list[tuple[Node, Node]] | None:
    """Return pairs of an expression around and one of the subquery, whose equality is all that ties them; else None."""
    found = []
    for part in given.tied:
        sides = None if has_query(part) else equality(part)
        if sides is None or sides[2]:
            return None
        one, other, _ = sides
        if names(one, given.rows):
            one, other = other, one
        if not names(other, given.rows) or any(given.rows.find(r["column_names"]) is not None for r in _refs(one)):
            return None
        found.append((one, other))
    return found


def _refs(node: Node) -> list[Node]:
    return [each for each in walk(node) if each.get("class") == "COLUMN_REF"]


def _inner_only(node: Node, given: Inner) -> bool:
    return all(given.rows.find(each["column_names"]) is not None for each in _refs(node))


def _grouped(ctx: Context, rows: Rows, given: Inner, item: Node, name: str) -> tuple[Rows, str]:
    """Add an aggregate of a subquery's rows for each row around: by the keys that tie them, else by the row."""
    pairs = _keys(given, rows)
    text_ctx = given.ctx
    if pairs and _inner_only(item, given):
        inside, keys = given.rows, [other for _, other in pairs]
        around = [sided(one, None, rows) for one, _ in pairs]
        key_list: list[tuple[Node | None, str]] = [(key, "") for key in keys]
    else:
        rows, place = number_rows(ctx, rows)
        inside = pairs_of(ctx, rows, given)
        around, key_list = [reference(OUTER, place)], [(None, place)]
    listed = [Listed(name or "value", item, alias=bool(name))]
    lens = text_ctx.lens(inside)
    grouping = Grouping(text_ctx, inside, lens, listed, [])
    made = grouping.add(key_list, [item], [])
    key_names = _key_names(ctx, made.rows.step, grouping)
    conditions = [comparison("COMPARE_EQUAL", a, reference(INNER, k)) for a, k in zip(around, key_names, strict=True)]
    wanted = [c for c in ctx.steps.columns(made.rows.step) if c not in key_names]
    rows, there = correlated.beside(ctx, rows, Rows(made.rows.step, ()), "left", conditions, wanted)
    aggs = {a["as"]: a["func"] for a in ctx.steps.nodes[made.rows.step]["params"]["aggs"]}
    replaced = {}
    for each, expr in made.replaced.items():
        for column, at in there.items():
            full = f"coalesce({mark(at)}, 0)" if aggs[column].startswith(_COUNTS) else mark(at)
            expr = expr.replace(mark(column), full)
        replaced[each] = expr
    return rows, Lens(text_ctx.text, lens.column, replaced).write(item)


def _key_names(ctx: Context, step: str, grouping: Grouping) -> list[str]:
    keys: list[str] = ctx.steps.nodes[step]["params"]["group_keys"]
    if len(keys) != len(grouping.keys):
        raise Unsayable("a correlated subquery tied twice by one column")
    return keys


def pairs_of(ctx: Context, rows: Rows, given: Inner) -> Rows:
    """Return each row around with each of the subquery's rows that is tied to it."""
    simple = [sided(part, given.rows, rows) for part in given.tied if not has_query(part)]
    deep = [part for part in given.tied if has_query(part)]
    pairs = correlated.both(ctx, rows, given, simple)
    if deep:
        from prepsql.translate.sql import where

        pairs = where.where(given.ctx, pairs, deep, [], given.ctx.lens(pairs))
    return pairs


def _single(ctx: Context, rows: Rows, given: Inner, item: Node) -> tuple[Rows, str]:
    """Add a correlated subquery that gives one of its rows' values, the first in its order where it has a LIMIT."""
    node = given.node
    limits = [each for each in node["modifiers"] if each["type"] == "LIMIT_MODIFIER"]
    orders = [key for each in node["modifiers"] if each["type"] == "ORDER_MODIFIER" for key in each["orders"]]
    distinct = [each for each in node["modifiers"] if each["type"] == "DISTINCT_MODIFIER"]
    first = any(each["limit"] and each["limit"].get("literal", {}).get("text") == "1" for each in limits)
    if (limits and not first) or any(each["offset"] for each in limits):
        raise Unsayable("a correlated subquery with a LIMIT other than 1")
    pairs = _keys(given, rows)
    if pairs and _inner_only(item, given):
        inside, exprs = given.rows, [given.ctx.lens(given.rows).write(other) for _, other in pairs]
        around = [sided(one, None, rows) for one, _ in pairs]
    else:
        rows, place = number_rows(ctx, rows)
        inside = pairs_of(ctx, rows, given)
        around, exprs = [reference(OUTER, place)], [mark(place)]
    lens = given.ctx.lens(inside)
    keys = [order_key(key, lens) for key in orders]
    carry = [at for key in keys for at in marked(key["expr"])]
    items = [Item(f"key_{i + 1}" if column_in(e) is None else column_in(e) or "", e) for i, e in enumerate(exprs)]
    items.append(Item(item.get("alias") or column_in(lens.write(item)) or "value", lens.write(item)))
    step, ats, moved = project(ctx.steps, inside.step, items, f"{ctx.steps.subject(inside.step)}_values", carry=carry)
    if first or distinct:
        order = [{**key, "expr": written(renamed(key["expr"], moved))} for key in keys]
        params: dict[str, Any] = {"keys": list(dict.fromkeys(ats[:-1])), "keep": "first"}
        step = ctx.steps.add(
            "dedup", params | ({"order_by": order} if order else {}), {"in": step}, f"first_{ctx.steps.subject(step)}"
        )
    conditions = [comparison("COMPARE_EQUAL", a, reference(INNER, k)) for a, k in zip(around, ats[:-1], strict=True)]
    rows, there = correlated.beside(ctx, rows, Rows(step, ()), "left", conditions, [ats[-1]])
    return rows, mark(there[ats[-1]])

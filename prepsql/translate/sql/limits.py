"""ORDER BY, LIMIT and OFFSET as a sort, and filters on the rows' places."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.lens import mark, written
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

Key = Mapping[str, Any]
BY = "\x00by"
"""Among the numbers of rows: the column that says which row around they are for."""


def modifiers(node: Node, kind: str) -> list[Node]:
    """Return a query's modifiers of one kind."""
    return [each for each in node["modifiers"] if each["type"] == kind]


def cut_each(ctx: Context, rows: Rows, order: Sequence[Key], node: Node, on: bool) -> Rows:
    """Add what ORDER BY and LIMIT need where they hold for each row around."""
    limits = modifiers(node, "LIMIT_MODIFIER")
    if on or any(each["offset"] or each.get("limit_type") != "ROW_COUNT" for each in limits):
        raise Unsayable("OFFSET or DISTINCT ON for each row around")
    limit = next((_number(each["limit"]) for each in limits), None)
    if limit is None:
        return rows
    by = rows.numbers[BY]
    keys = [dict(key) for key in order] or [{"expr": written(mark(by))}]
    params = {"order_by": keys, "partition_by": [by], "limit_per_group": limit}
    return rows.moved(ctx.steps.add("sort", params, {"in": rows.step}, f"first_{ctx.steps.subject(rows.step)}"))


def cut(ctx: Context, rows: Rows, order: Sequence[Key], node: Node) -> Rows:
    """Add the sort of ORDER BY and what LIMIT and OFFSET need."""
    limit: int | None = None
    offset = 0
    for modifier in modifiers(node, "LIMIT_MODIFIER"):
        if modifier["limit"] and modifier["limit"]["class"] != "CONSTANT" and not modifier["offset"]:
            return _computed(ctx, _sorted(ctx, rows, order, None), modifier["limit"])
        limit, offset = _number(modifier["limit"]), _number(modifier["offset"]) or 0
        if modifier.get("limit_type") != "ROW_COUNT" and modifier["limit"]:
            return _percent(ctx, _sorted(ctx, rows, order, None), limit or 0)
    sort_limit = limit if not offset and order else None
    rows = _sorted(ctx, rows, order, sort_limit)
    if (limit is not None and sort_limit is None) or offset:
        rows = _between(ctx, rows, offset, limit)
    return rows


def _sorted(ctx: Context, rows: Rows, order: Sequence[Key], limit: int | None) -> Rows:
    if not order:
        return rows
    params: dict[str, Any] = {"order_by": [dict(key) for key in order]}
    if limit is not None:
        params["limit"] = limit
    word = "sorted" if limit is None else "first"
    return rows.moved(ctx.steps.add("sort", params, {"in": rows.step}, f"{word}_{ctx.steps.subject(rows.step)}"))


def _number(node: Node | None) -> int | None:
    if not node:
        return None
    text = node.get("literal", {}).get("text", "") if node["class"] == "CONSTANT" else ""
    if not str(text).isdigit():
        raise Unsayable("a LIMIT or OFFSET that is no number")
    return int(text)


def _between(ctx: Context, rows: Rows, offset: int, limit: int | None) -> Rows:
    rows, place = number_rows(ctx, rows, "place")
    column = written(mark(place))
    predicate = " AND ".join(
        filter(
            None,
            [f"{column} > {offset}" if offset else "", f"{column} <= {offset + limit}" if limit is not None else ""],
        )
    )
    return rows.moved(
        ctx.steps.add("filter", {"predicate": predicate}, {"in": rows.step}, f"first_{ctx.steps.subject(rows.step)}")
    )


def _computed(ctx: Context, rows: Rows, limit: Node) -> Rows:
    """Add what keeps as many rows as an expression says."""
    from prepsql.translate.sql import subqueries

    rows, place = number_rows(ctx, rows, "place")
    lens = ctx.lens(rows)
    rows, found = subqueries.values(ctx, rows, [limit], lens)
    lens.replaced |= found
    predicate = f"{written(mark(place))} <= {written(lens.write(limit))}"
    return rows.moved(
        ctx.steps.add("filter", {"predicate": predicate}, {"in": rows.step}, f"first_{ctx.steps.subject(rows.step)}")
    )


def _percent(ctx: Context, rows: Rows, share: int) -> Rows:
    rows, place = number_rows(ctx, rows, "place")
    compute = [{"as": "row_count", "expr": "count(*) OVER ()"}]
    step = ctx.steps.add("project", {"compute": compute}, {"in": rows.step}, f"counted_{ctx.steps.subject(rows.step)}")
    predicate = f"{written(mark(place))} <= floor({share} / 100.0 * row_count)"
    return rows.moved(
        ctx.steps.add("filter", {"predicate": predicate}, {"in": step}, f"first_{ctx.steps.subject(step)}")
    )

"""IN and comparisons with ANY as values, which may be null."""

from __future__ import annotations

from typing import Any

from prepsql.translate.sql import correlated, scalars
from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.grouping import is_grouped
from prepsql.translate.sql.lens import SIGNS, Lens, column_in, mark, wrapped, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.sides import INNER, OUTER, comparison, reference
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

_ANY = {
    "COMPARE_LESSTHAN": "{x} < {high}", "COMPARE_LESSTHANOREQUALTO": "{x} <= {high}",
    "COMPARE_GREATERTHAN": "{x} > {low}", "COMPARE_GREATERTHANOREQUALTO": "{x} >= {low}",
    "COMPARE_NOTEQUAL": "{x} <> {low} OR {x} <> {high}",
}  # fmt: skip
_TRUTH = (
    "CASE WHEN {empty} THEN false WHEN {hit} THEN true WHEN {x} IS NULL OR {known} < {rows} THEN NULL ELSE false END"
)


def value(ctx: Context, rows: Rows, query: Node, lens: Lens) -> tuple[Rows, str]:
    """Add a comparison with ANY as a value that may be null."""
    node, kind = query["subquery"]["node"], query["comparison_type"]
    found = correlated.whole(ctx, node)
    if found is None:
        return _tied(ctx, rows, query, lens)
    if len(found.visible) != 1 or query["child"].get("function_name") == "row":
        raise Unsayable("a row of values compared with a subquery's, as a value")
    column = found.visible[0].at
    x = lens.write(query["child"])
    if has_query(query["child"]):
        raise Unsayable("a subquery compared with a subquery")
    aggs: list[dict[str, Any]] = [
        {"as": "row_count", "func": "count"}, {"as": "known_count", "func": "count", "expr": written(mark(column))},
    ]  # fmt: skip
    if kind != "COMPARE_EQUAL":
        aggs += [
            {"as": "lowest", "func": "min", "expr": written(mark(column))},
            {"as": "highest", "func": "max", "expr": written(mark(column))},
        ]
    base = ctx.steps.subject(found.step)
    counts = ctx.steps.add("aggregate", {"aggs": aggs}, {"in": found.step}, f"counts_of_{base}")
    wanted = [agg["as"] for agg in aggs]
    rows, there = correlated.beside(ctx, rows, Rows(counts, ()), "inner", (), wanted)
    if kind == "COMPARE_EQUAL":
        step = ctx.steps.add(
            "aggregate",
            {"group_keys": [column], "aggs": [{"as": "matches", "func": "count"}]},
            {"in": found.step},
            f"values_of_{base}",
        )
        rows, child = _compared(ctx, rows, query["child"], x)
        match = [comparison(kind, child, reference(INNER, column))]
        rows, more = correlated.beside(ctx, rows, Rows(step, ()), "left", match, ["matches"])
        hit = f"{mark(more['matches'])} IS NOT NULL"
    elif kind in _ANY:
        hit = _ANY[kind].format(x=wrapped(x), low=mark(there["lowest"]), high=mark(there["highest"]))
    else:
        raise Unsayable(f"ANY with {kind}")
    count = mark(there["row_count"])
    expr = _TRUTH.format(empty=f"{count} = 0", hit=hit, x=wrapped(x), known=mark(there["known_count"]), rows=count)
    return rows, expr


def _tied(ctx: Context, rows: Rows, query: Node, lens: Lens) -> tuple[Rows, str]:
    """Add a comparison with the rows of a correlated subquery: each row around with those that are tied to it."""
    node = query["subquery"]["node"]
    if len(node["select_list"]) != 1 or is_grouped(node, node["select_list"]) or node["qualify"]:
        raise Unsayable("a correlated IN or ANY over groups, as a value")
    if any(each["type"] != "DISTINCT_MODIFIER" for each in node["modifiers"]):
        raise Unsayable("a correlated IN or ANY with a LIMIT, as a value")
    rows, child = _compared(ctx, rows, query["child"], lens.write(query["child"]))
    rows, place = number_rows(ctx, rows)
    given = correlated.inner(ctx, rows, node)
    pairs = scalars.pairs_of(ctx, rows, given)
    item = given.ctx.lens(pairs).write(node["select_list"][0])
    # both sides have their columns under one name each in the pairs
    x = mark(child["column_names"][1])
    sign = SIGNS[query["comparison_type"]]
    compute = [{"as": "holds", "expr": f"{written(x)} {sign} {written(wrapped(item))}"}]
    of = ctx.steps.subject(rows.step)
    step = ctx.steps.add("project", {"compute": compute}, {"in": pairs.step}, f"{of}_compared")
    aggs = [
        {"as": "any_holds", "func": "any", "expr": "holds"}, {"as": "row_count", "func": "count"},
        {"as": "known_count", "func": "count", "expr": "holds"},
    ]  # fmt: skip
    step = ctx.steps.add("aggregate", {"group_keys": [place], "aggs": aggs}, {"in": step}, f"{of}_matches")
    match = [comparison("COMPARE_EQUAL", reference(OUTER, place), reference(INNER, place))]
    rows, there = correlated.beside(ctx, rows, Rows(step, ()), "left", match, [agg["as"] for agg in aggs])
    hit, count, known = (mark(there[agg["as"]]) for agg in aggs)
    return rows, f"CASE WHEN {hit} THEN true WHEN {known} < {count} THEN NULL ELSE false END"


def _compared(ctx: Context, rows: Rows, child: Node, expr: str) -> tuple[Rows, Node]:
    column = column_in(expr)
    if column is None:
        items = [Item("compared", expr)]
        step, ats, _ = project(
            ctx.steps, rows.step, items, f"{ctx.steps.subject(rows.step)}_compared", carry=ctx.steps.columns(rows.step)
        )
        rows, column = rows.moved(step), ats[0]
    return rows, reference(OUTER, column)

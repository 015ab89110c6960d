"""IN and comparisons with ANY as values, which may be null."""

from __future__ import annotations

from typing import Any

from prepsql.translate.sql import correlated
from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, column_in, mark, wrapped, written
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
    if found is None or len(found.visible) != 1 or query["child"].get("function_name") == "row":
        raise Unsayable("a correlated IN or ANY as a value")
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


def _compared(ctx: Context, rows: Rows, child: Node, expr: str) -> tuple[Rows, Node]:
    column = column_in(expr)
    if column is None:
        items = [Item("compared", expr)]
        step, ats, _ = project(
            ctx.steps, rows.step, items, f"{ctx.steps.subject(rows.step)}_compared", carry=ctx.steps.columns(rows.step)
        )
        rows, column = rows.moved(step), ats[0]
    return rows, reference(OUTER, column)

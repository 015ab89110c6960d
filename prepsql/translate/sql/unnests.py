"""UNNEST and tables made by functions: lists that become rows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb

from prepsql.translate.sql import values
from prepsql.translate.sql.aggregates import is_aggregate
from prepsql.translate.sql.conditions import has_query, references
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, mark, marked, written
from prepsql.translate.sql.project import Item, inlined
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.stars import Listed, name_of
from prepsql.translate.sql.tree import Node, children, query_text, walk
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.engine import engine
from prepsql.workflow.functions import catalogue

_SERIES = ("range", "generate_series")


def table_function(ctx: Context, node: Node) -> Rows:
    """Add the steps of a table that a function makes of constants."""
    start = Rows(ctx.steps.add_data([{"one_row": 1}], "one_row"), ())
    rows = exploded(ctx, start, node, keep=False)
    return Rows(rows.step, tuple(c for c in rows.columns if c.table == _alias(node)))


def depends(node: Node) -> bool:
    """Return whether a table in FROM is made by a function of other tables' columns."""
    return node["type"] == "TABLE_FUNCTION" and any(True for _ in references(node["function"]))


def exploded(ctx: Context, rows: Rows, node: Node, *, keep: bool) -> Rows:
    """Add the table that a function makes of each row's columns beside them; `keep` keeps rows whose list is empty."""
    call = node["function"]
    name = call["function_name"].lower()
    lens = ctx.lens(rows)
    if name == "unnest" and len(call["arguments"]) == 1:
        expr = lens.write(call["arguments"][0]["expression"])
    elif name in _SERIES:
        expr = lens.write(call)
    else:
        raise Unsayable(f"the table function {name}")
    names = list(node.get("column_name_alias", []))
    numbered = node.get("with_ordinality") == "WITH_ORDINALITY"
    default = node["alias"] if node["alias"] and name in (*_SERIES, "unnest") else name
    names += [default, "ordinality"][len(names) :]
    step, at, place = _explode(ctx, rows.step, expr, names[0], keep=keep, position=names[1] if numbered else "")
    made = [Column(names[0], _alias(node), at)] + ([Column(names[1], _alias(node), place)] if numbered else [])
    moved = rows.moved(step)
    return Rows(step, (*moved.columns, *made), moved.numbers)


def _alias(node: Node) -> str:
    return str(node["alias"] or node["function"]["function_name"])


def _explode(
    ctx: Context, step: str, expr: str, name: str, *, keep: bool = False, position: str = ""
) -> tuple[str, str, str]:  # fmt: skip
    """Add the steps that make a row of each element; return the step, and the columns of element and place."""
    there = {c.lower() for c in ctx.steps.columns(step)}
    at, place = _free(name, there), _free(position, there) if position else ""
    if not keep and not _never_empty(expr):
        predicate = {"predicate": f"len({written(expr)}) > 0"}
        step = ctx.steps.add("filter", predicate, {"in": step}, f"{ctx.steps.subject(step)}_with_{at}")
    explode: dict[str, Any] = {"col": at}
    if place:
        explode["position"] = place
    params = {"compute": [{"as": at, "expr": written(expr)}], "explode": explode}
    return ctx.steps.add("project", params, {"in": step}, f"{ctx.steps.subject(step)}_by_{at}"), at, place


def _free(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free.lower() in taken:
        free, number = f"{name}_{number}", number + 1
    return free


def _never_empty(expr: str) -> bool:
    if marked(expr):
        return False
    try:
        return bool(engine().sql(f"SELECT len({written(expr)}) > 0").fetchall()[0][0])
    except duckdb.Error:
        return False


def constant_select(ctx: Context, node: Node) -> Rows | None:
    """Return the rows of a SELECT of constants, None for any other."""
    plain = node["from_table"]["type"] == "EMPTY" and not has_query({"all": node["select_list"]})
    called = [str(each.get("function_name", "")).lower() for each in walk(node)]
    if not plain or "unnest" in called or node["where_clause"] or any(map(is_aggregate, walk(node))):
        return None
    if any(catalogue().get(name) == "volatile" for name in called) or any(
        True for _ in references({"all": node["select_list"]})
    ):
        return None
    names = [item.get("alias") or name_of(item) for item in node["select_list"]]
    return values.constant(ctx, query_text(node | {"cte_map": {"map": []}}), names, ctx.wanted or "values")


def explode(
    ctx: Context, rows: Rows, listed: Sequence[Listed], items: Sequence[Item], lens: Lens
) -> tuple[Rows, dict[int, str]]:  # fmt: skip
    """Add the steps of UNNEST in a select list; return the rows, and what each UNNEST became.

    Several UNNESTs go side by side, the shorter lists filled up with nulls.
    """
    found_calls = [(item, call) for item in listed if item.node is not None for call in calls(item.node)]
    if not found_calls:
        return rows, {}
    if any(len(call["arguments"]) != 1 for _, call in found_calls):
        raise Unsayable("UNNEST with options")
    exprs = [inlined(lens.write(call["arguments"][0]["expression"]), items) for _, call in found_calls]
    distinct = list(dict.fromkeys(exprs))
    item, call = found_calls[0]
    name = item.name if item.node is call and item.alias else "element"
    if len(distinct) == 1:
        step, at, _ = _explode(ctx, rows.step, distinct[0], name)
        found = {expr: mark(at) for expr in distinct}
    else:
        step, at, _ = _explode(ctx, rows.step, f"list_zip({', '.join(distinct)})", "elements")
        found = {expr: f"struct_extract({mark(at)}, {i})" for i, expr in enumerate(distinct, 1)}
    return rows.moved(step), {id(call): found[expr] for (_, call), expr in zip(found_calls, exprs, strict=True)}


def calls(node: Node) -> list[Node]:
    """Return the UNNESTs of an expression."""
    if node.get("class") == "FUNCTION" and str(node["function_name"]).lower() == "unnest":
        return [node]
    return [call for child in children(node) if "node" not in child for call in calls(child)]

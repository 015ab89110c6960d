"""UNION, INTERSECT and EXCEPT: unions, and joins on all columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from string import Template
from typing import Any

from prepsql.sqltext import quote
from prepsql.translate.sql.aggregates import order_key, terms_of
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.fluid import is_fluid
from prepsql.translate.sql.lens import mark, written
from prepsql.translate.sql.limits import cut, modifiers
from prepsql.translate.sql.ordering import order_of
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.describe import describe
from prepsql.workflow.relation import Relation

_SIDES = Template("SELECT $left FROM one UNION ALL SELECT $right FROM other")


def set_operation(ctx: Context, node: Node) -> Rows:
    """Add the steps of a set operation; return its rows, columns as the first query calls them."""
    kind, every = node["setop_type"], node["setop_all"]
    first, *others = _children(node)
    sides = [replace(ctx.named(""), names=ctx.names).query(first)]
    names = () if kind == "UNION_BY_NAME" else tuple(c.name for c in sides[0].visible)
    sides += [replace(ctx.named(""), names=names).query(child) for child in others]
    sides = _aligned(ctx, sides, by_name=kind == "UNION_BY_NAME")
    if kind in ("UNION", "UNION_BY_NAME"):
        rows = _union(ctx, sides, distinct=not every, by_name=kind == "UNION_BY_NAME")
    else:
        rows = sides[0]
        for other in sides[1:]:
            rows = _matched(ctx, rows, other, "semi" if kind == "INTERSECT" else "anti", every=every)
    return _modified(ctx, rows, node)


def _children(node: Node) -> list[Node]:
    """Return the queries of a chain of one operation that doesn't mind in which order it is done."""
    first, *others = node["children"]
    same = first["type"] == node["type"] and not first["modifiers"] and not first["cte_map"]["map"]
    same = same and (first.get("setop_type"), first.get("setop_all")) == (node["setop_type"], node["setop_all"])
    if same and node["setop_type"] == "UNION":
        return [*_children(first), *others]
    return [first, *others]


def _aligned(ctx: Context, sides: Sequence[Rows], *, by_name: bool) -> list[Rows]:
    """Return the sides with the same names and types, each step with these columns only."""
    names = [c.name for c in sides[0].visible]
    if by_name:
        have = {name.lower() for name in names}
        names += [c.name for side in sides[1:] for c in side.visible if c.name.lower() not in have]
        names = list({name.lower(): name for name in reversed(names)}.values())[::-1]
    elif any(len(side.visible) != len(names) for side in sides):
        raise Unsayable("queries of different width put together")
    if len({name.lower() for name in names}) < len(names):
        raise Unsayable("two columns of one name in a set operation")
    kinds = _kinds(ctx, sides, names, by_name)
    mixed = {name for i, name in enumerate(names) if len(_origins(ctx, sides, names, i, by_name)) > 1}
    return [_as_named(ctx, side, names, kinds, mixed, by_name) for side in sides]


def _origins(ctx: Context, sides: Sequence[Rows], names: Sequence[str], i: int, by_name: bool) -> set[bool]:
    """Return whether the sides have a column's type from their files: of some, of none or of all."""
    return {is_fluid(ctx.steps, side.step, c.at) for side in sides if (c := _column(side, names, i, by_name))}


def _column(side: Rows, names: Sequence[str], i: int, by_name: bool) -> Column | None:
    if not by_name:
        return side.visible[i]
    return next((c for c in side.visible if c.name.lower() == names[i].lower()), None)


def _kinds(ctx: Context, sides: Sequence[Rows], names: Sequence[str], by_name: bool) -> dict[str, str]:
    """Return the type that each column has in the result."""
    found: dict[str, str] = {}
    for i, name in enumerate(names):
        columns = [(side, c) for side in sides if (c := _column(side, names, i, by_name))]
        kinds = [ctx.steps.types(side.step)[c.at] for side, c in columns]
        kind = kinds[0]
        for other in kinds[1:]:
            if other != kind:
                parents = [Relation("one", {"x": kind}), Relation("other", {"x": other})]
                kind = describe(_SIDES.substitute(left=quote("x"), right=quote("x")), parents)["x"]
        found[name] = kind
    return found


def _as_named(
    ctx: Context, side: Rows, names: Sequence[str], kinds: dict[str, str], mixed: set[str], by_name: bool
) -> Rows:
    items, casts = [], []
    for i, name in enumerate(names):
        c = _column(side, names, i, by_name)
        if c is not None:
            items.append(Item(name, mark(c.at)))
            # text in all of these files may be numbers in some others, and text with numbers isn't put together
            fluid = kinds[name] == "VARCHAR" and name in mixed and is_fluid(ctx.steps, side.step, c.at)
            if ctx.steps.types(side.step)[c.at] != kinds[name] or fluid:
                casts.append({"col": name, "type": kinds[name]})
    more = {"cast": casts} if casts else None
    step, ats, _ = project(ctx.steps, side.step, items, ctx.steps.subject(side.step), exactly=True, more=more)
    if len(ctx.steps.columns(step)) > len(ats):
        step = ctx.steps.add("project", {"select": ats}, {"in": step}, f"{ctx.steps.subject(step)}_columns")
    return Rows(step, tuple(Column(item.name, "", at) for item, at in zip(items, ats, strict=True)))


def _union(ctx: Context, sides: Sequence[Rows], *, distinct: bool, by_name: bool) -> Rows:
    params: dict[str, Any] = {"distinct": True} if distinct else {}
    widths = {len(side.columns) for side in sides}
    names = {c.name.lower() for side in sides for c in side.columns}
    if by_name and widths != {len(names)}:
        params["fill_missing"] = "null"
    wanted = "_and_".join(ctx.steps.subject(side.step) for side in sides[:2])
    step = ctx.steps.add("union", params, {"items": [side.step for side in sides]}, wanted)
    columns = {c.name.lower(): c for side in sides for c in reversed(side.columns)}
    first = [c.name.lower() for c in sides[0].columns]
    later = [name.lower() for name in ctx.steps.columns(step) if name.lower() not in first]
    return Rows(step, tuple(replace(columns[name], at=_at(ctx, step, name)) for name in [*first, *later]))


def _at(ctx: Context, step: str, name: str) -> str:
    return next(column for column in ctx.steps.columns(step) if column.lower() == name)


def _matched(ctx: Context, left: Rows, right: Rows, how: str, *, every: bool) -> Rows:
    names = [c.at for c in left.columns]
    if every:
        # the nth of several equal rows matches the nth on the other side
        listed = ", ".join(written(mark(name)) for name in names)
        compute = [{"as": "copy_number", "expr": f"row_number() OVER (PARTITION BY {listed})"}]
        left, right = (
            side.moved(
                ctx.steps.add(
                    "project", {"compute": compute}, {"in": side.step}, f"copies_{ctx.steps.subject(side.step)}"
                )
            )
            for side in (left, right)
        )
        keys = [*names, "copy_number"]
    else:
        left = left.moved(ctx.steps.add("dedup", {}, {"in": left.step}, f"distinct_{ctx.steps.subject(left.step)}"))
        keys = names
    word = "in" if how == "semi" else "not_in"
    params = {"how": how, "on": keys, "null_equal": True}
    step = ctx.steps.add(
        "join",
        params,
        {"left": left.step, "right": right.step},
        f"{ctx.steps.subject(left.step)}_{word}_{ctx.steps.subject(right.step)}",
    )
    return left.moved(step)


def _modified(ctx: Context, rows: Rows, node: Node) -> Rows:
    """Add DISTINCT, ORDER BY and LIMIT of a set operation, whose keys are columns of the result."""
    if modifiers(node, "DISTINCT_MODIFIER"):
        raise Unsayable("DISTINCT ON over a set operation")
    listed = [Listed(c.name, at=c.at) for c in rows.columns]
    lens = ctx.lens(rows)
    order = []
    for key, place in order_of(node, listed).keys:
        terms = order_key(key, lens) if place is None else {}
        expr = written(terms["expr"]) if place is None else written(mark(rows.columns[place].at))
        if place is not None:
            terms = terms_of(key)
        order.append({**terms, "expr": expr} if place is None else {"expr": expr, **terms})
    return cut(ctx, rows, order, node)

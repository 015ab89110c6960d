"""What comes after the select list: QUALIFY, DISTINCT, ORDER BY, LIMIT and OFFSET."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from prepsql.translate.sql import qualify
from prepsql.translate.sql.aggregates import terms_of
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, column_in, mark, marked, renamed, written
from prepsql.translate.sql.limits import BY, Key, cut, cut_each, modifiers
from prepsql.translate.sql.project import Item, inlined, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable


@dataclass
class Order:
    """ORDER BY: keys that are items of the select list, by their places, or expressions."""

    keys: list[tuple[Node, int | None]] = field(default_factory=list)

    @property
    def nodes(self) -> list[Node]:
        """The keys that are expressions."""
        return [key["expression"] for key, place in self.keys if place is None]


def order_of(node: Node, listed: Sequence[Listed]) -> Order:
    """Return what ORDER BY names; ALL are all items, from the first."""
    order = Order()
    for modifier in modifiers(node, "ORDER_MODIFIER"):
        for key in modifier["orders"]:
            expr = key["expression"]
            if expr["class"] == "STAR":
                order.keys += [(key, place) for place in range(len(listed))]
            else:
                order.keys.append((key, _place(expr, listed)))
    return order


def _place(expr: Node, listed: Sequence[Listed]) -> int | None:
    if expr["class"] == "CONSTANT":
        if expr["literal"].get("kind") != "INTEGER":
            raise Unsayable("ORDER BY a constant")
        return int(expr["literal"]["text"]) - 1
    if expr["class"] == "COLUMN_REF" and len(expr["column_names"]) == 1:
        name = expr["column_names"][0].lower()
        return next((i for i, item in enumerate(listed) if item.name.lower() == name), None)
    return None


@dataclass
class Plan:
    """A SELECT whose items are written: what is left is to project them and to keep, order and cut the rows."""

    ctx: Context
    rows: Rows
    items: list[Item]
    lens: Lens
    node: Node
    order: Order
    listed: Sequence[Listed]
    by: str = ""


def finish(plan: Plan) -> Rows:
    """Add the project and the steps after it; return the rows, columns under no alias."""
    ctx = plan.ctx
    items = _named(plan)
    distinct = modifiers(plan.node, "DISTINCT_MODIFIER")
    targets = [t for each in distinct for t in each.get("distinct_on_targets", ())]
    condition = plan.node["qualify"]
    # windows of QUALIFY and ORDER BY are columns of their own, and go when they have served
    extra = Extra(plan)
    keys = [(key, place, "" if place is not None else extra.expr(key["expression"])) for key, place in plan.order.keys]
    on = [_place(t, plan.listed) if _place(t, plan.listed) is not None else extra.expr(t) for t in targets]
    kept = qualify.first_of(plan.lens, condition) if condition else None
    predicate = extra.expr(condition) if condition and kept is None else ""
    rows = plan.rows
    if kept is not None:
        rows = qualify.keep_first(ctx, rows, kept, items)
    carry = list(
        dict.fromkeys(
            at
            for expr in [*(e for _, _, e in keys), *(o for o in on if isinstance(o, str)), predicate]
            for at in marked(expr)
        )
    )
    carry += [plan.by] if plan.by and plan.by not in carry else []
    whole = [*items, *extra.items]
    subject = ctx.wanted or ctx.steps.subject(rows.step)
    before = "all_" if predicate or distinct else "unsorted_" if keys else ""
    step, names, moved = project(ctx.steps, rows.step, whole, f"{before}{subject}", carry=carry)
    count = len(items)
    columns = tuple(Column(item.name, "", at) for item, at in zip(plan.items, names, strict=False))

    def text(expr: str) -> str:
        return written(_aliased(renamed(expr, moved), names))

    if predicate:
        step = ctx.steps.add(
            "filter", {"predicate": text(predicate)}, {"in": step}, f"filtered_{ctx.steps.subject(step)}"
        )
    order = [
        {"expr": written(mark(names[place])) if place is not None else text(expr), **terms_of(key)}
        for key, place, expr in keys
    ]
    if targets:
        step = _distinct_on(ctx, step, on, names, text, order)
    elif distinct:
        own = [*names[:count], *([moved[plan.by]] if plan.by else [])]
        params = {} if len(own) == len(ctx.steps.columns(step)) else {"keys": own}
        step = ctx.steps.add("dedup", params, {"in": step}, f"distinct_{ctx.steps.subject(step)}")
    if plan.by:
        return cut_each(ctx, Rows(step, columns, {BY: moved[plan.by]}), order, plan.node, bool(targets))
    return cut(ctx, Rows(step, columns), order, plan.node)


def _named(plan: Plan) -> list[Item]:
    """Return the items with the names that they should have; a column without an alias needs no other than it has."""
    if len(plan.ctx.names) == len(plan.items):
        return [Item(name, item.expr) for name, item in zip(plan.ctx.names, plan.items, strict=True)]
    if plan.ctx.final:
        return list(plan.items)
    return [
        item if listed.alias or column_in(item.expr) is None else Item(column_in(item.expr) or "", item.expr)
        for item, listed in zip(plan.items, plan.listed, strict=True)
    ]


def _aliased(expr: str, names: Sequence[str]) -> str:
    return inlined(expr, [Item(name, mark(name)) for name in names])


class Extra:
    """Columns beside the select list: windows that other clauses name."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.items: list[Item] = []

    def expr(self, node: Node) -> str:
        """Return an expression without windows: each is an item of the list, or a new one."""
        from prepsql.translate.sql.project import alias_mark

        lens = Lens(self.plan.lens.text, self.plan.lens.column, self.plan.lens.replaced)
        own = lens.write(node)
        for place, item in enumerate(self.plan.items):
            if item.expr == own and column_in(own) is None:
                return alias_mark(place)
        for each in walk(node, into_queries=False):
            if each.get("class") == "WINDOW" and id(each) not in lens.replaced:
                expr = lens.write(each)
                whole = [*self.plan.items, *self.items]
                place = next((i for i, item in enumerate(whole) if item.expr == expr), len(whole))
                if place == len(whole):
                    self.items.append(Item(f"{each['function_name'].lower()}_here", expr))
                lens.replaced[id(each)] = alias_mark(place)
        return lens.write(node)


def _distinct_on(
    ctx: Context, step: str, on: Sequence[Any], names: Sequence[str], text: Any, order: Sequence[Key]
) -> str:
    keys = []
    compute = []
    for i, target in enumerate(on):
        expr = mark(names[target]) if isinstance(target, int) else target
        written_ = text(expr)
        column = column_in(expr)
        if isinstance(target, int):
            keys.append(names[target])
        elif column is not None and written_.strip('"') in ctx.steps.columns(step):
            keys.append(written_.strip('"'))
        else:
            name = f"distinct_key_{i + 1}"
            compute.append({"as": name, "expr": written_})
            keys.append(name)
    if compute:
        step = ctx.steps.add("project", {"compute": compute}, {"in": step}, f"keyed_{ctx.steps.subject(step)}")
    params = {"keys": keys, "keep": "first", **({"order_by": [dict(key) for key in order]} if order else {})}
    return ctx.steps.add("dedup", params, {"in": step}, f"first_{ctx.steps.subject(step)}")

"""A subquery's own rows, and the conditions that tie them to the query around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from prepsql.translate.sql.context import Context
from prepsql.translate.sql.matching import joined
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.sides import INNER, OUTER
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.sql.used import Used


@dataclass(frozen=True)
class Inner:
    """The rows of a subquery's FROM for which its own conditions hold, and the conditions that name both queries."""

    ctx: Context
    rows: Rows
    tied: tuple[Node, ...]
    node: Node


def whole(ctx: Context, node: Node) -> Rows | None:
    """Return the rows of a subquery that depends on nothing around it, None for one that does."""
    kept = ctx.steps.keep()
    try:
        return replace(ctx, outer=None).named("").query(node)
    except Unsayable:
        ctx.steps.back(kept)
        return None


def inner(ctx: Context, outer: Rows, node: Node) -> Inner:
    """Add the steps of a correlated subquery's FROM and of its own conditions."""
    from prepsql.translate.sql import where
    from prepsql.translate.sql.conditions import parts
    from prepsql.translate.sql.from_ import From
    from prepsql.translate.sql.query import with_common_tables
    from prepsql.translate.sql.used import used

    if node["type"] != "SELECT_NODE":
        raise Unsayable("a set operation that depends on the query around it")
    around = with_common_tables(replace(ctx, outer=None), node)
    given = From(around.named(""), used(node), parts(node["where_clause"]))
    rows = given.rows(node["from_table"])
    own = [part for part in given.conditions if _own(part, rows, outer)]
    tied = [part for part in given.conditions if not any(part is one for one in own)]
    rows = where.where(around, rows, own, [], around.lens(rows))
    return Inner(around, rows, tuple(tied), node)


def _own(part: Node, rows: Rows, outer: Rows) -> bool:
    """Return whether a condition names nothing of the query around, not even in its own subqueries."""
    for each in walk(part):
        names = each["column_names"] if each.get("class") == "COLUMN_REF" else None
        if names and rows.find(names) is None and outer.find(names) is not None:
            return False
    return True


def beside(
    ctx: Context, outer: Rows, inner_rows: Rows, how: str, conditions: Sequence[Node], wanted: Sequence[str] = ()
) -> tuple[Rows, dict[str, str]]:  # fmt: skip
    """Join the query around with a subquery's rows on sided conditions.

    Return the rows around, and where the `wanted` columns of the subquery's step are.
    """
    left = Rows(outer.step, tuple(Column(at, OUTER, at) for at in ctx.steps.columns(outer.step)))
    right = Rows(inner_rows.step, tuple(Column(at, INNER, at) for at in ctx.steps.columns(inner_rows.step)))
    needed = Used(stars={OUTER})
    for at in wanted:
        needed.under[INNER, at.lower()] += 1
    made = joined(ctx, left, right, how, conditions, (), needed)
    there = {c.name: c.at for c in made.columns if c.table == INNER}
    return outer.moved(made.step), {at: there[at] for at in wanted if at in there}


def both(ctx: Context, outer: Rows, given: Inner, conditions: Sequence[Node]) -> Rows:
    """Join the query around with a subquery's rows; return the rows of both, the subquery's names first."""
    wanted = list(dict.fromkeys([*(c.at for c in given.rows.columns), *given.rows.numbers.values()]))
    rows, there = beside(ctx, outer, given.rows, "inner", conditions, wanted)
    mine = tuple(replace(c, at=there[c.at]) for c in given.rows.columns if c.at in there)
    taken = {c.name.lower() for c in mine}
    tables = {c.table.lower() for c in mine}
    theirs = [
        replace(c, aside=c.aside or c.name.lower() in taken) for c in rows.columns if c.table.lower() not in tables
    ]
    numbers = {**rows.numbers, **{alias: there[at] for alias, at in given.rows.numbers.items() if at in there}}
    return Rows(rows.step, (*mine, *theirs), numbers)

"""GROUPING SETS, ROLLUP and CUBE: an aggregate a set, one below the other; GROUPING tells the sets apart."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.translate.sql.context import Context
from prepsql.translate.sql.grouping import Grouped, Grouping
from prepsql.translate.sql.lens import Lens, mark
from prepsql.translate.sql.project import Item, inlined
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.steps import plain_name
from prepsql.translate.sql.tree import Node, walk
from prepsql.translate.sql.unsayable import Unsayable

Keys = Sequence[tuple[Node | None, str]]


def union(
    ctx: Context, rows: Rows, lens: Lens, listed: Sequence[Listed], items: Sequence[Item], sets: Sequence[Sequence[int]],
    keys: Keys, places: Sequence[Node], having: Sequence[Node],
) -> Grouped:  # fmt: skip
    """Add an aggregate step for each set, and their union, in which a key that a set lacks is null."""
    grouping = Grouping(ctx, rows, lens, listed, items)
    asked = [each for place in [*places, *having] for each in walk(place, into_queries=False) if _is_grouping(each)]
    for each in asked:
        # so that its arguments aren't taken for keys before it's written
        grouping.replaced[id(each)] = ""
    whole = grouping.add(keys, [*places, *having], [])
    names = [_name(grouping, position) for position in range(len(keys))]
    flags = {position: f"without_{plain_name(names[position])}" for position in range(len(keys))} if asked else {}
    node = ctx.steps.nodes[whole.rows.step]
    steps = []
    for chosen in sets:
        params = {**node["params"], "group_keys": list(dict.fromkeys(names[i] for i in chosen))}
        if not params.get("aggs") and not params["group_keys"]:
            raise Unsayable("an empty set of groups without aggregates")
        word = "_and_".join(plain_name(names[i]) for i in chosen[:2])
        step = ctx.steps.add("aggregate", params, node["inputs"], f"by_{word}" if word else "in_all")
        if flags:
            compute = [{"as": flag, "expr": str(int(i not in chosen))} for i, flag in flags.items()]
            step = ctx.steps.add("project", {"compute": compute}, {"in": step}, f"{step}_told")
        steps.append(step)
    made = ctx.steps.add("union", {"fill_missing": "null"}, {"items": steps}, "by_all_sets")
    replaced = dict(whole.replaced)
    for each in asked:
        replaced[id(each)] = _told(each, grouping, lens, items, flags)
    return Grouped(Rows(made, whole.rows.columns), replaced, list(having))


def _is_grouping(node: Node) -> bool:
    return node.get("type") == "GROUPING_FUNCTION"


def _name(grouping: Grouping, position: int) -> str:
    return grouping.names[position]


def _told(node: Node, grouping: Grouping, lens: Lens, items: Sequence[Item], flags: dict[int, str]) -> str:
    """Return GROUPING(a, b) as a number: a bit for each argument, set where the row is of a set without it."""
    exprs = [expr for expr, _ in grouping.keys]
    terms = []
    for place, argument in enumerate(reversed(node["children"])):
        expr = inlined(lens.write(argument), items)
        if expr not in exprs:
            raise Unsayable("GROUPING of what is no key")
        flag = mark(flags[exprs.index(expr)])
        terms.append(flag if place == 0 else f"{2**place} * {flag}")
    return " + ".join(reversed(terms))

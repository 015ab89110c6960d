"""GROUPING SETS, ROLLUP and CUBE: an aggregate a set, one below the other; GROUPING tells the sets apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prepsql.sqltext import literal
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
    ctx: Context, rows: Rows, lens: Lens, listed: Sequence[Listed], items: Sequence[Item],
    sets: Sequence[Sequence[int]], keys: Keys, places: Sequence[Node], having: Sequence[Node],
) -> Grouped:  # fmt: skip
    """Add an aggregate step for each set, and their union, in which a key that a set lacks is null."""
    grouping = Grouping(ctx, rows, lens, listed, items)
    grouping.sets = True
    asked = [each for place in [*places, *having] for each in walk(place, into_queries=False) if _is_grouping(each)]
    for each in asked:
        # so that its arguments aren't taken for keys before it's written
        grouping.replaced[id(each)] = ""
    whole = grouping.add(keys, [*places, *having], [])
    names = grouping.names
    node = ctx.steps.nodes.pop(whole.rows.step)
    of = ctx.steps.subject(node["inputs"]["in"])
    steps: dict[str, Sequence[int]] = {}
    for chosen in sets:
        params = {**node["params"], "group_keys": list(dict.fromkeys(names[i] for i in chosen))}
        if not params.get("aggs") and not params["group_keys"]:
            raise Unsayable("an empty set of groups without aggregates")
        word = "_and_".join(plain_name(names[i]) for i in chosen[:3])
        steps[ctx.steps.add("aggregate", params, node["inputs"], f"{of}_by_{word}" if word else f"{of}_in_all")] = (
            chosen
        )
    told = _free("grouping_set", ctx.steps.columns(whole.rows.step))
    union_params: dict[str, Any] = {"fill_missing": "null"} | ({"source_column": told} if asked else {})
    made = ctx.steps.add("union", union_params, {"items": list(steps)}, f"{of}_by_all_sets", of)
    replaced = dict(whole.replaced)
    for each in asked:
        replaced[id(each)] = _told(each, grouping, lens, items, steps, told)
    return Grouped(Rows(made, whole.rows.columns), replaced, list(having))


def _is_grouping(node: Node) -> bool:
    return node.get("type") == "GROUPING_FUNCTION"


def _free(name: str, there: Sequence[str]) -> str:
    while name.lower() in {column.lower() for column in there}:
        name += "_"
    return name


def _told(
    node: Node, grouping: Grouping, lens: Lens, items: Sequence[Item], steps: Mapping[str, Sequence[int]], told: str
) -> str:  # fmt: skip
    """Return GROUPING(a, b) as a number: a bit for each argument, set where the row is of a set without it."""
    exprs = [expr for expr, _ in grouping.keys]
    terms = []
    for place, argument in enumerate(reversed(node["children"])):
        expr = inlined(lens.write(argument), items)
        if expr not in exprs:
            raise Unsayable("GROUPING of what is no key")
        without = [literal(step) for step, chosen in steps.items() if exprs.index(expr) not in chosen]
        if not without:
            terms.append("0")
            continue
        terms.append(f"CASE WHEN {mark(told)} IN ({', '.join(without)}) THEN {2**place} ELSE 0 END")
    return " + ".join(reversed(terms))

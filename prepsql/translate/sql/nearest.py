"""ASOF and POSITIONAL joins: by the nearest row before or after, and by the rows' places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from prepsql.translate.sql import correlated
from prepsql.translate.sql.conditions import equality, names, parts
from prepsql.translate.sql.context import Context, number_rows
from prepsql.translate.sql.lens import column_in, mark, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.sides import INNER, OUTER, comparison, reference, sided
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From

_HOW = {"INNER": "inner", "LEFT": "left"}
_TURNED = {
    "COMPARE_GREATERTHAN": "COMPARE_LESSTHAN", "COMPARE_LESSTHAN": "COMPARE_GREATERTHAN",
    "COMPARE_GREATERTHANOREQUALTO": "COMPARE_LESSTHANOREQUALTO",
    "COMPARE_LESSTHANOREQUALTO": "COMPARE_GREATERTHANOREQUALTO",
}  # fmt: skip


def asof(given: From, left: Rows, right: Rows, node: Node, using: Sequence[str]) -> Rows:
    """Add an ASOF join: all matches, of which the nearest of each left row stays."""
    ctx = given.ctx
    if node["join_type"] not in _HOW or node.get("nearest_count", 1) != 1:
        raise Unsayable("an ASOF join other than INNER or LEFT")
    conditions, key, latest = _by_names(left, right, using) if using else _by_condition(ctx, left, right, node)
    rows, place = number_rows(ctx, left)
    needed = given.used.without(parts(node.get("condition")))
    wanted = [c for c in right.columns if needed.needs(c) and c.name.lower() not in {n.lower() for n in using}]
    ats = list(dict.fromkeys([*(c.at for c in wanted), key]))
    rows, there = correlated.beside(ctx, rows, right, _HOW[node["join_type"]], conditions, ats)
    order: dict[str, Any] = {"expr": written(mark(there[key]))}
    if latest:
        order["asc"] = False
    params = {"keys": [place], "keep": "first", "order_by": [order]}
    step = ctx.steps.add("dedup", params, {"in": rows.step}, f"nearest_{ctx.steps.subject(right.step)}")
    columns = (*left.columns, *(replace(c, at=there[c.at]) for c in wanted))
    return Rows(step, columns, left.numbers)


def _by_names(left: Rows, right: Rows, using: Sequence[str]) -> tuple[list[Node], str, bool]:
    """Return the conditions of USING: all columns are equal but the last, which is the latest one not after."""
    found, last = [], ""
    for position, name in enumerate(using):
        mine, theirs = column_in(left.find([name]) or ""), column_in(right.find([name]) or "")
        if mine is None or theirs is None:
            raise Unsayable(f"USING ({name}), which a side doesn't have")
        kind = "COMPARE_EQUAL" if position < len(using) - 1 else "COMPARE_GREATERTHANOREQUALTO"
        found.append(comparison(kind, reference(OUTER, mine), reference(INNER, theirs)))
        last = theirs
    return found, last, True


def _by_condition(ctx: Context, left: Rows, right: Rows, node: Node) -> tuple[list[Node], str, bool]:
    found, key, latest = [], "", True
    for part in parts(node.get("condition")):
        found.append(sided(part, right, left))
        if equality(part):
            continue
        kind, one, other = part.get("type"), part.get("left"), part.get("right")
        if kind not in _TURNED or key or one is None or other is None:
            raise Unsayable("an ASOF join on other than equalities and one inequality")
        if names(one, right) and not names(one, left):
            one, other, kind = other, one, _TURNED[kind]
        column = column_in(ctx.lens(right).write(other))
        if column is None:
            raise Unsayable("an ASOF join by an expression")
        key, latest = column, kind.startswith("COMPARE_GREATER")
    if not key:
        raise Unsayable("an ASOF join without an inequality")
    return found, key, latest


def positional(given: From, left: Rows, right: Rows) -> Rows:
    """Add a positional join: the first row with the first, the second with the second; the longer side stays whole."""
    from prepsql.translate.sql.matching import Sides

    ctx = given.ctx
    (left, one), (right, other) = number_rows(ctx, left, "place"), number_rows(ctx, right, "place")
    if one != other:
        step, ats, _ = project(
            ctx.steps, right.step, [Item(one, mark(other))], f"placed_{right.step}", carry=ctx.steps.columns(right.step)
        )
        right, other = right.moved(step), ats[0]
    side = Sides(ctx, left, right, "full", ((one, other),), frozenset(), given.used)
    params = {"how": "full", **side.keys(), **side.choice()}
    step = ctx.steps.add(
        "join",
        params,
        {"left": left.step, "right": right.step},
        f"{ctx.steps.subject(left.step)}_beside_{ctx.steps.subject(right.step)}",
    )
    return side.rows(step)

"""Windows that must be columns of a step of their own, before something else makes more rows."""

from __future__ import annotations

from collections.abc import Sequence

from prepsql.sqltext import free_name
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, mark, written
from prepsql.translate.sql.project import Item, inlined
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.tree import Node, walk


def computed(
    ctx: Context, rows: Rows, places: Sequence[Node], items: Sequence[Item], lens: Lens
) -> tuple[Rows, dict[int, str]]:  # fmt: skip
    """Add a project with the windows of these expressions; return the rows, and the column of each window."""
    found = [each for place in places for each in walk(place, into_queries=False) if each.get("class") == "WINDOW"]
    names: dict[str, str] = {}
    there = set(ctx.steps.columns(rows.step))
    for each in found:
        expr = written(inlined(lens.write(each), items))
        if expr not in names:
            names[expr] = free_name(each["function_name"].lower(), there)
            there.add(names[expr])
    if not names:
        return rows, {}
    compute = [{"as": name, "expr": expr} for expr, name in names.items()]
    step = ctx.steps.add("project", {"compute": compute}, {"in": rows.step}, f"computed_{ctx.steps.subject(rows.step)}")
    replaced = {id(each): mark(names[written(inlined(lens.write(each), items))]) for each in found}
    return rows.moved(step), replaced

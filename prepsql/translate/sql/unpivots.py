"""UNPIVOT: columns become rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from prepsql.sqltext import literal
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import mark, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.stars import select_list
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.describe import describe
from prepsql.workflow.families import family
from prepsql.workflow.relation import Relation


@dataclass(frozen=True)
class Entry:
    """Columns that become one row: the row's name, and which columns of the step they are."""

    name: str
    ats: tuple[str, ...]


def unpivot(ctx: Context, source: Rows, node: Node) -> Rows:
    """Add the steps of UNPIVOT; return its rows: other columns, the name, the values."""
    if len(node["pivots"]) != 1 or len(node["pivots"][0]["unpivot_names"]) != 1:
        raise Unsayable("an UNPIVOT of several names")
    name, values = node["pivots"][0]["unpivot_names"][0], list(node["unpivot_names"])
    entries = [entry for each in node["pivots"][0]["entries"] for entry in _entries(each, source)]
    gone = {at for entry in entries for at in entry.ats}
    others = [c for c in source.visible if c.at not in gone]
    if not entries or any(len(entry.ats) != len(values) for entry in entries):
        raise Unsayable("an UNPIVOT of columns of another number than names")
    if len(values) == 1:
        rows = _longer(ctx, source, others, entries, name, values[0])
    else:
        rows = _stacked(ctx, source, others, entries, name, values)
    if node.get("include_nulls"):
        return rows
    known = [written(mark(c.at)) for c in rows.columns[-len(values) :]]
    predicate = " AND ".join(f"{cell} IS NOT NULL" for cell in known)
    wanted = f"{ctx.steps.subject(rows.step)}_with_{'_and_'.join(values)}"
    return rows.moved(ctx.steps.add("filter", {"predicate": predicate}, {"in": rows.step}, wanted))


def _entries(entry: Node, source: Rows) -> list[Entry]:
    expr = entry.get("star_expr")
    if not expr:
        raise Unsayable("an UNPIVOT of values")
    alias = entry.get("alias") or expr.get("alias") or ""
    if expr.get("function_name") == "row":
        listed = select_list([argument["expression"] for argument in expr["arguments"]], source)
        ats = tuple(_at(item, source) for item in listed)
        return [Entry(alias or "_".join(item.name for item in listed), ats)]
    listed = select_list([expr], source)
    return [Entry(alias if alias and len(listed) == 1 else _own(item, source), (_at(item, source),)) for item in listed]


def _at(item: Any, source: Rows) -> str:
    if item.at:
        return str(item.at)
    if item.node is None or item.node["class"] != "COLUMN_REF":
        raise Unsayable("an UNPIVOT of expressions")
    found = source.find(item.node["column_names"])
    at = next((c.at for c in source.columns if found == mark(c.at)), None)
    if at is None:
        raise Unsayable("an UNPIVOT of what is no column")
    return at


def _own(item: Any, source: Rows) -> str:
    at = _at(item, source)
    return next(c.name for c in source.columns if c.at == at)


def _longer(
    ctx: Context, source: Rows, others: Sequence[Column], entries: Sequence[Entry], name: str, value: str
) -> Rows:  # fmt: skip
    items = [Item(c.name, mark(c.at)) for c in others] + [Item(entry.name, mark(entry.ats[0])) for entry in entries]
    kinds = [ctx.steps.types(source.step)[entry.ats[0]] for entry in entries]
    whole = _widest(kinds)
    # the step itself takes types of one family together
    alike = len({family(kind) for kind in kinds}) == 1
    casts = [
        {"col": e.name, "type": whole} for e, kind in zip(entries, kinds, strict=True) if kind != whole and not alike
    ]
    more = {"cast": casts} if casts else None
    step, ats, _ = project(ctx.steps, source.step, items, f"{ctx.steps.subject(source.step)}_renamed", more=more)
    ids, columns = ats[: len(others)], ats[len(others) :]
    params = {
        "mode": "longer", "id_cols": ids, "value_vars": columns, "names_to": name, "values_to": value,
    }  # fmt: skip
    step = ctx.steps.add("pivot", params, {"in": step}, f"{ctx.steps.subject(source.step)}_longer")
    made = [
        *(Column(c.name, "", at) for c, at in zip(others, ids, strict=True)),
        Column(name, "", name),
        Column(value, "", value),
    ]
    return Rows(step, tuple(made))


def _widest(kinds: Sequence[str]) -> str:
    kind = kinds[0]
    for other in kinds[1:]:
        if other != kind:
            parents = [Relation("one", {"x": kind}), Relation("other", {"x": other})]
            kind = describe("SELECT x FROM one UNION ALL SELECT x FROM other", parents)["x"]
    return kind


def _stacked(
    ctx: Context, source: Rows, others: Sequence[Column], entries: Sequence[Entry], name: str, values: Sequence[str]
) -> Rows:  # fmt: skip
    """Add a project for each entry, and their union."""
    steps = []
    for entry in entries:
        items = [Item(c.name, mark(c.at)) for c in others] + [Item(name, literal(entry.name))]
        items += [Item(value, mark(at)) for value, at in zip(values, entry.ats, strict=True)]
        wanted = f"{ctx.steps.subject(source.step)}_{entry.name}"
        steps.append(project(ctx.steps, source.step, items, wanted, exactly=True)[0])
    step = ctx.steps.add("union", {}, {"items": steps}, f"{ctx.steps.subject(source.step)}_longer")
    names = [*(c.name for c in others), name, *values]
    return Rows(step, tuple(Column(n, "", n) for n in names))

"""PIVOT: a column a value, filled by aggregates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from typing import TYPE_CHECKING, Any

import duckdb

from prepsql.translate.sql import asking, unpivots
from prepsql.translate.sql.aggregates import is_aggregate, measure
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, column_in, copy_of, mark, wrapped, written
from prepsql.translate.sql.project import Item, project
from prepsql.translate.sql.scope import Column, Rows
from prepsql.translate.sql.scripts import described
from prepsql.translate.sql.steps import plain_name
from prepsql.translate.sql.tree import NOWHERE, Node, children, parse_query, query_text, walk
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.translate.sql.used import Used
from prepsql.workflow.relation import Relation

if TYPE_CHECKING:
    from prepsql.translate.sql.from_ import From

_PLAIN = ("sum", "count", "min", "max", "avg", "median", "mode", "stddev", "var", "any", "all")


@dataclass(frozen=True)
class Cell:
    """One made column: its name, the condition on its rows, its aggregate, and the value where it is only one."""

    name: str
    condition: str
    aggregate: Node
    value: Any


def pivot(given: From, node: Node) -> Rows:
    """Add the steps of PIVOT or UNPIVOT; return its rows."""
    source = replace(given, used=Used(stars={""}), conditions=[]).rows(node["source"])
    ctx = given.ctx
    rule = unpivots.unpivot if node.get("unpivot_names") else _pivot
    rows = rule(ctx, source, node)
    return rows.under(node["alias"] or "", node.get("column_name_alias", []))


def _pivot(ctx: Context, source: Rows, node: Node) -> Rows:
    lens = ctx.lens(source)
    node, told = _answered(ctx, source, node, lens)
    names, groups = _names(ctx, source, node)
    cells = _cells(node, lens, names[len(groups) :])
    columns = [column_in(source.find([name]) or "") or "" for name in groups]
    rows = _as_pivot(ctx, source, node, cells, columns, lens) or _as_aggregate(ctx, source, cells, columns, lens)
    if told:
        ctx.steps.specialised[rows.step] = told
        ctx.steps.note(rows.step, told)
    return Rows(rows.step, tuple(replace(c, name=name) for c, name in zip(rows.columns, names, strict=True)))


def _answered(ctx: Context, source: Rows, node: Node, lens: Lens) -> tuple[Node, str]:
    """Return a PIVOT with the values that the data have where it names none, and what it then holds for."""
    pivots, told = [], []
    for each in node["pivots"]:
        if not asking.is_asked(each["entries"]) or len(each["pivot_expressions"]) != 1:
            pivots.append(each)
            continue
        expr = lens.write(each["pivot_expressions"][0])
        found = asking.values(ctx, source, expr)
        told.append(f"{', '.join(found[:8])}{', …' if len(found) > 8 else ''} in {written(expr)}")
        entry = each["entries"][0]
        entries = []
        for value in found:
            own = {key: part for key, part in copy_of(entry["star_expr"]).items() if key != "@"}
            own["literal"] = {**own["literal"], "text": value}
            entries.append({**entry, "star_expr": {**own, "query_location": NOWHERE, "query_location_length": 0}})
        pivots.append({**each, "entries": entries})
    return {**node, "pivots": pivots}, f"holds for inputs with {' and '.join(told)}" if told else ""


def _names(ctx: Context, source: Rows, node: Node) -> tuple[list[str], list[str]]:
    """Return the names of the result's columns, as DuckDB gives them, and those of the groups."""
    kinds = ctx.steps.types(source.step)
    relation = Relation("pivoted", {c.name: kinds[c.at] for c in source.visible})
    whole = parse_query("SELECT * FROM pivoted")
    whole["from_table"] = {**node, "source": whole["from_table"]}
    try:
        names = list(described(query_text(whole), [relation]))
    except (duckdb.Error, KeyError) as bad:
        raise Unsayable(f"a PIVOT ({' '.join(str(bad).split())[:100]})") from bad
    groups = list(node.get("groups", []))
    if not groups:
        asked = [*node["aggregates"], *(e for each in node["pivots"] for e in each["pivot_expressions"])]
        used = {
            part.lower() for one in asked for each in walk(one) if each.get("class") == "COLUMN_REF"
            for part in each["column_names"][-1:]
        }  # fmt: skip
        groups = [c.name for c in source.visible if c.name.lower() not in used]
    return names, groups


def _cells(node: Node, lens: Lens, names: Sequence[str]) -> list[Cell]:
    sides: list[list[tuple[str, Any]]] = []
    for each in node["pivots"]:
        if len(each["pivot_expressions"]) != 1 or each.get("pivot_enum") or each.get("subquery"):
            raise Unsayable("a PIVOT over several columns at once, or over a type's values")
        expr = wrapped(lens.write(each["pivot_expressions"][0]))
        entries = [entry["star_expr"] or {} for entry in each["entries"]]
        if any(entry.get("class") not in ("CONSTANT", "CAST") for entry in entries):
            raise Unsayable("a PIVOT over values that aren't constants")
        sides.append([(f"{expr} = {lens.write(entry)}", _value(entry)) for entry in entries])
    made = [(combination, aggregate) for combination in product(*sides) for aggregate in node["aggregates"]]
    if len(made) != len(names):
        raise Unsayable("a PIVOT whose columns can't be told")
    return [
        Cell(name, " AND ".join(c for c, _ in combination), aggregate, combination[0][1] if len(sides) == 1 else None)
        for name, (combination, aggregate) in zip(names, made, strict=True)
    ]


def _value(entry: Node) -> Any:
    literal = entry.get("literal", {})
    if literal.get("kind") == "STRING":
        return literal["text"]
    return int(literal["text"]) if literal.get("kind") == "INTEGER" else None


def _as_pivot(
    ctx: Context, source: Rows, node: Node, cells: Sequence[Cell], groups: Sequence[str], lens: Lens
) -> Rows | None:  # fmt: skip
    """Add a pivot step where it says the same: one column, one plain aggregate, names that are the values."""
    if len(node["pivots"]) != 1 or len(node["aggregates"]) != 1:
        return None
    column = column_in(lens.write(node["pivots"][0]["pivot_expressions"][0]))
    aggregate = node["aggregates"][0]
    if column is None or not is_aggregate(aggregate) or any(str(cell.value) != cell.name for cell in cells):
        return None
    made = measure(aggregate, lens)
    value = column_in(made.params.get("expr", ""))
    if made.after or made.params["func"] not in _PLAIN or set(made.params) - {"func", "expr"}:
        return None
    if made.params["func"] != "count" and value is None:
        return None
    params: dict[str, Any] = {"mode": "wider", "index": list(groups), "columns": column}
    if value is not None:
        params["values"] = value
    params |= {"agg": made.params["func"], "column_values": [cell.value for cell in cells]}
    step = ctx.steps.add(
        "pivot", params, {"in": source.step}, f"{ctx.steps.subject(source.step)}_by_{plain_name(column)}"
    )
    return Rows(step, tuple(Column(name, "", name) for name in ctx.steps.columns(step)))


def _as_aggregate(ctx: Context, source: Rows, cells: Sequence[Cell], groups: Sequence[str], lens: Lens) -> Rows:
    """Add an aggregate step with a filter a cell, and the project of what is made of the aggregates."""
    aggs, items = [], [Item(name, mark(name)) for name in groups]
    taken = {name.lower() for name in groups} | {cell.name.lower() for cell in cells}
    for cell in cells:
        replaced: dict[int, str] = {}
        for number, call in enumerate(_calls(cell.aggregate)):
            made = measure(call, lens)
            name = cell.name
            if call is not cell.aggregate or made.after:
                name, count = f"{made.word}_{plain_name(cell.name)}", 2
                while name.lower() in taken:
                    name, count = f"{made.word}_{plain_name(cell.name)}_{count + number}", count + 1
                taken.add(name.lower())
            terms: dict[str, Any] = {k: written(v) if k in ("expr", "filter") else v for k, v in made.params.items()}
            if "order_by" in terms:
                terms["order_by"] = [{**key, "expr": written(key["expr"])} for key in terms["order_by"]]
            own = [f"({terms['filter']})"] if "filter" in terms else []
            aggs.append({"as": name, **terms, "filter": " AND ".join([written(cell.condition), *own])})
            replaced[id(call)] = made.result(name)
        items.append(Item(cell.name, Lens(lens.text, lens.column, replaced).write(cell.aggregate)))
    params = {"group_keys": list(groups), "aggs": aggs}
    step = ctx.steps.add("aggregate", params, {"in": source.step}, f"{ctx.steps.subject(source.step)}_pivoted")
    step, ats, _ = project(ctx.steps, step, items, step)
    return Rows(step, tuple(Column(item.name, "", at) for item, at in zip(items, ats, strict=True)))


def _calls(node: Node) -> list[Node]:
    if is_aggregate(node):
        return [node]
    return [call for child in children(node) if "node" not in child for call in _calls(child)]

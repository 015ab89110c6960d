"""GROUP BY: keys and aggregates of a SELECT become an aggregate step, and what is made of them comes after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from prepsql.translate.sql.aggregates import Measure, is_aggregate, measure
from prepsql.translate.sql.conditions import has_query
from prepsql.translate.sql.context import Context
from prepsql.translate.sql.lens import Lens, column_in, mark, marked, renamed, written
from prepsql.translate.sql.project import Item, inlined, project
from prepsql.translate.sql.scope import Rows
from prepsql.translate.sql.stars import Listed
from prepsql.translate.sql.steps import plain_name
from prepsql.translate.sql.tree import Node, children, walk
from prepsql.translate.sql.unsayable import Unsayable


@dataclass
class Grouped:
    """The rows of the groups, and what nodes of the query became: keys and aggregates, by the node's identity."""

    rows: Rows
    replaced: dict[int, str]
    rest: list[Node]
    """conditions of HAVING that the aggregate step doesn't say"""


def is_grouped(node: Node, places: Sequence[Node]) -> bool:
    """Return whether a SELECT gives groups; `places` are the expressions in which an aggregate may stand."""
    if node["group_expressions"] or node["group_sets"] or node["aggregate_handling"] != "STANDARD_HANDLING":
        return True
    return bool(node["having"]) or any(is_aggregate(each) for place in places for each in _outside_queries(place))


def _outside_queries(node: Node) -> Sequence[Node]:
    return list(walk(node, into_queries=False))


def key_nodes(node: Node, listed: Sequence[Listed], rows: Rows) -> list[tuple[Node | None, str]]:
    """Return the keys of GROUP BY: each a node, or a column; an ordinal or an alias is the item that it means."""
    if node["aggregate_handling"] == "FORCE_AGGREGATES":
        return [
            (item.node, item.at) for item in listed
            if item.at or (item.node and not any(map(is_aggregate, _outside_queries(item.node))))
        ]  # fmt: skip
    found: list[tuple[Node | None, str]] = []
    for key in node["group_expressions"]:
        item = _item_meant(key, listed, rows)
        found.append((item.node, item.at) if item else (key, ""))
    return found


def _item_meant(key: Node, listed: Sequence[Listed], rows: Rows) -> Listed | None:
    if key["class"] == "CONSTANT" and key["literal"].get("kind") == "INTEGER":
        return listed[int(key["literal"]["text"]) - 1]
    if key["class"] == "COLUMN_REF" and len(key["column_names"]) == 1 and rows.find(key["column_names"]) is None:
        return next((i for i in listed if i.name.lower() == key["column_names"][0].lower()), None)
    return None


class Grouping:
    """The aggregate step of a SELECT in the making."""

    def __init__(self, ctx: Context, rows: Rows, lens: Lens, listed: Sequence[Listed], items: Sequence[Item]) -> None:
        self.ctx, self.rows, self.lens, self.listed, self.items = ctx, rows, lens, listed, items
        self.keys: list[tuple[str, str]] = []
        self.names: list[str] = []
        self.windows: list[Item] = []
        self.sets = False
        self.measures: dict[str, tuple[str, Measure]] = {}
        self.replaced: dict[int, str] = {}

    def add(self, keys: Sequence[tuple[Node | None, str]], places: Sequence[Node], having: Sequence[Node]) -> Grouped:
        """Add the aggregate step; `places` are the expressions after it, `having` conditions on it."""
        exprs = [inlined(self.lens.write(node), self.items) if node else mark(at) for node, at in keys]
        self.keys = [(expr, self._key_name(expr, i)) for i, expr in enumerate(exprs)]
        calls = [call for place in [*places, *having] for call in self._calls(place)]
        found = [(call, self._measure(call, exprs)) for call in calls]
        measures: dict[str, tuple[Measure, list[Node]]] = {}
        for call, made in found:
            measures.setdefault(repr((sorted(made.params.items(), key=str), made.after)), (made, []))[1].append(call)
        reads = [at for made, _ in measures.values() for at in _reads(made)]
        step, names, moved = self._keyed(list(dict.fromkeys(reads)))
        self.names = names
        taken = {name.lower() for name in names}
        aggs = []
        for made, nodes in measures.values():
            name = self._measure_name(made, nodes, taken)
            taken.add(name.lower())
            aggs.append({"as": name, **_written(made, moved)})
            for each in nodes:
                self.replaced[id(each)] = made.result(name)
        params: dict[str, Any] = {"group_keys": list(dict.fromkeys(names))} if names else {}
        if aggs:
            params["aggs"] = aggs
        if not params:
            raise Unsayable("groups without keys or aggregates")
        key_at = {expr: name for (expr, _), name in zip(self.keys, names, strict=True)}
        grouped = self._rows(step, key_at)
        simple = [part for part in having if not has_query(part)]
        lens = self.lens_after(grouped, key_at, [*places, *having])
        conditions = [lens.write(part) for part in simple]
        plain = [c for c in conditions if not any("list_aggregate" in c for c in conditions)]
        if conditions and len(plain) == len(conditions):
            params["having"] = " AND ".join(
                f"({written(c)})" if part["class"] == "CONJUNCTION" and len(conditions) > 1 else written(c)
                for c, part in zip(conditions, simple, strict=True)
            )
            having = [part for part in having if has_query(part)]
        of = self.ctx.steps.subject(step)
        by = "_and_".join(plain_name(name) for name in names[:2])
        wanted = f"{of}_by_{by}" if names else f"totals_of_{of}"
        made_step = self.ctx.steps.add("aggregate", params, {"in": step}, wanted, f"{of}_by_{by}" if names else of)
        return Grouped(replace(grouped, step=made_step), self.replaced, list(having))

    def lens_after(self, grouped: Rows, key_at: dict[str, str], places: Sequence[Node]) -> Lens:
        """Return what writes expressions over the groups; nodes that equal a key become it."""
        for place in places:
            self._replace_keys(place, key_at)

        def column(node: Node) -> str:
            found = self.rows.find(node["column_names"])
            if found in key_at:
                return mark(key_at[found])
            again = grouped.find(node["column_names"])
            if again is None and found is None:
                again = self._alias(node["column_names"], lens)
            if again is None:
                raise Unsayable(f"the column {'.'.join(node['column_names'])}, which is no key of the groups")
            return again

        lens = Lens(self.ctx.text, column, self.replaced)
        return lens

    def _alias(self, parts: Sequence[str], lens: Lens) -> str | None:
        """Return the item of the select list that a name means."""
        named = [item for item in self.listed if len(parts) == 1 and item.name.lower() == parts[0].lower()]
        return lens.write(named[0].node) if named and named[0].node is not None else None

    def _replace_keys(self, node: Node, key_at: dict[str, str]) -> None:
        if id(node) in self.replaced or "node" in node:
            return
        if node.get("class") and node["class"] not in ("CONSTANT", "TYPE", "STAR"):
            try:
                expr = self.lens.write(node)
            except Unsayable:
                expr = ""
            if expr in key_at:
                self.replaced[id(node)] = mark(key_at[expr])
                return
        for child in children(node):
            self._replace_keys(child, key_at)

    def _measure(self, call: Node, keys: Sequence[str]) -> Measure:
        """Return an aggregate's measure; one that no measure says is a window over the group, the same in its rows."""
        try:
            return measure(call, self.lens)
        except Unsayable:
            if self.sets or call.get("distinct") or call["order_bys"]["orders"]:
                raise
        name = f"{call['function_name'].lower()}_of_group"
        over = f" OVER (PARTITION BY {', '.join(keys)})" if keys else " OVER ()"
        self.windows.append(Item(f"{name}_{len(self.windows) + 1}", self.lens.write(call) + over))
        return Measure({"func": "first", "expr": mark(self.windows[-1].name)}, word=call["function_name"].lower())

    def _calls(self, node: Node) -> list[Node]:
        """Return the outermost aggregates of an expression, also those in windows."""
        if is_aggregate(node):
            return [node]
        return [call for child in children(node) if "node" not in child for call in self._calls(child)]

    def _key_name(self, expr: str, position: int) -> str:
        column = column_in(expr)
        for item in self.listed:
            if item.node is not None and item.alias and self._same(item.node, expr):
                return item.name
        if column is not None:
            return column
        words = plain_name(written(expr))
        return words if 0 < len(words) <= 30 else f"key_{position + 1}"

    def _same(self, node: Node, expr: str) -> bool:
        try:
            return inlined(self.lens.write(node), self.items) == expr and column_in(expr) is None
        except Unsayable:
            return False

    def _keyed(self, reads: Sequence[str]) -> tuple[str, list[str], dict[str, str]]:
        """Add the project that computes keys which are no columns; return where keys and what is read are then."""
        if all(column_in(expr) for expr, _ in self.keys) and not self.windows:
            return self.rows.step, [column_in(expr) or "" for expr, _ in self.keys], {}
        items = [Item(column_in(expr) or name, expr) for expr, name in self.keys] + self.windows
        made = {item.name for item in self.windows}
        reads = [at for at in reads if at not in made]
        wanted = f"keyed_{self.rows.step}"
        step, names, moved = project(self.ctx.steps, self.rows.step, items, wanted, carry=reads)
        return step, names[: len(self.keys)], moved

    def _measure_name(self, made: Measure, nodes: Sequence[Node], taken: set[str]) -> str:
        for item in self.listed:
            own = item.node is not None and item.alias and any(item.node is node for node in nodes)
            if own and not made.after and item.name.lower() not in taken:
                return item.name
        of = plain_name(written(made.params.get("expr", ""))) if made.params.get("expr") else ""
        name = "_".join(filter(None, [made.word, of if len(of) <= 30 else ""])) or "value"
        number, free = 2, name
        others = {item.name.lower() for item in self.listed}
        while free.lower() in taken | others:
            free, number = f"{name}_{number}", number + 1
        return free

    def _rows(self, step: str, key_at: dict[str, str]) -> Rows:
        columns = tuple(replace(c, at=key_at[mark(c.at)]) for c in self.rows.columns if mark(c.at) in key_at)
        return Rows(step, columns)


def _reads(made: Measure) -> list[str]:
    texts = [made.params.get("expr", ""), made.params.get("filter", "")]
    texts += [key["expr"] for key in made.params.get("order_by", ())]
    return [at for text in texts for at in marked(text)]


def _written(made: Measure, moved: dict[str, str]) -> dict[str, Any]:
    params = dict(made.params)
    for key in ("expr", "filter"):
        if key in params:
            params[key] = written(renamed(params[key], moved))
    if "order_by" in params:
        params["order_by"] = [{**key, "expr": written(renamed(key["expr"], moved))} for key in params["order_by"]]
    return params

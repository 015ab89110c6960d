"""Aggregate functions as measures of an aggregate step; those that it lacks as lists that are reduced afterwards."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prepsql.sqltext import literal
from prepsql.translate.sql.lens import Lens, mark
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.functions import catalogue

_SAME = {
    "sum": "sum", "count": "count", "min": "min", "max": "max", "avg": "avg", "mean": "avg", "product": "prod",
    "median": "median", "mode": "mode", "first": "first", "arbitrary": "first", "last": "last", "stddev": "stddev",
    "stddev_samp": "stddev", "var_samp": "var", "variance": "var", "bool_or": "any", "bool_and": "all", "list": "list",
    "array_agg": "list", "quantile_cont": "quantile", "string_agg": "string_agg", "listagg": "string_agg",
    "group_concat": "string_agg", "count_if": "count", "countif": "count", "any_value": "first", "arg_max": "first",
    "arg_min": "first", "max_by": "first", "min_by": "first", "argmax": "first", "argmin": "first",
}  # fmt: skip
_BY_ROWS = ("first", "last", "string_agg", "list")
_BY_OTHER = {"arg_max": False, "max_by": False, "argmax": False, "arg_min": True, "min_by": True, "argmin": True}
_WORDS = {
    "first": "first",
    "list": "list_of",
    "string_agg": "joined",
    "any": "any",
    "all": "all",
    "quantile": "quantile",
}


@dataclass(frozen=True)
class Measure:
    """A measure without its name: parameters of an aggregate step, and what is made of its column afterwards."""

    params: Mapping[str, Any]
    after: str = ""
    """an expression in which `value` stands for the measure's column; '' where nothing is made of it"""
    word: str = ""

    def result(self, column: str) -> str:
        """Return the expression for the aggregate, over the step's result."""
        return self.after.replace(mark("value"), mark(column)) if self.after else mark(column)


def is_aggregate(node: Node) -> bool:
    """Return whether a node calls an aggregate function."""
    if node.get("class") != "FUNCTION" or node.get("is_operator"):
        return False
    name = str(node["function_name"]).lower()
    return name == "count_star" or catalogue().get(name) == "aggregate"


def measure(node: Node, lens: Lens) -> Measure:
    """Return the measure of an aggregate's call; raises Unsayable where there's none."""
    name = str(node["function_name"]).lower()
    arguments = [lens.write(each["expression"]) for each in node["arguments"]]
    terms: dict[str, Any] = {}
    conditions = [lens.write(node["filter"])] if node.get("filter") else []
    orders = [order_key(each, lens) for each in node.get("order_bys", {}).get("orders", ())]
    if name == "count_star" or (name == "count" and not arguments):
        return Measure({"func": "count", **_filter(conditions)}, word="rows")
    func = _SAME.get(name)
    if func is None or (func == "quantile" and not _share(node)) or (func == "mode" and orders):
        return _reduced(name, node, arguments, conditions, orders)
    expr = arguments[0]
    if name in ("count_if", "countif"):
        return Measure({"func": "count", **_filter([*conditions, expr])}, word="rows")
    if name == "any_value":
        conditions.append(f"{expr} IS NOT NULL")
    if name in _BY_OTHER:
        if len(arguments) != 2 or orders:
            return _reduced(name, node, arguments, conditions, orders)
        conditions += [f"{expr} IS NOT NULL", f"{arguments[1]} IS NOT NULL"]
        orders = [{"expr": arguments[1], **({} if _BY_OTHER[name] else {"asc": False})}]
    elif func == "string_agg":
        terms["separator"] = _text(node["arguments"][1]["expression"]) if len(arguments) > 1 else ","
    elif func == "quantile":
        terms["q"] = _share(node)
    elif len(arguments) > 1:
        return _reduced(name, node, arguments, conditions, orders)
    if orders and func in _BY_ROWS:
        terms["order_by"] = orders
    if node.get("distinct"):
        if func == "count":
            func = "count_distinct"
        elif func not in ("min", "max", "any", "all"):
            terms["distinct"] = True
    return Measure({"func": func, "expr": expr, **terms, **_filter(conditions)}, word=_WORDS.get(func, func))


def order_key(node: Node, lens: Lens) -> dict[str, Any]:
    """Return a key of ORDER BY as steps have it."""
    return {"expr": lens.write(node["expression"]), **terms_of(node)}


def terms_of(node: Node) -> dict[str, Any]:
    """Return the direction of a key of ORDER BY, and where its nulls go."""
    key: dict[str, Any] = {}
    if node["type"] == "DESCENDING":
        key["asc"] = False
    if "FIRST" in str(node.get("null_order", "")).upper():
        key["nulls"] = "first"
    return key


def _filter(conditions: list[str]) -> dict[str, str]:
    if not conditions:
        return {}
    return {"filter": conditions[0] if len(conditions) == 1 else " AND ".join(f"({c})" for c in conditions)}


def _share(node: Node) -> float | None:
    """Return the share of a quantile, None where it isn't one number."""
    share = node["arguments"][1]["expression"] if len(node["arguments"]) == 2 else {}
    text = share.get("literal", {}).get("text", "") if share.get("class") == "CONSTANT" else ""
    try:
        return float(text)
    except ValueError:
        return None


def _text(node: Node) -> str:
    if node.get("class") != "CONSTANT" or node["literal"].get("kind") != "STRING":
        raise Unsayable("string_agg with a separator that is no constant")
    return str(node["literal"]["text"])


def _reduced(
    name: str, node: Node, arguments: list[str], conditions: list[str], orders: list[dict[str, Any]]
) -> Measure:
    """Return a list of the values, which list_aggregate reduces afterwards."""
    if not arguments or any("\x01" in extra for extra in arguments[1:]):
        raise Unsayable(f"{name} of several columns")
    terms: dict[str, Any] = {"distinct": True} if node.get("distinct") else {}
    if orders:
        terms["order_by"] = orders
    extra = "".join(f", {argument}" for argument in arguments[1:])
    after = f"list_aggregate({mark('value')}, {literal(name)}{extra})"
    return Measure({"func": "list", "expr": arguments[0], **terms, **_filter(conditions)}, after, word=name)

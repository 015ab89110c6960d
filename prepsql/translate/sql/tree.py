"""A query's tree as DuckDB's own parser gives it, each expression with the stretch of text that it was written as.

The parser says where an operator stands, not always where its operands begin and end: a stretch is that of a node and
of all below it, with the brackets that open and close in it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb

from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.engine import engine

Node = dict[str, Any]

NOWHERE = 18446744073709551615
_PAIRS = {"(": ")", "[": "]", "{": "}"}
_SPAN = "@"
_SCHEMAS = ("main", "memory", "pg_catalog", "system")
_PATH = re.compile(r'((?:"(?:[^"]|"")*"|\w+)(?:\.(?:"(?:[^"]|"")*"|\w+))*)\.\w+\s*\(')


def parse_query(text: str) -> Node:
    """Return the tree of one query, with the stretch of each expression; raises Unsayable where there is none."""
    found = engine().execute("SELECT json_serialize_sql(?::VARCHAR)", [text]).fetchall()[0][0]
    tree = json.loads(found)
    if tree["error"] or len(tree["statements"]) != 1:
        raise Unsayable(str(tree.get("error_message", "it isn't one query")).splitlines()[0])
    node: Node = tree["statements"][0]["node"]
    for each in list(walk(node)):
        _from_method(each, text.encode())
    _Stretches(text).mark(node)
    return node


def parse_expression(text: str) -> Node:
    """Return the tree of one expression, as `parse_query` does for a query."""
    node: Node = parse_query(f"SELECT {text}")["select_list"][0]
    return node


def query_text(node: Node) -> str:
    """Return a query's text, as DuckDB writes it; raises duckdb.Error."""
    tree = {"error": False, "statements": [{"node": placed(bare(node)), "named_param_map": []}]}
    text: str = engine().execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchall()[0][0]
    return text


def placed(node: Any) -> Any:
    """Return a tree with the places that the parser wants, wherever they are."""
    if isinstance(node, dict):
        made = {key: placed(value) for key, value in node.items()}
        if "class" in node:
            made.setdefault("query_location", NOWHERE)
            made.setdefault("query_location_length", 0)
        return made
    return [placed(part) for part in node] if isinstance(node, list) else node


def span(node: Node) -> tuple[int, int] | None:
    """Return where an expression's text starts and ends, None where the parser doesn't tell."""
    found: tuple[int, int] | None = node.get(_SPAN)
    return found


def bare(node: Any) -> Any:
    """Return a tree without places, for comparing."""
    if isinstance(node, dict):
        made = {k: bare(v) for k, v in node.items() if k not in (_SPAN, "query_location", "query_location_length")}
        if "written" in made:
            made["column_names"] = made.pop("written")
        return made
    return [bare(part) for part in node] if isinstance(node, list) else node


def children(node: Node) -> Iterator[Node]:
    """Yield the nodes right below a node."""
    for key, value in node.items():
        if isinstance(value, dict | list) and key not in (_SPAN, "qualified_name"):
            yield from _nodes(value)


def _nodes(value: Any) -> Iterator[Node]:
    if isinstance(value, list):
        for part in value:
            yield from _nodes(part)
    elif isinstance(value, dict):
        if "class" in value or "type" in value or "node" in value:
            yield value
        else:
            for part in value.values():
                yield from _nodes(part)


def walk(node: Node, *, into_queries: bool = True) -> Iterator[Node]:
    """Yield a node and all below it; without `into_queries` a subquery is yielded, but not what is in it."""
    yield node
    for child in children(node):
        if not into_queries and "node" in child:
            continue
        yield from walk(child, into_queries=into_queries)


def _from_method(node: Node, raw: bytes) -> None:
    """Make the first argument of a call written as a method, `title.lower()`, an argument like the others."""
    path = node.get("qualified_name", {}).get("path", []) if node.get("class") == "FUNCTION" else []
    if len(path) < 2 or path[0] in _SCHEMAS:
        return
    start = node["query_location"]
    found = _PATH.match(raw[start:].decode(errors="ignore")) if start != NOWHERE else None
    length = len(found[1].encode()) if found and found[0].count(".") == len(path) - 1 else 0
    column = {
        "class": "COLUMN_REF", "type": "COLUMN_REF", "alias": "", "query_location": start if length else NOWHERE,
        "query_location_length": length, "column_names": path[:-1],
    }  # fmt: skip
    node["arguments"] = [{**_argument(node), "expression": column}, *node["arguments"]]
    node["qualified_name"] = {**node["qualified_name"], "path": path[-1:]}
    node["schema"] = ""


def _argument(node: Node) -> Node:
    return {key: "" for key in (node["arguments"][0] if node["arguments"] else {}) if key != "expression"}


class _Stretches:
    """Finds the stretches of text of a tree's expressions."""

    def __init__(self, text: str) -> None:
        self.raw = text.encode()
        self.ascii = len(self.raw) == len(text)
        self.partner = _brackets(text, self.raw)

    def mark(self, node: Node) -> tuple[int, int] | None:
        """Give each expression below its stretch, in characters; return that of the node, in bytes."""
        start, length = node.get("query_location", NOWHERE), node.get("query_location_length", 0)
        own = (start, start + length) if start != NOWHERE and length else None
        parts = [own] if own else []
        query = "node" in node or "select_list" in node or "from_table" in node
        for child in children(node):
            below = self.mark(child)
            if below and not query:
                parts.append(below)
        if not parts:
            return None
        start, end = min(s for s, _ in parts), max(e for _, e in parts)
        if node.get("class") == "STAR" and node.get("columns"):
            opening = re.search(rb"COLUMNS\s*\(\s*$", self.raw[:start], re.IGNORECASE)
            start, end = (opening.start(), end) if opening else (start, end)
            start, end = self._balanced(start, end)
        whole = self._balanced(start, end)
        if node.get("class"):
            node[_SPAN] = tuple(map(self._character, whole))
        return whole

    def _balanced(self, start: int, end: int) -> tuple[int, int]:
        while True:
            inside = [other for at, other in self.partner.items() if start <= at < end]
            low, high = min([start, *inside]), max([end, *(at + 1 for at in inside)])
            if (low, high) == (start, end):
                return start, end
            start, end = low, high

    def _character(self, byte: int) -> int:
        return byte if self.ascii else len(self.raw[:byte].decode(errors="ignore"))


def _brackets(text: str, raw: bytes) -> dict[int, int]:
    """Return for the place of each bracket that of its partner, in bytes."""
    partner: dict[int, int] = {}
    opened: list[int] = []
    for at, kind in duckdb.tokenize(text):
        sign = raw[at : at + 1].decode(errors="ignore")
        if kind in (duckdb.token_type.string_const, duckdb.token_type.comment, duckdb.token_type.identifier):
            continue
        if sign in _PAIRS:
            opened.append(at)
        elif sign in _PAIRS.values() and opened:
            partner[at] = opened.pop()
            partner[partner[at]] = at
    return partner

"""SQL expressions as DuckDB's own parser reads them: what they call, which columns they name, where.

Nothing here runs an expression. The parser is DuckDB's, so that what is understood here is what runs.
"""

from __future__ import annotations

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from prepsql.workflow.engine import engine
from prepsql.workflow.functions import WINDOWS, catalogue
from prepsql.workflow.quoted import balanced

_HEAD = "SELECT (\n"
_KEPT = 20_000
# half of a pair in JSON's escapes: no text of SQL
_SURROGATE = re.compile("[\ud800-\udfff]")
_NO_PLACE = 18446744073709551615
_known: OrderedDict[str, Expression] = OrderedDict()
_lock = threading.Lock()


@dataclass(frozen=True)
class Expression:
    """One expression, or the reason why the text is none.

    `columns` are the column references outside lambdas' own parameters, each as its parts (`a.b` is ('a', 'b')), with
    the place in `text` where it starts and its length (-1 and 0 where the parser doesn't say it). `compared` are
    columns and calls that are compared or mixed with a constant (its kind as the parser calls it, and its text) or with
    another of them ('' and its text); `constants` are the casts of constants; a `condition` is surely true or false.
    `fault` is '' for an expression.
    """

    text: str
    fault: str = ""
    columns: tuple[tuple[tuple[str, ...], int, int], ...] = ()
    functions: tuple[str, ...] = ()
    windows: tuple[tuple[dict[str, Any], int, int], ...] = ()
    subquery: bool = False
    aggregates: tuple[str, ...] = ()
    compared: tuple[tuple[str, str, str], ...] = ()
    constants: tuple[str, ...] = ()
    condition: bool = False

    @property
    def names(self) -> frozenset[str]:
        """The first part of every column reference, in lower case."""
        return frozenset(parts[0].lower() for parts, _, _ in self.columns)


def parse(text: str) -> Expression:
    """Return the expression that `text` is; parsed once, then remembered.

    >>> parse("upper(name)").names
    frozenset({'name'})
    """
    return parse_all([text])[0]


def parse_all(texts: Sequence[str]) -> list[Expression]:
    """Return the expressions of `texts`, asking the parser once for all that are new."""
    with _lock:
        found = {text: _known[text] for text in texts if text in _known}
    found |= {text: Expression(text, "it holds half a character") for text in texts if _SURROGATE.search(text)}
    new = [text for text in dict.fromkeys(texts) if text not in found]
    if new:
        rows = (
            engine()
            .execute(
                "SELECT json_serialize_sql(q) FROM (SELECT unnest(?::VARCHAR[]) AS q)",
                [[f"{_HEAD}{text}\n)" for text in new]],
            )
            .fetchall()
        )
        fresh = {text: _read(text, json.loads(tree)) for text, (tree,) in zip(new, rows, strict=True)}
        with _lock:
            _known.update(fresh)
            while len(_known) > _KEPT:
                _known.popitem(last=False)
        found |= fresh
    return [found[text] for text in texts]


def is_type(text: str) -> bool:
    """Return whether `text` has the form of a type's name and is nothing more: it goes into casts as it stands.

    >>> is_type("DECIMAL(18, 2)"), is_type("INT); SELECT (1")
    (True, False)
    """
    query = f"{_HEAD}CAST(NULL AS {text}\n)\n)"
    tree = json.loads(engine().execute("SELECT json_serialize_sql(?::VARCHAR)", [query]).fetchall()[0][0])
    if tree["error"] or len(tree["statements"]) != 1:
        return False
    chosen = tree["statements"][0]["node"].get("select_list") or [{}]
    whole = len(query.encode()) - len(f"{_HEAD}\n)")
    return bool(chosen[0].get("class") == "CAST" and chosen[0]["query_location_length"] == whole)


def node_of(text: str) -> dict[str, Any]:
    """Return the tree of one expression, as DuckDB's parser gives it."""
    rows = engine().execute("SELECT json_serialize_sql(?::VARCHAR)", [f"{_HEAD}{text}\n)"]).fetchall()
    node: dict[str, Any] = json.loads(rows[0][0])["statements"][0]["node"]["select_list"][0]
    return node


def to_sql(node: dict[str, Any]) -> str:
    """Return the text of an expression's tree, as DuckDB writes it."""
    tree = json.loads(engine().execute("SELECT json_serialize_sql('SELECT 1')").fetchall()[0][0])
    tree["statements"][0]["node"]["select_list"] = [node]
    text: str = engine().execute("SELECT json_deserialize_sql(?::JSON)", [json.dumps(tree)]).fetchall()[0][0]
    return text.removeprefix("SELECT ")


def _read(text: str, tree: dict[str, Any]) -> Expression:
    if not text.strip():
        return Expression(text, "it is empty")
    if re.match(r"\s*(SELECT|WITH)\b", text, re.IGNORECASE):
        return Expression(text, "it is a statement")
    if tree["error"]:
        return Expression(text, _syntax(text, tree))
    statements = tree["statements"]
    node = statements[0]["node"] if statements else {}
    chosen = node.get("select_list") or []
    plain = node.get("type") == "SELECT_NODE" and node["from_table"]["type"] == "EMPTY"
    if len(statements) != 1 or not plain or len(chosen) != 1 or chosen[0].get("alias") or node.get("modifiers"):
        return Expression(text, "it is more than one expression; give one, without alias, FROM or ORDER BY")
    if chosen[0].get("function_name") == "row" and chosen[0]["query_location"] < len(_HEAD):
        return Expression(text, "it is a list of expressions; give one")
    if not balanced(text):
        return Expression(text, "a bracket closes that wasn't opened")
    found = _Found(text)
    found.walk(chosen[0], frozenset())
    return Expression(
        text,
        found.fault,
        tuple(found.columns),
        tuple(dict.fromkeys(found.functions)),
        tuple(found.windows),
        found.subquery,
        tuple(dict.fromkeys(found.aggregates)),
        tuple(dict.fromkeys(found.compared)),
        tuple(dict.fromkeys(found.constants)),
        _is_condition(chosen[0]),
    )


def _syntax(text: str, tree: dict[str, Any]) -> str:
    message = str(tree.get("error_message", "it can't be parsed")).splitlines()[0]
    place = str(tree.get("position", ""))
    if place.isdigit() and int(place) > len((_HEAD + text).encode()):
        return "it ends too early"
    return message


class _Found:
    """What one walk over a tree finds."""

    def __init__(self, text: str) -> None:
        self.text = text
        # the tree counts bytes
        raw = (_HEAD + text).encode()
        self._ascii = len(raw) == len(_HEAD) + len(text)
        self._raw = raw
        self.fault = ""
        self.columns: list[tuple[tuple[str, ...], int, int]] = []
        self.functions: list[str] = []
        self.aggregates: list[str] = []
        self.windows: list[tuple[dict[str, Any], int, int]] = []
        self.subquery = False
        self.compared: list[tuple[str, str, str]] = []
        self.constants: list[str] = []

    def place(self, node: dict[str, Any]) -> tuple[int, int]:
        start, length = node["query_location"], node["query_location_length"]
        if start == _NO_PLACE:
            return -1, 0
        if self._ascii:
            return start - len(_HEAD), length
        before = len(self._raw[:start].decode(errors="ignore"))
        inside = len(self._raw[start : start + length].decode(errors="ignore"))
        return before - len(_HEAD), inside

    def walk(self, node: Any, bound: frozenset[str], windowed: bool = False) -> None:
        if isinstance(node, list):
            for part in node:
                self.walk(part, bound)
            return
        if not isinstance(node, dict):
            return
        kind = node.get("class")
        if kind == "COLUMN_REF":
            parts = tuple(node["column_names"])
            if parts[0].lower() not in bound:
                self.columns.append((parts, *self.place(node)))
            return
        if kind == "LAMBDA":
            if node["syntax_type"] == "SINGLE_ARROW":
                self.fault = self.fault or "a lambda isn't written with ->"
            self.walk(node["expr"], bound | set(_parameters(node["lhs"])))
            return
        if kind == "SUBQUERY":
            self.subquery = True
            return
        if kind in ("STAR", "PARAMETER", "POSITIONAL_REFERENCE", "DEFAULT"):
            self.fault = self.fault or f"{_WORDS[kind]} can't be used in an expression"
            return
        if kind == "FUNCTION":
            self._call(node)
        elif kind in ("COMPARISON", "BETWEEN", "CASE") or node.get("type") in ("COMPARE_IN", "OPERATOR_COALESCE"):
            self._compare(node, bound)
        elif kind == "CAST" and node["child"]["class"] == "CONSTANT" and not node["try_cast"]:
            start, length = self.place(node)
            if start >= 0 and node["child"]["literal"]["kind"] == "STRING":
                self.constants.append(self.text[start : start + length])
        elif kind == "WINDOW":
            self.functions.append(node["function_name"].lower())
            self.windows.append((node, *self.place(node)))
        for key, part in node.items():
            if key != "type_expr" and isinstance(part, dict | list):
                self.walk(part, bound)

    def _call(self, node: dict[str, Any]) -> None:
        name = node["function_name"].lower()
        if node.get("is_operator"):
            return
        before = [part for part in node["qualified_name"]["path"][:-1] if part not in _SCHEMAS]
        if before and name in catalogue():
            # a method: what stands before the dot is the first argument
            self.columns.append((tuple(before), -1, 0))
        elif before:
            name = ".".join([*before, name])
        if name in WINDOWS:
            self.fault = self.fault or f"{name} goes over rows, and lacks its OVER (…)"
        self.functions.append(name)
        if name == "count_star" or catalogue().get(name) == "aggregate":
            self.aggregates.append(name)

    def _compare(self, node: dict[str, Any], bound: frozenset[str]) -> None:
        """Take down what is compared or mixed with a constant or with one another, outside lambdas."""
        if node["class"] == "COMPARISON":
            pairs = [(node["left"], node["right"]), (node["right"], node["left"])]
        elif node["class"] == "BETWEEN":
            pairs = [(node["input"], node["lower"]), (node["input"], node["upper"])]
        elif node["class"] == "CASE":
            branches = [*(check["then_expr"] for check in node["case_checks"]), node["else_expr"]]
            pairs = [(one, other) for one in branches for other in branches if other["class"] == "CONSTANT"]
        else:
            first, *others = node["children"]
            pairs = [(first, other) for other in others]
        for one, other in pairs:
            text = self._slice(one) if not bound else ""
            if text and other["class"] == "CONSTANT" and "text" in other["literal"]:
                self.compared.append((text, other["literal"]["kind"], other["literal"]["text"]))
            elif text and self._slice(other):
                self.compared.append((text, "", self._slice(other)))

    def _slice(self, node: dict[str, Any]) -> str:
        """Return the text of a column or a call, '' of anything else."""
        if node["class"] not in ("COLUMN_REF", "FUNCTION") or node.get("is_operator"):
            return ""
        start, length = self.place(node)
        return self.text[start : start + length] if start >= 0 else ""


_SCHEMAS = ("main", "memory", "pg_catalog", "system")
_WORDS = {
    "STAR": "* (or COLUMNS)",
    "PARAMETER": "a parameter such as $1 or ?",
    "POSITIONAL_REFERENCE": "a column by its number, such as #1,",
    "DEFAULT": "DEFAULT",
}


def _is_condition(node: dict[str, Any]) -> bool:
    known = ("OPERATOR_NOT", "OPERATOR_IS_NULL", "OPERATOR_IS_NOT_NULL", "COMPARE_IN", "COMPARE_NOT_IN")
    return node["class"] in ("COMPARISON", "CONJUNCTION", "BETWEEN") or node["type"] in known


def _parameters(lhs: dict[str, Any]) -> Iterator[str]:
    if lhs.get("class") == "COLUMN_REF":
        yield lhs["column_names"][0].lower()
    for argument in lhs.get("arguments", ()):
        yield from _parameters(argument["expression"])


def cut(text: str, parts: Iterable[tuple[int, int, str]]) -> str:
    """Return `text` with each stretch (start, length) replaced."""
    for start, length, new in sorted(parts, reverse=True):
        text = text[:start] + new + text[start + length :]
    return text


def column_of(text: str) -> str | None:
    """Return the name of the column that an expression is, None where it is more than a column's name.

    >>> column_of('"order id"'), column_of("upper(name)")
    ('order id', None)
    """
    found = parse(text)
    if len(found.columns) == 1 and not found.functions and not found.fault:
        parts, start, length = found.columns[0]
        if len(parts) == 1 and text.strip() == text[start : start + length]:
            return parts[0]
    return None

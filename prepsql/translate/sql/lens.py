"""Expressions as text with marked columns: what a query wrote, with each column's place marked for its name in a step.

A mark holds a step's column between two signs that no SQL has; `written` puts the names in.
"""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping
from typing import Any

import duckdb

from prepsql.translate.sql.tree import NOWHERE, Node, bare, children, parse_expression, placed, span
from prepsql.translate.sql.unsayable import Unsayable
from prepsql.workflow.expression import to_sql
from prepsql.workflow.reserved import column_name

_MARK = "\x01"
_MARKED = re.compile(f"{_MARK}([^{_MARK}]*){_MARK}")
_ATOM = re.compile(rf"{_MARK}[^{_MARK}]*{_MARK}|\x02\d+\x02|\w+|'[^']*'|\"[^\"]*\"")

SIGNS = {
    "COMPARE_EQUAL": "=", "COMPARE_NOTEQUAL": "<>", "COMPARE_LESSTHAN": "<", "COMPARE_GREATERTHAN": ">",
    "COMPARE_LESSTHANOREQUALTO": "<=", "COMPARE_GREATERTHANOREQUALTO": ">=",
}  # fmt: skip

Column = Callable[[Node], str | None]
"""Gives an expression for a column reference, None where it stays as it is (a lambda's own parameter)."""


def mark(column: str) -> str:
    """Return a step's column as an expression."""
    return f"{_MARK}{column}{_MARK}"


def marked(expr: str) -> list[str]:
    """Return the step's columns that an expression reads, in order of mention."""
    return list(dict.fromkeys(_MARKED.findall(expr)))


def column_in(expr: str) -> str | None:
    """Return the column that an expression is, None where it is more."""
    found = _MARKED.fullmatch(expr)
    return found[1] if found else None


def written(expr: str, names: Mapping[str, str] | None = None, step: str = "") -> str:
    """Return an expression as SQL; `names` are other names for columns, `step` stands before each."""
    before = f"{column_name(step)}." if step else ""
    return _MARKED.sub(lambda found: before + column_name((names or {}).get(found[1], found[1])), expr)


def renamed(expr: str, names: Mapping[str, str]) -> str:
    """Return an expression whose columns have other names."""
    return _MARKED.sub(lambda found: mark(names.get(found[1], found[1])), expr)


def wrapped(expr: str) -> str:
    """Return an expression that can stand inside another: in brackets, unless it needs none."""
    if _ATOM.fullmatch(expr) or (re.fullmatch(r"\w+\(.*\)", expr, re.DOTALL) and _closes_last(expr)):
        return expr
    return f"({expr})"


def _closes_last(expr: str) -> bool:
    depth = 0
    for at, sign in enumerate(expr):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign == ")":
            return at == len(expr) - 1
    return False


def parameters(lhs: Node) -> list[str]:
    """Return the names that a lambda gives to its arguments."""
    if lhs.get("class") == "COLUMN_REF":
        return [str(lhs["column_names"][0]).lower()]
    return [name for entry in lhs.get("arguments", ()) for name in parameters(entry["expression"])]


class Lens:
    """Writes expressions of one query's text, with columns as `column` says and some nodes replaced.

    `replaced` maps the identity of a node to the expression that stands for it.
    """

    def __init__(self, text: str, column: Column, replaced: Mapping[int, str] | None = None) -> None:
        self.text, self.column = text, column
        self.replaced: dict[int, str] = dict(replaced or {})

    def write(self, node: Node) -> str:
        """Return an expression; raises Unsayable where it can't be written."""
        own = self._own(node, frozenset())
        if own is not None:
            return own
        if node.get("made"):
            return self._made(node)
        place = span(node)
        if place is not None:
            cuts: dict[tuple[int, int], str] = {}
            if self._cuts(node, frozenset(), cuts):
                written_ = squeezed(_cut(self.text, place, cuts))
                if _same(squeezed(self.text[slice(*place)]), node):
                    return written_
        return self._generated(node)

    def _made(self, node: Node) -> str:
        """Return a condition that the query doesn't have as such: a comparison, or that some aren't all false."""
        if node["type"] == "NOT_FALSE":
            return f"({' AND '.join(self.write(part) for part in node['children'])}) IS NOT FALSE"
        left, right = (wrapped(self.write(node[side])) for side in ("left", "right"))
        return f"{left} {SIGNS[node['type']]} {right}"

    def _own(self, node: Node, bound: frozenset[str]) -> str | None:
        if id(node) in self.replaced:
            return self.replaced[id(node)]
        if node.get("class") == "COLUMN_REF" and str(node["column_names"][0]).lower() not in bound:
            return self.column(node)
        if "node" in node:
            raise Unsayable("a subquery inside of an expression")
        return None

    def _cuts(self, node: Node, bound: frozenset[str], cuts: dict[tuple[int, int], str]) -> bool:
        """Collect what is replaced below a node; return whether each has its place in the text."""
        if node.get("class") == "LAMBDA":
            bound |= frozenset(parameters(node["lhs"]))
        if node.get("class") == "WINDOW" and _named_window(node):
            return False
        for child in children(node):
            own = self._own(child, bound)
            if own is not None:
                place = span(child)
                if place is None or place == span(node):
                    # the parent is more than the text says: `x NOT IN (…)` is a NOT around it
                    return False
                cuts[place] = wrapped(own)
            elif not self._cuts(child, bound, cuts):
                return False
        return True

    def _generated(self, node: Node) -> str:
        """Return an expression as DuckDB writes it, columns and replaced nodes standing as marked names in it."""
        stand_ins: dict[str, str] = {}
        changed = self._stand_in(copy_of(node), node, frozenset(), stand_ins)
        try:
            text = to_sql(_without_alias(bare(changed)))
        except duckdb.Error as bad:
            raise Unsayable(f"an expression that can't be written anew ({' '.join(str(bad).split())[:80]})") from bad
        for name, expr in stand_ins.items():
            text = text.replace(name, wrapped(expr))
        return text

    def _stand_in(self, made: Any, node: Any, bound: frozenset[str], stand_ins: dict[str, str]) -> Any:
        if isinstance(node, list):
            return [self._stand_in(a, b, bound, stand_ins) for a, b in zip(made, node, strict=True)]
        if not isinstance(node, dict):
            return made
        if node.get("class") == "LAMBDA":
            bound |= frozenset(parameters(node["lhs"]))
        own = self._own(node, bound) if "class" in node or "node" in node else None
        if own is not None:
            name = f"zz_stand_in_{len(stand_ins)}_zz"
            stand_ins[name] = own
            return _reference(name, str(node.get("alias", "")))
        return {key: self._stand_in(made[key], value, bound, stand_ins) for key, value in node.items()}


def copy_of(node: Node) -> Node:
    """Return a tree of its own."""
    return copy.deepcopy(node)


def _reference(name: str, alias: str) -> Node:
    return {
        "class": "COLUMN_REF", "type": "COLUMN_REF", "alias": alias, "query_location": NOWHERE,
        "query_location_length": 0, "column_names": [name],
    }  # fmt: skip


def _without_alias(node: Node) -> Node:
    made = placed(node)
    return {**made, "alias": ""}


def _named_window(node: Node) -> bool:
    """Return whether a window's parts stand elsewhere, where WINDOW gives them a name."""
    start, length = node["query_location"], node["query_location_length"]
    parts = [*node["partitions"], *(key["expression"] for key in node["orders"])]
    return any(not start <= part["query_location"] < start + length for part in parts if part["query_location_length"])


def _cut(text: str, place: tuple[int, int], cuts: Mapping[tuple[int, int], str]) -> str:
    start, end = place
    made = text[start:end]
    inner = [(s, e, new) for (s, e), new in cuts.items() if start <= s and e <= end]
    outermost = [c for c in inner if not any(o != c and o[0] <= c[0] and c[1] <= o[1] for o in inner)]
    for s, e, new in sorted(outermost, reverse=True):
        made = made[: s - start] + new + made[e - start :]
    return made


def _same(text: str, node: Node) -> bool:
    """Return whether a stretch of text is the node, read on its own."""
    try:
        return bool(_plain(parse_expression(f"({text})")) == _plain(node))
    except Unsayable:
        return False


def _plain(node: Node) -> Any:
    return {**bare(node), "alias": ""}


def squeezed(text: str) -> str:
    """Return a text without comments, on one line, blanks between words single; texts in quotes stay as they are."""
    if "\n" not in text and "--" not in text and "/*" not in text and "  " not in text:
        return text
    raw = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [*(start for start, _ in tokens[1:]), len(raw)]
    made, apart = "", False
    for (start, kind), end in zip(tokens, ends, strict=True):
        word = raw[start:end].decode()
        if kind == duckdb.token_type.comment:
            apart = True
            continue
        if apart and made and made[-1] not in "([" and word[0] not in ")],":
            made += " "
        made += word.rstrip()
        apart = word != word.rstrip()
    return made

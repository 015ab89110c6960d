"""Conditions in text: `df.query("x > 2 and name == @who")`."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import attached
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.translate import translate_expression
from prepsql.workflow.pandas_text.value import Value

_GIVEN = "given_"


def condition(hooks: Any, frame: FrameSymbol, text: str) -> Value:
    """Return a condition in text over the columns of a table; `@name` is a plain value of the program."""
    found = _expression(hooks, frame, text, True)
    return Value(found.sql, "boolean", found.nullable)


def _expression(hooks: Any, frame: FrameSymbol, text: str, predicate: bool) -> Value:
    """Return an expression in text: columns, levels of the index and `@name`."""
    if frame.index and any(level.name is None for level in frame.index) and re.search(r"\bindex\b", text):
        raise NotTranslatable("query by the index")
    values = {str(level.name): level.value for level in frame.index if level.name is not None}
    values |= {str(label): value for label, value in frame.columns.items()}
    text, quoted = _without_backticks(text, values)
    try:
        tree = ast.parse(re.sub(r"@(?=[A-Za-z_])", _GIVEN, text.strip()), mode="eval")
    except SyntaxError:
        raise NotTranslatable("a query that isn't a Python expression") from None
    names = hooks.activations[-1].before.get(hooks.activations[-1].at, {}) if hooks.activations else {}
    for name, value in names.items():
        if isinstance(scalar := hooks.symbol(value), ScalarSymbol) and re.search(rf"@{name}\b", text):
            quoted[f"{_GIVEN}{name}"] = attached(frame.rows, scalar)
    rewritten = ast.unparse(ast.fix_missing_locations(_Plain(hooks, names, quoted).visit(tree)))
    values |= quoted
    free = {node.id for node in ast.walk(ast.parse(rewritten)) if isinstance(node, ast.Name)}
    if free - set(values):
        raise NotTranslatable(f"query by {', '.join(sorted(free - set(values)))}")
    windowed = {name: value for name, value in values.items() if name in free}
    for name, value in windowed.items():
        values[name] = frame.rows.define(name, value) if has_window(value.sql) else value
    found = translate_expression(rewritten, values, predicate=predicate)
    return Value(found.sql, found.family, found.nullable)


def _without_backticks(text: str, values: dict[str, Value]) -> tuple[str, dict[str, Value]]:
    """Return a text in which plain names stand for those in backticks, and what these are."""
    found: dict[str, Value] = {}

    def put(match: re.Match[str]) -> str:
        if match[1] not in values:
            raise NotTranslatable(f"query by {match[1]}")
        name = f"quoted_{len(found)}"
        found[name] = values[match[1]]
        return name

    return re.sub(r"`([^`]+)`", put, text), found


def evaluated(hooks: Any, result: Any, frame: FrameSymbol, expr: str, engine: Any = None) -> Symbol:
    """`df.eval(…)`: columns more, one a line, or a column."""
    lines = [line.strip() for line in expr.strip().splitlines() if line.strip()]
    for line in lines:
        target = re.match(r"(\w+)\s*=(?!=)\s*(.+)", line)
        if target is None:
            if len(lines) > 1 or not isinstance(result, pd.Series):
                raise NotTranslatable("eval of this")
            value = frame.rows.define("value", _expression(hooks, frame, line, False))
            return SeriesSymbol(frame.rows, value, result.name, frame.index, frame.fresh)
        value = frame.rows.define(target[1], _expression(hooks, frame, target[2], False))
        frame = frame.with_columns({**frame.columns, target[1]: value})
    return frame


def _truth(node: ast.AST) -> bool:
    """Return whether a part of a query is a condition by its form."""
    if isinstance(node, ast.BinOp):
        return isinstance(node.op, ast.BitAnd | ast.BitOr)
    return isinstance(node, ast.Compare | ast.Call | ast.UnaryOp | ast.Name)


class _Plain(ast.NodeTransformer):
    """Writes and, or, not and in as pandas' operators and methods."""

    def __init__(self, hooks: Any, names: dict[str, Any], known: Mapping[str, Value]) -> None:
        self.hooks, self.names, self.known = hooks, names, known

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """`a and b` → `a & b`."""
        self.generic_visit(node)
        sign = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        made = node.values[0]
        for value in node.values[1:]:
            made = ast.BinOp(made, sign, value)
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """`not a` → `~a`."""
        self.generic_visit(node)
        return ast.UnaryOp(ast.Invert(), node.operand) if isinstance(node.op, ast.Not) else node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """`a == b & c` is `(a == b) & c` there, which Python reads otherwise."""
        self.generic_visit(node)
        if isinstance(node.op, ast.BitAnd | ast.BitOr) and not all(map(_truth, (node.left, node.right))):
            raise NotTranslatable("a query with & or | beside a comparison without parentheses")
        return node

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """`a in b` → `a.isin(b)`; a chain becomes a conjunction."""
        self.generic_visit(node)
        left, made = node.left, None
        for sign, right in zip(node.ops, node.comparators, strict=True):
            one: ast.expr = ast.Compare(left, [sign], [right])
            if isinstance(sign, ast.In | ast.NotIn) or isinstance(right, ast.List | ast.Tuple):
                one = ast.Call(ast.Attribute(left, "isin", ast.Load()), [right], [])
                one = ast.UnaryOp(ast.Invert(), one) if isinstance(sign, ast.NotIn | ast.NotEq) else one
            made = one if made is None else ast.BinOp(made, ast.BitAnd(), one)
            left = right
        assert made is not None
        return made

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """`@name` → the value, if it is plain."""
        if not node.id.startswith(_GIVEN) or node.id in self.known:
            return node
        value = self.names.get(node.id.removeprefix(_GIVEN), ...)
        plain = isinstance(value, str | int | float | bool | list | tuple | set)
        if not plain or self.hooks.symbol(value) is not None or self.hooks.derived.of_data(self.hooks, value):
            raise NotTranslatable(f"query by {node.id}")
        return ast.parse(repr(list(value) if isinstance(value, set) else value), mode="eval").body

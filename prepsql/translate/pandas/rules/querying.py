"""Conditions in text: `df.query("x > 2 and name == @who")`."""

from __future__ import annotations

import ast
import re
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.workflow.pandas_text.translate import translate_expression
from prepsql.workflow.pandas_text.value import Value

_GIVEN = "given_"


def condition(hooks: Any, frame: FrameSymbol, text: str) -> Value:
    """Return a condition in text over the columns of a table; `@name` is a plain value of the program."""
    if "`" in text:
        raise NotTranslatable("query with names in backticks")
    try:
        tree = ast.parse(re.sub(r"@(?=[A-Za-z_])", _GIVEN, text.strip()), mode="eval")
    except SyntaxError:
        raise NotTranslatable("a query that isn't a Python expression") from None
    names = hooks.activations[-1].before.get(hooks.activations[-1].at, {}) if hooks.activations else {}
    rewritten = ast.unparse(ast.fix_missing_locations(_Plain(names).visit(tree)))
    values = {str(label): value for label, value in frame.columns.items()}
    free = {node.id for node in ast.walk(ast.parse(rewritten)) if isinstance(node, ast.Name)}
    if free - set(values):
        raise NotTranslatable(f"query by {', '.join(sorted(free - set(values)))}")
    found = translate_expression(rewritten, values, predicate=True)
    return Value(found.sql, "boolean", found.nullable)


class _Plain(ast.NodeTransformer):
    """Writes and, or, not and in as pandas' operators and methods."""

    def __init__(self, names: dict[str, Any]) -> None:
        self.names = names

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
        if not node.id.startswith(_GIVEN):
            return node
        value = self.names.get(node.id.removeprefix(_GIVEN), ...)
        if not isinstance(value, str | int | float | bool | list | tuple | set):
            raise NotTranslatable(f"query by {node.id}")
        return ast.parse(repr(list(value) if isinstance(value, set) else value), mode="eval").body

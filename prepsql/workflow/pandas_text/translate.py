"""pandas expression text → SQL: the walk over its syntax tree. The text is parsed and never run."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.calls import attribute, call, subscript
from prepsql.workflow.pandas_text.columns import choose
from prepsql.workflow.pandas_text.fstrings import format_value
from prepsql.workflow.pandas_text.functions import CONSTANTS
from prepsql.workflow.pandas_text.scope import Scope, Table
from prepsql.workflow.pandas_text.value import (
    Family,
    Frame,
    Function,
    Items,
    Name,
    Pairs,
    Row,
    Thing,
    Value,
    column,
    constant,
)
from prepsql.workflow.reserved import column_name

_DEEPEST = 60


@dataclass(frozen=True)
class Translated:
    """A SQL expression of one row of the table, or (aggregate) of a group of rows; NaN of pandas is null in it."""

    sql: str
    family: Family
    nullable: bool

    def to_dict(self) -> dict[str, object]:
        """Return the fields as JSON has them."""
        return {"sql": self.sql, "family": self.family, "nullable": self.nullable}


def translate_expression(
    text: str,
    columns: Mapping[str, Family | Value],
    *,
    order: str = "",
    predicate: bool = False,
    aggregate: bool = False,
    others: Mapping[str, Table] | None = None,
) -> Translated:
    """Return pandas expression text over the table `df` (or `row`, or bare column names) as a SQL expression.

    `columns` gives the type family of each column: a column that isn't there is of unknown type. `order` is the SQL
    of the rows' own order for windows, empty where the workflow adds it. `predicate`: the result decides on rows, a
    null counts as false. `aggregate`: reductions stand for a group of rows. `others` are tables of other names. Raises
    NotTranslatable where pandas' meaning isn't certain.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval").body
    except (SyntaxError, ValueError, RecursionError) as wrong:
        raise NotTranslatable(f"{text!r} is not one Python expression: {wrong}") from None
    known = {name: _column_value(name, kind) for name, kind in columns.items()}
    scope = Scope(Table(known), order, aggregate, others or {})
    result = column(_Walk(scope, {}).thing(tree))
    if predicate and result.family not in ("boolean", "unknown"):
        raise NotTranslatable(f"a condition of {result.family}")
    result = result if predicate else result.exact()
    if result.family in ("period", "span"):
        raise NotTranslatable(f"a column of {result.family}")
    return Translated(result.sql, result.family, result.nullable)


def _column_value(name: str, kind: Family | Value) -> Value:
    return kind if isinstance(kind, Value) else Value(column_name(name), kind)


class _Walk:
    def __init__(self, scope: Scope, names: Mapping[str, Thing], depth: int = 0) -> None:
        self.scope, self.names, self.depth = scope, names, depth

    def thing(self, node: ast.expr) -> Thing:
        """Return what a node stands for."""
        rule = _NODES.get(type(node))
        if rule is None:
            raise NotTranslatable(f"{ast.unparse(node)}: {type(node).__name__}")
        self.depth += 1
        if self.depth > _DEEPEST:
            raise NotTranslatable("an expression nested too deeply")
        try:
            return rule(self, node)
        finally:
            self.depth -= 1

    def condition(self, node: ast.expr) -> Value:
        """Return the condition of if, and, or, not: a cell's, for a column has no one truth."""
        value = column(self.thing(node))
        if not value.cell or value.family != "boolean":
            raise NotTranslatable(f"the truth of {ast.unparse(node)}")
        return value

    def _constant(self, node: ast.Constant) -> Thing:
        if isinstance(node.value, str | int | float | bool | None):
            return constant(node.value)
        raise NotTranslatable(f"the constant {node.value!r}")

    def _name(self, node: ast.Name) -> Thing:
        if node.id in self.names:
            return self.names[node.id]
        if node.id in self.scope.others:
            return Frame(other=node.id)
        if node.id == "df":
            return Frame()
        if node.id in self.scope.columns:
            return self.scope.column(node.id)
        return Row() if node.id in ("row", "r") else Name(node.id)

    def _attribute(self, node: ast.Attribute) -> Thing:
        base = self.thing(node.value)
        if isinstance(base, Name):
            path = f"{base.path}.{node.attr}"
            return CONSTANTS.get(path) or Name(path)
        return attribute(self.scope, base, node.attr)

    def _subscript(self, node: ast.Subscript) -> Thing:
        base = self.thing(node.value)
        if isinstance(node.slice, ast.Slice):
            bounds = (node.slice.lower, node.slice.upper, node.slice.step)
            return subscript(self.scope, base, tuple(None if b is None else self.thing(b) for b in bounds))
        return subscript(self.scope, base, self.thing(node.slice))

    def _call(self, node: ast.Call) -> Thing:
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise NotTranslatable("a call with * or **")
        arguments = [self.thing(a) for a in node.args]
        named = {str(k.arg): self.thing(k.value) for k in node.keywords}
        if isinstance(node.func, ast.Attribute):
            base = self.thing(node.func.value)
            if not isinstance(base, Name):
                return call(self.scope, base, node.func.attr, arguments, named)
        function = self.thing(node.func)
        if not isinstance(function, Name):
            raise NotTranslatable(f"a call of {ast.unparse(node.func)}")
        return call(self.scope, function, "", arguments, named)

    def _binary(self, node: ast.BinOp) -> Thing:
        left, right = self.thing(node.left), self.thing(node.right)
        return operators.binary(node.op, left, right)

    def _unary(self, node: ast.UnaryOp) -> Thing:
        value = self.condition(node.operand) if isinstance(node.op, ast.Not) else column(self.thing(node.operand))
        return operators.unary(node.op, value)

    def _compare(self, node: ast.Compare) -> Thing:
        things = [self.thing(n) for n in (node.left, *node.comparators)]
        tests = [operators.compare(o, a, b) for o, a, b in zip(node.ops, things, things[1:], strict=False)]
        if len(tests) > 1 and not all(test.cell for test in tests):
            raise NotTranslatable("a chain of comparisons of columns")
        return operators.both("x AND y", tests) if len(tests) > 1 else tests[0]

    def _bool(self, node: ast.BoolOp) -> Thing:
        values = [self.condition(value) for value in node.values]
        return operators.both("x AND y" if isinstance(node.op, ast.And) else "x OR y", values)

    def _if(self, node: ast.IfExp) -> Thing:
        return choose(self.condition(node.test), column(self.thing(node.body)), column(self.thing(node.orelse)))

    def _items(self, node: ast.List | ast.Tuple | ast.Set) -> Thing:
        return Items(tuple(self.thing(element) for element in node.elts))

    def _pairs(self, node: ast.Dict) -> Thing:
        pairs = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise NotTranslatable("a dict with **")
            pairs.append((column(self.thing(key)), column(self.thing(value))))
        return Pairs(tuple(pairs))

    def _fstring(self, node: ast.JoinedStr) -> Thing:
        joined: Value | None = None
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                piece = format_value(column(self.thing(part.value)), part.conversion, part.format_spec)
            else:
                piece = column(self.thing(part))
            joined = piece if joined is None else operators.add(joined, piece)
        return constant("") if joined is None else joined

    def _lambda(self, node: ast.Lambda) -> Thing:
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.defaults or arguments.kwonlyargs:
            raise NotTranslatable("a lambda with other parameters than plain ones")
        parameters = tuple(a.arg for a in arguments.args)

        def body(given: dict[str, Thing]) -> Thing:
            return _Walk(self.scope, {**self.names, **given}, self.depth).thing(node.body)

        return Function(parameters, body)


_NODES: dict[type[ast.expr], Callable[[_Walk, Any], Thing]] = {
    ast.Constant: _Walk._constant, ast.Name: _Walk._name, ast.Attribute: _Walk._attribute,
    ast.Subscript: _Walk._subscript, ast.Call: _Walk._call, ast.BinOp: _Walk._binary, ast.UnaryOp: _Walk._unary,
    ast.Compare: _Walk._compare, ast.BoolOp: _Walk._bool, ast.IfExp: _Walk._if, ast.List: _Walk._items,
    ast.Tuple: _Walk._items, ast.Set: _Walk._items, ast.Dict: _Walk._pairs, ast.JoinedStr: _Walk._fstring,
    ast.Lambda: _Walk._lambda,
}  # fmt: skip

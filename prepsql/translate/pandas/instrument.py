"""A program whose calls, attributes, subscripts, operators and stores go through hooks."""

from __future__ import annotations

import ast
import copy
from typing import TypeVar

from prepsql.translate.pandas.names import RETURNED

HOOKS = "__hooks"
"""The name under which the instrumented program finds its hooks."""
_Node = TypeVar("_Node", bound=ast.AST)


def instrument(program: str) -> ast.Module:
    """Return the syntax tree of the program with hooks in it; raises SyntaxError.

    Every hook gets the line first. Functions and loop bodies say after each statement what their names stand for, so
    that a table can be traced to the statement that made it.
    """
    tree = _Instrumenter().visit(ast.parse(program))
    return ast.fix_missing_locations(tree)


def _hook(node: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
    line = ast.Constant(getattr(node, "lineno", 0))
    function = ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load())
    return ast.Call(function, [line, *arguments], [])


def _like(node: ast.AST, new: _Node) -> _Node:
    return ast.copy_location(new, node)


class _Instrumenter(ast.NodeTransformer):
    def visit_Call(self, node: ast.Call) -> ast.AST:
        """f(a, b=c) → hooks.call(line, f, a, b=c); x.f(a) → hooks.method(line, x, 'f', a)."""
        if isinstance(node.func, ast.Name) and node.func.id in ("super", "locals", "globals", "vars"):
            return node
        arguments = [self.visit(argument) for argument in node.args]
        keywords = [self.visit(keyword) for keyword in node.keywords]
        if isinstance(node.func, ast.Attribute):
            made = _hook(node, "method", self.visit(node.func.value), ast.Constant(node.func.attr), *arguments)
        else:
            made = _hook(node, "call", self.visit(node.func), *arguments)
        made.keywords = keywords
        return _like(node, made)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        """x.a → hooks.attribute(line, x, 'a')."""
        value = self.visit(node.value)
        if not isinstance(node.ctx, ast.Load):
            return _like(node, ast.Attribute(value, node.attr, node.ctx))
        return _like(node, _hook(node, "attribute", value, ast.Constant(node.attr)))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """x[k] → hooks.item(line, x, k)."""
        value, key = self.visit(node.value), self._key(node.slice)
        if not isinstance(node.ctx, ast.Load):
            return _like(node, ast.Subscript(value, key, node.ctx))
        return _like(node, _hook(node, "item", value, key))

    def _key(self, node: ast.expr) -> ast.expr:
        """Return a subscript as an expression: a slice becomes a call of slice."""
        if isinstance(node, ast.Slice):
            bounds = [
                self.visit(bound) if bound else ast.Constant(None) for bound in (node.lower, node.upper, node.step)
            ]
            return ast.Call(ast.Name("slice", ast.Load()), bounds, [])
        if isinstance(node, ast.Tuple):
            return ast.Tuple([self._key(element) for element in node.elts], ast.Load())
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """x + y → hooks.binary(line, 'Add', x, y)."""
        operator = ast.Constant(type(node.op).__name__)
        return _like(node, _hook(node, "binary", operator, self.visit(node.left), self.visit(node.right)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """~x → hooks.unary(line, 'Invert', x)."""
        return _like(node, _hook(node, "unary", ast.Constant(type(node.op).__name__), self.visit(node.operand)))

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """x < y → hooks.compare(line, 'Lt', x, y); a chain becomes an and, whose middle is looked at once."""
        if len(node.ops) == 1:
            operator = ast.Constant(type(node.ops[0]).__name__)
            return _like(node, _hook(node, "compare", operator, self.visit(node.left), self.visit(node.comparators[0])))
        names = [f"__compared_{node.lineno}_{node.col_offset}_{at}" for at in range(1, len(node.ops))]
        tests, left = [], self.visit(node.left)
        for at, (operator, right) in enumerate(zip(node.ops, node.comparators, strict=True)):
            value = self.visit(right)
            if at < len(names):
                value = ast.NamedExpr(ast.Name(names[at], ast.Store()), value)
            tests.append(_hook(node, "compare", ast.Constant(type(operator).__name__), left, value))
            if at < len(names):
                left = ast.Name(names[at], ast.Load())
        return _like(node, ast.BoolOp(ast.And(), tests))

    def visit_JoinedStr(self, node: ast.JoinedStr) -> ast.AST:
        """f'{x:.2f} a' → hooks.format(line, (x, conversion, spec), 'a')."""
        parts: list[ast.expr] = []
        for value in node.values:
            if isinstance(value, ast.FormattedValue):
                spec = self.visit(value.format_spec) if value.format_spec else ast.Constant("")
                parts.append(ast.Tuple([self.visit(value.value), ast.Constant(value.conversion), spec], ast.Load()))
            else:
                parts.append(value)
        return _like(node, _hook(node, "format", *parts))

    def visit_Assign(self, node: ast.Assign) -> ast.AST | list[ast.stmt]:
        """x[k] = v → hooks.set_item(line, x, k, v); x.a = v → hooks.set_attribute(line, x, 'a', v)."""
        value = self.visit(node.value)
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Subscript | ast.Attribute):
            return _like(node, ast.Expr(self._store(node.targets[0], value)))
        if not any(isinstance(one, ast.Subscript | ast.Attribute) for target in node.targets for one in ast.walk(target)):
            node.value, node.targets = value, [self.visit(target) for target in node.targets]
            return node
        return self._several(node, value)

    def _several(self, node: ast.Assign, value: ast.expr) -> list[ast.stmt]:
        """x[k], y = v → first, y = v, then the stores, each by its hook."""
        if len(node.targets) > 1:
            names = [f"__assigned_{node.lineno}_{node.col_offset}"]
            made: list[ast.stmt] = [_like(node, ast.Assign([ast.Name(names[0], ast.Store())], value))]
            for target in node.targets:
                found = self.visit_Assign(_like(node, ast.Assign([target], ast.Name(names[0], ast.Load()))))
                made += found if isinstance(found, list) else [found]  # type: ignore[list-item]
            return made
        stores: list[ast.stmt] = []

        def plain(target: ast.expr) -> ast.expr:
            if isinstance(target, ast.Tuple | ast.List):
                return type(target)([plain(one) for one in target.elts], ast.Store())
            if isinstance(target, ast.Starred):
                return ast.Starred(plain(target.value), ast.Store())
            if not isinstance(target, ast.Subscript | ast.Attribute):
                return target
            name = f"__assigned_{target.lineno}_{target.col_offset}"
            stores.append(_like(node, ast.Expr(self._store(target, ast.Name(name, ast.Load())))))
            return ast.Name(name, ast.Store())

        first = _like(node, ast.Assign([plain(node.targets[0])], value))
        return [first, *stores]

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        """x += v → x = hooks.binary(line, 'Add', x, v)."""
        operator = ast.Constant(type(node.op).__name__)
        target, value = copy.deepcopy(node.target), self.visit(node.value)
        if isinstance(target, ast.Name):
            current = ast.Name(target.id, ast.Load())
            return _like(node, ast.Assign([target], _hook(node, "augmented", operator, current, value)))
        read = copy.deepcopy(node.target)
        read.ctx = ast.Load()
        changed = _hook(node, "binary", operator, self.visit(read), value)
        return _like(node, ast.Expr(self._store(target, changed)))

    def _store(self, target: ast.Subscript | ast.Attribute, value: ast.expr) -> ast.Call:
        if isinstance(target, ast.Subscript):
            return _hook(target, "set_item", self.visit(target.value), self._key(target.slice), value)
        return _hook(target, "set_attribute", self.visit(target.value), ast.Constant(target.attr), value)

    def visit_Delete(self, node: ast.Delete) -> ast.AST | list[ast.AST]:
        """del x[k] → hooks.delete_item(line, x, k)."""
        made: list[ast.AST] = []
        for target in node.targets:
            if isinstance(target, ast.Subscript):
                call = _hook(target, "delete_item", self.visit(target.value), self._key(target.slice))
                made.append(_like(node, ast.Expr(call)))
            else:
                made.append(_like(node, ast.Delete([self.visit(target)])))
        return made

    def visit_Try(self, node: ast.Try) -> ast.AST:
        """Say that a failure has a meaning inside the body."""
        self.generic_visit(node)
        node.body = [_like(node, ast.With([ast.withitem(_hook(node, "trying"), None)], node.body))]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Run the body in an activation of its own, and tell what names stand for after each statement."""
        node.args.defaults = [self.visit(default) for default in node.args.defaults]
        node.args.kw_defaults = [default and self.visit(default) for default in node.args.kw_defaults]
        body = _told(self, node.body)
        entered = ast.withitem(_hook(node, "activation", ast.Constant(node.name), _locals()), None)
        node.body = [_like(node, ast.With([entered], body))]
        node.returns = None
        for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
            # the annotation of solve says what it is given
            argument.annotation = argument.annotation if node.name == "solve" else None
        return node


def _told(instrumenter: _Instrumenter, body: list[ast.stmt]) -> list[ast.stmt]:
    """Return the statements of a body, with what the names stand for told before and after each."""
    told: list[ast.stmt] = []
    for number, statement in enumerate(body):
        told.append(_like(statement, ast.Expr(_hook(statement, "begin", ast.Constant(number), _locals()))))
        ended = _like(statement, ast.Expr(_hook(statement, "end", ast.Constant(number), _locals())))
        if isinstance(statement, ast.Return):
            value = instrumenter.visit(statement.value) if statement.value else ast.Constant(None)
            told.append(_like(statement, ast.Assign([ast.Name(RETURNED, ast.Store())], value)))
            told += [ended, _like(statement, ast.Return(ast.Name(RETURNED, ast.Load())))]
            continue
        found = instrumenter.visit(statement)
        told += found if isinstance(found, list) else [found]
        if not isinstance(statement, ast.Raise):
            told.append(ended)
    return told


def _locals() -> ast.Call:
    return ast.Call(ast.Name("locals", ast.Load()), [], [])

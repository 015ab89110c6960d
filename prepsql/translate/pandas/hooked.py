"""The pieces of syntax that call hooks."""

from __future__ import annotations

import ast
from typing import TypeVar

HOOKS = "__hooks__"
"""The name under which the instrumented program finds its hooks."""
Node = TypeVar("Node", bound=ast.AST)


def hook(node: ast.AST, name: str, *arguments: ast.expr) -> ast.Call:
    """Return a call of a hook, which gets the line first."""
    line = ast.Constant(getattr(node, "lineno", 0))
    function = ast.Attribute(ast.Name(HOOKS, ast.Load()), name, ast.Load())
    return ast.Call(function, [line, *arguments], [])


def like(node: ast.AST, new: Node) -> Node:
    """Return a new node in the place of another."""
    return ast.copy_location(new, node)


def bound_names() -> ast.Call:
    """Return a call of locals()."""
    return ast.Call(ast.Name("locals", ast.Load()), [], [])


def listed(names: list[str]) -> ast.List:
    """Return a list of names as texts."""
    return ast.List([ast.Constant(one) for one in names], ast.Load())

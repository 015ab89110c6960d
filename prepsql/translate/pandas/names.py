"""Which names a piece of a program reads, and which it binds or whose things it changes."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

RETURNED = "returned_"
"""The name under which the instrumented program keeps what a function returns."""
# methods that change what they are called on
CHANGING = {"append", "extend", "insert", "update", "add", "pop", "remove", "setdefault", "clear", "sort",
             "discard", "appendleft", "popleft", "popitem", "reverse", "extendleft", "rotate"}  # fmt: skip
_HARMLESS = {"print"}
_Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
_Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def read(node: ast.AST) -> set[str]:
    """Return the names that a piece of code reads from outside it; those of a function's own are left out."""
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Store) else {node.id}
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
        return _read_by(node)
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        bound = set().union(*(stored(part.target) for part in node.generators))
        return _of_all(ast.iter_child_nodes(node)) - bound
    return _of_all(ast.iter_child_nodes(node))


def _of_all(nodes: Iterable[ast.AST]) -> set[str]:
    return set().union(*(read(node) for node in nodes))


def _read_by(node: _Function) -> set[str]:
    given = node.args
    outside = [*given.defaults, *(one for one in given.kw_defaults if one)]
    arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
    own = {one.arg for one in arguments if one}
    body = [node.body] if isinstance(node, ast.Lambda) else node.body
    shared: set[str] = set()
    for statement in body:
        own |= stored(statement)
        shared |= {name for one in ast.walk(statement) if isinstance(one, ast.Global | ast.Nonlocal)
                   for name in one.names}  # fmt: skip
    outside += [] if isinstance(node, ast.Lambda) else node.decorator_list
    return (_of_all(body) - (own - shared)) | _of_all(outside)


def stored(node: ast.AST) -> set[str]:
    """Return the names that a piece of code binds in its own scope."""
    if isinstance(node, ast.Name):
        return {node.id} if isinstance(node.ctx, ast.Store | ast.Del) else set()
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Import | ast.ImportFrom):
        return {(one.asname or one.name).partition(".")[0] for one in node.names}
    if isinstance(node, ast.ExceptHandler) and node.name:
        return {node.name} | _stored_in(node)
    if isinstance(node, ast.Lambda):
        return set()
    if isinstance(node, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
        return {one.target.id for one in ast.walk(node) if isinstance(one, ast.NamedExpr)}
    return _stored_in(node)


def _stored_in(node: ast.AST) -> set[str]:
    return set().union(*(stored(child) for child in ast.iter_child_nodes(node)))


def root(node: ast.expr) -> set[str]:
    """Return the name that an expression is a part of, none where it is of none."""
    while isinstance(node, ast.Subscript | ast.Attribute | ast.Call):
        node = node.func if isinstance(node, ast.Call) else node.value
    return {node.id} if isinstance(node, ast.Name) else set()


@dataclass(frozen=True)
class Changes:
    """What a function of the program changes beyond its own names: parameters by place, and names outside it."""

    parameters: tuple[str, ...]
    changed: frozenset[str]
    outside: frozenset[str]


def changes(function: ast.FunctionDef) -> Changes:
    """Return what a function changes."""
    given = function.args
    parameters = tuple(one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs))
    touched = set().union(*(changed(statement, {}) for statement in function.body))
    own = set().union(*(stored(statement) for statement in function.body))
    shared = {name for one in ast.walk(function) if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names}
    outside = (touched - own - set(parameters)) | shared
    return Changes(parameters, frozenset(touched & set(parameters)), frozenset(outside))


def written(statement: ast.stmt, functions: Mapping[str, Changes] | None = None) -> set[str]:
    """Return the names that a statement binds or whose things it changes."""
    if isinstance(statement, ast.FunctionDef | ast.ClassDef):
        return {statement.name}
    if isinstance(statement, ast.Return):
        return {RETURNED}
    return stored(statement) | changed(statement, functions or {})


def changed(node: ast.AST, functions: Mapping[str, Changes]) -> set[str]:
    """Return the names whose things a piece of code changes in place."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Lambda):
        return set()
    names = set().union(*(changed(child, functions) for child in ast.iter_child_nodes(node)))
    if isinstance(node, ast.For) and names & stored(node.target):
        # what a loop changes is in what it goes over
        names |= read(node.iter)
    if isinstance(node, ast.Subscript | ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
        names |= root(node)
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        # a call whose result nobody takes is there for what it changes
        function = node.value.func
        known = isinstance(function, ast.Name) and (function.id in _HARMLESS or function.id in functions)
        if isinstance(function, ast.Attribute):
            names |= root(function)
            known = function.attr in CHANGING
        if not known:
            names |= set().union(*(root(one) for one in node.value.args))
    elif isinstance(node, ast.Call):
        names |= _changed_by(node, functions)
    return names


def _changed_by(node: ast.Call, functions: Mapping[str, Changes]) -> set[str]:
    if any(one.arg == "inplace" for one in node.keywords):
        return root(node.func)
    if isinstance(node.func, ast.Attribute) and node.func.attr in CHANGING:
        return root(node.func)
    known = functions.get(node.func.id) if isinstance(node.func, ast.Name) else None
    if known is None:
        return set()
    names = set(known.outside)
    for place, one in enumerate(node.args):
        if place < len(known.parameters) and known.parameters[place] in known.changed:
            names |= root(one)
    for keyword in node.keywords:
        if keyword.arg in known.changed:
            names |= root(keyword.value)
    return names


def defines(statement: ast.stmt) -> set[str]:
    """Return the names that a statement binds whatever they were before."""
    if isinstance(statement, ast.Return):
        return {RETURNED}
    if isinstance(statement, ast.FunctionDef):
        return {statement.name}
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return stored(statement)
    if isinstance(statement, ast.With):
        return set().union(*(stored(item.optional_vars) for item in statement.items if item.optional_vars))
    if not isinstance(statement, ast.Assign | ast.AnnAssign) or statement.value is None:
        return set()
    targets = statement.targets if isinstance(statement, ast.Assign) else [statement.target]
    return set().union(*(stored(target) for target in targets)) - read(statement.value)

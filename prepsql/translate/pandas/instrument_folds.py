"""A loop of a function that may go over the pieces of a cell: its body as a function of a piece and of its names."""

from __future__ import annotations

import ast
import copy

from prepsql.translate.pandas.hooked import bound_names, hook, listed
from prepsql.translate.pandas.names import CHANGING, stored

# what speaks of the function that it stands in
_OF_FUNCTION = frozenset({"super", "locals", "globals", "vars", "__class__"})


def names_of(loop: ast.For, own: set[str]) -> list[str] | None:
    """Return the names that a loop's body binds, or of those of its function whose things it changes; its own last.

    None where the body can't be a function.
    """
    if any(
        isinstance(one, ast.Yield | ast.YieldFrom | ast.Global | ast.Nonlocal | ast.FunctionDef | ast.With
                   | ast.Delete | ast.Import | ast.ImportFrom | ast.NamedExpr)
        for one in ast.walk(loop)
    ):  # fmt: skip
        return None
    bound = {name for one in loop.body for name in stored(one)}
    found: set[str] = set()
    for one in ast.walk(loop):
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute) and one.func.attr in CHANGING:
            found |= {one.func.value.id} if isinstance(one.func.value, ast.Name) else set()
        if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load) and isinstance(one.value, ast.Name):
            found.add(one.value.id)
    found = bound | found & own
    if not bound | stored(loop.target) <= own or _of_function(loop):
        return None
    return [*sorted(found - stored(loop.target) - {name for name in found if name.startswith("__")}),
            *sorted(stored(loop.target))]  # fmt: skip


def step_of(loop: ast.For, name: str, names: list[str]) -> ast.FunctionDef:
    """Return the body of a loop as a function that returns how it ends, what it returns, and its names' things."""
    loop = copy.deepcopy(loop)
    body = _Ends(names).all(loop.body)
    given = ast.arguments([], [ast.arg("__item"), *map(ast.arg, names)], None, [], [], None, [])
    taken = ast.Assign([loop.target], ast.Name("__item", ast.Load()))
    return ast.FunctionDef(name, given, [taken, *body, _ending("next", None, names)], [], None)


def _ending(kind: str, value: ast.expr | None, names: list[str]) -> ast.Return:
    things: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
    return ast.Return(ast.Tuple([ast.Constant(kind), value or ast.Constant(None), *things], ast.Load()))


class _Ends(ast.NodeTransformer):
    """Makes `continue`, `break` and `return` of a loop returns of a function."""

    def __init__(self, names: list[str]) -> None:
        self.names = names
        self.inner = 0

    def all(self, body: list[ast.stmt]) -> list[ast.stmt]:
        """Change the statements of a body."""
        return [self.visit(one) for one in body]

    def visit_For(self, node: ast.For) -> ast.AST:
        """Leave `continue` and `break` of a loop inside alone."""
        self.inner += 1
        self.generic_visit(node)
        self.inner -= 1
        return node

    visit_While = visit_For  # type: ignore[assignment]  # noqa: N815

    def visit_Continue(self, node: ast.Continue) -> ast.AST:
        """Go on with the next piece."""
        return node if self.inner else ast.copy_location(_ending("next", None, self.names), node)

    def visit_Break(self, node: ast.Break) -> ast.AST:
        """End the loop."""
        return node if self.inner else ast.copy_location(_ending("break", None, self.names), node)

    def visit_Return(self, node: ast.Return) -> ast.AST:
        """End the loop and the function around it."""
        return ast.copy_location(_ending("return", node.value, self.names), node)


def _of_function(node: ast.AST) -> bool:
    return any(isinstance(one, ast.Name) and one.id in _OF_FUNCTION for one in ast.walk(node))


def joined_names(node: ast.If, own: set[str]) -> list[str] | None:
    """Return the names that an `if` binds, or to whose lists it appends, None where it does more than that."""
    names: set[str] = set()
    waiting: list[ast.stmt] = [node]
    while waiting:
        one = waiting.pop()
        if isinstance(one, ast.If):
            waiting += [*one.body, *one.orelse]
        elif (isinstance(one, ast.Assign) and all(_is_names(target) for target in one.targets)) or (
            isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name)
        ):
            names |= stored(one)
        elif isinstance(one, ast.Assign | ast.AugAssign) and (owner := _cell_owner(one)) in own:
            names.add(owner)
        elif isinstance(one, ast.Expr) and (appended := _appended(one.value)) in own:
            names.add(appended)
        elif not isinstance(one, ast.Pass):
            return None
    if any(isinstance(one, ast.NamedExpr | ast.Await | ast.Yield) for one in ast.walk(node)) or not names:
        return None
    if not names <= own or _of_function(node):
        return None
    return sorted(names)


def _cell_owner(node: ast.Assign | ast.AugAssign) -> str:
    """Return the name in whose thing something is stored under a key that is written out, '' where it is no such."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    if len(targets) != 1 or not isinstance(targets[0], ast.Subscript) or not isinstance(targets[0].value, ast.Name):
        return ""
    return targets[0].value.id if isinstance(targets[0].slice, ast.Constant) else ""


def _appended(node: ast.expr) -> str:
    """Return the name to whose thing an expression appends, '' where it is no such."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or len(node.args) != 1:
        return ""
    if node.func.attr != "append" or not isinstance(node.func.value, ast.Name) or node.keywords:
        return ""
    return node.func.value.id


def _is_names(target: ast.expr) -> bool:
    elements = target.elts if isinstance(target, ast.Tuple) else [target]
    return all(isinstance(one, ast.Name) for one in elements)


def branch_of(body: list[ast.stmt], name: str, names: list[str]) -> ast.FunctionDef:
    """Return a branch of an `if` as a function of the names it may bind, which returns them."""
    given = ast.arguments([], [*map(ast.arg, names)], None, [], [], None, [])
    things: list[ast.expr] = [ast.Name(one, ast.Load()) for one in names]
    return ast.FunctionDef(name, given, [*body, ast.Return(ast.Tuple(things, ast.Load()))], [], None)


def folded(
    node: ast.For, name: str, step: ast.FunctionDef, names: list[str], carried: list[str], otherwise: list[ast.stmt]
) -> list[ast.stmt]:
    """Return the statements for a loop over the pieces of a cell, `name`, whose body is a function."""
    given = [ast.Name(one, ast.Load()) for one in (name, step.name)]
    run = hook(node, "folded", *given, listed(names), listed(carried), bound_names())
    ended = f"{name}_ended"
    after = ast.Tuple([ast.Name(one, ast.Store()) for one in (ended, *names)], ast.Store())
    made: list[ast.stmt] = [step, ast.Assign([after], run)]
    returned = ast.Subscript(ast.Name(ended, ast.Load()), ast.Constant(0), ast.Load())
    if any(isinstance(one, ast.Return) for part in node.body for one in ast.walk(part)):
        made.append(ast.If(ast.Name(ended, ast.Load()), [ast.Return(returned)], []))
    if otherwise:
        through = ast.Compare(ast.Name(ended, ast.Load()), [ast.Is()], [ast.Constant(None)])
        made.append(ast.If(through, otherwise, []))
    return made


def joined(
    node: ast.If, test: ast.expr, then: ast.FunctionDef, other: ast.FunctionDef, names: list[str]
) -> list[ast.stmt]:
    """Return the statements for an `if` that only binds names, whose branches are functions."""
    ways = [ast.Name(one.name, ast.Load()) for one in (then, other)]
    taken = ast.Tuple([ast.Name(one, ast.Store()) for one in names], ast.Store())
    made: list[ast.stmt] = [
        then, other, ast.Assign([taken], hook(node, "joined", test, *ways, listed(names), bound_names()))
    ]  # fmt: skip
    for one in names:
        unbound = hook(node, "unbound", ast.Name(one, ast.Load()))
        made.append(ast.If(unbound, [ast.Delete([ast.Name(one, ast.Del())])], []))
    return made

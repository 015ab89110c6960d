"""A loop in two: what functions give for each row alone is made before, and taken by the loop."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator
from dataclasses import dataclass

from prepsql.translate.pandas.names import stored
from prepsql.translate.pandas.slices import Program

MADE = "made_"
"""The list of what the functions give, by row."""
_ROW = "row_"
_STEERING = ast.Continue | ast.Break | ast.Return | ast.Raise
# what may run or not, or more than once
_INNER = ast.Lambda | ast.IfExp | ast.BoolOp | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(frozen=True)
class InTwo:
    """The statement that makes the list, and the loop that takes it."""

    first: ast.stmt
    loop: ast.For


def in_two(program: Program, loop: ast.stmt) -> InTwo | None:
    """Return a loop in two, None where its body begins with no call that each row alone decides."""
    if not isinstance(loop, ast.For):
        return None
    calls: dict[str, ast.Call] = {}
    own = stored(loop.target)
    changed: set[str] = set()
    for statement in loop.body:
        if any(isinstance(node, _STEERING) for node in ast.walk(statement)):
            break
        if isinstance(statement, ast.Assign):
            for call in _calls(statement.value):
                if _is_plain(program, call, own - changed):
                    calls.setdefault(ast.dump(call), call)
        changed |= stored(statement)
    if not calls:
        return None
    listed = ast.ListComp(
        ast.List([copy.deepcopy(call) for call in calls.values()], ast.Load()),
        [ast.comprehension(copy.deepcopy(loop.target), copy.deepcopy(loop.iter), [], 0)],
    )
    second = _Taking(list(calls)).visit(copy.deepcopy(loop))
    second.target = ast.Tuple([second.target, ast.Name(_ROW, ast.Store())], ast.Store())
    second.iter = ast.Call(ast.Name("zip", ast.Load()), [second.iter, ast.Name(MADE, ast.Load())], [])
    first = ast.copy_location(ast.Assign([ast.Name(MADE, ast.Store())], listed), loop)
    return InTwo(ast.fix_missing_locations(first), ast.fix_missing_locations(second))


def _calls(node: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls that always happen, once, where an expression is computed."""
    if isinstance(node, _INNER):
        return
    if isinstance(node, ast.Call):
        yield node
    for child in ast.iter_child_nodes(node):
        yield from _calls(child)


def _is_plain(program: Program, call: ast.Call, own: set[str]) -> bool:
    """Return whether a function of the program is called that changes nothing, on parts of a row and constants."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    known = program.changes.get(name)
    if known is None or known.changed or known.outside or name not in program.top:
        return False
    return all(_of_row(one, own) for one in [*call.args, *(keyword.value for keyword in call.keywords)])


def _of_row(node: ast.expr, own: set[str]) -> bool:
    if isinstance(node, ast.Constant):
        return True
    while isinstance(node, ast.Attribute) or (isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant)):
        node = node.value
    return isinstance(node, ast.Name) and node.id in own


class _Taking(ast.NodeTransformer):
    """Puts what was made before in the place of calls."""

    def __init__(self, calls: list[str]) -> None:
        self.calls = calls

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Take what was made."""
        if (text := ast.dump(node)) in self.calls:
            place = ast.Constant(self.calls.index(text))
            return ast.copy_location(ast.Subscript(ast.Name(_ROW, ast.Load()), place, ast.Load()), node)
        return self.generic_visit(node)

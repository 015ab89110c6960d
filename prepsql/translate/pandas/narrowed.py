"""A compound statement with only what matters for some of the names that it writes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Mapping, Sequence

from prepsql.translate.pandas.names import CHANGING, Changes, changed, read, root, stored, written

_COMPOUND = ast.For | ast.While | ast.If | ast.With | ast.Try
# statements that decide which others run
_STEERING = ast.Continue | ast.Break | ast.Return | ast.Raise | ast.Assert | ast.Global | ast.Nonlocal


def narrowed(statement: ast.stmt, wanted: set[str], functions: Mapping[str, Changes]) -> ast.stmt:
    """Return a statement without the parts of its bodies that no wanted name depends on, as it is where all matter.

    A part stays that binds a needed name, changes a thing that a needed name may stand for, or steers the others.
    """
    if not isinstance(statement, _COMPOUND):
        return statement
    parts = [part for part in _parts(statement) if not isinstance(part, _COMPOUND)]
    held = _Held([statement, *parts])
    needed = {*wanted, *_heads(statement)}
    kept: set[int] = set()
    while True:
        reached = held.by(needed)
        more = [
            part for part in parts
            if id(part) not in kept and (
                isinstance(part, _STEERING)
                or written(part, functions) & needed
                or _reaches(part, functions, held, reached)
            )
        ]  # fmt: skip
        if not more:
            break
        kept |= {id(part) for part in more}
        needed = needed.union(*map(read, more), *(changed(part, functions) for part in more))
    if len(kept) == len(parts):
        return statement
    return _without(statement, kept) or statement


def _reaches(part: ast.stmt, functions: Mapping[str, Changes], held: _Held, reached: set[str]) -> bool:
    """Return whether a statement changes a thing that is reached, or a part of one."""
    plain = _plainly(part)
    deeper = changed(part, functions) - plain
    return bool(plain & reached) or bool(deeper and held.by(deeper) & reached)


def _plainly(part: ast.stmt) -> set[str]:
    """Return the names whose own things a statement changes, and nothing inside them: x.append(…), x[k] = …."""
    nodes = [node for node in ast.walk(part) if isinstance(node, ast.Subscript | ast.Attribute)]
    called = {id(node.func): node for node in ast.walk(part) if isinstance(node, ast.Call)}
    changing = [
        node for node in nodes
        if isinstance(node.ctx, ast.Store | ast.Del)
        or (isinstance(node, ast.Attribute) and id(node) in called and node.attr in CHANGING)
    ]  # fmt: skip
    plain = [node for node in changing if isinstance(node.value, ast.Name)]
    inside = [node for node in changing if not isinstance(node.value, ast.Name)]
    return set().union(*map(root, plain)) - set().union(*map(root, inside))


def _parts(statement: ast.stmt) -> Iterator[ast.stmt]:
    """Yield the statements inside a compound one, at any depth."""
    for body in _bodies(statement):
        for part in body:
            yield part
            if isinstance(part, _COMPOUND):
                yield from _parts(part)


def _bodies(statement: ast.stmt) -> list[list[ast.stmt]]:
    handlers = [handler.body for handler in getattr(statement, "handlers", [])]
    return [*(getattr(statement, name, []) for name in ("body", "orelse", "finalbody")), *handlers]


def _heads(statement: ast.stmt) -> set[str]:
    """Return the names that decide how often and whether the parts of a statement run."""
    found: set[str] = set()
    for one in [statement, *(part for part in _parts(statement) if isinstance(part, _COMPOUND))]:
        inside = {id(part) for body in _bodies(one) for part in body}
        found = found.union(*(read(child) for child in ast.iter_child_nodes(one) if id(child) not in inside
                              and not isinstance(child, ast.ExceptHandler)))  # fmt: skip
    return found


class _Held:
    """Which names may stand for a thing that another name stands for or holds."""

    def __init__(self, parts: Sequence[ast.stmt]) -> None:
        self._holds: dict[str, set[str]] = {}
        # the cells of a table's row are no things that could be changed
        rows = set().union(*(stored(part.target) for part in parts if isinstance(part, ast.For) and _over_rows(part)))
        for part in parts:
            for holder, one in _holding(part):
                if not {holder, one} & rows:
                    self._holds.setdefault(holder, set()).add(one)

    def by(self, names: set[str]) -> set[str]:
        """Return names and all that they hold, at any depth."""
        found, waiting = set(names), list(names)
        while waiting:
            more = self._holds.get(waiting.pop(), set()) - found
            found |= more
            waiting += more
        return found


def _holding(part: ast.stmt) -> Iterator[tuple[str, str]]:
    """Yield a name and one whose thing it may hold, as a statement makes it."""
    if isinstance(part, ast.For):
        yield from _both(stored(part.target), _held(part.iter))
    if isinstance(part, _COMPOUND):
        return
    for node in ast.walk(part):
        if isinstance(node, ast.Assign):
            held = _held(node.value)
            for target in node.targets:
                if isinstance(target, ast.Subscript | ast.Attribute):
                    yield from ((name, one) for name in root(target) for one in held)
                elif isinstance(node.value, ast.Dict | ast.List | ast.Set | ast.Tuple):
                    yield from ((name, one) for name in stored(target) for one in held)
                else:
                    yield from _both(stored(target), held)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            given = set().union(*map(_held, node.args))
            yield from ((name, one) for name in root(node.func) for one in given)


def _over_rows(loop: ast.For) -> bool:
    called = loop.iter.func if isinstance(loop.iter, ast.Call) else None
    return isinstance(called, ast.Attribute) and called.attr in ("iterrows", "itertuples")


def _both(names: set[str], others: set[str]) -> Iterator[tuple[str, str]]:
    for name in names:
        for other in others:
            yield name, other
            yield other, name


def _held(value: ast.expr) -> set[str]:
    """Return the names of things that a value is, is a part of, or holds."""
    if isinstance(value, ast.Name | ast.Subscript | ast.Attribute):
        return root(value)
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
        return root(value) | set().union(*map(_held, value.args))
    if isinstance(value, ast.Tuple | ast.List | ast.Set):
        return set().union(*map(_held, value.elts))
    if isinstance(value, ast.Dict):
        return set().union(*map(_held, value.values))
    if isinstance(value, ast.IfExp):
        return _held(value.body) | _held(value.orelse)
    if isinstance(value, ast.BoolOp):
        return set().union(*map(_held, value.values))
    return set()


def _without(statement: ast.stmt, kept: set[int]) -> ast.stmt | None:
    """Return a statement with those of its parts that are kept, None where none is."""
    if not isinstance(statement, _COMPOUND):
        return statement if id(statement) in kept else None
    made = copy.copy(statement)
    left = 0
    for name in ("body", "orelse", "finalbody"):
        body = getattr(statement, name, None)
        if body:
            parts = [part for part in (_without(one, kept) for one in body) if part is not None]
            left += len(parts)
            setattr(made, name, parts or ([ast.Pass()] if name == "body" else []))
    if isinstance(made, ast.Try):
        made.handlers = [copy.copy(handler) for handler in made.handlers]
        for handler in made.handlers:
            parts = [part for part in (_without(one, kept) for one in handler.body) if part is not None]
            left += len(parts)
            handler.body = parts or [ast.Pass()]
    return made if left else None

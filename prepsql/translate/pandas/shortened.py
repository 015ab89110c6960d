"""Functions with short names for what is theirs alone, where a script would be too long otherwise."""

from __future__ import annotations

import ast
import builtins
import copy
import re
from collections.abc import Iterator, Sequence
from itertools import count
from string import ascii_lowercase

from prepsql.translate.pandas.names import read, stored, written


def shortened(
    top: Sequence[ast.stmt], statements: Sequence[ast.stmt], taken: set[str]
) -> tuple[list[ast.stmt], list[ast.stmt]]:
    """Return what stands at the top and the statements after it with names of one or two letters.

    What is asked for by keyword, what comes from outside and `taken` keep their names.
    """
    every = [*top, *statements]
    known = {node.id for one in every for node in ast.walk(one) if isinstance(node, ast.Name)}
    known |= {node.arg for one in every for node in ast.walk(one) if isinstance(node, ast.arg)}
    shared = set().union(*(stored(one) for one in every if not isinstance(one, ast.Import | ast.ImportFrom)))
    shared -= {*taken, *vars(builtins), *_inner(every), *_in_texts(every)}
    renaming = _Renaming(shared, known | taken | set(vars(builtins)))
    renamed = [renaming.visit(copy.deepcopy(one)) for one in every]
    keywords = {node.arg for one in every for node in ast.walk(one) if isinstance(node, ast.keyword)}
    made = []
    for one in renamed:
        if isinstance(one, ast.FunctionDef):
            kept = {name for name in (*keywords, *taken, *read(one), *vars(builtins), one.name) if name}
            made.append(_Renaming(_own(one) - kept, kept).visit(one))
        else:
            made.append(one)
    return made[: len(top)], made[len(top) :]


def _inner(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the names that functions, classes and comprehensions bind for themselves, and those of handlers."""
    found: set[str] = set()
    for node in (node for one in statements for node in ast.walk(one)):
        if isinstance(node, ast.arg):
            found.add(node.arg)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, ast.comprehension):
            found |= stored(node.target)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            found |= set(node.names)
        elif isinstance(node, ast.FunctionDef | ast.ClassDef):
            found = found.union(*map(stored, node.body))
        elif isinstance(node, ast.Import | ast.ImportFrom):
            found |= stored(node)
    return found


def _in_texts(statements: Sequence[ast.stmt]) -> set[str]:
    """Return the names that texts such as those of query speak of."""
    texts = (node.value for one in statements for node in ast.walk(one) if isinstance(node, ast.Constant))
    return {name for text in texts if isinstance(text, str) for name in re.findall(r"@(\w+)", text)}


def _own(function: ast.FunctionDef) -> set[str]:
    names = {node.arg for node in ast.walk(function) if isinstance(node, ast.arg)}
    names |= {node.id for node in ast.walk(function) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    shared = {name for node in ast.walk(function) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names}
    inner = {node.name for node in ast.walk(function) if isinstance(node, ast.FunctionDef | ast.ClassDef)}
    bound = set().union(*(written(one) for one in function.body if isinstance(one, ast.Import | ast.ImportFrom)))
    handlers = {node.name for node in ast.walk(function) if isinstance(node, ast.ExceptHandler) and node.name}
    return names - shared - inner - bound - handlers


def _letters() -> Iterator[str]:
    yield from ascii_lowercase
    for number in count():
        yield from (f"{letter}{number}" for letter in ascii_lowercase)


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: set[str], kept: set[str]) -> None:
        single = {name for name in names if len(name) == 1}
        free = (one for one in _letters() if one not in kept | single)
        self.names = {name: name if name in single else next(free) for name in sorted(names)}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Rename."""
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Rename."""
        self.generic_visit(node)
        node.name = self.names.get(node.name, node.name)
        return node

    def visit_arg(self, node: ast.arg) -> ast.AST:
        """Rename."""
        return ast.copy_location(ast.arg(self.names.get(node.arg, node.arg)), node)


_COMPOUND = ("if ", "elif ", "else:", "for ", "while ", "with ", "try:", "except", "finally:", "def ", "class ", "@")


def squeezed(text: str) -> str:
    """Return code with one statement's bodies behind the colon, and simple statements side by side."""
    made: list[str] = []
    for line in filter(str.strip, text.split("\n")):
        depth = len(line) - len(line.lstrip(" "))
        last = made[-1] if made else ""
        simple = not line.lstrip().startswith(_COMPOUND)
        if made and simple and depth and depth == _depth(last) and not last.lstrip().startswith(_COMPOUND):
            made[-1] = f"{last}; {line.lstrip()}"
        else:
            made.append(line)
    joined: list[str] = []
    for line, after in zip(made, [*made[1:], ""], strict=True):
        last = joined[-1] if joined else ""
        headed = last.endswith(":") and last.lstrip().startswith(_COMPOUND) and not last.lstrip().startswith("class ")
        alone = not line.lstrip().startswith(_COMPOUND) and _depth(after) <= _depth(last)
        if headed and alone and _depth(line) == _depth(last) + 1:
            joined[-1] = f"{last} {line.lstrip()}"
        else:
            joined.append(line)
    return "\n".join(joined)


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(" "))

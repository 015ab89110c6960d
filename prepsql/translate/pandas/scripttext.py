"""The text of a script: statements without what only readers need, indented by one space."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from prepsql.translate.pandas.names import RETURNED, read

MODULES = {"pd": "import pandas as pd", "np": "import numpy as np"}


def code(
    top: Sequence[ast.stmt], statements: Sequence[ast.stmt], parameter: str, prelude: Sequence[str],
    loads: Sequence[Sequence[str]], result: str, last_lines: Sequence[str] = (),
) -> str:  # fmt: skip
    """Return the code of a script that runs the statements, each after the lines that load its tables."""
    used = set().union(*(read(_plain(one)) for one in top))
    body = list(prelude)
    for statement, lines in zip(statements, loads, strict=True):
        body += lines
        if isinstance(statement, ast.Return) and statement.value is not None:
            body.append(f"{RETURNED} = {ast.unparse(statement.value)}")
        else:
            body.append(text(statement))
    body += [*last_lines, f"return {result}"]
    last = re.fullmatch(rf"{RETURNED} = (.*)", body[-2], re.DOTALL)
    if last and result.startswith(RETURNED) and "\n" not in last[1]:
        inner = last[1] if re.fullmatch(r"[\w.]+(\(.*\))?", last[1]) and result != RETURNED else f"({last[1]})"
        inner = last[1] if result == RETURNED else inner
        body[-2:] = [f"return {inner}{result.removeprefix(RETURNED)}"]
    lines = "\n".join(body).split("\n")
    head = [line for name, line in MODULES.items() if name in used]
    return "\n".join([*head, *map(text, top), f"def transform({parameter}, pd, np):", *(f" {line}" for line in lines)])


@lru_cache(maxsize=2000)
def text(statement: ast.stmt) -> str:
    """Return a statement without docstrings and annotations, indented by one space."""
    lines = ast.unparse(ast.fix_missing_locations(_plain(statement))).split("\n")
    return "\n".join(re.sub(r"^( {4})+", lambda found: " " * (len(found[0]) // 4), line) for line in lines)


@lru_cache(maxsize=2000)
def _plain(statement: ast.stmt) -> ast.stmt:
    """Return a statement without docstrings and annotations."""
    made = _Bare().visit(copy.deepcopy(statement))
    assert isinstance(made, ast.stmt)
    return made


class _Bare(ast.NodeTransformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> Any:
        """Leave out the docstring and the annotation."""
        self.generic_visit(node)
        first = node.body[0]
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and isinstance(first.value.value, str):
            node.body = node.body[1:] or [ast.Pass()]
        node.returns = None
        return node

    def visit_arg(self, node: ast.arg) -> Any:
        """Leave out the annotation."""
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        """Leave out the annotation."""
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

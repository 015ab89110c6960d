"""pandas text of a flow before it is translated: bare column names, and code for a script step."""

from __future__ import annotations

import ast
import builtins

from prepsql.errors import ConfigError

_KNOWN = {"df", "left", "right", "pd", "np", "math", "re", "row", "r", "pandas", "numpy"}
_FUNCTIONS = {*dir(builtins), "timedelta"}


class _Columns(ast.NodeTransformer):
    """Writes `df['x']` for a bare name that is nothing else; `id` and `len` are functions only in a call."""

    def __init__(self) -> None:
        self.bound: set[str] = set()

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        before = set(self.bound)
        self.bound |= {a.arg for a in node.args.args}
        node.body = self.visit(node.body)
        self.bound = before
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        def part(given: ast.expr) -> ast.expr:
            is_function = isinstance(given, ast.Name) and given.id in _FUNCTIONS
            return given if is_function else self.visit(given)

        node.func = part(node.func)
        node.args = list(map(part, node.args))
        for keyword in node.keywords:
            keyword.value = part(keyword.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in _KNOWN or node.id in self.bound:
            return node
        return ast.Subscript(ast.Name("df", ast.Load()), ast.Constant(node.id), ast.Load())


def qualified(text: str, script: bool = False) -> str:
    """Return pandas text in which every bare column name is `df['name']`.

    A lambda of one row that stands alone, or text that speaks of `row`, is applied to the table's rows; in a `script`
    by pandas, otherwise the translator takes it as it is.
    """
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, RecursionError):
        raise ConfigError(f"{text[:80]!r} is not one Python expression") from None
    if any(isinstance(node, ast.NamedExpr | ast.comprehension) for node in ast.walk(tree)):
        return text.strip()
    try:
        body = ast.fix_missing_locations(_Columns().visit(tree)).body
        written = ast.unparse(body)
    except RecursionError:
        raise ConfigError(f"{text[:80]!r} is nested too deeply") from None
    if isinstance(body, ast.Lambda):
        return f"df.apply({written}, axis=1)"
    names = {node.id for node in ast.walk(body) if isinstance(node, ast.Name)}
    if script and "df" not in names and (row := names & {"row", "r"}):
        return f"df.apply(lambda {row.pop()}: {written}, axis=1)"
    return written


def script_code(lines: str, text: str) -> str:
    """Return the code of a script step that runs `lines` on df."""
    imports = "".join(f"    import {module}\n" for module in ("math", "re") if f"{module}." in text)
    ends = "" if lines.lstrip().startswith("return") else "\n    return df"
    return f"def transform(df, pd, np):\n{imports}{lines}{ends}\n"

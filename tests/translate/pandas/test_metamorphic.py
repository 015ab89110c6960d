"""A program written otherwise that means the same becomes the same workflow, but for the steps' names."""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from prepsql.translate import graph
from prepsql.translate.draft import Draft
from prepsql.translate.pandas.names import read, stored, written
from prepsql.translate.pandas.tracing import trace
from prepsql.translate.polish import polish

ORDERS = """
order,customer,product,qty,price,day
1,ann,pen,2,1.5,2024-01-03
2,bob,ink,,4.25,2024-01-03
3,ann,ink,1,4.25,2024-02-11
4,,pen,5,1.5,2024-02-12
5,cyd,cap,3,,2024-03-30
6,bob,pen,1,1.5,2024-03-31
"""
CUSTOMERS = """
customer,town
ann,Oslo
bob,Rome
dee,Bonn
"""
PROGRAMS = {
    "joined and counted": """
        import pandas as pd
        def solve(inputs_dir):
            orders = pd.read_csv(inputs_dir / 'input_01.csv')
            towns = pd.read_csv(inputs_dir / 'input_02.csv')
            orders['qty'] = orders['qty'].fillna(0)
            orders['total'] = orders['qty'] * orders['price']
            towns['town'] = towns['town'].str.upper()
            both = orders.merge(towns, on='customer', how='left').dropna(subset=['town'])
            out = both.groupby('town')['total'].agg(['sum', 'count']).reset_index().sort_values('sum', ascending=False)
            return {'output_01': out}
    """,
    "by month, wide": """
        import pandas as pd
        def solve(inputs_dir):
            orders = pd.read_csv(inputs_dir / 'input_01.csv')
            day = pd.to_datetime(orders['day'])
            orders['month'] = day.dt.month
            share = orders['price'].fillna(1.0).round(1)
            orders['share'] = share / share.sum()
            wide = orders.pivot_table(index='product', columns='month', values='share', aggfunc='sum').fillna(0)
            wide.columns = [f'month {m}' for m in wide.columns]
            return {'output_01': wide.reset_index()}
    """,
    "ranked in groups": """
        import numpy as np
        import pandas as pd
        def solve(inputs_dir):
            orders = pd.read_csv(inputs_dir / 'input_01.csv')
            known = orders[orders['customer'].notna()].copy()
            known['big'] = np.where(known['qty'] > 1, 'yes', 'no')
            known['place'] = known.groupby('customer')['order'].rank(method='first')
            known['label'] = known['customer'].str.title() + '-' + known['product'].str.slice(0, 2)
            first = known[known['place'] == 1].drop(columns=['place', 'day'])
            return {'output_01': first.sort_values(['customer', 'order']).reset_index(drop=True)}
    """,
}


class _Renamed(ast.NodeTransformer):
    """Every local name of solve gets another one."""

    def __init__(self, names: set[str]) -> None:
        self.names = {name: f"{name[::-1]}_x" for name in names}

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return ast.Name(self.names.get(node.id, node.id), node.ctx)


def renamed(solve: ast.FunctionDef) -> None:
    """Rename all that solve binds."""
    names = set().union(*map(stored, solve.body))
    solve.body = [_Renamed(names).visit(one) for one in solve.body]


def split(solve: ast.FunctionDef) -> None:
    """Give each part of a chain of methods a statement of its own."""
    body: list[ast.stmt] = []

    def part(node: ast.expr) -> ast.expr:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and isinstance(node.func.value, ast.Call)
        ):
            name = f"part_{len(body)}"
            body.append(ast.Assign([ast.Name(name, ast.Store())], part(node.func.value)))
            node.func.value = ast.Name(name, ast.Load())
        return node

    for statement in solve.body:
        if isinstance(statement, ast.Assign):
            statement.value = part(statement.value)
        body.append(statement)
    solve.body = body


def reordered(solve: ast.FunctionDef) -> None:
    """Change places of neighbours that don't need each other."""
    body = solve.body
    for at in range(len(body) - 2):
        one, other = body[at], body[at + 1]
        if not (written(one) & (read(other) | written(other)) or read(one) & written(other)):
            body[at], body[at + 1] = other, one


def extracted(solve: ast.FunctionDef) -> list[ast.stmt]:
    """Let a function of its own compute each value that is bound to a name."""
    helpers: list[ast.stmt] = []
    for statement in solve.body:
        if isinstance(statement, ast.Assign) and isinstance(statement.value, ast.Call):
            given = sorted(read(statement.value) - {"pd", "np"})
            name = f"helper_{len(helpers)}"
            arguments = ast.arguments([], [ast.arg(one) for one in given], None, [], [], None, [])
            helpers.append(ast.FunctionDef(name, arguments, [ast.Return(statement.value)], [], None))
            called = [ast.Name(one, ast.Load()) for one in given]
            statement.value = ast.Call(ast.Name(name, ast.Load()), called, [])
    return helpers


CHANGES: dict[str, Callable[[ast.FunctionDef], list[ast.stmt] | None]] = {
    "names changed": renamed, "chains split": split, "statements in another order": reordered,
    "helpers extracted": extracted,
}  # fmt: skip


def changed(program: str, change: Callable[[ast.FunctionDef], list[ast.stmt] | None]) -> str:
    """Return a program with its solve changed."""
    tree = ast.parse(dedent(program))
    solve = next(node for node in tree.body if isinstance(node, ast.FunctionDef))
    helpers = change(solve) or []
    tree.body[-1:] = [*helpers, solve]
    return ast.unparse(ast.fix_missing_locations(tree))


def shape(program: str, inputs: Path) -> Any:
    """Return a program's workflow without the names of its steps and without their order where that is open."""
    fields = trace(dedent(program), inputs)
    nodes = polish(Draft(**fields), inputs).document["nodes"]
    seen: dict[str, Any] = {}
    for name in graph.ordered(nodes):
        node = copy.deepcopy(dict(nodes[name]))
        node["inputs"] = {
            port: [seen[one] for one in ([given] if isinstance(given, str) else given)]
            for port, given in node.get("inputs", {}).items()
        }
        node.pop("note", None)
        seen[name] = json.dumps(node, sort_keys=True)
    return sorted(seen[step] for _, step in graph.outputs(nodes))


@pytest.fixture(scope="module")
def inputs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the inputs."""
    folder = tmp_path_factory.mktemp("inputs")
    (folder / "input_01.csv").write_text(ORDERS.lstrip(), encoding="utf-8")
    (folder / "input_02.csv").write_text(CUSTOMERS.lstrip(), encoding="utf-8")
    return folder


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_written_otherwise_becomes_the_same_workflow(program: str, inputs: Path) -> None:
    whole = shape(PROGRAMS[program], inputs)
    for change in CHANGES.values():
        assert shape(changed(PROGRAMS[program], change), inputs) == whole


@pytest.mark.parametrize("change", CHANGES)
def test_each_way_of_writing_changes_programs(change: str) -> None:
    pairs = [(changed(text, CHANGES[change]), ast.unparse(ast.parse(dedent(text)))) for text in PROGRAMS.values()]
    assert any(text != before for text, before in pairs)


@pytest.mark.parametrize("program", PROGRAMS)
def test_a_program_written_otherwise_gives_the_same_tables(translated: Callable[..., Any], program: str) -> None:
    _, made, real = translated(PROGRAMS[program], input_01=ORDERS, input_02=CUSTOMERS)
    assert made == real
    for change in CHANGES.values():
        _, again, own = translated(changed(PROGRAMS[program], change), input_01=ORDERS, input_02=CUSTOMERS)
        assert again == own == real

"""Scripts are cut as small as they can be, and mean what the program means."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from prepsql.translate.pandas.foregoing import in_two
from prepsql.translate.pandas.names import changes, written
from prepsql.translate.pandas.narrowed import narrowed
from prepsql.translate.pandas.shortened import shortened, squeezed
from prepsql.translate.pandas.slices import Program

PROGRAMS = sorted((Path(__file__).parents[2] / "fixtures" / "translate" / "pandas").glob("*/*/program.py"))
ORDERS = """
    id,kind,paid
    1,a,3
    2,b,
    3,a,5
    4,c,1
    """


def plain(text: str) -> str:
    """Return code as it is written with an indent of one space."""
    lines = ast.unparse(ast.parse(text)).split("\n")
    return "\n".join(" " * ((len(line) - len(line.lstrip())) // 4) + line.lstrip() for line in lines)


@pytest.mark.parametrize("path", PROGRAMS, ids=lambda path: path.parent.name)
def test_squeezed_code_is_the_same_code(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in tree.body:
        text = plain(ast.unparse(node))
        assert ast.dump(ast.parse(squeezed(text))) == ast.dump(ast.parse(text))


def run(statements: list[ast.stmt], name: str) -> Any:
    names: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module(statements, [])), "<code>", "exec"), names)
    return names[name]


def test_shortened_code_gives_the_same() -> None:
    top = ast.parse(
        "LIMITS = {'low': 1}\ndef least(values, LIMIT=2):\n return [v for v in values if v > LIMITS['low']]"
    )
    body = ast.parse(
        "given = [1, 2, 3]\ntotal = 0\nfor value in least(values=given):\n total += value\nresult = (total, given)"
    )
    short = shortened(top.body, body.body, {"result"})
    assert run([*short[0], *short[1]], "result") == run([*top.body, *body.body], "result") == (5, [1, 2, 3])
    text = "\n".join(map(ast.unparse, [*short[0], *short[1]]))
    assert "total" not in text
    assert "LIMITS" not in text
    # asked for by keyword
    assert "values" in text


LOOP = """
for _, row in rows.iterrows():
    if row["kind"] == "bad":
        bad.append(row["id"])
        continue
    entry = {"id": row["id"]}
    held[row["kind"]] = entry
    count = count + 1
    good.append(entry)
    held[row["kind"]]["seen"] = True
    other.append(count)
"""
BEGIN = "import pandas as pd\nrows = pd.DataFrame({'id': [1, 2], 'kind': ['bad', 'x']})\nbad, good, other, held, count = [], [], [], {}, 0"


@pytest.mark.parametrize(
    ("wanted", "gone"),
    [
        ("bad", ("entry", "count", "other", "held")),
        # what another list holds too is changed through it
        ("good", ("bad.append", "count", "other")),
        ("other", ("bad.append", "good", "entry")),
        ("count", ("bad.append", "good", "entry", "other")),
        ("held", ("bad.append", "good", "other")),
    ],
)
def test_a_loop_keeps_what_matters_for_a_name(wanted: str, gone: tuple[str, ...]) -> None:
    loop = ast.parse(LOOP).body[0]
    short = narrowed(loop, {wanted}, {})
    begin = ast.parse(BEGIN).body
    assert run([*begin, short], wanted) == run([*begin, loop], wanted)
    assert not [part for part in gone if part in ast.unparse(short)]
    assert "continue" in ast.unparse(short)


def test_a_function_of_the_program_that_changes_a_list_matters() -> None:
    function = ast.parse("def put(things, one):\n    things.append(one)").body[0]
    assert isinstance(function, ast.FunctionDef)
    loop = ast.parse("for one in rows:\n    put(good, one)\n    put(bad, one)").body[0]
    short = narrowed(loop, {"good"}, {"put": changes(function)})
    assert ast.unparse(short) == "for one in rows:\n    put(good, one)"
    assert "bad" in written(loop, {"put": changes(function)})


def test_what_a_loop_over_rows_made_is_no_constant(translated: Callable[..., Any]) -> None:
    draft, made, real = translated(
        """
        import pandas as pd
        def solve(inputs_dir):
            df = pd.read_csv(inputs_dir / 'input_01.csv')
            kinds = set()
            for _, row in df.iterrows():
                if row['paid'] > 2:
                    kinds |= {row['kind']}
            return {'output_01': df[df['kind'].isin(kinds)]}
        """,
        input_01=ORDERS,
    )
    assert made == real
    [script] = [node for node in draft.document["nodes"].values() if node["kind"] == "script"]
    assert "iterrows" in script["params"]["code"]


def test_long_constants_are_given_to_a_script_that_would_be_too_long(translated: Callable[..., Any]) -> None:
    names = {f"name {at}": at for at in range(120)}
    draft, made, real = translated(
        f"NAMES = {names!r}\n"
        "import pandas as pd\n"
        "def solve(inputs_dir):\n"
        "    df = pd.read_csv(inputs_dir / 'input_01.csv')\n"
        "    state, found = 0, []\n"
        "    for _, row in df.iterrows():\n"
        "        state = state * 2 + NAMES[f'name {row[\"id\"]}']\n"
        "        found.append(state)\n"
        "    return {'output_01': pd.DataFrame({'state': found})}\n",
        input_01=ORDERS,
    )
    assert made == real
    nodes = draft.document["nodes"].values()
    assert [node for node in nodes if node["kind"] == "input" and "data" in node["params"]]


def test_columns_that_values_make_are_told(translated: Callable[..., Any]) -> None:
    draft, made, real = translated(
        """
        import pandas as pd
        def solve(inputs_dir):
            df = pd.read_csv(inputs_dir / 'input_01.csv')
            made = {}
            for _, row in df.iterrows():
                made['kind ' + row['kind']] = made.get('kind ' + row['kind'], 0) + row['id']
            return {'output_01': pd.DataFrame([made])}
        """,
        input_01=ORDERS,
    )
    assert made == real
    assert [why for why in draft.specialised.values() if "kind a, kind b, kind c" in why]


IN_TWO = """
def doubled(text, times=2):
    return text * times


def counted(things, one):
    things.append(one)
    return len(things)


out, state = [], 0
for key, rest in pairs:
    label = doubled(key, times=3) + doubled(rest[0])
    if state > 1:
        continue
    other = doubled(rest[1])
    state = state + counted(out, label) + len(doubled(label))
"""


def test_what_functions_give_for_each_row_alone_is_made_before_a_loop() -> None:
    program = Program(IN_TWO)
    *before, loop = program.tree.body
    parts = in_two(program, loop)
    assert parts is not None
    begin = ast.parse("pairs = [('a', 'bc'), ('d', 'ef'), ('g', 'hi')]").body
    assert run([*begin, *before, parts.first, parts.loop], "out") == run([*begin, *before, loop], "out")
    first, second = ast.unparse(parts.first), ast.unparse(parts.loop)
    assert "doubled(key, times=3), doubled(rest[0])" in first
    # what a step before decides, what changes things, and what isn't the row's own
    assert "doubled(rest[1])" in second
    assert "counted(out, label)" in second
    assert "doubled(label)" in second
    assert in_two(program, ast.parse("for one in pairs:\n    out.append(one)").body[0]) is None

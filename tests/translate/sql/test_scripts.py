"""Every SQL fixture, and every task's own solution: translated, run, and equal to what the script itself gives."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from prepsql.translate.draft import Draft
from prepsql.translate.sql import translate_sql
from prepsql.translate.translation import OutputProof
from tests.translate.sql.conftest import FIXTURES, TASKS, assert_equal

Proven = Callable[[str, Path, Draft], list[OutputProof]]
MAY_BE_SCRIPTS = re.compile("recursive|unnest with options", re.IGNORECASE)

# measured: these scripts reach no branch of the package that the other ones, the tasks' and the queries don't reach
OTHERS = set((Path(__file__).parent / "without_branches_of_their_own.txt").read_text(encoding="utf-8").split())


def scripts() -> Iterator[tuple[Path, Path]]:
    for script in sorted((FIXTURES / "sql").glob("*.sql")):
        named = re.search(r"^-- inputs: (\w+)$", script.read_text(encoding="utf-8"), re.MULTILINE)
        assert named
        yield script, FIXTURES / "inputs" / named[1]
    for script in sorted(TASKS.glob("*/solution.sql")):
        yield script, script.parent / "inputs"


@pytest.mark.parametrize(
    ("script", "inputs"),
    [
        pytest.param(
            script,
            inputs,
            id=f"{script.parent.name}_{script.stem}",
            marks=pytest.mark.slow if script.parent.name == "sql" and script.stem in OTHERS else (),
        )
        for script, inputs in scripts()
    ],
)
def test_a_script_and_its_workflow_give_the_same_tables(script: Path, inputs: Path, proven: Proven) -> None:
    text = script.read_text(encoding="utf-8")
    draft = translate_sql(text, inputs)
    assert_equal(proven(text, inputs, draft), draft)
    steps = {name for name, node in draft.document["nodes"].items() if node["kind"] == "script"}
    assert steps == set(draft.reasons), "each script step says why it's one"
    assert all(MAY_BE_SCRIPTS.search(why) for why in draft.reasons.values())
    assert all(step in draft.document["nodes"] for step in draft.checkpoints.values())


def test_those_that_wait_are_there() -> None:
    there = {script.stem for script in (FIXTURES / "sql").glob("*.sql")}
    assert there >= OTHERS
    assert len(there - OTHERS) >= 30


def queries() -> Iterator[tuple[str, str]]:
    for file in sorted((Path(__file__).parent / "queries").glob("*.sql")):
        listed = [query.strip() for query in file.read_text(encoding="utf-8").split(";\n") if query.strip()]
        # a dozen at a time: the inputs are read once for each
        for start in range(0, len(listed), 12):
            made = [f"CREATE TABLE output_{i:02} AS\n{q};" for i, q in enumerate(listed[start : start + 12], start + 1)]
            yield file.stem, "\n".join(made)


@pytest.mark.parametrize(("inputs", "script"), list(queries()))
def test_each_query_and_its_steps_give_the_same_table(inputs: str, script: str, proven: Proven) -> None:
    draft = translate_sql(script, FIXTURES / "inputs" / inputs)
    assert_equal(proven(script, FIXTURES / "inputs" / inputs, draft), draft)
    unsaid = [
        why for why in draft.reasons.values() if why not in ("a recursive query", "a star inside of an expression")
    ]
    assert not unsaid

"""The program's own tables on its way, and which statement a workflow says wrongly."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest

from prepsql.sandbox import DEFAULT_LIMITS, Server
from prepsql.translate.bisect import culprits
from prepsql.translate.front_ends import front_end
from prepsql.translate.own import given_case
from prepsql.translate.pandas.front import tables_of_program, translate_pandas
from prepsql.translate.prove import prove_case
from prepsql.translate.terms import Terms
from prepsql.translate.translation import Verdict

PROGRAM = dedent(
    """
    import pandas as pd

    def doubled(values):
        twice = values * 2
        return twice

    def solve(inputs_dir):
        df = pd.read_csv(inputs_dir / 'input_01.csv')
        df['total'] = doubled(df['price'])
        df['half'] = doubled(df['qty']) / 4
        kept = df[df['total'] > 3]
        return {'output_01': kept}
    """
).lstrip()
ROWS = "id,qty,price\n1,2,1.5\n2,3,4\n3,4,2\n"


@pytest.fixture(scope="module")
def terms(served: Server | None) -> Terms:
    """Return the terms on which programs run."""
    return Terms(DEFAULT_LIMITS, accept_risk=True, hidden=(), server=served)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    """Return the folder of the inputs."""
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "input_01.csv").write_text(ROWS, encoding="utf-8")
    return folder


def test_a_program_tells_its_tables_after_each_statement(inputs: Path, tmp_path: Path, terms: Terms) -> None:
    places = ["line 4 twice 1", "line 4 twice 2", "line 9 df 1", "line 11 kept 1", "line 11 kept 2"]
    found = tables_of_program(PROGRAM, inputs, places, tmp_path / "own", terms)
    texts = {place: path.read_text(encoding="utf-8") for place, path in found.items()}
    assert texts["line 4 twice 1"] == "value\n3.0\n8.0\n4.0\n"
    assert texts["line 4 twice 2"] == "value\n4\n6\n8\n"
    assert texts["line 9 df 1"].splitlines()[1] == "1,2,1.5,3.0"
    assert len(texts["line 11 kept 1"].splitlines()) == 3
    # the program comes by there only once
    assert "line 11 kept 2" not in texts


@pytest.mark.parametrize(("right", "wrong", "place"), [
    ("price * 2", "price * 3", "line 4 twice 1"), ("/ 4", "/ 5", "line 10 df 1"), ("> 3", "> 5", "line 11 kept 1"),
])  # fmt: skip
def test_the_first_statement_that_is_said_wrongly_is_found(
    inputs: Path, tmp_path: Path, terms: Terms, right: str, wrong: str, place: str
) -> None:
    draft = translate_pandas(PROGRAM, inputs, terms=terms)
    text = json.dumps([draft.document, draft.aside])
    assert right in text
    document, aside = json.loads(text.replace(right, wrong))
    faulty = replace(draft, document=document, aside=aside)
    case = given_case(PROGRAM, "pandas", inputs, tmp_path, terms)
    proof = prove_case(faulty, case, tmp_path / "made", terms)
    assert proof.verdict is Verdict.DIFFERENT
    assert list(culprits(faulty, case, proof, front_end("pandas"), PROGRAM, terms)) == [place]

"""The command `translate`: what it prints and writes, and its exit codes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from prepsql.cli.main import cli
from prepsql.errors import NotTranslatable
from prepsql.translate import Draft, front_ends, perturb
from tests.translate.scripted import Scripted, changed
from tests.translate.test_prove import RIGHT, SQL, TOLD


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "inputs").mkdir()
    (tmp_path / "inputs" / "input_01.csv").write_text("id,city,paid\n1,Gent,5\n2,Brugge,7\n3,Gent,\n4,Aalst,8\n")
    (tmp_path / "code.sql").write_text(SQL)
    few = [each for each in perturb.PERTURBATIONS if each.name == "rows shuffled"]
    monkeypatch.setattr(perturb, "PERTURBATIONS", few)
    return tmp_path


def command(place: Path, monkeypatch: pytest.MonkeyPatch, draft: Draft, *more: str) -> tuple[int, str]:
    scripted = Scripted({frozenset(): draft, frozenset({"paid"}): draft})
    monkeypatch.setattr(front_ends, "front_end", lambda language: scripted.front)
    flow = place / "flow.json"
    done = CliRunner().invoke(
        cli, ["translate", str(place / "code.sql"), "--inputs", str(place / "inputs"), "-o", str(flow), *more]
    )
    if done.exception and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done.exit_code, done.output


def test_a_proven_workflow_is_written(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code, printed = command(place, monkeypatch, Draft(RIGHT, **TOLD))
    assert code == 0
    lines = printed.splitlines()
    assert lines[0] == "proven: the workflow's outputs are the code's own"
    assert "native: 100% of the steps between inputs and outputs; no scripts" in lines
    assert max(len(line) for line in lines[:-1]) <= 80
    assert json.loads((place / "flow.json").read_text())["name"] == "payments"
    assert [path.name for path in place.glob(".flow*")] == []


def test_one_that_is_not_equal_says_so(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = changed(RIGHT, "doubled", compute=[{"as": "twice", "expr": "paid * 3"}])
    code, printed = command(place, monkeypatch, Draft(wrong, **TOLD), "--json")
    assert code == 1
    told = json.loads(printed)
    assert told["proven"] is False
    assert told["proofs"][0]["verdict"] == "different"
    assert "NOT PROVEN" in json.loads((place / "flow.json").read_text())["name"]


def test_what_cannot_be_translated_writes_nothing(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (place / "code.sql").write_text("CREATE TABLE output_01 AS SELECT nothing")
    with pytest.raises(NotTranslatable) as raised:
        command(place, monkeypatch, Draft(RIGHT, **TOLD))
    assert raised.value.exit_code == 2
    assert not (place / "flow.json").exists()

"""The proof: right drafts are proven, wrong ones give way at the right place, specialised ones are flagged."""

from __future__ import annotations

import csv
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb
import pytest

from prepsql.errors import InputError, NotTranslatable
from prepsql.translate import Draft, Verdict, front_ends, perturb, run
from prepsql.translate.leeway import among
from prepsql.translate.report import summary
from prepsql.translate.sql_leeway import other_answers, other_roundings
from prepsql.translate.translation import GIVEN, Translation
from tests.translate.scripted import Scripted, changed

SQL = """
-- who paid, by city
CREATE TABLE paid AS SELECT *, paid * 2 AS twice FROM input_01 WHERE paid IS NOT NULL;
CREATE TABLE sums AS SELECT city, sum(twice) AS total FROM paid GROUP BY city;
CREATE TABLE output_01 AS SELECT city, total FROM sums ORDER BY total DESC;
"""


def node(kind: str, source: str | None = None, **params: Any) -> dict[str, Any]:
    return {"kind": kind, "params": params} | ({"inputs": {"in": source}} if source else {})


RIGHT: dict[str, Any] = {
    "name": "payments",
    "nodes": {
        "input_01": node("input", path="input_01.csv"),
        "paid": node("filter", "input_01", predicate="paid IS NOT NULL"),
        "doubled": node("project", "paid", compute=[{"as": "twice", "expr": "paid * 2"}]),
        "sums": node("aggregate", "doubled", group_keys=["city"],
                     aggs=[{"as": "total", "func": "sum", "expr": "twice"}]),
        "sorted": node("sort", "sums", order_by=[{"expr": "total", "asc": False}]),
        "output_01": node("output", "sorted", path="output_01.csv", columns=["city", "total"]),
    },
}  # fmt: skip
TOLD: dict[str, Any] = {
    "origins": {"paid": "paid", "doubled": "paid", "sums": "sums", "sorted": "output_01"},
    "checkpoints": {"paid": "doubled", "sums": "sums", "output_01": "sorted"},
    "ordered": {"output_01.csv": ("total",)},
}
SCRIPT = {
    "language": "sql",
    "code": "SELECT *, paid * 2 AS twice FROM rows WHERE paid IS NOT NULL",
    "columns": {"id": "BIGINT", "city": "VARCHAR", "paid": "BIGINT", "twice": "BIGINT"},
}


def with_script() -> Draft:
    """Return the draft in which origin `paid` has given way."""
    nodes = dict(RIGHT["nodes"])
    del nodes["paid"]
    nodes["doubled"] = {"kind": "script", "inputs": {"rows": "input_01"}, "params": SCRIPT}
    return Draft({**RIGHT, "nodes": nodes}, {"doubled": "the proof spoke against its translation"}, **TOLD)


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    folder.mkdir()
    cities = ["Gent", "Brugge", "Aalst", "Gent", "Ieper", "Brugge", "Gent", "Aalst", "Ieper", "Gent"]
    rows = [f"{i},{city},{'' if i == 4 else 10 + i * i}" for i, city in enumerate(cities * 3, 1)]
    (folder / "input_01.csv").write_text("id,city,paid\n" + "\n".join(rows) + "\n")
    return folder


def translated(
    drafts: dict[frozenset[str], Draft], inputs: Path, monkeypatch: pytest.MonkeyPatch, code: str = SQL
) -> tuple[Translation, list[frozenset[str]]]:
    scripted = Scripted(drafts)
    monkeypatch.setattr(front_ends, "front_end", lambda language: scripted.front)
    return run.translate(code, inputs), scripted.asked


def test_a_right_draft_is_proven_on_all_inputs(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found, asked = translated({frozenset(): Draft(RIGHT, **TOLD)}, inputs, monkeypatch)
    assert found.proven
    assert asked == [frozenset()]
    verdicts = {proof.inputs: proof.verdict for proof in found.proofs}
    assert verdicts.pop("no rows") is Verdict.NOT_APPLICABLE  # a column without cells is text, which can't be doubled
    assert set(verdicts.values()) == {Verdict.EQUAL}
    assert list(verdicts) == [GIVEN, *(each.name for each in perturb.PERTURBATIONS if each.name != "no rows")]
    assert (found.native_share, found.scripts, found.gave_way) == (1.0, (), ())
    assert found.to_dict()["proofs"][0]["outputs"][0]["verdict"] == "equal"


@pytest.fixture
def fewer(monkeypatch: pytest.MonkeyPatch) -> None:
    """Prove on a few perturbations, which is quicker."""
    few = [each for each in perturb.PERTURBATIONS if each.name in ("a tenth of the rows", "rows shuffled")]
    monkeypatch.setattr(perturb, "PERTURBATIONS", few)


@pytest.mark.usefixtures("fewer")
def test_a_wrong_step_gives_way_and_no_other(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = changed(RIGHT, "doubled", compute=[{"as": "twice", "expr": "paid * 3"}])
    drafts = {frozenset(): Draft(wrong, **TOLD), frozenset({"paid"}): with_script()}
    found, asked = translated(drafts, inputs, monkeypatch)
    assert found.proven
    assert asked == [frozenset(), frozenset({"paid"})]
    (part,) = found.gave_way
    assert (part.origin, part.inputs) == ("paid", GIVEN)
    assert "'twice'" in part.why
    (script,) = found.scripts
    assert (script.step, script.characters) == ("doubled", len(SCRIPT["code"]))
    assert found.native_share == pytest.approx(2 / 3)


@pytest.mark.usefixtures("fewer")
def test_what_only_other_inputs_show_gives_way(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The largest amount is a constant of these inputs: right here, wrong where rows are missing or more."""
    code = SQL.replace("paid * 2", "paid - (SELECT max(paid) FROM input_01)")
    frozen = changed(RIGHT, "doubled", compute=[{"as": "twice", "expr": "paid - 910"}])
    nodes = {
        **RIGHT["nodes"],
        "top": node("aggregate", "input_01", group_keys=[], aggs=[{"as": "top", "func": "max", "expr": "paid"}]),
        "topped": {"kind": "join", "inputs": {"left": "paid", "right": "top"}, "params": {"how": "cross"}},
        "doubled": node("project", "topped", compute=[{"as": "twice", "expr": "paid - top"}]),
    }
    drafts = {
        frozenset(): Draft(frozen, **TOLD),
        frozenset({"paid"}): Draft({**RIGHT, "nodes": nodes}, **TOLD),
    }
    found, asked = translated(drafts, inputs, monkeypatch, code)
    assert found.proven
    assert asked == [frozenset(), frozenset({"paid"})]
    assert found.gave_way[0].inputs != GIVEN

    note = {"doubled": "holds for inputs with 910 as the largest amount"}
    flagged, asked = translated({frozenset(): Draft(frozen, specialised=note, **TOLD)}, inputs, monkeypatch, code)
    assert flagged.proven
    assert asked == [frozenset()]
    assert Verdict.FLAGGED in {proof.verdict for proof in flagged.proofs}
    assert Verdict.DIFFERENT not in {proof.verdict for proof in flagged.proofs}


@pytest.mark.usefixtures("fewer")
def test_a_draft_that_stays_wrong_is_never_proven(
    inputs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = changed(RIGHT, "doubled", compute=[{"as": "twice", "expr": "paid * 3"}])
    note = {"doubled": "holds for inputs with nothing"}  # no flag excuses a difference on the given inputs
    drafts = {
        frozenset(): Draft(wrong, specialised=note, **TOLD), frozenset({"paid"}): Draft(wrong, **TOLD),
    }  # fmt: skip
    found, _ = translated(drafts, inputs, monkeypatch)
    assert not found.proven
    assert found.proofs[0].verdict is Verdict.DIFFERENT
    found.save(tmp_path / "flow.json")
    assert "NOT PROVEN" in (tmp_path / "flow.json").read_text()
    assert "NOT PROVEN" in summary(found)
    assert all(len(line) <= 80 for line in summary(found).splitlines())


@pytest.mark.usefixtures("fewer")
def test_a_step_that_fails_gives_way(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    failing = changed(RIGHT, "doubled", compute=[{"as": "twice", "expr": "CAST(city AS BIGINT)"}])
    drafts = {frozenset(): Draft(failing, **TOLD), frozenset({"paid"}): with_script()}
    found, asked = translated(drafts, inputs, monkeypatch)
    assert found.proven
    assert asked == [frozenset(), frozenset({"paid"})]


@pytest.mark.usefixtures("fewer")
def test_a_script_with_other_columns_on_other_inputs_is_flagged(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
def transform(rows, pd, np):
    rows = rows[rows["paid"].notna()]
    rows["twice"] = rows["paid"] * 2
    return rows if len(rows) > 10 else rows[["twice", "city"]]
"""
    params = {**SCRIPT, "language": "python", "code": code}
    draft = with_script()
    nodes = {**draft.document["nodes"]}
    nodes["doubled"] = {**nodes["doubled"], "params": params}
    draft = replace(draft, document={**draft.document, "nodes": nodes})
    found, asked = translated({frozenset(): draft}, inputs, monkeypatch)
    assert found.proven
    assert asked == [frozenset()]
    assert {proof.inputs: proof.verdict for proof in found.proofs} == {
        GIVEN: Verdict.EQUAL, "a tenth of the rows": Verdict.FLAGGED, "rows shuffled": Verdict.EQUAL,
    }  # fmt: skip
    told = "holds for inputs with values that make the columns id, city, paid, twice"
    assert found.specialised == {"doubled": told}
    assert found.workflow.document["nodes"]["doubled"]["note"] == told


@pytest.mark.usefixtures("fewer")
def test_the_order_that_the_code_gives_counts(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    unsorted = changed(RIGHT, "sorted", order_by=[{"expr": "city"}])
    drafts = {frozenset(): Draft(unsorted, **TOLD), frozenset({"output_01"}): Draft(RIGHT, **TOLD)}
    assert translated(drafts, inputs, monkeypatch)[1] == [frozenset(), frozenset({"output_01"})]
    told = {**TOLD, "ordered": {}}
    found, asked = translated({frozenset(): Draft(unsorted, **told)}, inputs, monkeypatch)
    assert found.proven
    assert asked == [frozenset()]
    assert found.proofs[0].verdict is Verdict.REORDERED


def test_code_that_does_not_run_is_not_translatable(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(NotTranslatable, match="doesn't run on these inputs"):
        translated({frozenset(): Draft(RIGHT)}, inputs, monkeypatch, "CREATE TABLE output_01 AS SELECT nothing")


@pytest.mark.usefixtures("fewer")
def test_inputs_where_the_code_fails_do_not_count(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = SQL.replace("paid * 2", "CASE WHEN (SELECT count(*) FROM input_01) = 30 THEN paid * 2 ELSE error('no') END")
    found, _ = translated({frozenset(): Draft(RIGHT, **TOLD)}, inputs, monkeypatch, code)
    verdicts = {proof.inputs: proof.verdict for proof in found.proofs}
    assert found.proven
    assert verdicts["a tenth of the rows"] is Verdict.NOT_APPLICABLE
    assert verdicts["rows shuffled"] is Verdict.EQUAL


def test_inputs_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no such folder"):
        run.translate(SQL, tmp_path / "nowhere")


def test_an_answer_that_sql_leaves_open_is_as_good_as_its_own(inputs: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Any city will do: the script takes the first row's, the workflow the smallest."""
    cities = "".join(f"{i},{city},1\n" for i, city in enumerate(["Aalst", "Gent", "Gent", "Aalst"] * 5))
    (inputs / "input_01.csv").write_text(f"id,city,paid\n{cities}")
    code = """
    CREATE TABLE paid AS SELECT city, paid FROM input_01 ORDER BY rowid;
    CREATE TABLE output_01 AS SELECT any_value(city) AS city FROM paid;
    """
    nodes = {
        "input_01": node("input", path="input_01.csv"),
        "top": node("aggregate", "input_01", group_keys=[], aggs=[{"as": "city", "func": "min", "expr": "city"}]),
        "output_01": node("output", "top", path="output_01.csv"),
    }
    turned = perturb.Perturbation("the first row last", lambda rows, chance: rows[1:] + rows[:1])
    monkeypatch.setattr(perturb, "PERTURBATIONS", [turned])
    found, _ = translated({frozenset(): Draft({"nodes": nodes})}, inputs, monkeypatch, code)
    assert found.proven
    assert [proof.verdict for proof in found.proofs] == [Verdict.EQUAL, Verdict.UNDETERMINED]


def test_what_sql_leaves_open_is_the_order_of_tables_and_the_rounding_of_sums() -> None:
    script = "CREATE TEMP TABLE a AS SELECT sum(x) AS sum, 'avg(x)' AS t FROM input_01 -- sum(\n;"
    script += "CREATE TABLE output_01 AS FROM a"
    exact, first, *_ = other_answers(script)
    assert 'CREATE OR REPLACE TEMP TABLE "a" AS SELECT * FROM "a" AS t ORDER BY ALL' in first
    assert "output_01 AS FROM a\n" in first
    assert "SELECT fsum(x) AS sum, 'avg(x)' AS t FROM input_01 -- sum(" in exact
    assert other_answers("CREATE TABLE output_01 AS SELECT 1 AS a") == []


@pytest.mark.parametrize(("other", "roundings", "expected"), [
    ("a,1.1,x\nb,3.5,x\n", ["a,1.2,x\nb,3.4,x\n"], True),
    ("a,1.1,x\nb,3.5,x\n", [], False),  # no answer has 1.2
    ("a,1.1,x\nb,3.4,y\n", ["a,1.2,x\nb,3.4,x\n"], False),  # the answers' numbers don't differ by themselves
])  # fmt: skip
def test_ties_may_be_rounded_either_way_where_the_answers_differ_themselves(
    other: str, roundings: list[str], expected: bool
) -> None:
    def rows(text: str) -> list[list[str]]:
        return list(csv.reader(f"k,v,t\n{text}".splitlines()))

    made, own = "a,1.2,x\nb,3.4,x\n", "a,1.1,x\nb,3.4,x\n"
    assert among(rows(made), [rows(own), rows(other)], list(map(rows, roundings))) is expected


def test_an_answer_that_is_left_open_is_no_other_id() -> None:
    own, other, wrong = ([["id", "v"], [f"2023000000000{n}", v]] for n, v in ((1, "a"), (1, "b"), (2, "b")))
    assert among(other, [own, other], [])
    assert not among(wrong, [own, other], [])


def test_roundings_of_a_script_go_up_and_down() -> None:
    up, down = other_roundings(
        "CREATE TABLE output_01 AS SELECT round(sum(x), 1) AS r, floor(max(y)) AS f FROM input_01"
    )
    con = duckdb.connect()
    con.execute("CREATE TABLE input_01 AS SELECT 0.25::DOUBLE AS x, 3 AS y")
    assert con.execute(f"{up}; FROM output_01").fetchall() == [(0.3, 3)]
    con.execute("DROP TABLE output_01")
    con.execute("UPDATE input_01 SET x = 0.35")
    assert con.execute(f"{down}; FROM output_01").fetchall() == [(0.3, 3)]
    assert other_roundings("CREATE TABLE output_01 AS SELECT 1 AS a") == []

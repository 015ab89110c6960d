"""Polishing leaves outputs as they are, on the bundled tasks' workflows and on documents that spell out each rule."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prepsql.translate.draft import Draft
from prepsql.translate.polish import PASSES, polish
from prepsql.translate.polish.columns import columns_of
from prepsql.translate.polish.reach import drop_unreached
from prepsql.workflow import Workflow
from tests.translate.scripted import TASKS, task_document

NAMES = sorted(path.parent.name for path in TASKS.glob("*/workflow.json"))


def outputs(document: Any, inputs: Path, out: Path) -> dict[str, bytes]:
    made = Workflow(document).run(inputs, out)
    return {path.name: path.read_bytes() for path in made.outputs}


def node(kind: str, source: str | None = None, note: str = "", **params: Any) -> dict[str, Any]:
    made: dict[str, Any] = {"kind": kind, "params": params}
    if source:
        made["inputs"] = {"in": source}
    return made | ({"note": note} if note else {})


@pytest.mark.parametrize("task", NAMES)
def test_bundled_workflows_give_the_same_files_after_each_pass(task: str, tmp_path: Path) -> None:
    inputs = TASKS / task / "inputs"
    draft = Draft(task_document(task))
    before = outputs(draft.document, inputs, tmp_path / "before")
    columns = columns_of(draft, inputs)
    assert columns is not None
    for each in PASSES:
        polished = each(draft, columns)
        if polished.document != draft.document:
            assert outputs(polished.document, inputs, tmp_path / each.__name__) == before, each.__name__
        draft = polished
    whole = polish(Draft(task_document(task)), inputs).document
    if whole != draft.document:
        assert outputs(whole, inputs, tmp_path / "after") == before


@pytest.fixture
def inputs(tmp_path: Path) -> Path:
    folder = tmp_path / "inputs"
    folder.mkdir()
    (folder / "input_01.csv").write_text("id,city,paid\n1,Gent,5\n2,Brugge,7\n3,Gent,\n")
    return folder


def polished(inputs: Path, nodes: dict[str, Any], tmp_path: Path, **told: Any) -> Draft:
    """Return the draft of these steps after polishing, its outputs unchanged."""
    draft = Draft({"nodes": {"input_01": node("input", path="input_01.csv"), **nodes}}, **told)
    made = polish(draft, inputs)
    reached = drop_unreached(draft, {})
    assert outputs(made.document, inputs, tmp_path / "a") == outputs(reached.document, inputs, tmp_path / "b")
    return made


def test_what_no_output_needs_goes(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "marked": node("project", "input_01", compute=[{"as": "big", "expr": "paid > 6"},
                                                           {"as": "twice", "expr": "paid * 2"},
                                                           {"as": "more", "expr": "twice + 1"}]),
            "nowhere": node("filter", "marked", predicate="big"),
            "sums": node("aggregate", "marked", group_keys=["city"],
                         aggs=[{"as": "n", "func": "count"}, {"as": "s", "func": "sum", "expr": "twice"}]),
            "out": node("output", "sums", path="output_01.csv", columns=["city", "s"]),
        },
        tmp_path,
    ).document["nodes"]  # fmt: skip
    assert list(made) == ["input_01", "marked", "sums", "out"]
    assert [entry["as"] for entry in made["marked"]["params"]["compute"]] == ["twice"]
    assert [agg["as"] for agg in made["sums"]["params"]["aggs"]] == ["s"]


def test_choices_fold_and_notes_stay(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "few": node("project", "input_01", note="the id tells nothing", drop=["id"]),
            "named": node("project", "few", rename={"paid": "fee"}),
            "net": node("project", "named", note="without tax", compute=[{"as": "fee", "expr": "fee / 1.2"}]),
            "list": node("project", "net", select=["fee", "city"]),
            "out": node("output", "list", path="output_01.csv"),
        },
        tmp_path,
    ).document["nodes"]
    assert list(made) == ["input_01", "net", "out"]
    assert made["net"]["params"] == {
        "drop": ["id"], "rename": {"paid": "fee"}, "compute": [{"as": "fee", "expr": "fee / 1.2"}],
    }  # fmt: skip
    assert made["net"]["note"] == "the id tells nothing; without tax"
    assert made["out"]["params"]["columns"] == ["fee", "city"]


def test_projects_merge_unless_each_has_a_note_or_the_code_named_it(inputs: Path, tmp_path: Path) -> None:
    def nodes(note: str) -> dict[str, Any]:
        return {
            "one": node("project", "input_01", note=note, compute=[{"as": "a", "expr": "paid + 1"}]),
            "two": node("project", "one", note="why two", compute=[{"as": "b", "expr": "a * 2"}]),
            "out": node("output", "two", path="output_01.csv"),
        }

    assert list(polished(inputs, nodes(""), tmp_path).document["nodes"]) == ["input_01", "two", "out"]
    assert "one" in polished(inputs, nodes("why one"), tmp_path).document["nodes"]
    kept = polished(inputs, nodes(""), tmp_path, origins={"one": "one", "two": "two"}, checkpoints={"one": "one"})
    assert "one" in kept.document["nodes"]


def test_long_expressions_stay_apart(inputs: Path, tmp_path: Path) -> None:
    long = " + ".join(["paid"] * 60)
    made = polished(
        inputs,
        {
            "one": node("project", "input_01", compute=[{"as": "a", "expr": long}]),
            "two": node("project", "one", compute=[{"as": "b", "expr": "a + 1"}]),
            "out": node("output", "two", path="output_01.csv"),
        },
        tmp_path,
    )
    assert list(made.document["nodes"]) == ["input_01", "one", "two", "out"]


def test_numbered_steps_get_telling_names(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "step_1": node("filter", "input_01", predicate="paid IS NOT NULL"),
            "step_2": node("aggregate", "step_1", group_keys=["city"], aggs=[{"as": "n", "func": "count"}]),
            "step_3": node("sort", "step_2", order_by=[{"expr": "n", "asc": False}]),
            "step_4": node("output", "step_3", path="output_01.csv"),
        },
        tmp_path,
        specialised={"step_2": "holds for inputs with two cities"},
        origins={"step_2": "counted"},
        checkpoints={"counted": "step_2"},
    )
    assert list(made.document["nodes"]) == ["input_01", "kept_by_paid", "by_city", "sorted_by_n", "output_01"]
    assert made.specialised == {"by_city": "holds for inputs with two cities"}
    assert (made.origins, made.checkpoints) == ({"by_city": "counted"}, {"counted": "by_city"})


def test_twins_become_one_but_sides_of_a_join_stay(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "again": node("input", path="input_01.csv"),
            "sums": node("aggregate", "again", group_keys=["city"], aggs=[{"as": "s", "func": "sum", "expr": "paid"}]),
            "both": {"kind": "join", "inputs": {"left": "input_01", "right": "sums"},
                     "params": {"how": "left", "on": ["city"]}},
            "out": node("output", "both", path="output_01.csv"),
        },
        tmp_path,
    ).document["nodes"]  # fmt: skip
    assert list(made) == ["input_01", "sums", "both", "out"]
    assert made["sums"]["inputs"] == {"in": "input_01"}


def test_columns_of_one_name_stay_on_both_sides_of_a_join_with_suffixes(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "left": node("project", "input_01", compute=[{"as": "v", "expr": "paid + 1"}]),
            "right": node("project", "input_01", select=["id"], compute=[{"as": "v", "expr": "id + 1"}]),
            "both": {"kind": "join", "inputs": {"left": "left", "right": "right"},
                     "params": {"how": "left", "on": ["id"], "suffixes": ["_l", "_r"]}},
            "out": node("output", "both", path="output_01.csv", columns=["id", "v_l"]),
        },
        tmp_path,
    ).document["nodes"]  # fmt: skip
    assert made["right"]["params"]["compute"] == [{"as": "v", "expr": "id + 1"}]


def test_names_that_a_condition_or_a_source_column_speaks_of_stay(inputs: Path, tmp_path: Path) -> None:
    made = polished(
        inputs,
        {
            "step_1": node("filter", "input_01", predicate="paid > 5"),
            "step_2": node("filter", "input_01", predicate="paid > 4"),
            "step_3": {"kind": "union", "inputs": {"items": ["step_1", "step_2"]}, "params": {"source_column": "of"}},
            "step_4": node("output", "step_3", path="output_01.csv"),
        },
        tmp_path,
    )
    assert list(made.document["nodes"])[1:3] == ["step_1", "step_2"]


def test_what_one_side_of_a_join_lists_stays_there(inputs: Path, tmp_path: Path) -> None:
    nodes = {
        "input_01": node("input", path="input_01.csv"),
        "more": node("project", "input_01", compute=[{"as": "unused", "expr": "1"}, {"as": "used", "expr": "2"}]),
        "other": node("project", "input_01", select=["id"]),
        "joined": {
            "kind": "join", "inputs": {"left": "more", "right": "other"},
            "params": {"how": "left", "on": ["id"], "select_left": ["id", "used", "unused"]},
        },
        "output_01": node("output", "joined", path="output_01.csv", columns=["id", "used"]),
    }  # fmt: skip
    polished(inputs, nodes, tmp_path)

"""What import says of a flow, and what it refuses."""

import copy
import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from prepsql.cli.main import cli
from prepsql.errors import ConfigError
from prepsql.workflow import Workflow
from prepsql.workflow.exchange import import_flow
from prepsql.workflow.exchange.maps import SQL, STEPS, TEXTS

SALES = "id,qty\n1,3\n2,\n"


def flow(**steps: dict) -> dict:
    nodes = {"sales": {"kind": "input", "params": {"path": "sales.csv"}}, **steps}
    last = list(nodes)[-1]
    return {"nodes": {**nodes, "out": {"kind": "output", "inputs": {"in": last}, "params": {"path": "out.csv"}}}}


def step(kind: str, source: str = "sales", **params: object) -> dict:
    return {"kind": kind, "inputs": {"in": source}, "params": params}


def test_an_unknown_parameter_is_reported():
    imported = import_flow(flow(kept=step("filter", predicate="qty > 1", colour="red")))
    assert [(e.step, e.what) for e in imported.report if "colour" in e.reason] == [("kept", "left out")]
    assert not imported.native


@pytest.mark.parametrize(
    "more",
    [
        step("project", compute=[{"as": "x", "expr": "df['id'] * 2", "colour": "red"}]),
        step("project", cast=[{"col": "id", "type": "str", "colour": "red"}]),
        step("sort", order_by=[{"expr": "id", "colour": "red"}]),
        step("aggregate", keys=["id"], aggs=[{"as": "n", "func": "size", "colour": "red"}]),
        step("map", operations=[{"op": "abs", "col": "qty", "colour": "red"}]),
    ],
)
def test_so_is_one_of_an_entry(more: dict):
    report = import_flow(flow(more=more)).report
    assert [(e.step, e.what) for e in report if "colour" in e.reason] == [("more", "left out")]


def test_the_flow_is_left_as_it_is():
    given = flow(kept=step("filter", predicate="qty > 1"))
    before = copy.deepcopy(given)
    import_flow(given)
    assert given == before


def test_a_script_says_why_and_has_the_flows_own_text():
    imported = import_flow(flow(more=step("project", compute=[{"as": "x", "expr": "df['qty'].rolling(2).mean()"}])))
    (script,) = [node for node in imported.workflow["nodes"].values() if node["kind"] == "script"]
    assert (
        script["params"]["code"]
        == "def transform(df, pd, np):\n    df['x'] = df['qty'].rolling(2).mean()\n    return df\n"
    )
    (entry,) = [e for e in imported.report if e.what == "script"]
    assert "rolling" in entry.reason


def test_what_is_unknown_without_the_file_is_known_with_it(tmp_path: Path):
    given = flow(more=step("project", compute=[{"as": "x", "expr": "df['id'] + df['qty']"}]))
    assert not import_flow(given).native
    (tmp_path / "sales.csv").write_text(SALES)
    assert import_flow(given, tmp_path).native


def test_names_of_steps_are_identifiers_and_never_meet():
    given = flow(
        **{"Sales": step("filter", predicate="qty > 1"), "1 more!": step("filter", "Sales", predicate="id > 1")}
    )
    imported = import_flow(given)
    assert list(imported.workflow["nodes"]) == ["sales", "sales_2", "step_1_more", "out"]


def test_a_note_stays():
    given = flow(kept={**step("filter", predicate="qty > 1"), "note": "few are dropped"})
    assert import_flow(given).workflow["nodes"]["kept"]["note"] == "few are dropped"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "has no nodes"),
        ({"nodes": [1]}, "has no nodes"),
        (flow(x=step("teleport")), "no kind teleport"),
        (flow(x=step("map", op="fly", col="qty")), "no map operation fly"),
        (flow(x=step("filter", "nowhere", predicate="qty > 1")), "'nowhere' is no step"),
        (flow(x=step("filter")), "no parameter predicate"),
        (flow(x=step("filter", "x", predicate="qty > 1")), "in a circle"),
        (
            flow(x={"kind": "join", "inputs": ["sales", "sales"], "params": {"condition": "left['id'].rolling(2)"}}),
            "step 'x': .rolling",
        ),
        (flow(x=step("filter", predicate="qty >")), "not one Python expression"),
        (flow(x=step("aggregate", keys=["id"], aggs=[{"as": "n", "func": "wish", "expr": "qty"}])), "function wish"),
        (flow(x=step("filter", predicate="df['qty'].nlargest(2) == '" + "1" * 1500 + "'")), "may have 1,500"),
    ],
)  # fmt: skip
def test_what_is_no_flow_is_refused_by_name(given: dict, message: str):
    with pytest.raises(ConfigError, match=message):
        import_flow(given)


def test_every_map_operation_stands_in_the_page():
    text = (Path(__file__).resolve().parents[3] / "docs" / "exchange.md").read_text(encoding="utf-8")
    words = set(re.findall(r"\w+", text[text.index("`map` operations") : text.index("- `pivot_wider`")]))
    assert {*TEXTS, *SQL, *STEPS} - words == set()


def test_the_command(tmp_path: Path):
    (tmp_path / "sales.csv").write_text(SALES)
    (tmp_path / "flow.json").write_text(json.dumps(flow(kept=step("filter", predicate="df['qty'] > 1"))))
    done = CliRunner().invoke(cli, ["import", str(tmp_path / "flow.json"), "-o", str(tmp_path / "made.json")])
    assert done.exit_code == 0, done.output
    assert "rewritten" in done.output
    assert all(len(line) <= 80 for line in done.output.splitlines() if not line.startswith("written"))
    assert Workflow.load(tmp_path / "made.json").check() == []


def test_the_commands_exit_codes(tmp_path: Path):
    (tmp_path / "flow.json").write_text(
        json.dumps(flow(kept=step("filter", predicate="df['qty'].rolling(2).sum() > 1")))
    )
    assert CliRunner().invoke(cli, ["import", str(tmp_path / "flow.json")]).exit_code == 1
    (tmp_path / "broken.json").write_text("{")
    refused = CliRunner().invoke(cli, ["import", str(tmp_path / "broken.json")])
    assert isinstance(refused.exception, ConfigError)
    assert refused.exception.exit_code == 2

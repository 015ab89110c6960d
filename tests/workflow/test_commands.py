"""`prepsql check` and `prepsql run` as people use them."""

import json

import pytest
from click.testing import CliRunner

from prepsql.cli.main import cli
from prepsql.workflow import Workflow

FLOW = {
    "nodes": {
        "fees": {"kind": "input", "params": {"path": "fees.csv"}},
        "paid": {
            "kind": "filter",
            "inputs": {"in": "fees"},
            "params": {"predicate": "fee IS NOT NULL"},
            "note": "no fee",
        },
        "newest": {
            "kind": "dedup",
            "inputs": {"in": "paid"},
            "params": {"keys": ["name"], "order_by": [{"expr": "day", "asc": False}]},
        },
        "out": {"kind": "output", "inputs": {"in": "newest"}, "params": {"path": "output_01.csv"}},
    }
}
FEES = "name,day,fee\nAda,2024-01-02,3.50\nBo,2024-01-01,\nBo,2024-01-05,4\nAda,2024-01-02,9\n"


@pytest.fixture
def flow(tmp_path):
    (tmp_path / "fees.csv").write_text(FEES)
    path = tmp_path / "flow.json"
    path.write_text(json.dumps(FLOW))
    return path


def call(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)))


def change(flow, step, **params):
    document = json.loads(flow.read_text())
    document["nodes"][step]["params"] |= params
    flow.write_text(json.dumps(document))


def test_a_run_leaves_its_outputs_and_says_where(flow, tmp_path):
    done = call("run", flow, "-o", tmp_path / "out")
    assert (done.exit_code, done.output.split(": ")[1]) == (0, "2 rows\n")
    assert (tmp_path / "out" / "output_01.csv").read_text() == "name,day,fee\nAda,2024-01-02,3.5\nBo,2024-01-05,4.0\n"


def test_a_trace_shows_rows_and_ties_in_80_columns(flow, tmp_path):
    done = call("run", flow, "-o", tmp_path / "out", "--trace")
    rows = {line.split()[0]: line.split() for line in done.output.splitlines() if line}
    assert rows["paid"][1:4] == ["filter", "4", "3"]
    assert rows["newest"][1:4] == ["dedup", "3", "2"]
    assert "1 tie broken by the order of rows" in " ".join(done.output.split())
    assert max(map(len, done.output.splitlines()[:-1])) <= 80


def test_the_sql_is_one_query_with_a_cte_a_step_and_notes(flow, tmp_path):
    done = call("run", flow, "-o", tmp_path / "out", "--show-sql")
    assert [f"{name} AS (" in done.output for name in ("fees", "paid", "newest")] == [True] * 3
    assert "-- no fee\n" in done.output
    assert not (tmp_path / "out").exists()


def test_inputs_may_lie_elsewhere(flow, tmp_path):
    (tmp_path / "other").mkdir()
    (tmp_path / "fees.csv").rename(tmp_path / "other" / "fees.csv")
    assert call("run", flow, "-o", tmp_path / "out").exit_code == 1
    assert call("run", flow, "--inputs", tmp_path / "other", "-o", tmp_path / "out").exit_code == 0


def test_problems_are_all_listed_and_nothing_is_run(flow, tmp_path):
    change(flow, "paid", predicate="fees > 1")
    change(flow, "newest", keys=["nam"])
    done = call("check", flow)
    assert done.exit_code == 1
    assert "did you mean 'fee'" in done.output
    assert "did you mean 'name'" in done.output
    assert [p["step"] for p in json.loads(call("check", flow, "--json").output)] == ["paid", "newest"]
    assert call("run", flow, "-o", tmp_path / "out").exit_code == 1
    assert not (tmp_path / "out").exists()


def test_a_sound_workflow_has_no_problems(flow):
    done = call("check", flow)
    assert (done.exit_code, done.output) == (0, f"{flow}: no problems\n")


def test_the_schema_tells_every_kind():
    schema = json.loads(call("check", "--schema").output)
    assert len(schema["properties"]["nodes"]["additionalProperties"]["oneOf"]) == 11


@pytest.mark.parametrize("text", ["", "{", '{"nodes": {"a": 1, "a": 2}}', "[]"])
def test_what_is_no_workflow_is_a_problem(flow, text):
    flow.write_text(text)
    done = call("check", flow)
    assert done.exit_code == 1
    assert "bad_document" in done.output


def test_outputs_that_are_there_stay_where_a_step_fails(flow, tmp_path):
    out = tmp_path / "out"
    assert call("run", flow, "-o", out).exit_code == 0
    before = (out / "output_01.csv").read_bytes()
    change(flow, "paid", predicate="CAST(name AS INTEGER) > 1")
    done = CliRunner().invoke(cli, ["run", str(flow), "-o", str(out)], standalone_mode=False)
    assert "'Ada'" in str(done.exception) or "Ada" in str(done.exception)
    assert [(p.name, p.read_bytes()) for p in out.iterdir()] == [("output_01.csv", before)]


def test_the_columns_of_each_step_without_a_run(flow):
    found = Workflow.load(flow).columns()
    assert [*found] == [*FLOW["nodes"]]
    assert all(columns == {"name": "VARCHAR", "day": "DATE", "fee": "DOUBLE"} for columns in found.values())
    nodes = {**FLOW["nodes"], "paid": {**FLOW["nodes"]["paid"], "kind": "project", "params": {
        "select": ["name"], "compute": [{"as": "half", "expr": "fe / 2"}]}}}  # fmt: skip
    assert Workflow({"nodes": nodes}, flow.parent).columns()["paid"] == {"name": "VARCHAR", "half": "?"}

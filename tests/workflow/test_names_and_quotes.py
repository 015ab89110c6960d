"""Names, texts and types of a workflow stay what they are: no layout changes them, none reaches out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from prepsql.errors import WorkflowError
from prepsql.workflow import Workflow
from prepsql.workflow.describe import type_fault
from prepsql.workflow.document import parse_json
from prepsql.workflow.expression import parse

DATA = [{"amount": 3, "b": "x"}, {"amount": 1, "b": "y"}, {"amount": 2, "b": "x"}]


def flow(kind: str, params: dict[str, Any], data: list[dict[str, Any]] = DATA, **output: Any) -> Workflow:
    """Return the workflow of one step between data and output."""
    return Workflow(
        {
            "nodes": {
                "src": {"kind": "input", "params": {"data": data}},
                "made": {"kind": kind, "inputs": {"in": "src"}, "params": params},
                "out": {"kind": "output", "inputs": {"in": "made"}, "params": {"path": "o.csv", **output}},
            }
        }
    )


def result(workflow: Workflow, tmp_path: Path) -> str:
    """Return the file that a workflow writes."""
    workflow.run(tmp_path, tmp_path)
    return (tmp_path / "o.csv").read_text(encoding="utf-8")


def codes(workflow: Workflow, tmp_path: Path) -> list[tuple[str, str, str]]:
    """Return step, parameter and code of each problem."""
    return [(p.step, p.parameter, p.code) for p in workflow.check(tmp_path)]


def test_line_breaks_in_texts_stay(tmp_path: Path) -> None:
    listed = flow("aggregate", {"aggs": [{"as": "z", "func": "string_agg", "expr": "b", "separator": "\n"}]})
    assert result(listed, tmp_path) == 'z\n"x\ny\nx"\n'
    lengths = {"as": "z", "expr": "length('\nq''\n') -- it's\n + length($$\n$$)"}
    assert result(flow("project", {"select": ["b"], "compute": [lengths]}), tmp_path) == "b,z\nx,5\ny,5\nx,5\n"


def test_a_column_name_may_hold_a_line_break(tmp_path: Path) -> None:
    data = [{"a\nb": 1, "c": 2}]
    workflow = flow("project", {"compute": [{"as": "a\nb", "expr": '"a\nb" + 1'}, {"as": "d", "expr": '"a\nb"'}]}, data)
    assert result(workflow, tmp_path) == '"a\nb",c,d\n2,2,2\n'


@pytest.mark.parametrize(
    "kind",
    ["VARCHAR) || (SELECT content FROM read_text('{path}')", "INT); COPY (SELECT 1) TO '{path}'; SELECT (1",
     "INT)+CAST(1 AS INT", "INT -- x", "INT)) WHERE ((true", ""],
)  # fmt: skip
def test_a_type_is_nothing_but_a_type(kind: str, tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a\n1\n", encoding="utf-8")
    there = tmp_path / "made.csv"
    kind = kind.replace("{path}", str(there))
    assert type_fault(kind)
    source = {"kind": "input", "params": {"path": "in.csv", "types": {"a": kind}}}
    output = {"kind": "output", "inputs": {"in": "src"}, "params": {"path": "o.csv"}}
    read = Workflow({"nodes": {"src": source, "out": output}})
    assert codes(read, tmp_path) == [("src", "types.a", "wrong_type")]
    with pytest.raises(WorkflowError):
        read.run(tmp_path, tmp_path)
    assert ("made", "cast[0].type", "wrong_type") in codes(
        flow("project", {"cast": [{"col": "amount", "type": kind}]}), tmp_path
    )
    assert not there.exists()


@pytest.mark.parametrize("kind", ["int[]", "STRUCT(x INT)", "TIMESTAMP WITH TIME ZONE", "ENUM('a', 'ü')", " DATE "])
def test_a_type_may_have_parts(kind: str) -> None:
    assert type_fault(kind) is None


@pytest.mark.parametrize("text", ["amount) + (1", "a) WHERE (b", "a] || [b"])
def test_an_expression_keeps_to_its_brackets(text: str) -> None:
    assert parse(text).fault


@pytest.mark.parametrize("text", ["(a) + (b)", "a || ')' || '('", "a -- :)\n + (b)", '")" + 1', "[a, (b)]"])
def test_brackets_in_quotes_dont_count(text: str) -> None:
    assert parse(text).fault == ""


def test_an_output_finds_its_columns_in_any_case(tmp_path: Path) -> None:
    sort = {"order_by": [{"expr": "amount"}]}
    workflow = flow("sort", sort, columns=["Amount", "b"], types={"AMOUNT": "DOUBLE"}, formats={"aMount": 2})
    assert result(workflow, tmp_path) == "Amount,b\n1.00,y\n2.00,x\n3.00,x\n"


def test_an_order_goes_by_columns_not_by_their_places(tmp_path: Path) -> None:
    workflow = flow("sort", {"order_by": [{"expr": "2"}], "limit": 2})
    assert codes(workflow, tmp_path) == [("made", "order_by[0].expr", "bad_value")]


@pytest.mark.parametrize("name", ["_row_src", "_ROW_x", ""])
def test_some_names_are_not_for_columns(name: str, tmp_path: Path) -> None:
    workflow = flow("project", {"rename": {"b": name}})
    assert ("made", "", "bad_name") in codes(workflow, tmp_path)


def test_a_column_named_by_its_step_is_the_one_computed_before(tmp_path: Path) -> None:
    entries = [{"as": "amount", "expr": "amount * 2"}, {"as": "z", "expr": "src.amount + 1"}]
    assert result(flow("project", {"compute": entries}), tmp_path) == "amount,b,z\n6,x,7\n2,y,3\n4,x,5\n"


@pytest.mark.parametrize("value", [2**63, -(2**70), "\ud800"])
def test_data_that_no_column_takes_is_a_problem(value: Any, tmp_path: Path) -> None:
    workflow = flow("sort", {"order_by": [{"expr": "a"}]}, [{"a": value}])
    assert ("src", "data", "bad_value") in codes(workflow, tmp_path)


def test_an_expression_of_half_a_character_is_a_problem(tmp_path: Path) -> None:
    workflow = flow("filter", {"predicate": "b = '\ud800'"})
    assert codes(workflow, tmp_path) == [("made", "predicate", "bad_expression")]


def test_a_text_that_looks_like_minus_zero_keeps_its_sign(tmp_path: Path) -> None:
    data = [{"k": "-0.0", "v": 1}, {"k": "0.0", "v": 2}]
    workflow = flow("pivot", {"mode": "wider", "index": [], "columns": "k", "values": "v", "agg": "sum"}, data)
    assert result(workflow, tmp_path) == "-0.0,0.0\n1,2\n"


@pytest.mark.parametrize("path", ["a\0.csv", "a\nb.csv", "../a.csv", ".csv"])
def test_an_output_has_a_plain_name(path: str, tmp_path: Path) -> None:
    workflow = flow("sort", {"order_by": [{"expr": "b"}]}, path=path)
    assert codes(workflow, tmp_path) == [("out", "path", "bad_value")]


@pytest.mark.parametrize(
    ("fill", "parameter"),
    [({"keys": ["b", "B"]}, "fill.keys"), ({"range": {"col": "amount", "step": 0}}, "fill.range.step"),
     ({"range": {"col": "amount", "step": -1}}, "fill.range.step"),
     ({"range": {"col": "amount", "step": "0 days"}}, "fill.range.step")],
)  # fmt: skip
def test_a_fill_leads_somewhere(fill: dict[str, Any], parameter: str, tmp_path: Path) -> None:
    assert ("made", parameter, "bad_value") in codes(flow("project", {"fill": fill}), tmp_path)


def test_a_merged_header_is_within_the_file(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("a,b\n1,x\n", encoding="utf-8")
    source = {"kind": "input", "params": {"path": "in.csv", "header": [1, 99]}}
    output = {"kind": "output", "inputs": {"in": "src"}, "params": {"path": "o.csv"}}
    assert codes(Workflow({"nodes": {"src": source, "out": output}}), tmp_path) == [("src", "header", "bad_value")]


def test_a_document_of_endless_brackets_is_no_workflow() -> None:
    with pytest.raises(WorkflowError, match="nested too deeply"):
        parse_json("[" * 100_000)

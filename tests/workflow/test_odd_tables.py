"""Odd tables through every operator: each works, or is refused by name."""

from pathlib import Path
from typing import Any

import pytest

from prepsql.errors import WorkflowError
from prepsql.sqltext import quote
from prepsql.workflow import Workflow
from tests.workflow.tables import DATE, INT, TEXT, Flow, Table, feed, read, table

WIDE = [f"c{i}" for i in range(497)]
ODD: dict[str, Table] = {
    "an all-null column": table({"k": INT, "v": INT, "n": TEXT}, [[1, None, "a"], [2, None, "b"], [1, None, None]]),
    "no rows": table({"k": INT, "v": INT, "n": TEXT}, []),
    "one column": table({"k": INT}, [[1], [None], [1]]),
    "500 columns": table(
        {"k": INT, "v": INT, "n": TEXT} | dict.fromkeys(WIDE, TEXT), [[1, 2, "a", *WIDE], [None, 3, "b", *WIDE]]
    ),
    "select": table({"select": INT, "from": INT, "order": TEXT}, [[1, 2, "x"], [1, 3, None]]),
    'a "b"': table({'a "b"': INT, "'c'": INT, "d;--": TEXT}, [[1, 2, "x"], [1, 3, None]]),
    "long names": table({"n" * 400: INT, "m" * 400: INT, "o" * 400: TEXT}, [[1, 2, "x"]]),
}

FEW = {
    "rename": ["new", WIDE[-1]],
    "whole": ["m", "c"],
    "longer": ["value", WIDE[0]],
    "project": [WIDE[-1], "sum"],
    "wider": ["v"],
}


def steps(given: Table) -> dict[str, tuple[str, dict[str, Any], Any]]:
    """Return a step or more of each kind over a table, by name: kind, parameters, inputs."""
    key, value, text = (*given.columns[:3], *[given.columns[0]] * 2)[:3]
    k, v = quote(key), quote(value)
    lacks = {} if len(given.columns) > 1 else {"suffixes": ["", " 2"]}
    join = {"left": "main", "right": "main"}
    ends = {"suffixes": ["", " of right"]}
    return {
        "project": (
            "project",
            {
                "compute": [
                    {"as": "made", "expr": f"{k} + 1"},
                    {"as": "sum", "expr": f"sum({v}) OVER (PARTITION BY {k})"},
                ]
            },
            "main",
        ),
        "cast": ("project", {"cast": [{"col": key, "type": "VARCHAR"}]}, "main"),
        "rename": ("project", {"rename": {key: "new"}}, "main"),
        "explode": ("project", {"compute": [{"as": "l", "expr": f"[{k}, {v}]"}], "explode": {"col": "l"}}, "main"),
        "fill range": ("project", {"fill": {"range": {"col": key}}}, "main"),
        "filter": ("filter", {"predicate": f"{k} IS NOT NULL"}, "main"),
        "inner": ("join", {"how": "inner", "on": [key]} | ends, join),
        "full": ("join", {"how": "full", "on": [key], "null_equal": True} | ends, join),
        "anti": ("join", {"how": "anti", "on": [key]} | lacks, join),
        "union": ("union", {"distinct": True, "source_column": "of"}, {"items": ["main", "main"]}),
        "aggregate": (
            "aggregate",
            {
                "group_keys": [key],
                "aggs": [{"as": "m", "func": "avg", "expr": v}, {"as": "l", "func": "list", "expr": quote(text)}],
            },
            "main",
        ),
        "whole": ("aggregate", {"aggs": [{"as": "m", "func": "sum", "expr": v}, {"as": "c", "func": "count"}]}, "main"),
        "sort": ("sort", {"order_by": [{"expr": v, "asc": False}], "limit": 2}, "main"),
        "longer": ("pivot", {"mode": "longer", "value_vars": [key]}, "main"),
        "wider": ("pivot", {"mode": "wider", "index": [value], "columns": key, "agg": "count"}, "main"),
        "dedup": ("dedup", {"keys": [key], "keep": "last", "order_by": [{"expr": v}]}, "main"),
        "alone": ("dedup", {"keep": "none"}, "main"),
        "script": ("script", {"language": "sql", "code": f"SELECT {k} FROM df"}, {"df": "main"}),
    }


@pytest.mark.parametrize("what", ODD)
def test_each_operator_takes_it(tmp_path: Path, what: str) -> None:
    given = ODD[what]
    nodes = feed(tmp_path, "main", given)
    made = steps(given)
    if len(given.columns) == 1:
        # an index that is the pivoted column itself makes names that clash
        made["wider"] = ("pivot", {"mode": "wider", "index": [], "columns": "k", "agg": "count"}, "main")
    for place, (name, (kind, params, inputs)) in enumerate(made.items()):
        nodes[f"step{place}"] = {
            "kind": kind,
            "inputs": {"in": inputs} if isinstance(inputs, str) else inputs,
            "params": params,
        }
        # hundreds of columns take most of their time to write: a few say enough
        some = {"columns": FEW.get(name, [given.columns[0]])} if len(given.columns) > 100 else {}
        nodes[f"out{place}"] = {
            "kind": "output",
            "inputs": {"in": f"step{place}"},
            "params": {"path": f"{place}.csv"} | some,
        }
    assert Workflow({"nodes": nodes}).check(tmp_path) == []
    Workflow({"nodes": nodes}).run(tmp_path, tmp_path / "out")
    found = {name: read(tmp_path / "out" / f"{place}.csv") for place, name in enumerate(made)}
    key = given.columns[0]
    count = len(given)
    assert found["cast"] == found["filter"] if None not in given.frame[key].tolist() else len(found["cast"][1]) == count
    if len(given.columns) < 100:
        assert found["project"][0] == [*given.columns, "made", "sum"]
        assert found["rename"][0] == ["new", *given.columns[1:]]
        assert found["longer"][0] == [*given.columns[1:], "name", "value"]
    assert len(found["explode"][1]) == 2 * count
    assert found["whole"][1] == [[found["whole"][1][0][0], str(count)]]
    assert len(found["longer"][1]) == count
    assert found["script"][0] == [key]
    assert len(found["anti"][1]) == sum(v is None for v in given.frame[key])
    assert len(found["sort"][1]) == min(2, count)
    assert len(found["dedup"][1]) == len(set(given.frame[key])) == len(found["aggregate"][1])


def test_names_that_differ_in_case(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("id,ID,Id\n1,2,3\n", encoding="utf-8")
    flow = Flow(tmp_path)
    flow.nodes["main"] = {"kind": "input", "params": {"path": "in.csv"}}
    flow.expect("main", table({"id": INT, "ID_2": INT, "Id_3": INT}, [[1, 2, 3]]))
    flow.check()
    made = {
        "rename": ("project", {"rename": {"ID_2": "ID"}}),
        "compute": ("project", {"compute": [{"as": "x", "expr": "1"}], "rename": {"Id_3": "X", "id": "x"}}),
        "aggregate": ("aggregate", {"group_keys": ["id"], "aggs": [{"as": "ID", "func": "count"}]}),
        "longer": ("pivot", {"mode": "longer", "value_vars": ["ID_2"], "names_to": "ID"}),
        "select": ("project", {"select": ["id", "ID"]}),
        "explode": ("project", {"compute": [{"as": "l", "expr": "[1]"}], "explode": {"col": "l", "position": "ID"}}),
        "union": ("union", {"source_column": "ID"}),
        "output": ("output", {"path": "o.csv", "columns": ["id", "ID"]}),
    }
    for name, (kind, params) in made.items():
        nodes: dict[str, Any] = {"main": flow.nodes["main"]}
        inputs = {"items": ["main"]} if kind == "union" else {"in": "main"}
        nodes[name] = {"kind": kind, "inputs": inputs, "params": params}
        if kind != "output":
            nodes["out"] = {"kind": "output", "inputs": {"in": name}, "params": {"path": "o.csv"}}
        problems = Workflow({"nodes": nodes}).check(tmp_path)
        assert [(p.step, p.code) for p in problems] == [(name, "duplicate_column")], (name, problems)


def test_two_steps_or_columns_of_a_join_that_differ_in_case(tmp_path: Path) -> None:
    left, right = table({"id": INT, "Name": TEXT}, [[1, "a"]]), table({"ID": INT, "name": TEXT}, [[1, "b"]])
    flow = Flow(tmp_path, main=left, other=right)
    join = {"left": "main", "right": "other"}
    flow.expect(
        flow.step("join", {"how": "inner", "on": ["Id"], "suffixes": ["", "_r"]}, join),
        table({"id": INT, "Name": TEXT, "name_r": TEXT}, [[1, "a", "b"]]),
    )
    flow.check()
    flow.expect(flow.step("join", {"how": "inner", "on": ["id"]}, join), left)
    with pytest.raises(WorkflowError, match="suffixes: both sides have 'name'"):
        flow.check()


def test_a_pivot_over_no_rows_has_no_columns_but_its_index(tmp_path: Path) -> None:
    flow = Flow(tmp_path, main=table({"k": TEXT, "g": INT, "v": INT}, []))
    params = {"mode": "wider", "index": ["g"], "columns": "k", "values": "v", "agg": "sum"}
    flow.expect(flow.step("pivot", params), table({"g": INT}, []))
    flow.expect(
        flow.step("pivot", params | {"column_values": ["a", None]}), table({"g": INT, "a": INT, "null": INT}, [])
    )
    flow.expect(
        flow.step("pivot", params | {"index": [], "column_values": ["a"], "fill_value": 0}), table({"a": INT}, [[0]])
    )
    flow.expect(
        flow.step("pivot", {"mode": "longer", "value_vars": ["g", "v"]}),
        table({"k": TEXT, "name": TEXT, "value": INT}, []),
    )
    flow.check()
    flow.expect(flow.step("pivot", params | {"index": []}), table({}, []))
    with pytest.raises(WorkflowError, match=r"step 'step\d+', columns: .*no rows"):
        flow.check()


def test_all_columns_dropped_is_refused_by_name(tmp_path: Path) -> None:
    flow = Flow(tmp_path, main=table({"a": INT}, [[1]]))
    flow.expect(flow.step("project", {"drop": ["a"]}), table({}, []))
    with pytest.raises(WorkflowError, match=r"step 'step\d+', drop: no column is left"):
        flow.check()


def test_a_header_alone_is_a_table_of_text_without_rows(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("k,v\n", encoding="utf-8")
    flow = Flow(tmp_path)
    flow.nodes["main"] = {"kind": "input", "params": {"path": "in.csv"}}
    flow.expect(
        flow.step("aggregate", {"aggs": [{"as": "n", "func": "count"}, {"as": "m", "func": "max", "expr": "v"}]}),
        table({"n": INT, "m": TEXT}, [[0, None]]),
    )
    flow.expect(
        flow.step("aggregate", {"group_keys": ["k"], "aggs": [{"as": "n", "func": "count"}]}),
        table({"k": TEXT, "n": INT}, []),
    )
    flow.check()


def test_steps_called_as_sql_or_the_engine_calls_things(tmp_path: Path) -> None:
    main = table({"t1": INT, "d": DATE}, [[2, None], [1, None]])
    nodes = feed(tmp_path, "t1", main)
    nodes["select"] = {
        "kind": "project",
        "inputs": {"in": "t1"},
        "params": {"compute": [{"as": "x", "expr": "t1 + 1"}], "fill": {"keys": ["t1", "x"]}},
    }
    nodes["t0"] = {
        "kind": "join",
        "inputs": {"left": "select", "right": "t1"},
        "params": {"how": "full", "on": ["t1"], "suffixes": ["", "_2"]},
    }
    nodes["order"] = {"kind": "output", "inputs": {"in": "t0"}, "params": {"path": "o.csv"}}
    Workflow({"nodes": nodes}).run(tmp_path, tmp_path)
    assert read(tmp_path / "o.csv")[1] == [
        ["1", "", "2", ""],
        ["1", "", "3", ""],
        ["2", "", "2", ""],
        ["2", "", "3", ""],
    ]

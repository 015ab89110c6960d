"""What an export says besides its SQL: tables, refusals, views, a dbt project; and the command."""

from __future__ import annotations

import re

import pytest
import yaml

from prepsql.cli.main import main
from prepsql.errors import ConfigError, WorkflowError
from prepsql.workflow import Workflow
from prepsql.workflow.dialects import DIALECTS
from tests.workflow.dialects import engines
from tests.workflow.dialects.flows import FLOWS, FOLDER, flow, load

_SALES = {"kind": "input", "params": {
    "path": "sales.csv", "columns": ["id", 'a "q"'], "types": {"id": "BIGINT", 'a "q"': "VARCHAR"},
}}  # fmt: skip


def _flow(**steps):
    last = list(steps)[-1] if steps else "sales"
    return Workflow({"name": "sales", "nodes": {
        "sales": _SALES, **steps, "out": {"kind": "output", "inputs": {"in": last}, "params": {"path": "out.csv"}},
    }})  # fmt: skip


def _script(**params):
    return {"kind": "script", "inputs": {"in": "sales"},
            "params": {"language": "python", "code": "def transform(df, pd, np): return df", **params}}  # fmt: skip


def _problems(workflow, *args, **options):
    with pytest.raises(WorkflowError) as no:
        workflow.sql(*args, **options)
    return no.value.problems


def test_no_file_is_needed_where_columns_and_types_are_declared():
    assert 'reads "sales" ("id" BIGINT, "a ""q""" TEXT)' in _flow().sql("postgres")


def test_a_table_may_have_another_name_in_a_schema_by_step_or_path():
    assert 'FROM "shop"."raw"' in _flow().sql("postgres", tables={"sales": "shop.raw"})
    assert "FROM `shop`.`raw`" in _flow().sql("databricks", tables={"sales.csv": "shop.raw"})
    with pytest.raises(ConfigError, match="no such input"):
        _flow().sql(tables={"sale": "x"})


def test_bigquery_gets_a_name_that_it_can_hold_and_the_reader_is_told():
    text = _flow().sql("bigquery")
    assert "-- the column 'a \"q\"' is called 'a _q_' here" in text
    assert '"q"' not in text.split("here\n")[1]


def test_two_columns_that_would_have_one_name_are_refused():
    twice = {"kind": "project", "inputs": {"in": "sales"}, "params": {"compute": [{"as": "a _q_", "expr": "id"}]}}
    (no,) = {p.message for p in _problems(_flow(twice=twice), "bigquery") if p.step == "twice"}
    assert "would have one name in bigquery" in no


def test_every_refusal_names_its_step_and_reason():
    steps = {
        "list": {"kind": "project", "inputs": {"in": "sales"},
                 "params": {"compute": [{"as": "parts", "expr": "string_split(\"a \"\"q\"\"\", ',')"}]}},
        "tried": {"kind": "filter", "inputs": {"in": "sales"},
                  "params": {"predicate": "TRY_CAST(\"a \"\"q\"\"\" AS INTEGER) > 1"}},
        "rows": {"kind": "dedup", "inputs": {"in": "tried"}, "params": {"keys": ["id"]}},
    }  # fmt: skip
    steps["list"]["inputs"] = {"in": "rows"}
    found = {
        p.step: (p.code, p.message)
        for p in _problems(_flow(**{k: steps[k] for k in ("tried", "rows", "list")}), "snowflake")
    }
    assert set(found) == {"list", "tried", "rows"}
    assert {code for code, _ in found.values()} == {"not_portable"}
    assert "string_split" in found["list"][1]
    assert "TRY_CAST" in found["tried"][1]
    assert "order of a file's rows" in found["rows"][1]


def test_a_script_is_refused_or_becomes_a_table():
    scripted = _flow(made=_script(columns={"id": "BIGINT", "note": "VARCHAR"}))
    (no,) = _problems(scripted, "postgres")
    assert (no.step, no.code) == ("made", "not_portable")
    text = scripted.sql("postgres", external_scripts=True, tables={"made": "work.made"})
    assert 'reads "work"."made" ("id" BIGINT, "note" TEXT)' in text
    assert "sales" not in text.split("\n", 1)[1]
    (no,) = _problems(_flow(made=_script()), "postgres", external_scripts=True)
    assert (no.step, no.parameter) == ("made", "columns")


def test_a_pivot_whose_columns_only_the_data_know_asks_them_or_is_refused(tmp_path):
    wide = {"kind": "pivot", "inputs": {"in": "sales"},
            "params": {"mode": "wider", "index": ["id"], "columns": 'a "q"', "agg": "count"}}  # fmt: skip
    (no,) = _problems(_flow(wide=wide), "postgres")
    assert (no.step, no.code) == ("wide", "unknown_columns")
    asked = _flow(wide=wide)
    asked.document["nodes"]["sales"] = {"kind": "input", "params": {"path": "sales.csv"}}
    (tmp_path / "sales.csv").write_text('id,"a ""q"""\n1,red\n2,blue\n')
    assert 'AS "blue"' in asked.sql("postgres", tmp_path)


def test_one_output_may_be_chosen():
    workflow = flow("join")
    assert workflow.sql("postgres", output="semi_join_sorted.csv").count(";") == 1
    with pytest.raises(ConfigError, match="no output"):
        workflow.sql("postgres", output="x.csv")
    with pytest.raises(ConfigError, match="no dialect 'oracle'"):
        workflow.sql("oracle")
    with pytest.raises(ConfigError, match="no form 'tables'"):
        workflow.sql(form="tables")  # type: ignore[arg-type]


def test_views_give_what_the_query_gives(sqlite):
    load(sqlite)
    made = flow("join").export("sqlite")
    sqlite.con.executescript(made.views())
    for compiled, query in zip(made.outputs, made.queries().values(), strict=True):
        assert sqlite.query(f'SELECT * FROM "{compiled.step.name}"') == sqlite.query(query)
    sqlite.con.executescript("".join(f'DROP VIEW "{c.step.name}";' for c in made.steps))


@pytest.mark.parametrize("name", [name for name in FLOWS if name != "rows_order"])
def test_a_dbt_project_gives_what_the_query_gives(tmp_path, duckdb, name):
    engine = duckdb
    load(engine)
    made = flow(name).export("duckdb")
    files = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in flow(name).export_dbt(tmp_path)}
    project, sources, models = (
        yaml.safe_load(files[p]) for p in ("dbt_project.yml", "models/sources.yml", "models/schema.yml")
    )
    assert project["name"] == name
    known = {table["name"]: table["identifier"] for source in sources["sources"] for table in source["tables"]}
    for model in models["models"]:
        sql = files[f"models/{model['name']}.sql"]
        sql = re.sub(r"\{\{ config\(.*?\) \}\}", "", sql)
        sql = re.sub(r"\{\{ source\('\w+', '(\w+)'\) \}\}", lambda found: known[found[1]], sql)
        sql = re.sub(r"\{\{ ref\('(\w+)'\) \}\}", r"model_\1", sql)
        engine.con.execute(f"CREATE OR REPLACE TABLE model_{model['name']} AS {sql}")
    for compiled, query in zip(made.outputs, made.queries().values(), strict=True):
        assert engines.same(engine.query(f"SELECT * FROM model_{compiled.step.name}"), engine.query(query))


def test_the_notes_of_steps_are_said(tmp_path):
    assert "-- only what is priced\n" in flow("project").sql("postgres")
    flow("project").export_dbt(tmp_path, "snowflake")
    models = yaml.safe_load((tmp_path / "models" / "schema.yml").read_text())["models"]
    assert [m["description"] for m in models if "description" in m] == ["only what is priced"]


def _run(*words):
    with pytest.raises(SystemExit) as left:
        main(["sql", *map(str, words)])
    return left.value.code


def test_the_command_prints_writes_and_refuses(capsys, tmp_path):
    path = FOLDER / "join.json"
    assert _run(path, "--dialect", "sqlite", "--table", "orders=o") == 0
    assert 'FROM "o"' in capsys.readouterr().out
    assert _run(path, "-d", "trino", "--form", "dbt", "--out", tmp_path) == 0
    assert (tmp_path / "models" / "inner_join.sql").exists()
    assert str(tmp_path / "dbt_project.yml") in capsys.readouterr().out
    assert _run(FOLDER / "rows_order.json", "-d", "trino") == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert [line.split(":")[1] for line in said.err.splitlines()] == [" step 'carried'", " step 'kept'"]
    assert _run(path, "-d", "oracle") == 2
    assert _run(path, "--table", "orders") == 2
    assert _run(tmp_path / "none.json") == 2


def test_all_dialects_have_a_page_entry():
    from pathlib import Path

    page = (Path(__file__).parents[3] / "docs" / "export.md").read_text()
    assert [name for name in DIALECTS if f"`{name}`" not in page] == []

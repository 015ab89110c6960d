"""The bundled tasks' workflows: exported for DuckDB they give the run's rows; other dialects say them or why not."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pytest
import sqlglot

from prepsql.errors import WorkflowError
from prepsql.macros import install
from prepsql.tables import write_csv
from prepsql.workflow import Workflow
from prepsql.workflow.dialects import DIALECTS
from prepsql.workflow.sources import load_sources

_TASKS = sorted(path.parent for path in (Path(__file__).parents[3] / "tasks").glob("*/workflow.json"))


def _queries(task, dialect):
    try:
        return Workflow.load(task / "workflow.json").export(dialect).queries()
    except WorkflowError as no:
        problems = no.problems
    assert problems
    assert all(problem.step and problem.message for problem in problems)
    return {}


@pytest.mark.parametrize("task", _TASKS, ids=lambda task: task.name)
def test_every_dialect_says_it_or_why_not(task):
    for name, dialect in DIALECTS.items():
        for query in _queries(task, name).values():
            assert sqlglot.parse_one(query, dialect=dialect.sqlglot)


@pytest.mark.parametrize("task", _TASKS, ids=lambda task: task.name)
def test_duckdb_gives_the_rows_of_the_run(task, tmp_path):
    workflow = Workflow.load(task / "workflow.json")
    queries = _queries(task, "duckdb")
    if not queries:
        assert "script" in {step["kind"] for step in workflow.document["nodes"].values()}
        return
    workflow.run(out=tmp_path)
    with duckdb.connect() as con:
        install(con)
        sources, _ = load_sources(con, workflow.export().document.steps, task)
        tables = {step: source.name for step, source in sources.items()}
        for path, query in workflow.export(tables=tables).queries().items():
            write_csv(con.sql(query.rstrip().rstrip(";")), tmp_path / "exported.csv")
            wanted, got = ((tmp_path / name).read_text().splitlines() for name in (path, "exported.csv"))
            assert sorted(wanted) == sorted(got), path

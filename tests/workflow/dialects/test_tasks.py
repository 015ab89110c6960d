"""The bundled tasks' workflows: exported for DuckDB they give the run's rows; other dialects say them or why not."""

from __future__ import annotations

import csv
import re
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
# each loads its files once a dialect: three are for every day
_SOME = [task if i % 4 == 1 else pytest.param(task, marks=pytest.mark.slow) for i, task in enumerate(_TASKS)]


def _queries(task, dialect):
    try:
        return Workflow.load(task / "workflow.json").export(dialect).queries()
    except WorkflowError as no:
        problems = no.problems
    assert problems
    assert all(problem.step and problem.message for problem in problems)
    return {}


@pytest.mark.parametrize("task", _SOME, ids=lambda task: task.name)
def test_every_dialect_says_it_or_why_not(task):
    for name, dialect in DIALECTS.items():
        for query in _queries(task, name).values():
            assert sqlglot.parse_one(query, dialect=dialect.sqlglot)


@pytest.mark.parametrize("task", _SOME, ids=lambda task: task.name)
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
            assert _rows(tmp_path / path) == _rows(tmp_path / "exported.csv"), path


def _rows(path):
    """Return a file's rows in an order of their own; means of DOUBLE agree but for their last bits."""
    return sorted([_cell(cell) for cell in line] for line in csv.reader(path.read_text().splitlines()))


def _cell(cell):
    return f"{float(cell):.12g}" if re.fullmatch(r"-?\d+\.\d{12,}", cell) else cell

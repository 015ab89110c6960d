"""The SQL of every operator in every dialect: kept, parsed by the dialect's parser, and run where there is an engine.

`pytest tests/workflow/dialects --update-sql` writes the kept files anew; look at what changed before you commit it.
"""

from __future__ import annotations

import duckdb
import pytest
import sqlglot

from prepsql.sqltext import literal
from prepsql.workflow.dialects import DIALECTS, dialect_of
from tests.workflow.dialects.engines import same
from tests.workflow.dialects.flows import FLOWS, FOLDER, exported, exporting, flow, load

_ALL = [(name, dialect) for name in FLOWS for dialect in DIALECTS]


@pytest.mark.parametrize(("name", "dialect"), _ALL)
def test_the_sql_is_the_one_that_is_kept(request, name, dialect):
    made = exported(name, dialect)
    text = "\n".join(made.values()) if isinstance(made, dict) else "".join(f"-- refused: {line}\n" for line in made)
    kept = FOLDER / f"{name}.{dialect}.sql"
    if request.config.getoption("--update-sql"):
        kept.write_text(text, encoding="utf-8")
    assert kept.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(("name", "dialect"), _ALL)
def test_the_dialect_parses_it(name, dialect):
    made = exported(name, dialect)
    for query in made.values() if isinstance(made, dict) else []:
        statements = [s for s in sqlglot.parse(query, dialect=dialect_of(dialect).sqlglot) if s is not None]
        assert len(statements) == 1
        assert isinstance(statements[0], sqlglot.exp.Query)


@pytest.mark.parametrize("name", FLOWS)
@pytest.mark.parametrize("dialect", ["duckdb", "sqlite", "postgres"])
def test_it_gives_the_rows_of_the_run(request, tmp_path, name, dialect):
    made = exported(name, dialect)
    if isinstance(made, list):
        assert all("can't say it" in line for line in made)
        return
    engine = request.getfixturevalue(dialect)
    load(engine)
    flow(name).run(FOLDER / "inputs", tmp_path)
    outline = {c.step.params["path"]: c.relation.columns for c in exporting(name, dialect).outputs}
    for path, query in made.items():
        assert same(_read(tmp_path / path, outline[path]), engine.query(query)), path


def _read(path, columns):
    types = ", ".join(f"{literal(name)}: {literal(kind)}" for name, kind in columns.items())
    with duckdb.connect() as con:
        return con.execute(
            f"SELECT * FROM read_csv({literal(str(path))}, header = true, columns = {{{types}}})"
        ).fetchall()

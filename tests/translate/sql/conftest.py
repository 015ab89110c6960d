"""A script's own tables, made by DuckDB itself, to hold a workflow's against."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path

import duckdb
import pytest

from prepsql.macros import install, named_in
from prepsql.sandbox import Server, job_server
from prepsql.tables import load_inputs, write_csv
from prepsql.translate.draft import Draft
from prepsql.translate.same import Pair, compare_files
from prepsql.translate.translation import OutputProof, Verdict
from prepsql.workflow import Workflow

FIXTURES = Path(__file__).parents[2] / "fixtures" / "translate"
TASKS = Path(__file__).parents[3] / "tasks"


@pytest.fixture(scope="session")
def loaded() -> Iterator[Callable[[Path], duckdb.DuckDBPyConnection]]:
    """Return what gives a DuckDB with the tables of a folder in it, one for each folder."""
    with ExitStack() as stack:

        @cache
        def load(inputs: Path) -> duckdb.DuckDBPyConnection:
            con = stack.enter_context(duckdb.connect(config={"threads": 1}))
            load_inputs(con, sorted(inputs.iterdir()))
            return con

        yield load


@pytest.fixture(scope="session")
def served() -> Iterator[Server | None]:
    """Return a server for script steps, None where none can be had: then each has a process of its own."""
    with job_server("sql") as server:
        yield server


@pytest.fixture
def proven(
    tmp_path: Path, loaded: Callable[[Path], duckdb.DuckDBPyConnection], served: Server | None
) -> Callable[[str, Path, Draft], list[OutputProof]]:
    """Return what compares a draft's outputs with the script's own."""

    def compare(script: str, inputs: Path, draft: Draft) -> list[OutputProof]:
        Workflow(draft.document).run(inputs, tmp_path / "made", server=served)
        own = own_tables(script, loaded(inputs), tmp_path / "own")
        pairs = [Pair(p.name, p, tmp_path / "made" / p.name, draft.ordered.get(p.name, ())) for p in own]
        return compare_files(pairs)

    return compare


def own_tables(script: str, con: duckdb.DuckDBPyConnection, out: Path) -> list[Path]:
    """Run a script of ours where its inputs are loaded, write its outputs, and undo what it made."""
    out.mkdir()
    install(con, named_in(script))
    con.begin()
    try:
        con.execute(script)
        rows = con.execute(
            "SELECT table_name FROM information_schema.tables WHERE regexp_full_match(table_name, 'output_[0-9]+')"
        ).fetchall()
        paths = []
        for (name,) in sorted(rows):
            paths.append(out / f"{name}.csv")
            write_csv(con.table(name), paths[-1])
    finally:
        con.rollback()
    return paths


def assert_equal(proofs: list[OutputProof], draft: Draft) -> None:
    """Raise unless each output has the same rows, in the same order where the script gives them one."""
    assert proofs
    for proof in proofs:
        assert proof.verdict in (Verdict.EQUAL, Verdict.REORDERED), f"{proof.path}: {proof.message}"

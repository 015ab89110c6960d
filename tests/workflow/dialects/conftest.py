"""Engines with the awkward table in them."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest

from tests.workflow.dialects import engines
from tests.workflow.dialects.examples import COLUMNS, rows


@pytest.fixture(scope="session")
def awkward():
    """DuckDB with the table `t`."""
    engine = engines.duck()
    engine.load("t", COLUMNS, rows())
    return engine


@pytest.fixture(scope="session")
def duckdb():
    """DuckDB with the library's macros, which take longer to define than most flows to run."""
    return engines.duck()


@pytest.fixture(scope="session")
def postgres():
    """A private PostgreSQL with the table `t`; skips with the reason where there is none."""
    why = engines.postgres_missing()
    if why:
        pytest.skip(why)
    # the path of a socket must be short
    with tempfile.TemporaryDirectory(prefix="pg") as folder, engines.postgres(Path(folder)) as engine:
        engine.load("t", COLUMNS, rows())
        yield engine


@pytest.fixture(scope="session")
def sqlite():
    """SQLite with the table `t`."""
    engine = engines.sqlite()
    engine.load("t", COLUMNS, rows())
    return engine

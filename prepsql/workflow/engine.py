"""The DuckDB that reads and types SQL for checking: one a process, in memory, which reaches no file."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from functools import cache

import duckdb

from prepsql.macros import install

_local = threading.local()
_lock = threading.Lock()
_installed: set[str] = set()


def engine() -> duckdb.DuckDBPyConnection:
    """Return this thread's connection for parsing, typing and looking names up; it holds no tables."""
    if not hasattr(_local, "con"):
        with _lock:
            _local.con = _database().cursor()  # a database of its own would take fifty times as long
    con: duckdb.DuckDBPyConnection = _local.con
    return con


@cache
def _database() -> duckdb.DuckDBPyConnection:
    return duckdb.connect(config={"threads": 1, "enable_external_access": False})


def with_macros(names: Iterable[str]) -> duckdb.DuckDBPyConnection:
    """Return the same once macros of these names are defined."""
    con = engine()
    with _lock:
        new = set(names) - _installed
        if new:
            install(con, sorted(new))
            _installed.update(new)
    return con

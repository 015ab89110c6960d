"""The DuckDB that reads and types SQL for checking: one a thread, in memory, which reaches no file."""

from __future__ import annotations

import threading

import duckdb

_local = threading.local()


def engine() -> duckdb.DuckDBPyConnection:
    """Return this thread's connection for parsing, typing and looking names up; it holds no tables."""
    if not hasattr(_local, "con"):
        _local.con = duckdb.connect(config={"threads": 1, "enable_external_access": False})
    con: duckdb.DuckDBPyConnection = _local.con
    return con

"""The DuckDB that compares: a session with the macros of a comparison."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from prepsql.macros import install
from prepsql.session import session

MACROS = (
    "norm_number",
    "norm_text_exact",
    "norm_text_norm",
    "norm_boolean",
    "norm_date",
    "norm_datetime",
    "norm_timestamp",
    "exact_number",
    "is_close",
    "magnitude_cell",
    "cells_near",
    "cells_of",
)


@contextmanager
def workspace(memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection with the macros of a comparison; `memory_limit` is as in `session`."""
    with session("prepsql-compare-", memory_limit) as con:
        install(con, MACROS)
        yield con

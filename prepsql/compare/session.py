"""The DuckDB that compares: in memory up to a limit, beyond it in a temporary folder that goes away."""

from __future__ import annotations

import resource
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager

import duckdb

from prepsql.macros import install

_GIB = 1 << 30
MACROS = (
    "norm_number",
    "norm_text_exact",
    "norm_text_norm",
    "norm_boolean",
    "norm_date",
    "norm_datetime",
    "exact_number",
    "is_close",
    "magnitude_cell",
    "cells_near",
    "cells_of",
)


@contextmanager
def workspace(memory_limit: str | None = None) -> Iterator[duckdb.DuckDBPyConnection]:
    """Yield a connection with the macros of a comparison; `memory_limit` is DuckDB's, e.g. '4GB'.

    By default 2 GiB, or half of what the process may have where that is less.
    """
    with (
        tempfile.TemporaryDirectory(prefix="prepsql-compare-") as folder,
        duckdb.connect(config={"temp_directory": folder, "memory_limit": memory_limit or _limit()}) as con,
    ):
        install(con, MACROS)
        yield con


def _limit() -> str:
    allowed = [soft for soft, _ in map(resource.getrlimit, (resource.RLIMIT_AS, resource.RLIMIT_DATA)) if soft > 0]
    return f"{min([2 * _GIB, *(soft // 2 for soft in allowed)]) >> 20}MiB"

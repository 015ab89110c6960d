"""Inputs into DuckDB, outputs out of it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from prepsql.sqltext import quote
from prepsql.tables import load_inputs

_ROWS = 10_000  # in memory at a time, so that wide rows fit too


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> list[str]:
    """Make a typed table and a `raw_` table of text for each input file; return the names, in name order."""
    texts = load_inputs(con, sorted(folder.iterdir()))
    return sorted(name for table in texts for name in (table.name, table.path.stem))


def save(con: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    """Write a table of a locked connection, in its own order, through one that may write."""
    rows = con.table(quote(name)).to_arrow_reader(_ROWS)
    with duckdb.connect() as writer:
        writer.from_arrow(rows).write_csv(str(path))

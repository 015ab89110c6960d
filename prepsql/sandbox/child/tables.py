"""Inputs into DuckDB, outputs out of it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from prepsql.sqltext import quote


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> None:
    """Make a typed table and a `raw_` table of text for each input file."""
    for path in sorted(folder.iterdir()):
        con.read_csv(str(path)).create(path.stem)
        con.read_csv(str(path), all_varchar=True).create("raw_" + path.stem)


def save(con: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    """Write a table of a locked connection, in its own order, through one that may write."""
    rows = con.table(quote(name)).to_arrow_reader()
    with duckdb.connect() as writer:
        writer.from_arrow(rows).write_csv(str(path))

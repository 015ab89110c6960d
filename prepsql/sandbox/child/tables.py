"""Inputs into DuckDB, outputs out of it."""

from __future__ import annotations

from pathlib import Path

import duckdb

from prepsql.sqltext import quote

_ROWS = 10_000  # in memory at a time, so that wide rows fit too


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> list[str]:
    """Make a typed table and a `raw_` table of text for each input file; return the names."""
    names = []
    for path in sorted(folder.iterdir()):
        con.read_csv(str(path)).create(path.stem)
        con.read_csv(str(path), all_varchar=True).create("raw_" + path.stem)
        names += [path.stem, "raw_" + path.stem]
    return names


def save(con: duckdb.DuckDBPyConnection, name: str, path: Path) -> None:
    """Write a table of a locked connection, in its own order, through one that may write."""
    rows = con.table(quote(name)).to_arrow_reader(_ROWS)
    with duckdb.connect() as writer:
        writer.from_arrow(rows).write_csv(str(path))

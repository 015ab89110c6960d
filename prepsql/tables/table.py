"""A raw file as a table of text, with its ledger."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import duckdb

from prepsql.errors import InputError
from prepsql.sqltext import select
from prepsql.tables.ledger import Ledger
from prepsql.tables.lines import LineMap
from prepsql.tables.safe_types import safe_types


@dataclass(frozen=True)
class Table:
    """One raw file, loaded as text into the table `name` of `con`: a row a record, in file order.

    `rowid` of the table is the record's number from 0, unless the file has a column of that name, which hides it. An
    empty cell of a text file is '', and so is one that a short row lacks (the ledger names such rows); NULL is only
    what JSON, Parquet or a workbook has as null.
    """

    name: str
    path: Path
    columns: tuple[str, ...]
    rows: int
    ledger: Ledger
    con: duckdb.DuckDBPyConnection = field(repr=False, compare=False)
    _lines: LineMap = field(repr=False, compare=False)

    @property
    def relation(self) -> duckdb.DuckDBPyRelation:
        """The text table as a relation, to query and to fetch."""
        return self.con.sql(select(["*"], self.name))

    def line(self, row: int) -> int:
        """Return the line of the file (row of the sheet, record of a Parquet file) where `row` starts, from 1.

        Raises InputError where there is no such row.
        """
        if not 0 <= row < self.rows:
            raise InputError(f"{self.path}: no row {row}; it has {self.rows}, counted from 0")
        return self._lines.line(row)

    def types(self) -> dict[str, str]:
        """Return the safe type of each column: see `safe_types`. One pass over all rows."""
        return safe_types(self.con, self.name, self.columns)

    def to_dict(self) -> dict[str, Any]:
        """Return what is known of the table, without its rows, as plain JSON values."""
        return {
            "name": self.name,
            "path": str(self.path),
            "columns": list(self.columns),
            "rows": self.rows,
            "ledger": self.ledger.to_dict(),
        }

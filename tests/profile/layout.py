"""What tests of the layout's rules share: a text is profiled by these rules alone, and mended."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from prepsql.macros import install
from prepsql.profile.columns import scan
from prepsql.profile.finding import Finding
from prepsql.profile.header import settle
from prepsql.profile.rules import RULES as ALL
from prepsql.profile.subject import Subject
from prepsql.tables import Table, read, write_csv

LAYOUT = (
    "composite_header",
    "duplicate_header",
    "markup",
    "misplaced_data",
    "odd_rows",
    "records_in_cells",
    "repeated_header",
    "row_width",
    "sparse_rows",
    "total_rows",
    "unnamed",
    "values_as_header",
)
RULES = tuple(rule for rule in ALL if rule.__module__.rpartition(".")[2] in LAYOUT)
# their mends are over the table as it was read first
ABOVE = ("preamble", "header on a later row", "two-row header")


@dataclass(frozen=True)
class Profiler:
    """Profiles texts in a folder, on one connection."""

    con: duckdb.DuckDBPyConnection
    folder: Path

    def find(self, text: str) -> dict[str, Finding]:
        """Return the findings about a text by kind; no kind may come twice."""
        return self._find(self._file(text))[1]

    def mended(self, text: str, kind: str) -> tuple[list[tuple[str | None, ...]], dict[str, Finding]]:
        """Return the rows that the mend of a finding gives, the names first, and what is found in them afterwards."""
        path = self._file(text)
        table, found = self._find(path)
        mend = found[kind].mend
        if kind in ABOVE:
            read(path, self.con)
        relation = self.con.sql(mend)
        rows = [tuple(relation.columns), *relation.fetchall()]
        written = self.folder / "mended" / path.name
        written.parent.mkdir(exist_ok=True)
        write_csv(self.con.sql(mend), written)
        assert table.name == path.stem
        return rows, self._find(written)[1]

    def _file(self, text: str) -> Path:
        path = self.folder / "table.csv"
        path.write_bytes(text.encode())
        return path

    def _find(self, path: Path) -> tuple[Table, dict[str, Finding]]:
        table, above = settle(read(path, self.con))
        facts = scan(Subject(self.con, table.name, table.columns, table.columns, table.rows, (table,), (0,)))
        found = [*above, *(finding for rule in RULES for finding in rule(facts))]
        kinds = [finding.kind for finding in found]
        assert len(kinds) == len(set(kinds)), kinds
        return table, dict(zip(kinds, found, strict=True))


def profiler(folder: Path) -> Iterator[Profiler]:
    """Yield a profiler that works in a folder."""
    with duckdb.connect() as con:
        con.execute("SET threads = 1")
        install(con)
        yield Profiler(con, folder)


def lines_of(finding: Finding) -> Sequence[int]:
    """Return the lines of a finding's examples."""
    return [example.line for example in finding.examples]

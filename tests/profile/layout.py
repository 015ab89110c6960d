"""What tests of the layout's rules share: a text is profiled by these rules alone, and mended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import duckdb

from prepsql.profile.columns import scan
from prepsql.profile.finding import Finding
from prepsql.profile.header import settle
from prepsql.profile.rules import RULES as ALL
from prepsql.profile.subject import Subject
from prepsql.tables import read, write_csv

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
        self._path.write_bytes(text.encode())
        return self._find(self._path)

    def mended(self, finding: Finding) -> tuple[list[tuple[str | None, ...]], dict[str, Finding]]:
        """Return the rows that the mend of a finding gives, the names first, and what is found in them afterwards.

        The finding is about the text that was looked at last.
        """
        if finding.kind in ABOVE:
            read(self._path, self.con)
        relation = self.con.sql(finding.mend)
        rows = [tuple(relation.columns), *relation.fetchall()]
        written = self.folder / "mended" / self._path.name
        written.parent.mkdir(exist_ok=True)
        write_csv(self.con.sql(finding.mend), written)
        return rows, self._find(written)

    @property
    def _path(self) -> Path:
        return self.folder / "table.csv"

    def _find(self, path: Path) -> dict[str, Finding]:
        table, above = settle(read(path, self.con))
        assert table.name == path.stem
        facts = scan(Subject(self.con, table.name, table.columns, table.columns, table.rows, (table,), (0,)))
        found = [*above, *(finding for rule in RULES for finding in rule(facts))]
        kinds = [finding.kind for finding in found]
        assert len(kinds) == len(set(kinds)), kinds
        return dict(zip(kinds, found, strict=True))


def lines_of(finding: Finding) -> Sequence[int]:
    """Return the lines of a finding's examples."""
    return [example.line for example in finding.examples]

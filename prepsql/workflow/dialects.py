"""The dialects that a workflow can be exported to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


class NotPortable(Exception):
    """What a dialect can't say, and why; `mend` is what to do."""

    def __init__(self, what: str, mend: str = "") -> None:
        super().__init__(what)
        self.mend = mend


@dataclass(frozen=True)
class Dialect:
    """One dialect: its name, the name of Ibis' compiler, and the name of sqlglot's dialect."""

    name: str
    compiler: str
    sqlglot: str

    def translate(self, text: str, columns: Mapping[str, str]) -> Any:
        """Return a DuckDB expression in this dialect, as a tree. Raises NotPortable."""
        raise NotPortable(text)


DIALECTS = {
    d.name: d
    for d in (
        Dialect("duckdb", "DuckDBCompiler", "duckdb"),
        Dialect("postgres", "PostgresCompiler", "postgres"),
    )
}


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a name."""
    return DIALECTS[name]

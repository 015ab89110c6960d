"""The dialects that a workflow can be exported to."""

from __future__ import annotations

from collections.abc import Mapping

from prepsql.errors import ConfigError
from prepsql.workflow.dialects.dialect import Dialect, NotPortable
from prepsql.workflow.dialects.postgres import POSTGRES
from prepsql.workflow.dialects.sqlite import SQLITE

DUCKDB = Dialect("duckdb", "DuckDBCompiler", "duckdb")

DIALECTS: Mapping[str, Dialect] = {d.name: d for d in (DUCKDB, POSTGRES, SQLITE)}
"""Each dialect by its name."""


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a name. Raises ConfigError where there is none."""
    if name not in DIALECTS:
        raise ConfigError(f"no dialect {name!r} (has: {', '.join(DIALECTS)})")
    return DIALECTS[name]


__all__ = ["DIALECTS", "Dialect", "NotPortable", "dialect_of"]

"""The dialects that a workflow can be exported to."""

from __future__ import annotations

from collections.abc import Mapping

from prepsql.errors import ConfigError
from prepsql.workflow.dialects.bigquery import BIGQUERY
from prepsql.workflow.dialects.clickhouse import CLICKHOUSE
from prepsql.workflow.dialects.databricks import DATABRICKS, SPARK
from prepsql.workflow.dialects.dialect import Dialect, NotPortable
from prepsql.workflow.dialects.mssql import MSSQL
from prepsql.workflow.dialects.postgres import POSTGRES
from prepsql.workflow.dialects.redshift import REDSHIFT
from prepsql.workflow.dialects.snowflake import SNOWFLAKE
from prepsql.workflow.dialects.sqlite import SQLITE
from prepsql.workflow.dialects.trino import TRINO

DUCKDB = Dialect("duckdb", "DuckDBCompiler", "duckdb")

DIALECTS: Mapping[str, Dialect] = {
    d.name: d
    for d in (
        DUCKDB, POSTGRES, SNOWFLAKE, BIGQUERY, DATABRICKS, SPARK, TRINO, CLICKHOUSE, MSSQL, SQLITE, REDSHIFT,
    )
}  # fmt: skip
"""Each dialect by its name."""


def dialect_of(name: str) -> Dialect:
    """Return the dialect of a name. Raises ConfigError where there is none."""
    if name not in DIALECTS:
        raise ConfigError(f"no dialect {name!r} (has: {', '.join(DIALECTS)})")
    return DIALECTS[name]


__all__ = ["DIALECTS", "Dialect", "NotPortable", "dialect_of"]

"""The statements of a profile, as DuckDB ran them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from string import Template

import duckdb

from prepsql.profile.run import profile_tables, read_files
from prepsql.profile.session import workspace
from prepsql.sqltext import create_as, drop, quote
from prepsql.tables import Table

_LOG = "SELECT message FROM duckdb_logs WHERE type = 'QueryLog'"
# what a reader hands over its rows by
_BATCH = re.compile('"batch_[0-9a-f]{32}"')
_EMPTY = Template("""-- the rows of $path as prepsql reads them come here: DuckDB alone would read them otherwise
CREATE OR REPLACE TABLE $name ($columns)""")


def profile_sql(paths: str | Path | Sequence[str | Path], *, memory_limit: str | None = None) -> str:
    """Return every statement of `profile(paths)`, in order: a script for any DuckDB 2 that has the macros.

    What is asked depends on what was found, so the profile is made to see it. The macros are what `prepsql macros
    --create` prints. A file that DuckDB's own reader would read otherwise stands there as an empty table. Raises
    InputError and ReadError as `profile`.
    """
    with workspace(memory_limit) as con:
        con.execute("CALL enable_logging('QueryLog')").fetchall()
        tables = read_files(con, paths)
        reading = _logged(con)
        profile_tables(con, tables)
        # a table that is read again is empty too where DuckDB alone would read it otherwise
        later = [statement for statement in _logged(con)[len(reading) :] if not _BATCH.search(statement)]
        statements = [*(_load(table, reading) for table in tables), *later]
    return "".join(f"{statement.rstrip().rstrip(';')};\n\n" for statement in statements)


def _logged(con: duckdb.DuckDBPyConnection) -> list[str]:
    """Return the statements up to now but for those that look at the log."""
    return [message for (message,) in con.execute(_LOG).fetchall() if message != _LOG]


def _load(table: Table, reading: Sequence[str]) -> str:
    """Return the statement that read a table, or one that makes it without rows where none did alone."""
    begins = create_as(table.name, "FROM read_csv(")
    read_by = [statement for statement in reading if statement.startswith(begins)]
    if read_by and drop(table.name) not in reading:
        return read_by[-1]
    columns = ", ".join(f"{quote(column)} VARCHAR" for column in table.columns)
    return _EMPTY.substitute(path=" ".join(table.path.name.split()), name=quote(table.name), columns=columns)

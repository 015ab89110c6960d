"""What DuckDB says of a statement before anything of it runs: the columns that it gives, with their types."""

from __future__ import annotations

import re
from string import Template

import duckdb

from prepsql.errors import NotTranslatable, PrepsqlError
from prepsql.sqltext import quote
from prepsql.translate.sql.statements import Statement

_EMPTY = Template("CREATE OR REPLACE TEMP TABLE $name AS $query\nWITH NO DATA")
_COLUMNS = Template("DESCRIBE $name")


def columns_of(con: duckdb.DuckDBPyConnection, statement: Statement) -> dict[str, str] | None:
    """Return the columns that a statement's query gives, with their types; None where only the data tell them."""
    if len(con.extract_statements(statement.query)) != 1 or _is_many(con, statement.query):
        return None
    try:
        con.execute(_EMPTY.substitute(name=quote(statement.name), query=statement.query))
        found = con.execute(_COLUMNS.substitute(name=quote(statement.name))).fetchall()
    except (duckdb.Error, PrepsqlError) as bad:
        raise NotTranslatable(f"{statement.name}: {' '.join(str(bad).split())}") from bad
    names = [row[0] for row in found]
    names[: len(statement.columns)] = statement.columns
    return dict(zip(names, [row[1] for row in found], strict=True))


def _is_many(con: duckdb.DuckDBPyConnection, query: str) -> bool:
    return con.extract_statements(query)[0].type == duckdb.StatementType.MULTI


def common_names(query: str) -> list[str]:
    """Return what may be names of common tables in a query, in lower case."""
    return [name.lower() for name in re.findall(r'(\w+)"?\s*(?:\([^()]*\)\s*)?AS\s*\(', query, re.IGNORECASE)]

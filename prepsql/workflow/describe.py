"""DuckDB as the type checker: a step's SQL is bound over an empty table of its input's columns; nothing runs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping
from string import Template

import duckdb

from prepsql.macros import install
from prepsql.sqltext import quote
from prepsql.workflow.relation import Relation

_EMPTY = Template("$name AS (SELECT $cells WHERE false)")
_KEPT = 5_000
_local = threading.local()
_lock = threading.Lock()
_known: OrderedDict[tuple[str, tuple[tuple[str, tuple[tuple[str, str], ...]], ...]], dict[str, str]] = OrderedDict()


def describe(sql: str, parents: Iterable[Relation]) -> dict[str, str]:
    """Return the columns that a query over `parents` gives, with their DuckDB types; raises duckdb.Error."""
    tables = {parent.name: parent.all_columns for parent in parents}
    key = (sql, tuple((name, tuple(columns.items())) for name, columns in tables.items()))
    with _lock:
        if key in _known:
            _known.move_to_end(key)
            return _known[key]
    found = _connection().sql(with_tables(sql, tables))
    columns = {name: str(kind) for name, kind in zip(found.columns, found.types, strict=True)}
    with _lock:
        _known[key] = columns
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return columns


def type_of(text: str, parent: Relation) -> str:
    """Return the DuckDB type of an expression over the columns of `parent`; raises duckdb.Error."""
    probe = Template("SELECT ($text\n) AS x FROM $table").substitute(text=text, table=quote(parent.name))
    return describe(probe, [parent])["x"]


def constant(text: str) -> str:
    """Return the value of an expression without columns, as text; raises duckdb.Error."""
    row = _connection().execute(Template("SELECT CAST(($text\n) AS VARCHAR)").substitute(text=text)).fetchall()[0]
    return str(row[0])


def with_tables(sql: str, tables: Mapping[str, Mapping[str, str]]) -> str:
    """Return the query with an empty table before it for each of `tables`."""
    empty = (
        _EMPTY.substitute(
            name=quote(name), cells=", ".join(f"CAST(NULL AS {kind}) AS {quote(c)}" for c, kind in columns.items())
        )
        for name, columns in tables.items()
    )
    return with_ctes(empty, sql) if tables else sql


def with_ctes(ctes: Iterable[str], sql: str) -> str:
    """Return the query with common tables before it; it may have some of its own."""
    if sql.startswith("WITH"):
        sql = Template("SELECT * FROM (\n$sql\n)").substitute(sql=sql)
    return f"WITH {', '.join(ctes)}\n{sql}"


def _connection() -> duckdb.DuckDBPyConnection:
    """Return this thread's connection for describing, with the library's macros."""
    if not hasattr(_local, "con"):
        _local.con = duckdb.connect(config={"threads": 1})
        install(_local.con)
    con: duckdb.DuckDBPyConnection = _local.con
    return con

"""DuckDB as the type checker: a step's SQL is bound over an empty table of its input's columns; nothing runs."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from string import Template

import duckdb

from prepsql.macros import named_in
from prepsql.sqltext import literal, quote
from prepsql.workflow.engine import engine, with_macros
from prepsql.workflow.expression import is_type
from prepsql.workflow.relation import Relation
from prepsql.workflow.wording import cause, in_words, type_problem

_EMPTY = Template("$name AS (SELECT $cells WHERE false)")
_KEPT = 5_000
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
    found = with_macros(named_in(sql)).sql(with_tables(sql, tables))
    columns = {name: str(kind) for name, kind in zip(found.columns, found.types, strict=True)}
    with _lock:
        _known[key] = columns
        while len(_known) > _KEPT:
            _known.popitem(last=False)
    return columns


def type_of(text: str, parent: Relation) -> str:
    """Return the DuckDB type of an expression over the columns of `parent`; raises duckdb.Error."""
    return type_in(text, [parent])


def type_in(text: str, relations: Sequence[Relation]) -> str:
    """Return the DuckDB type of an expression over the columns of several relations; raises duckdb.Error."""
    tables = ", ".join(quote(relation.name) for relation in relations)
    probe = Template("SELECT ($text\n) AS x FROM $tables").substitute(text=text, tables=tables)
    return describe(probe, relations)["x"]


def constant(text: str) -> str:
    """Return the value of an expression without columns, as text; raises duckdb.Error."""
    row = engine().execute(Template("SELECT CAST(($text\n) AS VARCHAR)").substitute(text=text)).fetchall()[0]
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


@lru_cache(maxsize=_KEPT)
def fits(text: str, kind: str) -> bool:
    """Return whether a text can be cast to a type; true where the type isn't one."""
    query = Template("SELECT TRY_CAST($text AS $kind) IS NOT NULL").substitute(text=literal(text), kind=kind)
    try:
        return bool(engine().execute(query).fetchall()[0][0])
    except duckdb.Error:
        return True


@lru_cache(maxsize=_KEPT)
def type_fault(kind: str) -> tuple[str, str] | None:
    """Return what is wrong with the name of a type and the likeliest mend, None where it is one."""
    if not is_type(kind):
        return type_problem(kind)
    try:
        engine().sql(Template("SELECT CAST(NULL AS $kind)").substitute(kind=kind))
    except duckdb.ParserException:
        return type_problem(kind)
    except duckdb.Error as wrong:
        return in_words(wrong)
    return None


@lru_cache(maxsize=_KEPT)
def constant_fault(text: str) -> str:
    """Return why the cast of a constant fails, '' where it doesn't."""
    try:
        engine().execute(Template("SELECT ($text)").substitute(text=text)).fetchall()
    except duckdb.ConversionException as wrong:
        return cause(wrong)
    except duckdb.Error:
        return ""
    return ""

"""Run a SQL script in a DuckDB that can reach nothing but its tables."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import duckdb

from prepsql.errors import PrepsqlError
from prepsql.macros import install, named_in
from prepsql.sandbox.child.faults import message_of, status_of
from prepsql.sandbox.child.hints import with_hint
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.script import Statement, statements
from prepsql.sandbox.outcome import Limits, Status
from prepsql.sqltext import quote
from prepsql.tables import load_inputs, write_csv

_LINE = re.compile(r"^LINE (\d+):", re.MULTILINE)
_NO_TABLE = re.compile(r"(Table with name \S+ does not exist!)(?:\nDid you mean [^\n]*)?")
DEPTH = 20_000  # long chains of operators make deep trees
_EXPRESSION_DEPTH = 500  # DuckDB's search for common parts of a chain takes the cube of its length: 30 s at 1,000
LOCK = """
SET python_enable_replacements = false;
SET enable_external_access = false;
SET lock_configuration = true
"""


def run(script: str, folder: Path, limits: Limits) -> Report:
    """Run the script on the inputs in `folder` and leave its output tables there; raise Fault for its errors."""
    sys.setrecursionlimit(DEPTH)
    with connect(folder, limits) as con:
        install(con, named_in(script))  # all of them would take far longer than most scripts
        checked = statements(con, script, {name.lower() for name in load(con, folder)})
        con.execute(LOCK)
        for statement in checked:
            try:
                con.execute(statement.text)
            except (duckdb.Error, RuntimeError, MemoryError) as failure:
                raise Fault(explain(con, statement, failure)) from None
        last = {statement.makes: statement for statement in checked if statement.makes.startswith("output_")}
        for name, statement in last.items():
            try:
                write_csv(con.table(quote(name)), folder / "out" / f"{name}.csv")
            except (duckdb.Error, PrepsqlError, RuntimeError, MemoryError, OSError) as failure:
                raise Fault(explain(con, statement, failure)) from None
    return Report(Status.OK)


def load(con: duckdb.DuckDBPyConnection, folder: Path) -> list[str]:
    """Make a typed table and a `raw_` table of text for each input file; return the names, in name order."""
    texts = load_inputs(con, sorted((folder / "inputs").iterdir()))
    return sorted(name for table in texts for name in (table.name, table.path.stem))


def connect(folder: Path, limits: Limits) -> duckdb.DuckDBPyConnection:
    """Return a connection that keeps to the limits and loads no extension."""
    return duckdb.connect(
        config={
            "memory_limit": f"{limits.memory_mb // 2}MB",
            "threads": limits.threads,
            "max_expression_depth": _EXPRESSION_DEPTH,
            "temp_directory": str(folder / "tmp"),
            "max_temp_directory_size": f"{limits.file_mb}MB",
            "autoinstall_known_extensions": False,
            "autoload_known_extensions": False,
            "allow_community_extensions": False,
            "allow_unsigned_extensions": False,
        }
    )


def explain(con: duckdb.DuckDBPyConnection, statement: Statement, failure: Exception) -> Report:
    """Return what went wrong, with lines counted in the whole script, and the columns where one wasn't found."""
    text = message_of(failure).strip()
    found = _LINE.search(text)
    line = statement.before + int(found[1]) if found else statement.line
    text = with_hint(_LINE.sub(lambda match: f"LINE {statement.before + int(match[1])}:", text))
    if _NO_TABLE.search(text):
        text = _NO_TABLE.sub(r"\1 Tables so far: " + ", ".join(_tables(con)), text)
    if "not found in FROM clause" in text:
        text += "\n" + "\n".join(_columns(con, statement))
    message = f"{statement.at(line)}: {text}"
    return Report(status_of(failure), message.rstrip(), statement.number, line)


def _tables(con: duckdb.DuckDBPyConnection) -> list[str]:
    rows = con.execute("SELECT table_name FROM duckdb_tables() UNION SELECT view_name FROM duckdb_views() "
                       "WHERE NOT internal ORDER BY ALL").fetchall()  # fmt: skip
    return [name for (name,) in rows]


def _columns(con: duckdb.DuckDBPyConnection, statement: Statement) -> list[str]:
    rows = con.execute(
        "SELECT table_name, string_agg(column_name, ', ' ORDER BY column_index) FROM duckdb_columns() "
        "WHERE list_contains(?, lower(table_name)) GROUP BY ALL ORDER BY ALL",
        [sorted(statement.reads)],
    )
    return [f"{name} has: {columns}" for name, columns in rows.fetchall()]

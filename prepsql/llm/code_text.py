"""Whether text is SQL or Python rather than prose, and where in prose code without fences begins and ends."""

from __future__ import annotations

import ast
import itertools
import re
import threading
import warnings
from collections.abc import Callable

import duckdb

_SQL_START = re.compile(
    r"""^[ \t]*(?:
        CREATE\s+(?:OR\s+REPLACE\s+)?(?:TEMP(?:ORARY)?\s+)?(?:TABLE|VIEW|MACRO)\s+(?:IF\s+NOT\s+EXISTS\s+)?
        (?:"[^"\n]+"|\w+)\s*(?:\([^)]*\)\s*)?AS\s*(?:\(|TABLE\b|SELECT\b|FROM\b|WITH\b|PIVOT\b|UNPIVOT\b|VALUES\b)
      | WITH\s+(?:RECURSIVE\s+)?(?:"[^"\n]+"|\w+)\s*(?:\([^)]*\)\s*)?AS\s+(?:NOT\s+)?(?:MATERIALIZED\s+)?\(
    )""",
    re.IGNORECASE | re.MULTILINE | re.VERBOSE,
)
_QUERY_START = re.compile(
    r"^[ \t]*(?:SELECT|FROM|WITH|CREATE|PIVOT|UNPIVOT|SUMMARIZE|DESCRIBE|VALUES)\b", re.IGNORECASE | re.MULTILINE
)
_PYTHON_START = re.compile(
    r"^(?:import\s+\w|from\s+[\w.]+\s+import\b|(?:async\s+)?def\s+\w+\s*\(|class\s+\w+\s*[(:]|@\w|#!)", re.MULTILINE
)
_LEADING = re.compile(r"(?:\s+|--[^\n]*|/\*.*?\*/)*", re.DOTALL)
_BLANK = re.compile(r"\n[ \t]*\n")
_TRIES = 12
_ENDS = 40
_local = threading.local()


def like_sql(text: str) -> bool:
    """Return whether text looks like SQL: it begins as only SQL does, or DuckDB reads it."""
    body = text[_LEADING.match(text).end() :]  # type: ignore[union-attr]
    return bool(_SQL_START.match(body)) or (bool(_QUERY_START.match(body)) and _parses(body))


def like_python(text: str) -> bool:
    """Return whether text looks like Python: a line of it begins as only Python does, or it is a program."""
    return bool(_PYTHON_START.search(text)) or _is_program(text)


def sql_in(text: str) -> str | None:
    r"""Return the SQL in text without fences, None where there is none.

    It goes from the first statement to the end of what DuckDB reads, which is a semicolon or a blank line; a statement
    that only SQL begins so goes to the last semicolon where DuckDB doesn't read it.

    >>> sql_in("Sure!\nCREATE TABLE a AS SELECT 1;\nThat is all.")
    'CREATE TABLE a AS SELECT 1;'
    """
    surely = _SQL_START.search(text)
    limit = surely.start() if surely else len(text)
    for query in itertools.islice(_QUERY_START.finditer(text, 0, limit), _TRIES):
        code = _longest(text[query.start() :], _parses)
        if code:
            return code
    if not surely:
        return None
    body = text[limit:]
    behind, semicolon, _ = body.rpartition(";")
    return _longest(body, _parses) or (behind + semicolon if semicolon else body).strip()


def python_in(text: str) -> str | None:
    """Return the Python in text without fences, None where there is none.

    It goes from the first line that only Python has to the last blank line before which all is a program; where none
    is, to the end.
    """
    start = _PYTHON_START.search(text)
    if not start:
        return text.strip() if _is_program(text) else None
    body = text[start.start() :].rstrip()
    return _longest(body, _is_program) or body


def _longest(text: str, reads: Callable[[str], bool]) -> str | None:
    """Return the longest part from the beginning to the end, the last semicolon or a blank line that `reads` reads."""
    ends = [len(text), text.rfind(";") + 1, *(blank.start() for blank in reversed(list(_BLANK.finditer(text))))]
    parts = (text[:end].strip() for end in ends[:_ENDS] if end)
    return next((part for part in parts if reads(part)), None)


def _parses(code: str) -> bool:
    try:
        return bool(_parser().extract_statements(code))
    except duckdb.Error:
        return False


def _parser() -> duckdb.DuckDBPyConnection:
    """Return this thread's connection, which only parses."""
    if not hasattr(_local, "con"):
        _local.con = duckdb.connect(config={"threads": 1})
    con: duckdb.DuckDBPyConnection = _local.con
    return con


def _is_program(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    telling = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.With, ast.For)
    return any(isinstance(node, telling) for node in tree.body)

"""Whether text is SQL or Python rather than prose, and where in prose code without fences begins and ends."""

from __future__ import annotations

import ast
import itertools
import re
import warnings

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
_TRIES = 12
_ENDS = 40


def like_sql(text: str) -> bool:
    """Return whether text looks like SQL: it begins as only SQL does, or DuckDB reads it."""
    body = text[_LEADING.match(text).end() :]  # type: ignore[union-attr]
    return bool(_SQL_START.match(body)) or (bool(_QUERY_START.match(body)) and _parses(body))


def like_python(text: str) -> bool:
    """Return whether text looks like Python: a line of it begins as only Python does, or it is a program."""
    return bool(_PYTHON_START.search(text)) or _is_program(text)


def sql_in(text: str) -> str | None:
    r"""Return the SQL in text without fences: from its first statement to the last semicolon, None where there is none.

    >>> sql_in("Sure!\nCREATE TABLE a AS SELECT 1;\nThat is all.")
    'CREATE TABLE a AS SELECT 1;'
    """
    start = _SQL_START.search(text)
    if start:
        return _to_last_statement(text[start.start() :])
    for query in itertools.islice(_QUERY_START.finditer(text), _TRIES):
        code = _to_last_statement(text[query.start() :])
        if _parses(code):
            return code
    return None


def python_in(text: str) -> str | None:
    """Return the Python in text without fences, None where there is none.

    It goes from the first line that only Python has to the last blank line before which all is a program; where none
    is, to the end.
    """
    start = _PYTHON_START.search(text)
    if not start:
        return text.strip() if _is_program(text) else None
    body = text[start.start() :].rstrip()
    ends = [len(body), *(blank.start() for blank in reversed(list(re.finditer(r"\n[ \t]*\n", body))))]
    whole = (body[:end] for end in ends[:_ENDS] if _is_program(body[:end]))
    return next(whole, body).rstrip()


def _to_last_statement(text: str) -> str:
    behind, semicolon, rest = text.rpartition(";")
    # prose may follow the last statement, or one more that has no semicolon
    more = bool(_QUERY_START.match(rest.lstrip())) and _parses(rest)
    return (behind + semicolon if semicolon and not more else text).strip()


def _parses(code: str) -> bool:
    with duckdb.connect() as con:
        try:
            return bool(con.extract_statements(code))
        except duckdb.Error:
            return False


def _is_program(text: str) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    telling = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.With, ast.For)
    return any(isinstance(node, telling) for node in tree.body)

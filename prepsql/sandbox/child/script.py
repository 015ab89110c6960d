"""A SQL script as statements, each checked before any runs.

All is judged by DuckDB's own lexer and parser, so there is no text that this reads one way and the engine another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import duckdb

from prepsql.sandbox.child.hints import with_hint
from prepsql.sandbox.child.lexing import Word, head, plain, words
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.outcome import OUTPUT_NAME, Status

FORM = "a script is CREATE [OR REPLACE] [TEMP] TABLE|VIEW name AS SELECT … and nothing else"
QUERY_FORM = "the script must be one SELECT, or WITH … SELECT, over the step's tables, and nothing else"
_ELSEWHERE = "tables come from the inputs alone"
_KINDS = (duckdb.StatementType.CREATE, duckdb.StatementType.MULTI)  # PIVOT without IN is several in one
_QUERIES = (duckdb.StatementType.SELECT, duckdb.StatementType.MULTI)
_TABLE_FUNCTIONS = {"generate_series", "histogram", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"}
_TELLING = {"current_query", "current_setting", "getvariable", "write_log"}
_SYSTEM_SCHEMAS = {"information_schema", "pg_catalog"}
_NO_TABLE = re.compile(r"[/\\.:*?]|^(?:duckdb|pragma|sqlite|pg)_", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """One statement of a script.

    `number` and `line`, its first line, count from 1 in the script, None for a query that stands alone; `before`
    counts the lines before its text. `makes` is the name of its table, `reads` are the names that it reads from, all
    in lower case.
    """

    text: str
    number: int | None
    line: int
    before: int
    makes: str
    reads: frozenset[str]

    def at(self, line: int) -> str:
        """Return the words for a line of this statement."""
        return f"line {line}" if self.number is None else f"statement {self.number} (line {line})"


class _Refused(Exception):
    """A statement isn't what the contract allows."""


def statements(con: duckdb.DuckDBPyConnection, script: str, inputs: set[str]) -> list[Statement]:
    """Return the script's statements; `inputs` are the names, in lower case, of the tables that are there.

    Raises Fault: failed where it doesn't parse, refused where a statement isn't in the contract's form, calls a
    function that reads files or settings, reads what isn't a table, or would replace an input.
    """
    parsed = _parse(con, script)
    if not parsed:
        raise Fault(Report(Status.FAILED, f"the script is empty: {FORM}"))
    found: list[Statement] = []
    offset = 0
    for number, each in enumerate(parsed, 1):
        before = script.count("\n", 0, offset)
        tokens = words(each.query)
        line = before + 1 + each.query.encode()[: tokens[0].start].count(b"\n")
        try:
            makes, body = _makes(each, tokens, inputs)
            called, reads = _used(con, each, tokens, body, inputs | {s.makes for s in found})
            _refuse_denied(called)
        except _Refused as reason:
            raise Fault(Report(Status.REFUSED, f"statement {number} (line {line}): {reason}", number, line)) from None
        found.append(Statement(each.query, number, line, before, makes, reads))
        offset += len(each.query)
    return found


def query(con: duckdb.DuckDBPyConnection, text: str, tables: set[str]) -> Statement:
    """Return a text that is one query over `tables` (names in lower case), checked as a script's statements are."""
    parsed = _parse(con, text)
    if len(parsed) != 1 or parsed[0].type not in _QUERIES:
        raise Fault(Report(Status.REFUSED, QUERY_FORM))
    tokens = words(parsed[0].query)
    line = 1 + parsed[0].query.encode()[: tokens[0].start].count(b"\n")
    try:
        called, reads = _used(con, parsed[0], tokens, 0, tables)
        _refuse_denied(called)
    except _Refused as reason:
        raise Fault(Report(Status.REFUSED, f"line {line}: {reason}", line=line)) from None
    return Statement(parsed[0].query, None, line, 0, "", reads)


def _parse(con: duckdb.DuckDBPyConnection, text: str) -> list[duckdb.Statement]:
    try:
        return con.extract_statements(text)
    except duckdb.Error as failure:
        at = re.search(r"^LINE (\d+):", str(failure), re.MULTILINE)
        raise Fault(Report(Status.FAILED, with_hint(str(failure).strip()), line=int(at[1]) if at else None)) from None


def _refuse_denied(called: set[str]) -> None:
    if found := called & denied():
        raise _Refused(f"{min(found)}() is not allowed: {_ELSEWHERE}")


@cache
def denied() -> frozenset[str]:
    """Return every function that makes a table of something else than its arguments, or tells of the engine."""
    with duckdb.connect(config={"threads": 1, "enable_external_access": False}) as con:
        rows = con.execute(
            "SELECT DISTINCT lower(function_name) FROM duckdb_functions() "
            "WHERE function_type IN ('table', 'table_macro')"
        ).fetchall()
    return frozenset(name for (name,) in rows) - _TABLE_FUNCTIONS | _TELLING


def _makes(parsed: duckdb.Statement, tokens: list[Word], inputs: set[str]) -> tuple[str, int]:
    """Return the name of what a statement makes, in lower case, and the byte where its query starts."""
    found = head(tokens) if parsed.type in _KINDS else None
    if found is None:
        raise _Refused(f"{' '.join(word.text.upper() for word in tokens[:2])} … is not allowed: {FORM}")
    name, body = found
    if name.lower() in inputs:
        raise _Refused(f"{name} is an input and stays as it is: choose another name")
    if name.lower().startswith("output_") and not OUTPUT_NAME.fullmatch(name.lower()):
        raise _Refused(f"{name!r}: a name must look like output_01")
    return name.lower(), body


def _used(
    con: duckdb.DuckDBPyConnection, parsed: duckdb.Statement, tokens: list[Word], body: int, known: set[str]
) -> tuple[set[str], frozenset[str]]:
    """Return the functions that a statement calls and the tables that it reads."""
    tree = _tree(con, parsed.query.encode()[body:].decode())
    if tree is None and parsed.type != duckdb.StatementType.MULTI:
        raise _Refused(f"no SELECT follows AS: {FORM}")
    if tree is None:  # whatever stands before a parenthesis may be a call
        return {plain(a.text).lower() for a, b in pairwise(tokens) if b.text.startswith("(")}, frozenset()
    nodes = list(_nodes(tree))
    called = {str(node["function_name"]).lower() for node in nodes if "function_name" in node}
    named = {str(entry["key"]).lower() for node in nodes if "cte_map" in node for entry in node["cte_map"]["map"]}
    tables = [node for node in nodes if node.get("type") == "BASE_TABLE"]
    return called, frozenset(_table(node, known | named) for node in tables)


def _table(node: Mapping[str, Any], known: set[str]) -> str:
    name = str(node["table_name"]).lower()
    system = str(node.get("schema_name", "")).lower() in _SYSTEM_SCHEMAS
    if system or (name not in known and _NO_TABLE.search(name)):
        raise _Refused(f"{node['table_name']!r} is no table of the script: {_ELSEWHERE}")
    return name


def _tree(con: duckdb.DuckDBPyConnection, query: str) -> Any:
    """Return DuckDB's own tree of a query, None where it has none to give (PIVOT without IN)."""
    row = con.execute("SELECT json_serialize_sql(?)", [query]).fetchone()
    tree = json.loads(row[0]) if row else {"error": True}
    return None if tree["error"] else tree


def _nodes(tree: Any) -> Iterator[Mapping[str, Any]]:
    left = [tree]
    while left:
        node = left.pop()
        if isinstance(node, dict):
            yield node
            left += node.values()
        elif isinstance(node, list):
            left += node

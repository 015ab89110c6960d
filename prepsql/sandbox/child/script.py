"""A SQL script as statements, each checked before any runs.

All is judged by DuckDB's own lexer and parser, so there is no text that this reads one way and the engine another.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import duckdb

from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.outcome import OUTPUT_NAME, Status

FORM = "a script is CREATE [OR REPLACE] [TEMP] TABLE|VIEW name AS SELECT … and nothing else"
_KINDS = (duckdb.StatementType.CREATE, duckdb.StatementType.MULTI)  # PIVOT without IN is several in one
_TABLE_FUNCTIONS = {"generate_series", "histogram", "json_each", "json_tree", "range", "repeat", "repeat_row", "unnest"}
_TELLING = {"current_query", "current_setting", "getvariable", "write_log"}
_SYSTEM_SCHEMAS = {"information_schema", "pg_catalog"}
_NO_TABLE = re.compile(r"[/\\.:*?]|^(?:duckdb|pragma|sqlite|pg)_", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """One statement: its number and first line in the script, both from 1, the lines before its text, what it makes."""

    text: str
    number: int
    line: int
    before: int
    makes: str
    reads: frozenset[str]


@dataclass(frozen=True)
class _Word:
    text: str
    kind: duckdb.token_type
    start: int
    end: int


def statements(con: duckdb.DuckDBPyConnection, script: str, inputs: set[str]) -> list[Statement]:
    """Return the script's statements.

    Raises Fault: failed where it doesn't parse, refused where a statement isn't in the contract's form, calls a
    function that reads files or settings, reads what isn't a table, or would replace an input.
    """
    try:
        parsed = con.extract_statements(script)
    except duckdb.Error as failure:
        line = re.search(r"^LINE (\d+):", str(failure), re.MULTILINE)
        raise Fault(Report(Status.FAILED, str(failure).strip(), line=int(line[1]) if line else None)) from None
    if not parsed:
        raise Fault(Report(Status.FAILED, f"the script is empty: {FORM}"))
    denied = _denied(con)
    found: list[Statement] = []
    offset = 0
    for number, each in enumerate(parsed, 1):
        before = script.count("\n", 0, offset)
        found.append(_checked(con, each, number, before, denied, inputs | {s.makes for s in found}, inputs))
        offset += len(each.query)
    return found


def _denied(con: duckdb.DuckDBPyConnection) -> set[str]:
    rows = con.execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions() WHERE function_type IN ('table', 'table_macro')"
    ).fetchall()
    return {name for (name,) in rows} - _TABLE_FUNCTIONS | _TELLING


def _checked(
    con: duckdb.DuckDBPyConnection,
    parsed: duckdb.Statement,
    number: int,
    before: int,
    denied: set[str],
    tables: set[str],
    inputs: set[str],
) -> Statement:
    text = parsed.query
    words = _words(text)
    line = before + 1 + text.encode()[: words[0].start].count(b"\n")

    def refuse(reason: str) -> Fault:
        return Fault(Report(Status.REFUSED, f"statement {number} (line {line}): {reason}", number, line))

    head = _head(words) if parsed.type in _KINDS else None
    if head is None:
        raise refuse(f"{' '.join(w.text.upper() for w in words[:2])} … is not allowed: {FORM}")
    name, body = head
    if name.lower() in inputs:
        raise refuse(f"{name} is an input and stays as it is: choose another name")
    if name.lower().startswith("output_") and not OUTPUT_NAME.fullmatch(name):
        raise refuse(f"{name!r}: a name must look like output_01")
    reads = frozenset[str]()
    tree = _tree(con, text.encode()[body:].decode())
    if tree is None and parsed.type != duckdb.StatementType.MULTI:
        raise refuse(f"no SELECT follows AS: {FORM}")
    if tree is None:
        called = {_plain(a.text) for a, b in pairwise(words) if b.text.startswith("(")}
    else:
        nodes = list(_nodes(tree))
        called = {str(node["function_name"]).lower() for node in nodes if "function_name" in node}
        named = {str(entry["key"]).lower() for node in nodes if "cte_map" in node for entry in node["cte_map"]["map"]}
        for node in nodes:
            if node.get("type") == "BASE_TABLE":
                reads |= {_table(node, tables | named, refuse)}
    if called & denied:
        raise refuse(f"{min(called & denied)}() is not allowed: tables come from the inputs alone")
    return Statement(text, number, line, before, name.lower(), reads)


def _table(node: Mapping[str, Any], known: set[str], refuse: Any) -> str:
    name = str(node["table_name"]).lower()
    system = str(node.get("schema_name", "")).lower() in _SYSTEM_SCHEMAS
    if system or (name not in known and _NO_TABLE.search(name)):
        raise refuse(f"{node['table_name']!r} is no table of the script: tables come from the inputs alone")
    return name


def _words(text: str) -> list[_Word]:
    """Return the statement's words without comments; offsets count bytes."""
    raw = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [*(start for start, _ in tokens[1:]), len(raw)]
    return [
        _Word(raw[start:end].decode().strip(), kind, start, end)
        for (start, kind), end in zip(tokens, ends, strict=True)
        if kind != duckdb.token_type.comment
    ]


def _plain(word: str) -> str:
    return (word[1:-1].replace('""', '"') if word.startswith('"') else word).lower()


def _head(words: list[_Word]) -> tuple[str, int] | None:
    """Return the name that a CREATE … AS makes and where its query starts, None where it has another form."""
    upper = [w.text.upper() for w in words]
    at = 0

    def skip(*wanted: str) -> bool:
        nonlocal at
        fits = tuple(upper[at : at + len(wanted)]) == wanted
        at += len(wanted) if fits else 0
        return fits

    if not skip("CREATE"):
        return None
    skip("OR", "REPLACE")
    if not skip("TEMP"):
        skip("TEMPORARY")
    if not (skip("TABLE") or skip("VIEW")):
        return None
    skip("IF", "NOT", "EXISTS")
    if at + 1 >= len(words):
        return None
    name = _plain(words[at].text)
    at += 1
    if upper[at].startswith("("):  # names for the columns
        while at < len(words) and upper[at] != "AS":
            at += 1
    if at + 1 >= len(words) or not skip("AS"):
        return None
    return name, words[at].start


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

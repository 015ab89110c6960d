"""Safe types: which columns of text are numbers, dates or truth values in every cell, with nothing lost.

A pattern comes before each cast, so that a column is typed only where the text can mean one thing. What is
doubtful stays text: leading zeros, integers beyond 64 bits, decimals that a double can't give back, dates that are
not ISO, a mixture of kinds.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

import duckdb

from prepsql.sqltext import fill, named, quote, select

# each kind of cell is a bit; a column's type depends only on the set of kinds that its cells have
_INTEGER, _LONG_INTEGER, _DECIMAL, _BOOLEAN, _DATE, _TIMESTAMP, _UTC, _TEXT = (1 << i for i in range(8))
_TYPES: Mapping[int | None, str] = {
    _INTEGER: "BIGINT",
    _LONG_INTEGER: "BIGINT",
    _INTEGER | _LONG_INTEGER: "BIGINT",
    _DECIMAL: "DOUBLE",
    _INTEGER | _DECIMAL: "DOUBLE",
    _BOOLEAN: "BOOLEAN",
    _DATE: "DATE",
    _TIMESTAMP: "TIMESTAMP",
    _UTC: "TIMESTAMP",
}
_DAY = "[0-9]{4}-[0-9]{2}-[0-9]{2}"
_CLOCK = "([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9]([.][0-9]{1,6})?)?"
# 15 digits go through a double and come back; an integer of more can share a column only with integers.
# An exponent must have a sign or stand behind a point: 1e-05 is a number, 12E3 may be a code.
# The significant digits of a number: a double whose shortest text has the same ones is the same number; infinity
# and a zero that stands for a tiny number have others.
_DIGITS = "trim(replace(split_part(lower(cell), 'e', 1), '.', ''), '-0')"
_KIND = f"""CASE
  WHEN cell IS NULL OR cell = '' THEN NULL
  WHEN left(cell, 1) BETWEEN '0' AND '9' OR left(cell, 1) IN ('-', '.') THEN CASE
    WHEN regexp_full_match(cell, '-?[1-9][0-9]{{0,14}}|0') THEN {_INTEGER}
    WHEN regexp_full_match(cell, '-?[1-9][0-9]{{15,18}}') AND TRY_CAST(cell AS BIGINT) IS NOT NULL
      THEN {_LONG_INTEGER}
    WHEN regexp_full_match(cell, '-?(0|[1-9][0-9]*)?[.][0-9]+')
      OR (regexp_full_match(cell, '-?[0-9]([.][0-9]+e[-+]?|e[-+])[0-9]{{1,3}}', 'i')
        AND abs(TRY_CAST(cell AS DOUBLE)) BETWEEN 1e-300 AND 1e300) THEN CASE
      WHEN {_DIGITS} = '' OR (length({_DIGITS}) <= 15 AND abs(TRY_CAST(cell AS DOUBLE)) BETWEEN 1e-300 AND 1e300)
        OR {_DIGITS} = {fill(_DIGITS, cell="CAST(TRY_CAST(cell AS DOUBLE) AS VARCHAR)")}
        THEN {_DECIMAL}
      ELSE {_TEXT} END
    WHEN cell < '0001' THEN {_TEXT}
    WHEN regexp_full_match(cell, '{_DAY}') AND TRY_CAST(cell AS DATE) IS NOT NULL THEN {_DATE}
    WHEN regexp_full_match(cell, '{_DAY}[ T]{_CLOCK}Z?') AND TRY_CAST(rtrim(cell, 'Z') AS TIMESTAMP) IS NOT NULL
      THEN CASE WHEN suffix(cell, 'Z') THEN {_UTC} ELSE {_TIMESTAMP} END
    ELSE {_TEXT} END
  WHEN length(cell) BETWEEN 4 AND 5 AND lower(cell) IN ('true', 'false') THEN {_BOOLEAN}
  ELSE {_TEXT}
END"""
_KINDS = Template("SELECT position, bit_or($kind), count(*) FROM ($cells) GROUP BY position")
# in most columns of text the first rows show that it is text, and the others needn't be looked at
_FIRST_ROWS = 2_000


def types_sql(table: str, columns: Sequence[str], rows: int | None = None) -> str:
    """Return the query for the kinds of each column.

    A row is a column: its position from 0, a set of bits, NULL where all is empty, and how many cells were looked at.
    One expression over all cells (of the first `rows` rows), since planning one for each of hundreds of columns takes
    seconds.
    """
    cells = f"unnest([{', '.join(map(quote, columns))}]) AS cell"
    query = select([f"unnest(range({len(columns)})) AS position", cells], table)
    return _KINDS.substitute(kind=_KIND, cells=query if rows is None else f"{query} LIMIT {rows * len(columns)}")


def safe_types(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> dict[str, str]:
    """Return BIGINT, DOUBLE, BOOLEAN, DATE, TIMESTAMP or VARCHAR for each text column of `table`, over all rows.

    A column without any text is VARCHAR. A timestamp with Z is UTC; with and without Z in one column is VARCHAR.
    """
    found, rows = _found(con, table, columns, _FIRST_ROWS)
    if rows == _FIRST_ROWS:
        # no set of kinds that means text becomes another type by more kinds
        open_ = [name for name, kind in found.items() if kind != "VARCHAR"]
        found |= _found(con, table, open_)[0] if open_ else {}
    return {name: kind or "VARCHAR" for name, kind in found.items()}


def first_types(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> dict[str, str | None]:
    """Return as `safe_types` the type of each column as its first rows show it; None where they are all empty."""
    return _found(con, table, columns, _FIRST_ROWS)[0]


def _found(
    con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str], most: int | None = None
) -> tuple[dict[str, str | None], int]:
    """Return the type of each column over so many rows at most, None where they are all empty, and their number."""
    told = con.execute(types_sql(table, columns, most)).fetchall()
    kinds = {position: bits for position, bits, _ in told}
    types = {name: kinds.get(at) and _TYPES.get(kinds[at], "VARCHAR") for at, name in enumerate(columns)}
    return types, max((rows for *_, rows in told), default=0)


def typed_sql(table: str, types: Mapping[str, str]) -> str:
    """Return the query for `table` with its columns cast to `types`; '' is NULL, in text columns too."""
    cells = []
    for name, kind in types.items():
        cell = f"nullif({quote(name)}, '')"
        if kind == "TIMESTAMP":
            cell = f"rtrim({cell}, 'Z')"
        cells.append(named(cell if kind == "VARCHAR" else f"CAST({cell} AS {kind})", name))
    return select(cells, table)

"""What the columns of two files are: the one type that every cell of both sides has, or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from string import Template

import duckdb

from prepsql.compare.config import TYPE_NAMES
from prepsql.compare.facts import SIDES
from prepsql.compare.words import hint
from prepsql.errors import InputError
from prepsql.sqltext import literal, quote
from prepsql.tables import safe_types

TEXT = "text_exact"
_TYPES = {"BIGINT": "number", "DOUBLE": "number", "DATE": "date", "TIMESTAMP": "timestamp", "BOOLEAN": "boolean"}
# no leading zeros, and no more digits than a double tells apart: such a text may be a code
_DIGITS = "0|[1-9][0-9]{0,14}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4}"
_NUMBER = rf"(-?([$] *)?|[$] *-)(({_DIGITS})([.][0-9]+)?|[.][0-9]+)( *%)?"
_WITH_EXPONENT = r"-?(0|[1-9][0-9]*)([.][0-9]+)?e[-+]?[0-9]{1,3}"
# what safe types may find something in; most texts are told here, quicker than there
_MAYBE_TYPED = "[-.0-9][-+.:0-9 etz]*|true|false"
_NULL = "none|nan|null|n/a|na|"
_NULL_DATE = "null|n/a|na|"
# what the cells of a column are, as bits
_IS_NUMBER, _IS_MAYBE_TYPED, _IS_TEXT = 1, 4, 8
_SEEN = Template("""
SELECT bit_or(CASE
  WHEN regexp_full_match(cell, $number, 'i') THEN 1
  WHEN regexp_full_match(cell, $null, 'i') THEN NULL
  WHEN regexp_full_match(cell, $exponent, 'i') THEN 2
  WHEN regexp_full_match(cell, $maybe_typed, 'i') THEN 4
  ELSE 8 END)
FROM (SELECT coalesce($column, '') AS cell FROM $side)""")
_CELLS = Template("""
CREATE OR REPLACE TEMP TABLE seen_cells AS
SELECT
  CASE WHEN NOT regexp_full_match(cell, $null, 'i') THEN strip_space(cell) END AS cell,
  CASE WHEN NOT regexp_full_match(cell, $null_date, 'i') THEN strip_space(cell) END AS day
FROM (SELECT coalesce($column, '') AS cell FROM $side)""")
_PATTERNS = {
    name: literal("[\\s\\pZ]*(" + pattern + ")[\\s\\pZ]*")
    for name, pattern in (
        ("number", _NUMBER),
        ("exponent", _WITH_EXPONENT),
        ("maybe_typed", _MAYBE_TYPED),
        ("null", _NULL),
        ("null_date", _NULL_DATE),
    )
}


def common_type(con: duckdb.DuckDBPyConnection, gold: str, candidate: str) -> str:
    """Return the type of a column of table `gold` and one of `candidate`; a null one takes the other's.

    Null words say nothing. A number may have `$`, `%`, grouped thousands; one like `1e3` may be a code, so it is a
    number only beside numbers of the other side. What isn't one thing on both sides is text_exact.
    """
    kinds = {_kind(con, *side) for side in zip(SIDES, (gold, candidate), strict=True)} - {"null"}
    if kinds == {"number", "exponent"}:
        return "number"
    (kind,) = kinds if len(kinds) == 1 else (TEXT,)
    return kind if kind in TYPE_NAMES else TEXT


def _kind(con: duckdb.DuckDBPyConnection, side: str, column: str) -> str:
    """Return a type, or `null` where no cell says anything, or `exponent` for numbers of which some are like 1e3."""
    names = {"column": quote(column), "side": side, **_PATTERNS}
    (seen,) = con.execute(_SEEN.substitute(names)).fetchone() or (None,)
    if seen is None:
        return "null"
    if seen == _IS_NUMBER or seen & _IS_TEXT:
        return "number" if seen == _IS_NUMBER else TEXT
    con.execute(_CELLS.substitute(names))
    kind = _safe_type(con, "cell")
    if kind in ("date", "timestamp"):
        # none and nan are no null among dates, but are in text, in which ISO dates compare alike
        return _safe_type(con, "day")
    return "exponent" if kind == TEXT and not seen & _IS_MAYBE_TYPED else kind


def _safe_type(con: duckdb.DuckDBPyConnection, cells: str) -> str:
    return _TYPES.get(safe_types(con, "seen_cells", [cells])[cells], TEXT)


def check_types(where: str, types: Mapping[str, str], columns: Sequence[str]) -> None:
    """Raise InputError where `types` gives a column that isn't there a type, or one a type that isn't known."""
    for name, type_ in types.items():
        if name not in columns:
            raise InputError(f"{where}: no column {name!r} to give a type{hint(name, columns)}")
        if type_ not in TYPE_NAMES:
            raise InputError(f"column {name!r}: no type {type_!r}{hint(type_, TYPE_NAMES)}")

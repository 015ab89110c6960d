"""What the columns of two files are: the one type that every cell of both sides has, or text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import duckdb

from prepsql.compare.facts import SIDES
from prepsql.compare.shape import TYPE_NAMES
from prepsql.compare.words import nearest_name
from prepsql.errors import InputError
from prepsql.sqltext import literal, quote
from prepsql.tables import safe_types

TEXT = "text_exact"
_TYPES = {"BIGINT": "number", "DOUBLE": "number", "DATE": "date", "TIMESTAMP": "datetime", "BOOLEAN": "boolean"}
_CELL = """
CREATE OR REPLACE TEMP VIEW seen_cells AS
SELECT null_word_to_null(strip_space({column})) AS cell, blank_date_to_null(strip_space({column})) AS day
FROM {side}"""
# what most number columns are, and quicker to see than anything else
_PLAIN = """
SELECT bool_and(length({column}) <= 16 AND regexp_full_match({column}, '-?[1-9][0-9]*([.][0-9]+)?|-?0[.][0-9]+|0'))
FROM {side} WHERE {column} <> ''"""
# no leading zeros, and no more digits than a double tells apart: such a text may be a code
_DIGITS = "0|[1-9][0-9]{0,14}|[1-9][0-9]{0,2}(,[0-9]{3}){1,4}"
_NUMBER = rf"(-?([$] *)?|[$] *-)(({_DIGITS})([.][0-9]+)?|[.][0-9]+)( *%)?"
_WITH_EXPONENT = r"-?(0|[1-9][0-9]*)([.][0-9]+)?e[-+]?[0-9]{1,3}"
_KINDS = """
SELECT bool_and(regexp_full_match(cell, {number})),
  bool_and(regexp_full_match(cell, {with_exponent}, 'i'))
FROM seen_cells WHERE cell IS NOT NULL""".format(
    number=literal(_NUMBER), with_exponent=literal(f"{_NUMBER}|{_WITH_EXPONENT}")
)


def common_type(con: duckdb.DuckDBPyConnection, column: str) -> str:
    """Return the type of a column of tables `gold` and `candidate`; one that is null throughout takes the other's.

    Null words say nothing. A number may have `$`, `%`, grouped thousands; one like `1e3` may be a code, so it is a
    number only beside numbers of the other side. What isn't one thing on both sides is text_exact.
    """
    kinds = {_kind(con, side, column) for side in SIDES} - {"null"}
    if kinds == {"number", "exponent"}:
        return "number"
    (kind,) = kinds if len(kinds) == 1 else (TEXT,)
    return kind if kind in TYPE_NAMES else TEXT


def _kind(con: duckdb.DuckDBPyConnection, side: str, column: str) -> str:
    """Return a type, or `null` where no cell says anything, or `exponent` for numbers of which some are like 1e3."""
    (plain,) = con.execute(_PLAIN.format(column=quote(column), side=side)).fetchone() or (None,)
    if plain:
        return "number"
    con.execute(_CELL.format(column=quote(column), side=side))
    number, exponent = con.execute(_KINDS).fetchone() or (None, None)
    if number is None:
        return "null"
    kind = "number" if number else _safe_type(con, "cell")
    if kind in ("date", "datetime"):
        # none and nan are no null among dates, but are in text, in which ISO dates compare alike
        return _safe_type(con, "day")
    return "exponent" if exponent and kind == TEXT else kind


def _safe_type(con: duckdb.DuckDBPyConnection, cells: str) -> str:
    return _TYPES.get(safe_types(con, "seen_cells", [cells])[cells], TEXT)


def check_types(where: str, types: Mapping[str, str], columns: Sequence[str]) -> None:
    """Raise InputError where `types` gives a column that isn't there a type, or one a type that isn't known."""
    for name, type_ in types.items():
        if name not in columns:
            raise InputError(f"{where}: no column {name!r} to give a type{hint(name, columns)}")
        if type_ not in TYPE_NAMES:
            raise InputError(f"column {name!r}: no type {type_!r}{hint(type_, TYPE_NAMES)}")


def hint(name: str, names: Sequence[str]) -> str:
    """Return the end of a message on a name that isn't there: the one likely meant, and all there are."""
    meant = nearest_name(name, names)
    return (f"; did you mean {meant!r}?" if meant else "") + f" (has: {', '.join(names)})"

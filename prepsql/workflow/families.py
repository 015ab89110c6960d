"""DuckDB's types as far as workflows tell them apart."""

from __future__ import annotations

import re
from collections.abc import Sequence

_FAMILIES = (
    ("number", re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|FLOAT|DOUBLE|REAL|DECIMAL.*|NUMERIC.*|BIGNUM")),
    ("text", re.compile(r"VARCHAR|ENUM.*|TEXT|STRING|CHAR.*")),
    ("boolean", re.compile(r"BOOL(EAN)?")),
    ("time", re.compile(r"DATE|DATETIME|TIMESTAMP.*")),
)
_RANKS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")


def family(kind: str) -> str:
    """Return number, text, boolean, time (dates and timestamps), or the type itself.

    >>> family("DECIMAL(18,2)"), family("VARCHAR[]")
    ('number', 'VARCHAR[]')
    """
    upper = kind.upper()
    if upper.endswith("]"):
        return upper
    return next((name for name, pattern in _FAMILIES if pattern.fullmatch(upper)), upper)


def is_float(kind: str) -> bool:
    """Return whether sums of the type depend on the order of its values."""
    return kind.upper() in ("DOUBLE", "FLOAT", "REAL")


def widest(kinds: Sequence[str]) -> str:
    """Return the type that takes in all of `kinds`, which are of one family."""
    if len(set(kinds)) == 1:
        return kinds[0]
    if family(kinds[0]) == "time":
        return "TIMESTAMP"
    if family(kinds[0]) == "number":
        if all(kind in _RANKS for kind in kinds):
            return max(kinds, key=_RANKS.index)
        return "DOUBLE"
    return "VARCHAR"

"""Signatures of the allow-lists: a function in DuckDB's terms and what its arguments must be.

    strpos(text, word)      date_trunc('month', date)      coalesce(any, ...)      count distinct(any)

An argument is a family of types, a constant of some kind, or a certain text. The last one before `...` may stand any
number of times. `distinct`, `ordered` and `over` after the name stand for DISTINCT, ORDER BY within an aggregate, and
a function that is for windows only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

FAMILIES: Mapping[str, frozenset[str]] = {
    "integer": frozenset(["integer"]),
    "decimal": frozenset(["decimal"]),
    "double": frozenset(["double"]),
    "exact": frozenset(["integer", "decimal"]),
    "number": frozenset(["integer", "decimal", "double"]),
    "text": frozenset(["text"]),
    "boolean": frozenset(["boolean"]),
    "date": frozenset(["date"]),
    "timestamp": frozenset(["timestamp"]),
    "moment": frozenset(["date", "timestamp"]),
    "plain": frozenset(["integer", "decimal", "double", "date", "timestamp"]),
    "any": frozenset(["integer", "decimal", "double", "text", "boolean", "date", "timestamp"]),
}
"""Families of types; a null constant is of each of them."""

CONSTANTS = frozenset(
    [
        "count",
        "positive",
        "nonzero",
        "share",
        "word",
        "like",
        "glob",
        "match",
        "fullmatch",
        "pattern",
        "replacement",
        "format",
        "dayformat",
    ]
)
"""Kinds of constants: whole numbers from 0 or from 1; anything but 0; between 0 and 1; text that isn't empty; …"""

_KEY = re.compile(r"(.+?)\((.*)\)", re.DOTALL)
_TYPES = (
    ("integer", re.compile(r"U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?")),
    ("decimal", re.compile(r"DECIMAL\(.*\)")),
    ("double", re.compile(r"DOUBLE|FLOAT")),
    ("text", re.compile(r"VARCHAR")),
    ("boolean", re.compile(r"BOOLEAN")),
    ("date", re.compile(r"DATE")),
    ("timestamp", re.compile(r"TIMESTAMP")),
    ("interval", re.compile(r"INTERVAL")),
    ("null", re.compile(r'"NULL"')),
)


@dataclass(frozen=True)
class Signature:
    """One entry's name and arguments; `more` says that the last may stand again."""

    name: str
    arguments: tuple[str, ...]
    more: bool = False

    def argument(self, place: int) -> str:
        """Return what the argument at a place must be."""
        return self.arguments[min(place, len(self.arguments) - 1)]

    def takes(self, count: int) -> bool:
        """Return whether it may have so many arguments."""
        return count == len(self.arguments) or (self.more and count >= len(self.arguments))


@cache
def signature(text: str) -> Signature:
    """Return the signature that a text says.

    >>> signature("coalesce(any, ...)")
    Signature(name='coalesce', arguments=('any',), more=True)
    """
    match = _KEY.fullmatch(text)
    assert match, text
    parts = [part.strip() for part in match[2].split(",")] if match[2].strip() else []
    more = parts[-1:] == ["..."]
    arguments = tuple(parts[:-1] if more else parts)
    wrong = [a for a in arguments if a not in FAMILIES and a not in CONSTANTS and a[0] not in "'123456789"]
    assert not wrong, f"{text}: {wrong}"
    return Signature(match[1], arguments, more)


def kind_of(type_name: str) -> str:
    """Return the family of one of DuckDB's types, the type itself where it has none.

    >>> kind_of("DECIMAL(18,2)"), kind_of("HUGEINT"), kind_of("VARCHAR[]")
    ('decimal', 'integer', 'VARCHAR[]')
    """
    return next((name for name, pattern in _TYPES if pattern.fullmatch(type_name)), type_name)

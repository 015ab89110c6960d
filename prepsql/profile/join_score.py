"""How likely it is that two columns are meant to be joined, from what they share and how they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prepsql.profile.names import fold_name, is_placeholder
from prepsql.profile.result import DATES, NUMBERS, Column

# words that many columns have in their names
_COMMON = frozenset({"id", "name", "no", "number", "date", "code", "type", "of", "the", "total", "first", "last"})
_SMALL = 100
_UNIQUE = 0.95
# what a normalisation takes off, since it brings together what may be meant apart
_LOOSE = {"keep_digits": 0.4, "part": 0.4, "parse_number": 0.1, "match_key": 0.05}


@dataclass(frozen=True)
class JoinSide:
    """A column that may be joined: `side` numbers its subject, `table` is the subject's name."""

    side: int
    table: str
    column: Column


def score(left: JoinSide, right: JoinSide, norm: str, overlap: int, sizes: tuple[int, int]) -> float:
    """Return overlap + ½ Jaccard + likeness of names + uniqueness - what speaks against a join.

    `overlap` counts the normalised values that both have, `sizes` those of each.
    """
    one, other = left.column, right.column
    likeness = name_likeness(one.name, other.name)
    unique = max(min(1.0, size / side.column.said) for size, side in zip(sizes, (left, right), strict=True))
    against = _LOOSE.get(norm, 0.0)
    if likeness < 1:
        if all(column.type in NUMBERS for column in (one, other)):
            against += 1.0 if _is_small(one) or _is_small(other) else 0.4
        elif all(column.type in DATES for column in (one, other)):
            against += 0.3
    elif _is_small(one) and _is_small(other):
        against += 0.3
    shared = overlap / min(sizes)
    return shared + overlap / (sum(sizes) - overlap) / 2 + likeness + (1 if unique >= _UNIQUE else unique) - against


def name_likeness(one: str, other: str) -> float:
    """Return 1 for names equal but for case and marks, 0.6 where one holds the other, 0.4 for a telling word shared."""
    folded = fold_name(one), fold_name(other)
    if is_placeholder(one) or is_placeholder(other):
        return 0.0
    if folded[0] == folded[1]:
        return 1.0
    short, long = sorted(folded, key=len)
    if len(short) >= 4 and short in long and short not in _COMMON:
        return 0.6
    words = [{word.rstrip("s") for word in re.findall(r"[^\W_]+", name.casefold())} - _COMMON for name in (one, other)]
    return 0.4 if words[0] & words[1] else 0.0


def _is_small(column: Column) -> bool:
    return column.type in NUMBERS and column.numbers is not None and abs(column.numbers.maximum) <= _SMALL

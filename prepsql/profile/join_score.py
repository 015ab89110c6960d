"""How likely it is that two columns are meant to be joined, from what they share and how they are called."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prepsql.profile.names import about_same, fold_name, is_of_a_key, is_placeholder, telling_words
from prepsql.profile.result import DATES, NUMBERS, Column

# words that many columns have in their names
_COMMON = frozenset({"id", "name", "no", "number", "date", "code", "type", "of", "the", "total", "first", "last"})
_SMALL = 100
_UNIQUE = 0.95
# of a range so many numbers are there where it is counted
_DENSE = 0.8
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
    likeness = name_likeness(left, right)
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


def name_likeness(left: JoinSide, right: JoinSide) -> float:
    """Return 1 for names equal but for case and marks, 0.6 where one holds the other, 0.4 for a telling word shared.

    Of names that say something only with their table's, 1 where both are about the same thing.
    """
    one, other = left.column.name, right.column.name
    folded = fold_name(one), fold_name(other)
    if is_placeholder(one) or is_placeholder(other):
        return 0.0
    same = about_same(left.table, one, right.table, other)
    if folded[0] == folded[1]:
        return 0.0 if same is False else 1.0
    if same and min(len(telling_words(name)) for name in (one, other)) == 0:
        return 1.0
    short, long = sorted(folded, key=len)
    if len(short) >= 4 and short in long and short not in _COMMON:
        return 0.6
    words = [{word.rstrip("s") for word in re.findall(r"[^\W_]+", name.casefold())} - _COMMON for name in (one, other)]
    return 0.4 if words[0] & words[1] else 0.0


def may_be_chance(left: JoinSide, right: JoinSide, norm: str, overlap: int, sizes: tuple[int, int]) -> bool:
    """Return whether the columns may well share values and have nothing to do with each other.

    Numbers that count on from 1 are found in any other such column, and so are the digits of codes: there the names
    must be about one thing, or not say while both are called keys. Else both must have the same numbers, and one of
    them more than once: a key that is referred to.
    """
    columns = (left.column, right.column)
    counting = all(column.type == "integer" for column in columns) and any(map(_counts, columns))
    if not counting and norm != "keep_digits":
        return False
    same = about_same(left.table, columns[0].name, right.table, columns[1].name)
    if not counting:
        return same is False
    names = [column.name for column in columns]
    if same or (same is None and (fold_name(names[0]) == fold_name(names[1]) or all(map(is_of_a_key, names)))):
        return False
    return not (overlap == sizes[0] == sizes[1] and any(column.distinct < column.said for column in columns))


def _counts(column: Column) -> bool:
    """Whether the whole numbers of a column count on from 0 or 1, or from there in the hundreds, but are no years."""
    numbers = column.numbers
    if numbers is None or numbers.minimum < 0 or numbers.minimum % 100 not in (0, 1):
        return False
    years = 1800 <= numbers.minimum <= numbers.maximum <= 2200
    return not years and column.distinct >= _DENSE * (numbers.maximum - numbers.minimum + 1)


def _is_small(column: Column) -> bool:
    return column.type in NUMBERS and column.numbers is not None and abs(column.numbers.maximum) <= _SMALL

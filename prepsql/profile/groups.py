"""Groups of values that are likely one, of what is known of pairs: equal after folding, or equal but for a slip."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from prepsql.profile.slips import DIGITS

SAME, NEAR_WORDS = "same after folding", "near words"
# a word that is mended though no cell has the mended value: of so many letters, so much rarer than what is meant
_WORD_SIZE, _WORD_RATIO = 6, 3


class Value(NamedTuple):
    """A distinct value of a column, how many cells have it, and the first row that has."""

    value: str
    cells: int
    row: int


class Twin(NamedTuple):
    """A value with a slip: the id of its likes, and that of the values that are the same without the slip, if any."""

    place: int
    kind: str
    id: int
    twin: int | None
    value: str
    word: str
    meant: str
    ratio: float


@dataclass(frozen=True)
class Group:
    """Values that are likely one: its likeliest form, and the others, each with the kind of finding, by first rows."""

    canonical: str
    cells: int
    variants: tuple[tuple[Value, str], ...]


def find_groups(members: Mapping[int, Sequence[Value]], twins: Sequence[Twin], short: bool) -> Iterator[Group]:
    """Yield the groups of one column in the order of `members`: the values of each id, those after folding the same.

    Words are mended to what no cell has in `short` columns alone: in longer ones such words are mostly names.
    """
    slips = {twin.id: twin for twin in sorted(twins, key=_strength)}
    confirmed = {id_: twin.twin for id_, twin in slips.items() if twin.twin is not None}
    ids: dict[int, list[int]] = defaultdict(list)
    for id_ in members:
        root = id_
        while root in confirmed:
            root = confirmed[root]
        ids[root].append(id_)
    for root, same in ids.items():
        likeliest = min(members[root], key=likeliness)
        variants = [
            (value, SAME if id_ == root else slips[id_].kind)
            for id_ in same
            for value in members[id_]
            if value is not likeliest
        ]
        if variants:
            yield Group(likeliest.value, likeliest.cells, tuple(sorted(variants, key=lambda v: (v[0].row, v[0].value))))
    alone = [twin for id_, twin in slips.items() if id_ not in confirmed]
    yield from _mended(members, [twin for twin in alone if short or twin.kind == DIGITS])


def _mended(members: Mapping[int, Sequence[Value]], slips: Sequence[Twin]) -> Iterator[Group]:
    """Yield groups of values that become one that no cell has when a word is mended."""
    mended: dict[str, list[tuple[Value, str]]] = defaultdict(list)
    for slip in slips:
        sure = min(len(slip.word), len(slip.meant)) >= _WORD_SIZE and slip.ratio >= _WORD_RATIO
        # a number with its unit, such as 1amp, is no word
        if slip.word[0].isalpha() if slip.kind == DIGITS else sure:
            for value in members[slip.id]:
                mended[_mend(value.value, slip)].append((value, DIGITS if slip.kind == DIGITS else NEAR_WORDS))
    for canonical, variants in mended.items():
        if all(value.value != canonical for value, _ in variants):
            yield Group(canonical, 0, tuple(sorted(variants, key=lambda v: (v[0].row, v[0].value))))


def _mend(value: str, slip: Twin) -> str:
    def meant(word: re.Match[str]) -> str:
        if word[0].isupper():
            return slip.meant.upper()
        return slip.meant.capitalize() if word[0][0].isupper() else slip.meant

    return re.sub(rf"\b{slip.word}\b", meant, value, flags=re.IGNORECASE)


def _strength(twin: Twin) -> tuple[bool, bool, float, str]:
    return twin.twin is not None, twin.kind == DIGITS, twin.ratio, twin.meant


def is_clean(text: str) -> bool:
    """Return whether a text has neither spare white space nor characters that nobody sees."""
    return text.isprintable() and " ".join(text.split()) == text


def likeliness(value: Value) -> tuple[bool, int, bool, int]:
    """Return a key that is least for the likeliest of some values: clean, frequent, in proper case, first."""
    return not is_clean(value.value), -value.cells, not value.value.istitle(), value.row

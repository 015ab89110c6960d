r"""Patterns that look around: bounds of words, look-ahead and look-behind, of which RE2 has none for Python's words.

What stands at the ends of a pattern is matched with it and left out again: `\bfoo` is `(?:^|[^\p{L}\p{N}_])foo`. Where
several places are asked for, this is exact if no place needs a character that another has taken. Else the words of the
text are marked, `foo bar` as `␟␟foo␟␟ ␟␟bar␟␟`, and a bound is a mark.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.pattern_ends import WORD, apart, look_around, parted_at_ends
from prepsql.workflow.pandas_text.pattern_parts import (
    BOUNDARIES,
    REPEATS,
    Item,
    Writer,
    inside,
    is_single,
    least,
    letters,
    parsed,
)
from prepsql.workflow.pandas_text.regex import translate_pattern
from prepsql.workflow.pandas_text.sql import bind

MARK = "␟"
_MARKS = 2


@dataclass(frozen=True)
class Search:
    """A pattern for RE2, and what is done to the text before and to what is found in it; `place` is the group found."""

    text: str
    groups: tuple[str, ...]
    matches_empty: bool
    marked: bool = False
    place: int = 0

    def within(self, sql: str) -> str:
        """Return the text that is searched."""
        if not self.marked:
            return sql
        return bind(f"regexp_replace(x, '[{WORD}]+', '{MARK * _MARKS}\\0{MARK * _MARKS}', 'g')", x=sql)

    def plain(self, sql: str) -> str:
        """Return what was found without marks."""
        return bind(f"replace(x, '{MARK}', '')", x=sql) if self.marked else sql

    def each(self, sql: str) -> str:
        """Return a list of what was found without marks."""
        return bind(f"list_transform(x, lambda p: replace(p, '{MARK}', ''))", x=sql) if self.marked else sql


def looks(pattern: str) -> bool:
    """Return whether a pattern looks around."""
    if not re.search(r"\\[bB]|\(\?<?[=!]", pattern):
        return False

    def any_of(items: Sequence[Item]) -> bool:
        return any(
            str(op) in ("ASSERT", "ASSERT_NOT") or str(value) in BOUNDARIES or any(map(any_of, inside((op, value))))
            for op, value in items
        )

    return any_of(parsed(pattern)[0])


@lru_cache(512)
def search(pattern: str, every: bool = False) -> Search:
    """Return a pattern for RE2 that finds one place, or every place."""
    if not _valid(pattern) or not looks(pattern):
        plain = translate_pattern(pattern)
        return Search(plain.text, plain.groups, plain.matches_empty, place=min(len(plain.groups), 1))
    if re.compile(pattern).flags & re.VERBOSE:
        raise NotTranslatable("a pattern in verbose form")
    groups = _group_texts(pattern)
    try:
        parted = parted_at_ends(pattern)
        if every and not apart(parted):
            raise NotTranslatable("places of a pattern that looks around, which may touch each other")
        lead, body, trail = parted.written()
        around = every and not groups and bool(lead or trail)
        text = f"{_flags(parted.flags)}{lead}{f'({body})' if around else body}{trail}"
        return Search(text, groups, least(pattern) == 0, place=1 if groups or around else 0)
    except NotTranslatable as why:
        return _marked(pattern, why, every)


def of_words(pattern: str) -> Search:
    """Return a pattern for RE2 that takes no more than Python's does: where it looks around, words are marked."""
    if not looks(pattern):
        return search(pattern)
    return _marked(pattern, NotTranslatable("a pattern that looks around"), True)


@lru_cache(512)
def replacing(pattern: str, new: str) -> tuple[Search, str]:
    r"""Return a pattern for RE2 whose every place is replaced, and the new text, `\1` for a group."""
    if not _valid(pattern) or not looks(pattern):
        return search(pattern), new
    groups = _group_texts(pattern)
    try:
        parted = parted_at_ends(pattern)
        shift = 1 if parted.lead.taken else 0
        behind = len(groups) + shift + 1
        if not apart(parted) or behind > 9 or r"\0" in new:
            raise NotTranslatable("places of a pattern that looks around, which may touch each other")
        lead, body, trail = parted.written(captured=True)
    except NotTranslatable as why:
        return _marked(pattern, why, True), new
    new = re.sub(r"\\(\\|\d)", lambda m: m[0] if m[1] == "\\" else f"\\{int(m[1]) + shift}", new)
    whole = f"{chr(92)}1{new}" if shift else new
    whole += f"\\{behind}" if parted.trail.taken else ""
    return Search(f"{_flags(parted.flags)}{lead}{body}{trail}", groups, not (body or shift)), whole


def _valid(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except re.error:
        return False
    return True


def _flags(flags: int) -> str:
    found = letters(flags)
    return f"(?{found})" if found else ""


def _group_texts(pattern: str) -> tuple[str, ...]:
    from prepsql.workflow.pandas_text.groups import parts

    found = sorted((part.number, pattern[part.start : part.end]) for part in parts(pattern) if part.number)
    return tuple(text for _, text in found)


def _marked(pattern: str, why: NotTranslatable, every: bool) -> Search:
    """Return a pattern for a text whose words are marked; what it looks at behind its end is matched with it."""
    items, flags, names = parsed(pattern)
    ahead, items = (None, items) if every else _ahead(items)
    bounds = _bounds(items)
    too_many = max(bounds.most, bounds.last + bounds.first) > _MARKS
    if MARK in pattern or too_many or "AT_NON_BOUNDARY" in str(items) or "ASSERT" in str(items):
        raise why
    groups = _group_texts(pattern)
    writer = Writer(flags, names, MARK)
    text = _flags(flags) + writer.sequence(items)
    if ahead is not None:
        text += f"(?:{look_around(str(ahead[0]), ahead[1], writer, True).text})"
    return Search(text, groups, least(pattern) == 0, marked=True, place=min(len(groups), 1))


def _ahead(items: list[Item]) -> tuple[Item | None, list[Item]]:
    """Return what a pattern looks at behind its end, None where it doesn't, and the rest."""
    if not items:
        return None, items
    op, value = items[-1]
    if str(op) in ("ASSERT", "ASSERT_NOT"):
        return (op, value), items[:-1]
    if str(op) == "SUBPATTERN" and not value[1] and not value[2]:
        ahead, rest = _ahead(list(value[3]))
        return ahead, [*items[:-1], (op, (*value[:3], rest))]
    return None, items


@dataclass(frozen=True)
class _Bounds:
    """How many bounds are asked for at one place: at the start, at the end, at most; and with nothing taken between."""

    first: int = 0
    last: int = 0
    most: int = 0
    through: int | None = 0

    def then(self, other: _Bounds) -> _Bounds:
        """Return those of one part after another."""
        first = self.first if self.through is None else max(self.first, self.through + other.first)
        last = other.last if other.through is None else max(other.last, other.through + self.last)
        through = None if self.through is None or other.through is None else self.through + other.through
        return _Bounds(first, last, max(self.most, other.most, self.last + other.first), through)


def _bounds(items: Sequence[Item]) -> _Bounds:
    found = _Bounds()
    for op, value in items:
        if str(value) in BOUNDARIES:
            one = _Bounds(1, 1, 1, 1)
        elif is_single((op, value)):
            one = _Bounds(through=None)
        else:
            one = _of_parts([_bounds(part) for part in inside((op, value))])
        if str(op) in REPEATS:
            low, high, _ = value
            one = one if str(high) == "1" else one.then(one)
            one = _of_parts([one, _Bounds()]) if low == 0 else one
        found = found.then(one)
    return found


def _of_parts(parts: Sequence[_Bounds]) -> _Bounds:
    if not parts:
        return _Bounds()
    through = [part.through for part in parts if part.through is not None]
    return _Bounds(max(part.first for part in parts), max(part.last for part in parts),
                   max(part.most for part in parts), max(through) if through else None)  # fmt: skip

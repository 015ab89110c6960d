"""Which groups of a pattern take part wherever it matches: one that doesn't is None to Python, '' to RE2."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

Presence = Literal["always", "unless empty", "unknown"]
_QUANTIFIER = re.compile(r"[?*]|\{(?:0\b|,)[^}]*\}|[+]|\{[^}]*\}")
_FLAGS = re.compile(r"\(\?[a-z]+\)")


@dataclass
class Part:
    """A piece of a pattern in parentheses, or the whole; `number` is that of a capturing group, 0 for another."""

    start: int
    number: int
    parent: Part | None
    end: int = 0
    branches: list[int] = field(default_factory=list)
    quantifier: str = ""

    @property
    def optional(self) -> bool:
        """Whether it may be left out where what is around it matches."""
        return self.quantifier[:1] in ("?", "*") or self.quantifier.startswith(("{0", "{,"))


def presence(pattern: str, group: int) -> Presence:
    """Return when a group takes part in a match: always, exactly where what it matched isn't empty, or unknown.

    >>> presence("(a)(b)?(c*)?", 1), presence("(a)(b)?(c*)?", 2), presence("(a)(b)?(c*)?", 3)
    ('always', 'unless empty', 'unknown')
    """
    flags = _FLAGS.match(pattern)
    found = next((part for part in parts(pattern) if part.number == group), None)
    if found is None:
        return "unknown"
    around: Part | None = found
    missing = False
    while around is not None:
        missing = missing or around.optional or (around is not found and bool(around.branches))
        around = around.parent
    if not missing:
        return "always"
    inside = pattern[found.start : found.end]
    return "unknown" if re.fullmatch((flags[0] if flags else "") + inside, "") else "unless empty"


def enclosed(pattern: str, group: int) -> tuple[str, int] | None:
    """Return the pattern with a group more around what may be left out with a group, and that group's number.

    The group took part where the other isn't empty; it then has the next number. None where that can't be said.

    >>> enclosed("(a)(?:-(b*))?", 2)
    ('(a)(-(b*))?', 2)
    """
    found = next((part for part in parts(pattern) if part.number == group), None)
    around = found.parent if found else None
    if found is None or found.optional or found.branches or around is None:
        return None
    if around.quantifier != "?" or around.number or around.branches or pattern[around.start - 2 : around.start] != "?:":
        return None
    outer = around.parent
    while outer is not None:
        if outer.optional or outer.branches:
            return None
        outer = outer.parent
    first = min((part.number for part in parts(pattern) if part.number and part.start > around.start), default=0)
    if first != group or re.fullmatch(pattern[around.start : around.end], ""):
        return None
    return pattern[: around.start - 2] + pattern[around.start :], group


def uncaptured(pattern: str) -> str:
    """Return a pattern none of whose groups are kept.

    >>> uncaptured(r"(a)[(](?P<n>b)")
    '(?:a)[(](?:b)'
    """
    for part in sorted(parts(pattern), key=lambda part: -part.start):
        if part.number:
            pattern = f"{pattern[: pattern.rindex('(', 0, part.start)]}(?:{pattern[part.start :]}"
    return pattern


@lru_cache(512)
def parts(pattern: str) -> tuple[Part, ...]:
    """Return the parts of a pattern, the whole first."""
    flags = _FLAGS.match(pattern)
    at = flags.end() if flags else 0
    whole = Part(at, 0, None, len(pattern))
    found, inside, number = [whole], whole, 0
    while at < len(pattern):
        mark = pattern[at]
        if mark == "\\":
            at += 2
            continue
        if mark == "[":
            at = _class_end(pattern, at)
            continue
        if mark == "(":
            start, captures = _start(pattern, at)
            number += captures
            inside = Part(start, number if captures else 0, inside)
            found.append(inside)
            at = start
            continue
        if mark == ")" and inside.parent is not None:
            inside.end = at
            quantifier = _QUANTIFIER.match(pattern, at + 1)
            inside.quantifier = quantifier[0] if quantifier else ""
            inside = inside.parent
        elif mark == "|":
            inside.branches.append(at)
        at += 1
    return tuple(found)


def _start(pattern: str, at: int) -> tuple[int, bool]:
    """Return where the inside of a parenthesis starts, and whether it captures."""
    if pattern.startswith("(?P<", at):
        return pattern.index(">", at) + 1, True
    if not pattern.startswith("(?", at):
        return at + 1, True
    plain = re.compile(r"\(\?[a-zA-Z-]*:").match(pattern, at)
    return (plain.end() if plain else at + 2), False


def _class_end(pattern: str, at: int) -> int:
    at += 2 if pattern.startswith("[^", at) else 1
    first = at
    while at < len(pattern) and (pattern[at] != "]" or at == first):
        at += 2 if pattern[at] == "\\" else 1
    return at + 1

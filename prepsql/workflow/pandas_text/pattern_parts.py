"""Patterns as Python parses them: which characters they take, and their text for RE2.

A text may have its words marked (`looking.py`): then no part of a pattern takes a mark, and between two characters
there may be some unless both are of a word, or neither is.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from re import _parser  # type: ignore[attr-defined]
from typing import Any, Literal

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.regex import CLASSES, LESS_THAN_WORDS

Item = tuple[Any, Any]
Kind = Literal["word", "other", ""]
_SPECIAL = frozenset(r"\.^$*+?{}[]|()")
_WIDE = 2000
_REFUSED = {"GROUPREF": "a back-reference", "ASSERT": "look-around", "ASSERT_NOT": "look-around"}
# of each kind that a class of Python knows: digits, letters, marks, spaces, signs, outside ASCII too
_KINDS = "éßΩЖ中٣½²\xa0\u2003–€�😀́ª"
_CATEGORIES = {"WORD": r"\w", "DIGIT": r"\d", "SPACE": r"\s"}
_PLACES = {"AT_BEGINNING": "^", "AT_BEGINNING_STRING": r"\A", "AT_END": "$", "AT_END_STRING": r"\z"}
BOUNDARIES = ("AT_BOUNDARY", "AT_NON_BOUNDARY")
_SINGLE = ("LITERAL", "NOT_LITERAL", "ANY", "IN")
REPEATS = ("MAX_REPEAT", "MIN_REPEAT")


def parsed(pattern: str) -> tuple[list[Item], int, dict[int, str]]:
    """Return the items of a pattern, its flags, and the names of its groups by number."""
    tree = _parser.parse(pattern)
    return list(tree), tree.state.flags, {number: name for name, number in tree.state.groupdict.items()}


def least(pattern: str) -> int:
    """Return how many characters a pattern takes at least."""
    width: int = _parser.parse(pattern).getwidth()[0]
    return width


def is_single(item: Item) -> bool:
    """Return whether an item takes one character."""
    return str(item[0]) in _SINGLE


def inside(item: Item) -> list[Sequence[Item]]:
    """Return the sequences that an item is made of."""
    op, value = str(item[0]), item[1]
    if op == "BRANCH":
        return list(value[1])
    if op in ("SUBPATTERN", "ASSERT", "ASSERT_NOT", *REPEATS):
        return [value[-1]]
    return []


def singles(items: Sequence[Item]) -> list[Item]:
    """Return all that takes a character among items."""
    return [one for item in items for one in ([item] if is_single(item) else
            [found for part in inside(item) for found in singles(part)])]  # fmt: skip


def captures(items: Sequence[Item]) -> bool:
    """Return whether there is a group among items that is kept."""
    return any((str(op) == "SUBPATTERN" and value[0] is not None) or any(map(captures, inside((op, value))))
               for op, value in items)  # fmt: skip


def ends(items: Sequence[Item], last: bool = False) -> tuple[list[Item], bool]:
    """Return what may take the first character, or the last one, and whether all may take none."""
    found: list[Item] = []
    for item in reversed(items) if last else items:
        op, value = str(item[0]), item[1]
        if is_single(item):
            return [*found, item], False
        if op in ("AT", "ASSERT", "ASSERT_NOT"):
            continue
        parts = [ends(one, last) for one in inside(item)]
        if not parts:
            raise NotTranslatable("a back-reference in a pattern: RE2 has none")
        found += [one for part, _ in parts for one in part]
        if not any(empty for _, empty in parts) and not (op in REPEATS and value[0] == 0):
            return found, False
    return found, True


def takes(item: Item, mark: str, flags: int) -> bool:
    """Return whether an item takes a character."""
    op, value = str(item[0]), item[1]
    if op == "ANY":
        return mark != "\n" or bool(flags & re.S)
    if op in ("LITERAL", "NOT_LITERAL"):
        return _same(value, value, mark, flags) == (op == "LITERAL")
    negated = str(value[0][0]) == "NEGATE"
    found = False
    for kind, what in value[1:] if negated else value:
        if str(kind) == "CATEGORY":
            name = str(what).removeprefix("CATEGORY_")
            positive = name.removeprefix("NOT_")
            found |= (re.match(_CATEGORIES[positive], mark) is not None) == (name == positive)
        else:
            low, high = what if str(kind) == "RANGE" else (what, what)
            found |= _same(low, high, mark, flags)
    return found != negated


def _same(low: int, high: int, mark: str, flags: int) -> bool:
    marks = {mark, mark.lower(), mark.upper()} if flags & re.I else {mark}
    return any(len(one) == 1 and low <= ord(one) <= high for one in marks)


def alphabet(items: Sequence[Item]) -> set[str]:
    """Return characters enough to tell what items take from each other."""
    found = {chr(code) for code in range(128)} | set(_KINDS)
    for item in items:
        for kind, what in item[1] if str(item[0]) == "IN" else [item]:
            if str(kind) == "RANGE":
                if what[1] - what[0] > _WIDE:
                    raise NotTranslatable("a wide range of characters beside a word's bound")
                found |= {chr(code) for code in range(what[0], what[1] + 1)}
            elif str(kind) in ("LITERAL", "NOT_LITERAL"):
                found.add(chr(what))
    return found


def kind(items: Sequence[Item], flags: int) -> Kind:
    """Return whether what these items take is always of a word, or never; '' where it is now this, now that."""
    marks = alphabet(items)
    kinds = {re.match(r"\w", mark) is not None for mark in marks for item in items if takes(item, mark, flags)}
    return "" if len(kinds) != 1 else "word" if kinds.pop() else "other"


class Writer:
    """Writes items for RE2; with a `mark` for texts that have marks around words."""

    def __init__(self, flags: int, names: Mapping[int, str], mark: str = "") -> None:
        self.flags = flags
        self.names = names
        self.mark = mark
        self.last: Kind = ""

    def sequence(self, items: Sequence[Item]) -> str:
        """Return one item after another."""
        return "".join(self._item(item) for item in items)

    def _item(self, item: Item) -> str:
        op, value = str(item[0]), item[1]
        if is_single(item):
            return self._gap(item) + self.character(item)
        if op == "AT":
            return self._place(str(value))
        if op == "SUBPATTERN":
            return self._group(*value)
        if op == "BRANCH":
            return f"(?:{'|'.join(self._each([self._from_here(one) for one in value[1]]))})"
        if op in REPEATS:
            return self._repeat(op, *value)
        raise NotTranslatable(f"{_REFUSED.get(op, op.lower())} inside of a pattern: RE2 has none")

    def _from_here(self, items: Sequence[Item]) -> tuple[str, Kind]:
        before = self.last
        text = self.sequence(items)
        after, self.last = self.last, before
        return text, after

    def _each(self, written: Sequence[tuple[str, Kind]]) -> list[str]:
        kinds = {after for _, after in written}
        self.last = kinds.pop() if len(kinds) == 1 else ""
        return [text for text, _ in written]

    def _gap(self, item: Item) -> str:
        now = kind([item], self.flags)
        before, self.last = self.last, now
        return f"{self.mark}*" if self.mark and not (now and now == before) else ""

    def _place(self, what: str) -> str:
        if what in BOUNDARIES:
            if not self.mark or what != "AT_BOUNDARY":
                raise NotTranslatable("a word's bound inside of a pattern: RE2 knows words of ASCII letters only")
            return self.mark
        return f"{self.mark}*$" if self.mark and what == "AT_END" else (
            f"{self.mark}*\\z" if self.mark and what == "AT_END_STRING" else _PLACES[what])  # fmt: skip

    def _group(self, number: int | None, added: int, taken: int, items: Sequence[Item]) -> str:
        flags = self.flags
        self.flags = (flags | added) & ~taken
        text = self.sequence(items)
        self.flags = flags
        if number is not None:
            return f"(?P<{self.names[number]}>{text})" if number in self.names else f"({text})"
        return f"(?{letters(added)}{'-' + letters(taken) if taken else ''}:{text})"

    def _repeat(self, op: str, low: int, high: Any, items: Sequence[Item]) -> str:
        most = None if str(high) == "MAXREPEAT" else int(high)
        times = {(0, None): "*", (1, None): "+", (0, 1): "?"}.get((low, most)) or (
            f"{{{low}}}" if low == most else f"{{{low},{'' if most is None else most}}}")  # fmt: skip
        times += "?" if op == "MIN_REPEAT" else ""
        before = self.last
        if len(items) == 1 and is_single(items[0]):
            now = kind(items, self.flags)
            if not self.mark or now:
                text = f"{self._gap(items[0])}{self.character(items[0])}{times}"
                self.last = now if low or before == now else ""
                return text
        self.last = ""
        text = self.sequence(items)
        self.last = self.last if low else ""
        grouped = len(items) == 1 and str(items[0][0]) in ("SUBPATTERN", "BRANCH")
        return f"{text}{times}" if grouped or (len(items) == 1 and is_single(items[0]) and not self.mark) else (
            f"(?:{text}){times}")  # fmt: skip

    def character(self, item: Item, negated: bool = False) -> str:
        """Return what takes one character, or any but that."""
        op, value = str(item[0]), item[1]
        if op == "ANY":
            if negated:
                raise NotTranslatable("no character at all in a pattern")
            if not self.mark:
                return "."
            return f"[^{self.mark}]" if self.flags & re.S else f"[^\\n{self.mark}]"
        if op == "LITERAL" and not negated:
            return escaped(chr(value))
        if op in ("LITERAL", "NOT_LITERAL"):
            outside = (op == "NOT_LITERAL") != negated
            return f"[{'^' if outside else ''}{_in_class(chr(value))}{self.mark if outside else ''}]"
        return self._class(list(value), negated)

    def _class(self, items: list[Item], negated: bool) -> str:
        if str(items[0][0]) == "NEGATE":
            items, negated = items[1:], not negated
        names = {str(what).removeprefix("CATEGORY_") for one, what in items if str(one) == "CATEGORY"}
        if any(f"NOT_{name}" in names for name in names):
            if negated:
                raise NotTranslatable("no character at all in a pattern")
            return f"[^{self.mark}]" if self.mark else "(?s:.)"
        outside = [name for name in names if name.startswith("NOT_")]
        if outside and len(items) == 1:
            negated = not negated
            inner = CLASSES[outside[0].removeprefix("NOT_")[0].lower()]
        elif outside == ["NOT_WORD"] and negated and (known := LESS_THAN_WORDS.get(_others(items))):
            negated, inner = False, known
        elif outside:
            raise NotTranslatable(r"\W, \S or \D beside others in a class of characters")
        else:
            inner = "".join(self._element(str(one), what) for one, what in items)
        return f"[^{inner}{self.mark}]" if negated else f"[{inner}]"

    def _element(self, op: str, what: Any) -> str:
        if op == "CATEGORY":
            return CLASSES[str(what).removeprefix("CATEGORY_")[0].lower()]
        if op == "RANGE":
            low, high = what
            if self.mark and low <= ord(self.mark) <= high:
                raise NotTranslatable("a range of characters with the mark of words in it")
            return f"{_in_class(chr(low))}-{_in_class(chr(high))}"
        return _in_class(chr(what))


def _others(items: Sequence[Item]) -> str:
    r"""Return what stands beside \W in a class, as it is written."""
    shown = {r"\d" if str(one) == "CATEGORY" else chr(what) if str(one) == "LITERAL" else "?" for one, what in items
             if str(what) != "CATEGORY_NOT_WORD"}  # fmt: skip
    return "".join(sorted(shown))


def letters(flags: int) -> str:
    """Return flags as the letters of a pattern."""
    return "".join(letter for flag, letter in ((re.I, "i"), (re.M, "m"), (re.S, "s")) if flags & flag)


def escaped(mark: str) -> str:
    """Return a character of a pattern."""
    return f"\\x{{{ord(mark):x}}}" if ord(mark) < 32 else f"\\{mark}" if mark in _SPECIAL else mark


def _in_class(mark: str) -> str:
    return f"\\x{{{ord(mark):x}}}" if ord(mark) < 32 else f"\\{mark}" if mark in r"\]^-[" else mark

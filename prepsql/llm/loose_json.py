"""JSON as models write it: with comments, trailing commas, single quotes, raw line ends in strings, Python's words.

Nothing is added to what stands there: a value that isn't closed is none.
"""

from __future__ import annotations

import re
from typing import Any

from prepsql.llm.characters import whole_characters

_SPACE = re.compile(r"(?:\s+|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?![\w.])")
_WORD = re.compile(r"[A-Za-z_$][\w$]*")
_PLAIN = {quote: re.compile(rf"[^{quote}\\]+") for quote in "\"'"}
_WORDS = {"true": True, "True": True, "false": False, "False": False, "null": None, "None": None}
_ESCAPES = {"b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", '"': '"', "'": "'", "\\": "\\", "/": "/"}
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_REST_OF_A_CUT = re.compile(r"\s*(?:[\w.+-]*|/|/\*.*)\Z", re.DOTALL)
_DEEPEST = 64
_LONGEST_NUMBER = 4000


class NotJson(ValueError):
    """Text that is no value; `at` is the character where that shows. `cut` says that it ends before the value does."""

    def __init__(self, what: str, at: int, *, cut: bool = False) -> None:
        super().__init__(what + (": the text ends" if cut else ""))
        self.at = at
        self.cut = cut


def read_value(text: str, at: int = 0) -> tuple[Any, int]:
    r"""Return the value that begins at a character and the character behind it. Raises NotJson where none does.

    >>> read_value("{'a': [1, 2,], // both\n}")
    ({'a': [1, 2]}, 24)
    """
    return _Reader(text).value(at, 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text

    def value(self, at: int, depth: int) -> tuple[Any, int]:
        if depth > _DEEPEST:
            raise NotJson(f"more than {_DEEPEST} values one in the other", at)
        at = self.skip(at)
        first = self.text[at : at + 1]
        if first == "{":
            return self.object(at + 1, depth)
        if first == "[":
            return self.array(at + 1, depth)
        if first in _PLAIN:
            return self.string(at + 1, first)
        return self.word(at)

    def skip(self, at: int) -> int:
        found = _SPACE.match(self.text, at)
        return found.end() if found else at

    def object(self, at: int, depth: int) -> tuple[dict[str, Any], int]:
        found: dict[str, Any] = {}
        at = self.skip(at)
        while self.text[at : at + 1] != "}":
            key, at = self.key(at)
            at = self.skip(at)
            if self.text[at : at + 1] != ":":
                raise self.wrong(f"':' is missing behind the key {key!r}", at)
            found[key], at = self.value(at + 1, depth + 1)
            at = self.next(at, "}")
        return found, at + 1

    def array(self, at: int, depth: int) -> tuple[list[Any], int]:
        found: list[Any] = []
        at = self.skip(at)
        while self.text[at : at + 1] != "]":
            value, at = self.value(at, depth + 1)
            found.append(value)
            at = self.next(at, "]")
        return found, at + 1

    def next(self, at: int, close: str) -> int:
        """Go over the comma behind a member, or stay at the closing bracket."""
        at = self.skip(at)
        if self.text[at : at + 1] == ",":
            return self.skip(at + 1)
        if self.text[at : at + 1] != close:
            raise self.wrong(f"',' or '{close}' is missing", at)
        return at

    def key(self, at: int) -> tuple[str, int]:
        first = self.text[at : at + 1]
        if first in _PLAIN:
            return self.string(at + 1, first)
        found = _WORD.match(self.text, at)
        if not found:
            raise self.wrong("a key is missing", at)
        return found[0], found.end()

    def string(self, at: int, quote: str) -> tuple[str, int]:
        parts: list[str] = []
        began = at
        while True:
            plain = _PLAIN[quote].match(self.text, at)
            if plain:
                parts.append(plain[0])
                at = plain.end()
            here = self.text[at : at + 1]
            if here == quote:
                return whole_characters("".join(parts)), at + 1
            if not here or at + 1 >= len(self.text):
                raise NotJson("a text isn't closed", began - 1, cut=True)
            part, at = self.escaped(at + 1)
            parts.append(part)

    def escaped(self, at: int) -> tuple[str, int]:
        char = self.text[at]
        if char == "u":
            found = _HEX.match(self.text, at + 1)
            if found:
                return chr(int(found[0], 16)), found.end()
        # as in "\d": a pattern that its writer forgot to escape
        return _ESCAPES.get(char, "\\" + char), at + 1

    def word(self, at: int) -> tuple[Any, int]:
        number = _NUMBER.match(self.text, at)
        if number:
            digits = number[0]
            if len(digits) > _LONGEST_NUMBER:
                raise NotJson(f"a number of more than {_LONGEST_NUMBER} characters", at)
            value = int(digits) if digits.lstrip("-").isdigit() else float(digits)
            if value in (float("inf"), float("-inf")):
                raise NotJson("a number that is too large", at)
            return value, number.end()
        word = _WORD.match(self.text, at)
        if word and word[0] in _WORDS:
            return _WORDS[word[0]], word.end()
        said = self.text[at : at + 20].split("\n")[0]
        raise self.wrong(f"a value is missing before {said!r}" if said else "a value is missing", at)

    def wrong(self, what: str, at: int) -> NotJson:
        return NotJson(what, at, cut=bool(_REST_OF_A_CUT.match(self.text, at)))

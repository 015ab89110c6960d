"""Python's regular expressions as DuckDB's (RE2): the same text or an equal one, else a refusal."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prepsql.errors import NotTranslatable

# in Python these know all of Unicode, in RE2 ASCII alone
_SPACE = r"\s\x0b\x1c-\x1f\x{85}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}"
CLASSES = {"d": r"\p{Nd}", "w": r"\p{L}\p{N}_", "s": _SPACE}
# characters of words but those in a class after ^\\W
LESS_THAN_WORDS = {"_": r"\p{L}\p{N}", "\\d": r"\p{L}\p{Nl}\p{No}_", "\\d_": r"\p{L}\p{Nl}\p{No}"}
_OUTSIDE = {"D": r"\P{Nd}", "W": r"[^\p{L}\p{N}_]", "S": f"[^{_SPACE}]", "Z": r"\z", "A": r"\A"}
_REFUSED_GROUPS = {
    "(?=": "look-ahead",
    "(?!": "look-ahead",
    "(?<": "look-behind",
    "(?(": "a condition",
    "(?>": "an atomic group",
    "(?P=": "a back-reference",
}
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")


@dataclass(frozen=True)
class Pattern:
    """A pattern in RE2's form; `groups` is the text of each capturing group, in order."""

    text: str
    groups: tuple[str, ...]
    branches: bool
    matches_empty: bool


def is_plain(pattern: str) -> bool:
    """Return whether a pattern means only its own characters."""
    return _SPECIAL.search(pattern) is None


def translate_pattern(pattern: str) -> Pattern:
    """Return a Python pattern in RE2's form; raise NotTranslatable where RE2 can't say it."""
    try:
        compiled = re.compile(pattern)
    except re.error as wrong:
        raise NotTranslatable(f"the pattern {pattern!r} is not a regular expression: {wrong}") from None
    if compiled.flags & re.VERBOSE:
        raise NotTranslatable("a pattern in verbose form")
    scanner = _Scanner(pattern)
    text = scanner.scan()
    groups = tuple(pattern[start:end] for start, end in sorted(scanner.groups))
    return Pattern(text, groups, "|" in _without_classes(pattern), compiled.search("") is not None)


def replacement(text: str) -> str:
    r"""Return Python's replacement text as RE2's: `\g<1>` is `\1`."""
    named = re.sub(r"\\g<(\d)>", r"\\\1", text)
    if re.search(r"\\(?:g<|[^\d\\])", named):
        raise NotTranslatable(f"the replacement {text!r} uses names or escapes")
    return named


class _Scanner:
    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.groups: list[tuple[int, int]] = []

    def scan(self) -> str:
        out: list[str] = []
        opened: list[int | None] = []
        at, text = 0, self.pattern
        while at < len(text):
            mark = text[at]
            if mark == "\\":
                piece, at = self._escape(at, inside=False)
                out.append(piece)
                continue
            if mark == "[":
                piece, at = self._class(at)
                out.append(piece)
                continue
            if mark == "(":
                opened.append(self._group(at))
            elif mark == ")":
                start = opened.pop()
                if start is not None:
                    self.groups.append((start, at))
            elif mark == "{" and text.startswith("{,", at):
                out.append("{0,")
                at += 2
                continue
            elif mark in "*+?}" and text[at + 1 : at + 2] == "+":
                raise NotTranslatable("a possessive repeat in a pattern")
            out.append(mark)
            at += 1
        return "".join(out)

    def _group(self, at: int) -> int | None:
        """Return where the text of a capturing group starts, None for another group."""
        text = self.pattern
        for start, what in _REFUSED_GROUPS.items():
            if text.startswith(start, at):
                raise NotTranslatable(f"{what} in a pattern: RE2 has none")
        if text.startswith("(?P<", at):
            return text.index(">", at) + 1
        return None if text.startswith("(?", at) else at + 1

    def _escape(self, at: int, inside: bool) -> tuple[str, int]:
        mark = self.pattern[at + 1]
        if mark in CLASSES:
            wanted = CLASSES[mark]
            return (wanted if inside or mark == "d" else f"[{wanted}]"), at + 2
        if mark in _OUTSIDE and not inside:
            return _OUTSIDE[mark], at + 2
        if mark.isdigit() and mark != "0":
            raise NotTranslatable("a back-reference in a pattern: RE2 has none")
        if mark in "bB" and not inside:
            raise NotTranslatable(r"\b in a pattern: RE2 knows words of ASCII letters only")
        if mark in "uU":
            length = 4 if mark == "u" else 8
            return f"\\x{{{self.pattern[at + 2 : at + 2 + length]}}}", at + 2 + length
        if inside and mark in "DWSb":
            raise NotTranslatable(f"\\{mark} inside a class of characters")
        return self.pattern[at : at + 2], at + 2

    def _class(self, at: int) -> tuple[str, int]:
        less = re.compile(r"\[\^\\W((?:\\d|_)+)\]").match(self.pattern, at)
        if less and (known := LESS_THAN_WORDS.get("".join(sorted(set(re.findall(r"\\d|_", less[1])))))):
            return f"[{known}]", less.end()
        text, out = self.pattern, ["["]
        at += 1
        if text[at] == "^":
            out.append("^")
            at += 1
        first = True
        while text[at] != "]" or first:
            first = False
            if text[at] == "\\":
                piece, at = self._escape(at, inside=True)
                out.append(piece)
            else:
                out.append("\\[" if text[at] == "[" else "\\]" if text[at] == "]" else text[at])
                at += 1
        return "".join(out) + "]", at + 1


def _without_classes(pattern: str) -> str:
    return re.sub(r"\\.|\[\^?\]?(?:\\.|[^\]])*\]", "", pattern)

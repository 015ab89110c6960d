"""Patterns in constants: LIKE, regular expressions and strftime, in the terms of other dialects.

A regular expression is read atom by atom; what another engine reads otherwise is refused. DuckDB's engine (RE2) knows
ASCII classes, a dot without line ends, and takes the first alternative that fits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from prepsql.workflow.dialects.dialect import NotPortable

_CLASSES = {"d": "0-9", "s": "\t\n\f\r ", "w": "0-9A-Za-z_"}
_LITERAL = frozenset(r".^$*+?()[]{}|\/-")
_ATOM = re.compile(
    r"\\(?P<escaped>.)|(?P<set>\[\^?\]?(?:\\.|[^\]\\])*\])|(?P<group>\((?:\?:)?)|(?P<close>\))"
    r"|(?P<times>[*+?]|\{\d+(?:,\d*)?\})(?P<lazy>[?+]?)|(?P<other>.)",
    re.DOTALL,
)


def regex(text: str, mode: str, group: int | None = None, *, whole: bool = False) -> str:
    """Return a regular expression for a dialect.

    Modes: `re2` and `java` (the first alternative that fits counts), `posix` (the longest match counts, so that
    alternatives and repeated groups are refused where the match itself matters). `group` is the one to be captured;
    None where only the match counts, by which `posix` is free of that rule; `whole` anchors it at both ends.
    """
    if not mode:
        raise NotPortable("it has no regular expressions", "use LIKE, substr or strpos")
    made = _Regex(mode, group).read(text)
    return f"^(?:{made})$" if whole else made


class _Regex:
    def __init__(self, mode: str, group: int | None) -> None:
        self.mode, self.group = mode, group
        self.out: list[str] = []
        self.groups = 0
        self.closed = False

    def read(self, text: str) -> str:
        for atom in _ATOM.finditer(text):
            self._add(atom)
            self.closed = bool(atom["close"])
        if self.group and self.group > self.groups:
            raise NotPortable(f"{text!r} has no group {self.group}")
        return "".join(self.out)

    def _add(self, atom: re.Match[str]) -> None:
        if atom["escaped"]:
            self.out.append(_escaped(atom["escaped"]))
        elif atom["set"]:
            self.out.append(_set(atom["set"]))
        elif atom["group"]:
            self._open(atom["group"])
        elif atom["times"]:
            self._times(atom)
        elif atom["other"] == "|":
            self._longest("alternatives")
            self.out.append("|")
        elif atom["other"] == ".":
            self.out.append(r"[^\n]")
        elif atom["other"] is not None and ord(atom["other"]) < 32:
            self.out.append(atom["other"])
        else:
            self.out.append(atom[0])

    def _open(self, text: str) -> None:
        self.groups += text == "("
        captured = text == "(" and self.group == self.groups
        self.out.append("(" if captured else "(?:")

    def _times(self, atom: re.Match[str]) -> None:
        if atom["lazy"]:
            raise NotPortable(f"{atom[0]} in a regular expression (how much it takes differs)", "say it without")
        if self.closed:
            self._longest("a repeated group")
        self.out.append(atom["times"])

    def _longest(self, what: str) -> None:
        if self.mode == "posix" and self.group is not None:
            raise NotPortable(
                f"{what} in a regular expression takes the longest match there, the first in DuckDB", "split it"
            )


def _escaped(char: str) -> str:
    if char in _CLASSES:
        return f"[{_shown(_CLASSES[char])}]"
    if char.lower() in _CLASSES:
        return f"[^{_shown(_CLASSES[char.lower()])}]"
    if char in "ntrf":
        return f"\\{char}"
    if char in _LITERAL:
        return f"\\{char}"
    raise NotPortable(f"\\{char} in a regular expression means different things", "say it by a class such as [a-z]")


def _set(text: str) -> str:
    inner = re.sub(r"\\([dsw])", lambda m: _shown(_CLASSES[m[1]]), text[1:-1])
    if "[" in inner or re.search(r"\\[^tnrf\]\\^.\-/\[]|&&|~~|--", inner):
        raise NotPortable(f"the class {text} in a regular expression is read differently", "list its characters")
    return f"[{inner}]"


def _shown(chars: str) -> str:
    return chars.replace("\t", r"\t").replace("\n", r"\n").replace("\f", r"\f").replace("\r", r"\r")


def replacement(text: str) -> str:
    """Return the replacement of a regular expression that has no references; those are refused."""
    if "\\" in text or "$" in text or "&" in text:
        raise NotPortable(f"the replacement {text!r} has references or signs that are read differently")
    return text


def like(text: str, mode: str) -> str:
    """Return the pattern of LIKE; what is an escape or a class elsewhere is refused."""
    special = "\\[]" if mode == "brackets" else "\\"
    if any(char in text for char in special):
        raise NotPortable(
            f"LIKE {text!r}: {special[0]} is read differently there", "use strpos or a regular expression"
        )
    return text


def glob(text: str) -> str:
    """Return the pattern of LIKE as one of GLOB, which tells cases apart.

    >>> glob("a*_%")
    'a[*]?*'
    """
    like(text, "")
    signs = {"%": "*", "_": "?", "*": "[*]", "?": "[?]", "[": "[[]"}
    return "".join(signs.get(char, char) for char in text)


def moment_format(text: str, codes: Mapping[str, str]) -> str:
    """Return a strftime pattern in a dialect's codes; `codes[""]` is how letters are quoted, '' where they can't be."""
    out = []
    for part in re.findall(r"%-?.|[^%]+", text):
        if part in codes:
            out.append(codes[part])
        elif part.startswith("%"):
            raise NotPortable(f"{part} in a format of dates", f"it has {' '.join(sorted(c for c in codes if c))}")
        elif re.search(r"[A-Za-z\"'\\]", part):
            if not codes.get("") or re.search(r"[\"'\\]", part):
                raise NotPortable(f"letters in a format of dates ({part!r})", "join them on with ||")
            out.append(codes[""].replace("x", part))
        else:
            out.append(part)
    return "".join(out)

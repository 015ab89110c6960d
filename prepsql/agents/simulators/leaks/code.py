"""Code in an answer: fences, code of any kind, and the reference code in disguise."""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable

RUN = 30
"""So many letters and digits in a row that are the reference code's too, spaces and signs left out, are a leak."""
SHORTEST = 10
"""A whole line of reference code with signs of code and at least so many characters is one as it stands."""

_FENCE = re.compile(r"^\s*(?:>|\d+[.)])?\s*(```|~~~)", re.MULTILINE)
_CODE = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"\bselect\b[^.;]{1,200}\bfrom\s+(?!(?:each|every|the|all|any|both|its|this|these|those|which|that|one)\b)[\w\"]+",
        r"\bcreate\s+(?:or\s+replace\s+)?(?:temp\s+)?(?:table|view)\s+\w+\s+as\b",
        r"\bover\s*\(\s*(?:partition|order)\s+by\b", r"\bcase\s+when\b.+\bthen\b.+\bend\b",
        r"\b\w+\[['\"][^'\"]+['\"]\]",
        r"\.(?:groupby|merge|apply|fillna|dropna|astype|sort_values|reset_index|drop_duplicates|to_datetime|read_csv|melt|agg)\(",
        r"^\s*(?:import \w+|from \w+ import |def \w+\(|return \w+[\[(.]|for \w+ in \w+[:.(])", r"\blambda \w+\s*:",
        r"\bpd\.\w+\(|\bnp\.\w+\(", r"^\s*\w+\s*=\s*\w+(?:\.\w+)*\(",
    )
)  # fmt: skip
_ENCODED = (
    re.compile(r"(?=[A-Za-z+/]*\d|[\w+/]*=)(?=\S*[a-z])(?=\S*[A-Z])[A-Za-z0-9+/]{24,}={0,2}"),
    re.compile(r"\b[A-Za-z0-9+/]{32,}={0,2}"),
    re.compile(r"\b(?:[0-9a-f]{2}[\s:]?){16,}\b", re.IGNORECASE),
)
_SIGNS = re.compile(r"[()=\[\]{}'\"]|\w\.\w|_")
_COMMENT = re.compile(r"(?:(?<=\s)|^)(?:#|--).*$", re.MULTILINE)


def squashed(text: str) -> str:
    """Return the letters and digits of a text, in lower case."""
    return "".join(sign for sign in text.lower() if sign.isalnum())


class CodeLeak:
    """Finds code; `prose` is what may be said freely (requests, intents), also where code says it too."""

    def __init__(self, code: Iterable[str], prose: Iterable[str]) -> None:
        allowed = squashed(" ".join(prose))
        bare = [_COMMENT.sub("", text) for text in code]
        dense = [squashed(text) for text in bare]
        self._runs = {text[i : i + RUN] for text in dense for i in range(len(text) - RUN + 1)}
        self._runs = {run for run in self._runs if run not in allowed}
        lines = {_tight(line) for text in bare for line in (text, *text.splitlines()) if _SIGNS.search(line)}
        self._lines = tuple(line for line in lines if len(line) >= SHORTEST and squashed(line) not in allowed)

    def found(self, text: str) -> str:
        """Return what of code a text holds, '' where nothing."""
        if _FENCE.search(text):
            return "a code fence"
        if any(pattern.search(text) for pattern in _CODE):
            return "code"
        if any(pattern.search(text) for pattern in _ENCODED):
            return "encoded text"
        for said in (text, text[::-1], codecs.encode(text, "rot13")):
            tight, dense = _tight(said), squashed(said)
            if any(line in tight for line in self._lines):
                return "a line of the reference code"
            if any(dense[i : i + RUN] in self._runs for i in range(len(dense) - RUN + 1)):
                return "an expression of the reference code"
        return ""


def _tight(text: str) -> str:
    """Return a text in lower case without white space, its quotes all alike."""
    return re.sub(r"\s+", "", text.lower()).replace('"', "'").replace("`", "'").strip(",;")

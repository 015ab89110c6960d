"""The full request in an answer: runs of its words, or most of it in pieces."""

from __future__ import annotations

import re

LONGEST_RUN = 45
"""No answer has more words of the full request in a row; of a short request only half of it, though always 20."""
LARGEST_SHARE = 0.4
"""No answer of several sentences holds a larger share of the request's five-word runs."""

_PIECE = 5
_SEVERAL = 45


class ProseLeak:
    """Finds the full request."""

    def __init__(self, full_request: str) -> None:
        words = _words(full_request)
        self._run = min(LONGEST_RUN, max(20, len(words) // 2)) + 1
        self._runs = _grams(words, self._run)
        self._pieces = _grams(words, _PIECE)

    def found(self, text: str) -> str:
        """Return what of the full request a text holds, '' where no more than it may."""
        for said in (text, text[::-1]):
            forwards = _words(said)
            for words in (forwards, forwards[::-1]):
                if self._runs & _grams(words, self._run):
                    return "a long passage of the full request"
                share = len(self._pieces & _grams(words, _PIECE)) / max(1, len(self._pieces))
                if len(words) > _SEVERAL and share > LARGEST_SHARE:
                    return "most of the full request"
        return ""


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _grams(words: list[str], length: int) -> set[tuple[str, ...]]:
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}

"""Which macros of the library a task may want, by the words of its specification and profile."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

import bm25s

from prepsql.macros import Macro, library

_WORD = re.compile(r"[a-z]{2,}")


@cache
def _index() -> tuple[bm25s.BM25, tuple[Macro, ...]]:
    macros = tuple(library().values())
    index = bm25s.BM25()
    index.index([_words(_said(macro)) for macro in macros], show_progress=False)
    return index, macros


def fitting_macros(text: str, most: int = 24) -> Sequence[Macro]:
    """Return the macros whose names, purposes and names elsewhere fit a text best, the best first.

    >>> "parse_date" in [macro.name for macro in fitting_macros("order dates as text in several formats")]
    True
    """
    index, macros = _index()
    words = _words(text)
    if not words:
        return ()
    places, scores = index.retrieve([words], k=min(most, len(macros)), show_progress=False)
    return [macros[place] for place, score in zip(places[0], scores[0], strict=True) if score > 0]


def _said(macro: Macro) -> str:
    return " ".join([macro.name.replace("_", " "), macro.purpose, *macro.also, macro.topic])


def _words(text: str) -> list[str]:
    return [word.removesuffix("s") for word in _WORD.findall(text.lower())]

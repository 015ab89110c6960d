"""The words of a text as retrieval compares them: lower case, stemmed, without filler, in groups of synonyms."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache, lru_cache
from pathlib import Path
from threading import Lock

import snowballstemmer

_SYNONYMS = Path(__file__).with_name("synonyms.txt")
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_WORD = re.compile(r"\d+(?:[.,]\d+)*|[^\W\d_]+(?:['’][^\W\d_]+)?|[%£$€]")
_LONGEST = 5

PHRASE = 1.3
"""Weight of a known phrase of several words against a known word."""

FILLER = frozenset(Path(__file__).with_name("filler.txt").read_text(encoding="utf-8").split())
"""Words that say nothing of what is asked."""


_stemmer = snowballstemmer.stemmer("english")
_one_at_a_time = Lock()  # it keeps the word that it works on


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return the stem of a lower-case word.

    >>> stem("rounded"), stem("quantities")
    ('round', 'quantiti')
    """
    with _one_at_a_time:
        return str(_stemmer.stemWord(word))


def plain_words(text: str) -> list[str]:
    """Return the words of a text in lower case; names are split at `_` and where their case changes.

    >>> plain_words("sum of SalesAmount by ship_to, 1,200 £")
    ['sum', 'of', 'sales', 'amount', 'by', 'ship', 'to', '1200', '£']
    """
    found = _WORD.findall(_CAMEL.sub(" ", text.replace("’", "'")))
    return [_number(word) if word[0].isdigit() else word.lower() for word in found]


def terms(text: str) -> list[str]:
    """Return the stems of the words of a text that carry meaning, in their order."""
    return [stem(word) for word in plain_words(text) if word not in FILLER]


def concepts(text: str) -> list[str]:
    """Return the groups of synonyms that a text touches, each as often as it does.

    >>> set(concepts("left out")) <= set(concepts("removed"))
    True
    """
    return [group for groups, _ in _phrases(text) for group in groups]


def weighed_concepts(text: str) -> dict[str, float]:
    """Return the groups of synonyms that a question touches, weighed: a word of many groups says little of each."""
    weights: dict[str, float] = {}
    for groups, length in _phrases(text):
        weight = (PHRASE if length > 1 else 1.0) / math.sqrt(len(groups))
        weights |= {group: max(weight, weights.get(group, 0.0)) for group in groups}
    return weights


def document(text: str) -> list[str]:
    """Return a text's terms and groups of synonyms, as often as they occur."""
    return [*terms(text), *concepts(text)]


def _phrases(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """Yield the groups of each known word or phrase, the longest at each place, and its number of words."""
    stems = [stem(word) for word in plain_words(text)]
    known = synonyms()
    at = 0
    while at < len(stems):
        spans = range(min(_LONGEST, len(stems) - at), 0, -1)
        length = next((n for n in spans if tuple(stems[at : at + n]) in known), 0)
        if length:
            yield known[tuple(stems[at : at + length])], length
        at += max(length, 1)


@cache
def synonyms() -> dict[tuple[str, ...], tuple[str, ...]]:
    """Return the stems of each word or phrase of synonyms.txt with the names of its groups."""
    known: dict[tuple[str, ...], tuple[str, ...]] = {}
    for number, line in enumerate(_SYNONYMS.read_text(encoding="utf-8").splitlines()):
        if line and not line.startswith("#"):
            for phrase in line.split(","):
                stems = tuple(stem(word) for word in plain_words(phrase))
                known[stems] = tuple(dict.fromkeys((*known.get(stems, ()), f"={number}")))
    return known


def _number(text: str) -> str:
    plain = text.replace(",", "") if re.fullmatch(r"\d{1,3}(,\d{3})+(\.\d+)?", text) else text
    return plain.rstrip("0").rstrip(".") if "." in plain else plain.lstrip("0") or "0"


def sentences(text: str) -> list[str]:
    """Return the sentences and list items of a Markdown text without its marks, headings and code."""
    prose = re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL)
    items: list[str] = []
    for line in prose.splitlines():
        bare = line.strip()
        if not bare or bare.startswith("#"):
            items.append("")
        elif re.match(r"([-*+•]|\d+[.)])\s", bare):
            items.append(re.sub(r"^([-*+•]|\d+[.)])\s+", "", bare))
        elif items and items[-1]:
            items[-1] += f" {bare}"
        else:
            items.append(bare)
    parts = (part for item in items for part in re.split(r"(?<=[.!?;])\s+(?=[^a-z\s])", item))
    return [bare for part in parts if len(bare := re.sub(r"[*`]+", "", part).strip()) > 2]

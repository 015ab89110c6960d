"""What an entry settles, in words."""

from __future__ import annotations

import re

from prepsql.agents.simulators.contract import Entry
from prepsql.agents.simulators.fragment import Fragment, read_fragment
from prepsql.agents.simulators.settled import Settled
from prepsql.agents.simulators.words import plain_words, terms

LONGEST = 40
"""No sentence of the full request is handed out with more words."""

_UNDECIDED = re.compile(r"(?i)^(how|which|whether|what|who|where)\b|^define (?!.*\bas\b)")
_NEAR = 0.2


def slug(name: str) -> str:
    """Return the words of an entry's id, without its number and the code of its kind.

    >>> slug("3_O1_days_whole_number")
    'days whole number'
    """
    return " ".join(plain_words(re.sub(r"^\d+_(?:[A-Za-z]\d_)?", "", name)))


def resolution(entry: Entry, settled: Settled) -> str:
    """Return the resolution of an entry: its intent; else a sentence of the full request and what its code does.

    An intent that only asks ("how ties are broken") counts as none. Never code; '' is never returned.
    """
    intent = entry.intent.strip()
    if intent and not _UNDECIDED.search(intent):
        return intent
    fragment = read_fragment(entry.ref)
    sentence = _sentence(entry, fragment, settled)
    told = fragment.told()
    own = slug(entry.id)
    return " ".join(part for part in (sentence, told) if part) or f"What is meant: {own}."


def _sentence(entry: Entry, fragment: Fragment, settled: Settled) -> str:
    """Return the sentence of the full request that shares enough with an entry, '' where none does."""
    wanted = f"{slug(entry.id)}. {entry.intent}. {entry.source_text}. {fragment.words()}"
    own = set(terms(f"{slug(entry.id)} {entry.source_text} {' '.join(fragment.values)}"))
    for sentence in settled.nearest(wanted, most=3):
        shared = own.intersection(terms(sentence))
        if len(shared) >= 2 and len(shared) >= _NEAR * len(own):
            return short(sentence)
    return ""


def short(sentence: str) -> str:
    """Return a sentence, cut after LONGEST words."""
    words = sentence.split()
    return sentence if len(words) <= LONGEST else " ".join(words[:LONGEST]) + " …"

"""A knowledge base as documents: each entry's words in several fields, and how well a question fits each entry."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from prepsql.agents.simulators import aspects
from prepsql.agents.simulators.bm25 import Index, Scores
from prepsql.agents.simulators.contract import Entry, Secrets
from prepsql.agents.simulators.fragment import read_fragment
from prepsql.agents.simulators.resolution import slug
from prepsql.agents.simulators.settled import Settled
from prepsql.agents.simulators.words import FILLER, concepts, plain_words, sentences, stem, terms, weighed_concepts

WEIGHTS: Mapping[str, float] = {
    "said": 0.4, "said=": 1.45, "phrase": 0.2, "phrase=": 0.7, "code": 0.45, "code=": 0.4, "settled": 0.6,
    "settled=": 0.8, "cues=": 0.15, "around=": 0.1, "covered": 0.4, "covered=": 0.35, "met": 0.45, "shared": 0.3,
    "aspect of said": 0.55, "aspect of id": 0.5, "aspect of code": 0.2,
}  # fmt: skip
"""What each piece of evidence counts for. `=` is the field's groups of synonyms, without it its words.

said: id and intent; phrase: the request's; code: what the fragment does; settled: the nearest sentences of the full
request; cues: what people ask about its kind and operator; around: the request around the phrase; covered: words of
the question in any of the first three; met: the share of the entry's own groups that the question has; shared:
sentences near to both; aspect: see aspects.txt. Fitted to 200 questions (tests/fixtures/agents/questions.tsv,
`seen`), then rounded.
"""

LIKENESS: Mapping[str, float] = {"met": 0.3, "words": 0.35, "groups": 0.2, "shared": 0.15}
"""What the likeness of a question and an entry consists of: the share of the entry's own groups of synonyms that the
question has, the shares of the question's words and groups that the entry has, and how much both are near to the same
sentences."""

_CUES = Path(__file__).with_name("cues.txt")


@cache
def cues() -> dict[str, str]:
    """Return the words of cues.txt by kind and by operator."""
    lines = (line.partition(":") for line in _CUES.read_text(encoding="utf-8").splitlines() if line[:1] != "#")
    return {name: said.strip() for name, _, said in lines}


def around(request: str, phrase: str, reach: int = 200) -> str:
    """Return the part of a request around a phrase, or the sentence that shares most words with it."""
    if not phrase:
        return ""
    at = request.find(phrase.splitlines()[0].strip())
    if at < 0:
        wanted = Counter(terms(phrase))
        return max(sentences(request), key=lambda part: sum((Counter(terms(part)) & wanted).values()), default="")
    return request[max(0, at - reach) : at + len(phrase) + reach]


class Knowledge:
    """The entries of one task, ready to be asked."""

    def __init__(self, secrets: Secrets) -> None:
        self.entries = tuple(secrets.entries)
        self.settled = Settled.of(secrets.full_request)
        self._all_settled = Settled.of(secrets.full_request, secrets.request)
        fields = [self._fields(entry, secrets.request) for entry in self.entries]
        self._indices = {
            name: Index([_tokens(one[name.rstrip("=")], name) for one in fields])
            for name in WEIGHTS if name.rstrip("=") in ("said", "phrase", "code", "settled", "cues", "around")
        }  # fmt: skip
        parts = [f"{one['said']}. {one['phrase']}. {one['code']}" for one in fields]
        for name in ("covered", "covered="):
            self._indices[name] = Index([_tokens(part, name) for part in parts], k1=0.0)
        for name in ("aspect of said", "aspect of id", "aspect of code"):
            self._indices[name] = Index([aspects.of_entry(one[name]) for one in fields], k1=0.0)
        self._known = [(set(terms(part)), set(concepts(part))) for part in parts]
        words = f"{secrets.request}\n{secrets.full_request}\n{' '.join(parts)}"
        self._terms, self._groups = set(terms(words)), set(concepts(words))
        self._own = [set(concepts(one["said"])) for one in fields]
        self._shares = [self._all_settled.shares(one["all"]) for one in fields]

    def _fields(self, entry: Entry, request: str) -> dict[str, str]:
        own = slug(entry.id)
        fragment = read_fragment(entry.ref)
        code = fragment.words()
        wanted = f"{own}. {entry.intent}. {entry.source_text}. {code}"
        return {
            "said": f"{own}. {entry.intent}",
            "phrase": entry.source_text,
            "code": code,
            "settled": " ".join(self.settled.nearest(wanted, most=2)),
            "cues": f"{cues().get(entry.kind, '')} {cues().get(entry.op, '')}",
            "around": around(request, entry.source_text),
            "all": wanted,
            "aspect of said": f"{own}. {entry.intent}. {entry.kind}. {entry.op}",
            "aspect of id": own,
            "aspect of code": ". ".join(fragment.does),
        }

    def scores(self, question: str) -> Scores:
        """Return how well a question fits each entry, one figure an entry in their order."""
        groups = weighed_concepts(question)
        asked: dict[str, Iterable[str] | Mapping[str, float]] = {
            "": set(terms(question)), "=": groups, "@": set(aspects.of_question(question)),
        }  # fmt: skip
        total = np.zeros(len(self.entries))
        for name, index in self._indices.items():
            total += WEIGHTS[name] * index.scores(asked["@" if "aspect" in name else "=" if name[-1] == "=" else ""])
        spread = self._all_settled.shares(question)
        total += WEIGHTS["shared"] * np.array([shares @ spread for shares in self._shares])
        total += WEIGHTS["met"] * self._met(set(groups))
        return total

    def likeness(self, question: str, place: int) -> float:
        """Return how much of a question and of the entry at a place is the same, 0 to 1."""
        asked, groups = set(terms(question)), set(concepts(question))
        known_terms, known_groups = self._known[place]
        parts = {
            "met": float(self._met(groups)[place]),
            "words": len(asked & known_terms) / len(asked) if asked else 0.0,
            "groups": len(groups & known_groups) / len(groups) if groups else 0.0,
            "shared": float(self._shares[place] @ self._all_settled.shares(question)),
        }
        return sum(LIKENESS[name] * part for name, part in parts.items())

    def known_share(self, question: str) -> float:
        """Return the share of a question's words that requests or entries have too, or a synonym."""
        asked = [word for word in plain_words(question) if word not in FILLER]
        hits = [word for word in asked if stem(word) in self._terms or self._groups.intersection(concepts(word))]
        return len(hits) / len(asked) if asked else 0.0

    def _met(self, asked: set[str]) -> Scores:
        """Return the share of each entry's own groups of synonyms that a question has, rare ones counting more."""
        often = Counter(group for own in self._own for group in own)
        rare = {group: math.log(1 + (len(self._own) - n + 0.5) / (n + 0.5)) for group, n in often.items()}
        totals = [(sum(rare[g] for g in own & asked), sum(rare[g] for g in own)) for own in self._own]
        return np.array([met / total if total else 0.0 for met, total in totals])


def _tokens(text: str, name: str) -> Sequence[str]:
    return concepts(text) if name.endswith("=") else terms(text)

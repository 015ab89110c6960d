"""The sentences of a full request: which is nearest to a question, and which belong to an entry."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from prepsql.agents.simulators.bm25 import Index, Scores
from prepsql.agents.simulators.words import document, sentences

_SHARP = 0.15
"""How much of the best score a sentence may lack before its share falls to a third."""


@dataclass(frozen=True)
class Settled:
    """Sentences, and an index over them."""

    sentences: tuple[str, ...]
    index: Index

    @classmethod
    def of(cls, *texts: str) -> Settled:
        """Return the sentences of texts, each once."""
        found = tuple(dict.fromkeys(sentence for text in texts for sentence in sentences(text)))
        return cls(found, Index([document(sentence) for sentence in found], k1=1.2, b=0.5))

    def nearest(self, text: str, most: int = 1, least: float = 0.0) -> list[str]:
        """Return at most so many sentences that fit a text best, best first, each with a score above `least`."""
        scores = self.index.scores(document(text))
        best = np.argsort(-scores, kind="stable")[:most]
        return [self.sentences[i] for i in best if scores[i] > least]

    def shares(self, text: str) -> Scores:
        """Return how a text is spread over the sentences, in their order: shares that add up to 1, or all 0."""
        scores = self.index.scores(document(text))
        if not scores.size or scores.max() <= 0:
            return scores
        shares = np.exp((scores - scores.max()) / (scores.max() * _SHARP))
        return np.asarray(shares / shares.sum(), dtype=np.float64)

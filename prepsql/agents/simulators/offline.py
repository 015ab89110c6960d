"""A simulated user without a model: questions find entries by lexical retrieval, refusals are rules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from prepsql.agents.simulators.contract import Answer, Secrets, refusal
from prepsql.agents.simulators.knowledge import Knowledge
from prepsql.agents.simulators.resolution import resolution, short
from prepsql.agents.simulators.rules import refused

THRESHOLD = 0.22
"""A question hits the best entry where their nearness is at least this."""
LEAD = 0.01
"""What each point of lead over the second entry adds to the nearness, up to 5 points."""
FIT = 0.005
"""What each point of the score adds to the nearness, up to 10 points."""
KNOWN = 0.2
"""A question of whose words the task knows a smaller share has nothing to do with it."""

GENERAL = (
    "The request says no more about that: take it as written, and leave rows and values as they are where it is silent."
)
"""What is said where a valid question is answered by nothing in particular."""


@dataclass(frozen=True)
class Match:
    """The entry that fits a question best, by place; `margin` is its lead over the second, if any."""

    place: int
    score: float
    margin: float
    likeness: float

    @property
    def nearness(self) -> float:
        """The likeness, and a little for a clear lead and for a high score."""
        return self.likeness + LEAD * min(self.margin, 5.0) + FIT * min(self.score, 10.0)

    @property
    def hit(self) -> bool:
        """Whether it's near enough to count as hit."""
        return self.nearness >= THRESHOLD


class Offline:
    """Answers by retrieval over one task's knowledge base."""

    name = "offline"

    def __init__(self, secrets: Secrets) -> None:
        self._knowledge = Knowledge(secrets)

    def answer(self, question: str, history: Sequence[Answer] = ()) -> Answer:
        """Return the answer; the same question has the same one, whatever came before."""
        classification = refused(question)
        if classification:
            return refusal(question, classification)
        match = self.match(question)
        if match and match.hit:
            entry = self._knowledge.entries[match.place]
            return Answer(question, "hit", resolution(entry, self._knowledge.settled), entry.id)
        if self._knowledge.known_share(question) < KNOWN:
            return refusal(question, "refuse_irrelevant")
        nearest = self._knowledge.settled.nearest(question)
        return Answer(question, "fallback", short(nearest[0]) if nearest else GENERAL)

    def match(self, question: str) -> Match | None:
        """Return the best entry for a question, None where the knowledge base is empty or nothing fits."""
        scores = self._knowledge.scores(question)
        if not scores.size or scores.max() <= 0:
            return None
        order = np.argsort(-scores, kind="stable")
        best = int(order[0])
        margin = float(scores[best] - scores[order[1]]) if len(order) > 1 else float("inf")
        return Match(best, float(scores[best]), margin, self._knowledge.likeness(question, best))

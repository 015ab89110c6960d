"""A model whose replies are bounded, whatever asks it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from prepsql.llm.model import Model, Occasion, Reply, Request


@dataclass(frozen=True)
class Bounded:
    """Asks for replies of at most `most` tokens; a request that wants fewer keeps its own bound."""

    model: Model
    most: int

    @property
    def name(self) -> str:
        """The model's name."""
        return self.model.name

    def complete(self, request: Request, occasion: Occasion) -> Reply:
        """Answer a request."""
        return self.model.complete(
            replace(request, max_tokens=min(self.most, request.max_tokens or self.most)), occasion
        )

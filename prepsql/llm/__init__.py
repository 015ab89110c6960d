"""Models that answer: behind an endpoint, from a cache, a journal or a script, and under caps."""

from prepsql.llm.budget import Budget, Caps, Spent
from prepsql.llm.cached import Cached
from prepsql.llm.capped import Capped
from prepsql.llm.clock import Clock, RealClock
from prepsql.llm.endpoint import Endpoint
from prepsql.llm.gate import Gate
from prepsql.llm.journal import Journal, JournalFile, open_journal
from prepsql.llm.model import Message, Model, Occasion, Reply, Request, Usage
from prepsql.llm.opening import Models, open_models
from prepsql.llm.patience import Patience
from prepsql.llm.prices import Price, known_prices
from prepsql.llm.replies import code_of, json_of
from prepsql.llm.scripted import Scripted
from prepsql.llm.settings import ModelSettings, resolve

__all__ = [
    "Budget",
    "Cached",
    "Capped",
    "Caps",
    "Clock",
    "Endpoint",
    "Gate",
    "Journal",
    "JournalFile",
    "Message",
    "Model",
    "ModelSettings",
    "Models",
    "Occasion",
    "Patience",
    "Price",
    "RealClock",
    "Reply",
    "Request",
    "Scripted",
    "Spent",
    "Usage",
    "code_of",
    "json_of",
    "known_prices",
    "open_journal",
    "open_models",
    "resolve",
]

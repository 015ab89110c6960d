"""Simulated users who answer an agent's questions: offline by retrieval, or by a model; both behind a guard."""

from prepsql.agents.simulators.contract import (
    CLASSIFICATIONS,
    REFUSALS,
    Answer,
    Classification,
    Entry,
    Secrets,
    Simulator,
    refusal,
)
from prepsql.agents.simulators.guard import Guard
from prepsql.agents.simulators.llm import ModelUser
from prepsql.agents.simulators.offline import Offline
from prepsql.agents.simulators.service import Service
from prepsql.agents.simulators.session import OVER_BUDGET, Asked, Session, budget

__all__ = [
    "CLASSIFICATIONS", "OVER_BUDGET", "REFUSALS", "Answer", "Asked", "Classification", "Entry", "Guard", "ModelUser",
    "Offline", "Secrets", "Service", "Session", "Simulator", "budget", "refusal",
]  # fmt: skip

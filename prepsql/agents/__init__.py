"""Agents: the four actions of a data-preparation agent and their loop, and the simulated users they talk to."""

from prepsql.agents.brief import Agent, Answered, Brief, Desk, Tried
from prepsql.agents.model_agent import ModelAgent

__all__ = ["Agent", "Answered", "Brief", "Desk", "ModelAgent", "Tried"]

"""What may not be in an answer: a file a kind of secret, each with a class that says what of it a text gives away."""

from prepsql.agents.simulators.leaks.code import CodeLeak
from prepsql.agents.simulators.leaks.gold import GoldLeak
from prepsql.agents.simulators.leaks.prose import ProseLeak

__all__ = ["CodeLeak", "GoldLeak", "ProseLeak"]

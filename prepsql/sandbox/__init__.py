"""Running SQL or Python that isn't ours: in a process of its own, behind every layer that this system has."""

from prepsql.sandbox.outcome import Limits, Outcome, Status
from prepsql.sandbox.run import Language, run_code

__all__ = ["Language", "Limits", "Outcome", "Status", "run_code"]

"""Running SQL or Python that isn't ours: in a process of its own, behind every layer that this system has."""

from prepsql.sandbox.outcome import SCRIPT_CHARACTERS, Limits, Outcome, Status
from prepsql.sandbox.run import Language, run_code
from prepsql.sandbox.transform import Returns, Transformed, run_scalar, run_transform

__all__ = [
    "SCRIPT_CHARACTERS",
    "Language",
    "Limits",
    "Outcome",
    "Returns",
    "Status",
    "Transformed",
    "run_code",
    "run_scalar",
    "run_transform",
]

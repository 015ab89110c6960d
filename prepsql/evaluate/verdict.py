"""What came of one try at a task: an outcome, and how each policy of the comparator read its tables."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

from prepsql.compare import Comparison
from prepsql.sandbox import Status

POLICIES = ("paper", "strict")
"""The readings that every verdict holds; the first one decides between correct and wrong."""


class Result(StrEnum):
    """The distinct outcomes of a try. Only `correct` counts for an agent; `infrastructure` counts neither way.

    `cap reached`: the agent used up what a task may cost. `asked`: a conversation that came to its end, which isn't
    right or wrong.
    """

    CORRECT = "correct"
    WRONG = "wrong"
    FAILED = "failed to run"
    TIMED_OUT = "timed out"
    OUT_OF_MEMORY = "out of memory"
    OUTPUT_TOO_LARGE = "output too large"
    FILE_TOO_LARGE = "file too large"
    REFUSED = "refused"
    CUT_OFF = "reply cut off"
    NOT_FOUND = "not found"
    CAP_REACHED = "cap reached"
    ASKED = "asked"
    INFRASTRUCTURE = "infrastructure"


@dataclass(frozen=True)
class Reading:
    """One policy's reading: the comparator's first error, or none. `reason` refines a KEY_MISMATCH."""

    passed: bool
    error_type: str = ""
    reason: str = ""
    message: str = ""

    @classmethod
    def of(cls, comparison: Comparison) -> Reading:
        """Return the summary of a comparison."""
        return cls(comparison.passed, comparison.error_type or "", comparison.reason or "", comparison.message or "")


@dataclass(frozen=True)
class Verdict:
    """The verdict on one try at a task in a setting.

    `way` is what is judged: `code`, `workflow` or `questions` of an agent; of the setting `reference` how the solution
    is written (`sql`, `pandas`, `workflow`). `readings` is empty where no tables came out; `message` then says why.
    `seconds` is the wall time of the run. `language` is that of an agent's code, '' where it isn't known.
    """

    task: str
    way: str
    result: Result
    readings: Mapping[str, Reading]
    message: str
    seconds: float
    setting: str = "reference"
    repeat: int = 1
    language: str = ""

    @property
    def key(self) -> tuple[str, str, int, str]:
        """Which try it's the verdict on: task, setting, repeat, way."""
        return self.task, self.setting, self.repeat, self.way

    def to_dict(self) -> dict[str, Any]:
        """Return the verdict as JSON-ready values."""
        return asdict(self)


_RESULT_OF = {
    Status.FAILED: Result.FAILED,
    Status.TIMED_OUT: Result.TIMED_OUT,
    Status.OUT_OF_MEMORY: Result.OUT_OF_MEMORY,
    Status.OUTPUT_TOO_LARGE: Result.OUTPUT_TOO_LARGE,
    Status.FILE_TOO_LARGE: Result.FILE_TOO_LARGE,
    Status.REFUSED: Result.REFUSED,
}


def result_of(status: Status) -> Result:
    """Return the outcome that code which left no tables stands for; KeyError for one that did."""
    return _RESULT_OF[status]


def judge(comparisons: Mapping[str, Comparison]) -> tuple[Result, dict[str, Reading], str]:
    """Return result, readings and message for tables that were compared; the first policy decides the result."""
    readings = {policy: Reading.of(comparison) for policy, comparison in comparisons.items()}
    result = Result.CORRECT if next(iter(readings.values())).passed else Result.WRONG
    failed = next((r for r in readings.values() if not r.passed), None)
    return result, readings, failed.message if failed else ""


def accuracy(verdicts: Iterable[Verdict], policy: str) -> tuple[int, int]:
    """Return how many tries passed under `policy`, and of how many: all but infrastructure faults and conversations.

    This is Acc of the paper's section 4.1 as a pair; a try without tables counts as not passed.
    """
    judged = [v for v in verdicts if v.result not in (Result.INFRASTRUCTURE, Result.ASKED)]
    return sum(policy in v.readings and v.readings[policy].passed for v in judged), len(judged)

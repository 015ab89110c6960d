"""What an import gives: the workflow, and an account of every step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

What = Literal["kept", "rewritten", "split", "script", "left out"]


@dataclass(frozen=True)
class Entry:
    """What became of one step of the flow.

    kept: as it was; rewritten: its pandas text or its parameters became SQL and ours; split: several steps came of it;
    script: a part that SQL can't certainly say runs as Python; left out: a parameter that isn't known.
    """

    step: str
    what: What
    reason: str

    def to_dict(self) -> dict[str, str]:
        """Return the fields as JSON has them."""
        return {"step": self.step, "what": self.what, "reason": self.reason}


@dataclass(frozen=True)
class Imported:
    """A workflow in prepsql's format, and the report in the order of its steps."""

    workflow: Mapping[str, Any]
    report: tuple[Entry, ...]

    @property
    def native(self) -> bool:
        """Whether nothing became a script and nothing was left out."""
        return not any(entry.what in ("script", "left out") for entry in self.report)

    def to_dict(self) -> dict[str, Any]:
        """Return the workflow and the report as JSON has them."""
        return {"workflow": dict(self.workflow), "report": [entry.to_dict() for entry in self.report]}

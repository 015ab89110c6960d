"""What the child says to the parent."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass

_MESSAGE = 4_000
NOT_THE_CODE = "not in the code itself: "
"""How the message begins where the inputs can't be read, say; the parent looks for itself before it believes it."""


@dataclass(frozen=True)
class Report:
    """One end of a run: a status's value, its message and where the fault is."""

    status: str
    message: str = ""
    statement: int | None = None
    line: int | None = None

    def send(self, descriptor: int, peak_memory_mb: float) -> None:
        """Write the report as JSON."""
        values = asdict(self) | {"message": self.message[:_MESSAGE], "peak_memory_mb": peak_memory_mb}
        os.write(descriptor, json.dumps(values).encode())


class Fault(Exception):
    """The code's own fault, as a report."""

    def __init__(self, report: Report) -> None:
        super().__init__(report.message)
        self.report = report

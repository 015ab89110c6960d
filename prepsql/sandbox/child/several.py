"""Run code on several sets of inputs, one after the other in one process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from prepsql.sandbox.child.faults import message_of
from prepsql.sandbox.child.report import NOT_THE_CODE, Fault, Report
from prepsql.sandbox.outcome import Limits, Status

CODE = "code"
"""The name of the file with a set's code."""
WHY = "failed"
"""The name of the file that tells why the code failed on a set."""


def run_sets(once: Callable[[str, Path, Limits], Report], folder: Path, limits: Limits) -> Report:
    """Run the code of each set in `folder`/tmp/sets; what fails on one leaves its reason there, and no more.

    A set is a folder like a job's own, with `inputs`, `out` and `tmp`, and its code.
    """
    for place in sorted((folder / "tmp" / "sets").iterdir()):
        try:
            once((place / CODE).read_text(encoding="utf-8"), place, limits)
        except Fault as fault:
            _leave(place, fault.report.message)
        except Exception as failure:  # as for a run on one set: the inputs can't be read
            _leave(place, f"{NOT_THE_CODE}{message_of(failure)}")
    return Report(Status.OK)


def _leave(place: Path, why: str) -> None:
    (place / WHY).write_text(why, encoding="utf-8", errors="replace")

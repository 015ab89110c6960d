"""What a run may use, and what came of it."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass
from enum import StrEnum
from pathlib import Path
from typing import Any, Literal

Language = Literal["sql", "pandas"]
# what an output table may be called; its file is this and .csv
OUTPUT_NAME = re.compile(r"output_[\w-][\w .-]{0,99}")
# how long the code of a workflow's script step may be
SCRIPT_CHARACTERS = 1500


class Status(StrEnum):
    """How a run ended; each limit has an end of its own."""

    OK = "ok"
    FAILED = "failed"
    TIMED_OUT = "timed_out"
    OUT_OF_MEMORY = "out_of_memory"
    OUTPUT_TOO_LARGE = "output_too_large"
    FILE_TOO_LARGE = "file_too_large"
    REFUSED = "refused"


@dataclass(frozen=True)
class Limits:
    """What one run may use.

    `seconds` is wall-clock time from the start of the process, loading the inputs included. `memory_mb` bounds
    the address space of the process; DuckDB may fill half of it before it spills. `file_mb` bounds each file,
    `output_mb` and `files` everything that the run writes, scratch files included, and `log_kb` each of standard
    output and standard error. `threads` is for DuckDB and numpy.
    """

    seconds: float = 120.0
    memory_mb: int = 4096
    file_mb: int = 512
    output_mb: int = 1024
    files: int = 1000
    log_kb: int = 1024
    threads: int = 2


DEFAULT_LIMITS = Limits()


@dataclass(frozen=True)
class Outcome:
    """What came of running one piece of code.

    `message` is for the one who repairs the code, empty where the status is ok. `statement` counts a SQL script's
    statements from 1; `line` counts the code's own lines from 1; each is None where it isn't known. `outputs` are
    the files left, in name order, none unless the status is ok. `stdout` and `stderr` are cut at 10,000 characters.
    `peak_memory_mb` is of resident memory, as the process itself reports it, so None may stand where it was killed.
    """

    status: Status
    message: str
    statement: int | None
    line: int | None
    seconds: float
    peak_memory_mb: float | None
    outputs: tuple[Path, ...]
    layers: tuple[str, ...]
    stdout: str
    stderr: str

    def to_dict(self) -> dict[str, Any]:
        """Return the outcome as plain values, for JSON."""
        return asdict(self) | {
            "status": self.status.value,
            "outputs": [str(path) for path in self.outputs],
            "layers": list(self.layers),
        }

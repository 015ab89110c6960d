"""From how a process ended and what it reported to the outcome; the report is as little trusted as the code."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from prepsql.errors import SandboxError
from prepsql.sandbox.child.faults import NO_MEMORY
from prepsql.sandbox.collect import Unacceptable
from prepsql.sandbox.job import Job
from prepsql.sandbox.launch import Ended
from prepsql.sandbox.outcome import Limits, Outcome, Status

T = TypeVar("T")
READY = b"ready"
REPORT_BYTES = 1 << 16
_SHOWN = 10_000
_MESSAGE = 4_000
# what a child may say of itself; the other ends are the parent's to see
_CLAIMS = (Status.OK, Status.FAILED, Status.REFUSED, Status.OUT_OF_MEMORY, Status.FILE_TOO_LARGE)
# the C library's loader ends a process so that has no memory left for a new thread
_LOADER_GAVE_UP = 127
_BY_SIGNAL = {
    signal.SIGKILL: Status.OUT_OF_MEMORY,
    signal.SIGXCPU: Status.TIMED_OUT,
    signal.SIGXFSZ: Status.FILE_TOO_LARGE,
}


def outcome(ended: Ended, job: Job, limits: Limits, layers: tuple[str, ...], entry: str) -> Outcome:
    """Return the outcome, nothing taken over yet; `entry` is the function that a program should have returned from.

    Raises SandboxError where the child ended before all its layers were on.
    """
    stdout, stderr = (_clean(_text(job.own / name, _SHOWN), job) for name in ("stdout", "stderr"))
    if ended.stopped is None and (job.own / "ready").read_bytes() != READY:
        reason = (stderr.strip().splitlines() or [f"it ended with code {ended.code}"])[-1]
        raise SandboxError(f"the process for code that isn't ours could not be locked in: {reason}; nothing was run")
    report = _report(job.own / "report")
    status, message = _judge(ended, report, stderr, limits, entry)
    return Outcome(
        status=status,
        message=_clean(message, job)[:_MESSAGE],
        statement=_number(report, "statement"),
        line=_number(report, "line"),
        seconds=round(ended.seconds, 3),
        peak_memory_mb=_peak(ended, report, layers),
        outputs=(),
        layers=layers,
        stdout=stdout,
        stderr=stderr,
    )


def accepted(found: Outcome, job: Job, take: Callable[[Path], T]) -> tuple[Outcome, T | None]:
    """Return the outcome with what `take` takes over, which is nothing unless all is well."""
    if found.status is not Status.OK:
        return found, None
    try:
        return found, take(job.out)
    except Unacceptable as fault:
        return replace(found, status=Status.FAILED, message=_clean(str(fault), job)[:_MESSAGE]), None


def _judge(ended: Ended, report: Mapping[str, Any], stderr: str, limits: Limits, entry: str) -> tuple[Status, str]:
    if ended.stopped:
        return ended.stopped, _says(ended.stopped, limits)
    if ended.code == 0 and report:
        status = Status(report["status"])
        return status, str(report["message"]) or ("" if status is Status.OK else _says(status, limits))
    if ended.code == 0:
        return Status.FAILED, f"the program ended itself before its result was taken: return it from {entry}"
    if ended.code == _LOADER_GAVE_UP and NO_MEMORY.search(stderr):
        return Status.OUT_OF_MEMORY, _says(Status.OUT_OF_MEMORY, limits)
    if not ended.signal:
        return Status.FAILED, f"the program ended itself with exit code {ended.code}: return from {entry} instead"
    if ended.signal in _BY_SIGNAL:
        status = _BY_SIGNAL[signal.Signals(ended.signal)]
        return status, _says(status, limits)
    if NO_MEMORY.search(stderr):
        return Status.OUT_OF_MEMORY, _says(Status.OUT_OF_MEMORY, limits)
    return Status.FAILED, f"the process crashed: {signal.strsignal(ended.signal) or f'signal {ended.signal}'}"


def _says(status: Status, limits: Limits) -> str:
    written = f"{limits.output_mb} MB, {limits.files} files and {limits.log_kb} KB printed"
    return {
        Status.TIMED_OUT: f"not done after {limits.seconds:g} s: use less work per row, or look for an endless loop",
        Status.OUT_OF_MEMORY: f"more memory wanted than the {limits.memory_mb} MB allowed: keep less at a time",
        Status.FILE_TOO_LARGE: f"one file grew over {limits.file_mb} MB: write fewer or narrower rows",
        Status.OUTPUT_TOO_LARGE: f"too much written: {written} are allowed",
    }.get(status, "no reason given")


def _peak(ended: Ended, report: Mapping[str, Any], layers: tuple[str, ...]) -> float | None:
    """Return the child's own figure: a process inherits its starter's peak, and bubblewrap hides what runs in it."""
    measured = report.get("peak_memory_mb")
    if isinstance(measured, int | float) and 0 < measured < 1 << 24:
        return round(measured, 1)
    return None if "bubblewrap" in layers else round(ended.peak_memory_mb, 1)


def _report(path: Path) -> dict[str, Any]:
    """Return the child's report, empty where it isn't one."""
    try:
        with path.open("rb") as file:
            report = json.loads(file.read(REPORT_BYTES))
        fair = isinstance(report, dict) and report["status"] in _CLAIMS and isinstance(report["message"], str)
    except (ValueError, KeyError, TypeError, RecursionError):
        return {}
    return report if fair else {}


def _number(report: Mapping[str, Any], key: str) -> int | None:
    value = report.get(key)
    return value if isinstance(value, int) and 0 < value < 1 << 31 else None


def _text(path: Path, limit: int) -> str:
    with path.open("rb") as file:
        return file.read(limit).decode("utf-8", errors="replace")


def _clean(text: str, job: Job) -> str:
    """Return the text without the machine's own paths, and without lone surrogates, which no file takes."""
    text = text.encode("utf-8", errors="replace").decode("utf-8")
    for folder in (f"{job.root}/", f"{sys.prefix}/", f"{sys.base_prefix}/"):
        text = text.replace(folder, "")
    return text

"""Start the process of a run, watch what it uses, and end it with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Event
from typing import Protocol

from prepsql.errors import SandboxError
from prepsql.sandbox.job import Job
from prepsql.sandbox.outcome import Limits, Status

_MEGABYTE = 1 << 20
_SHELL_SIGNAL = 128  # a wrapper answers a signal with this plus its number
LOGS = ("stdout", "stderr")
REPORTS = ("ready", "report")


@dataclass(frozen=True)
class Ended:
    """How the process ended: `stopped` is the limit for which the parent ended it, `signal` what ended it otherwise."""

    stopped: Status | None
    signal: int
    code: int
    seconds: float
    peak_memory_mb: float


def launch(
    command: Sequence[str], environment: Mapping[str, str], job: Job, limits: Limits, stop: Event | None = None
) -> Ended:
    """Run `command` to its end, or to the first limit that it crosses; none of its processes is left, even on Ctrl-C.

    Raises SandboxError as soon as `stop` is set.

    Three numbers are added to the command: the open files for "all layers are on" and for the child's report, and a
    pipe that is at its end once this process is gone. Logs and reports are files that only descriptors reach, so
    nothing has to be drained while the code runs.
    """
    its, mine = os.pipe()
    try:
        try:
            process = _start(command, environment, job, its)
        finally:
            os.close(its)
        return watched(_Started(process), job, limits, stop)
    finally:
        os.close(mine)


class Running(Protocol):
    """The process of a run, as long as it is watched."""

    def reap(self, pause: float) -> tuple[int, float] | None:
        """Return exit code and peak of memory in MB, None where it hasn't ended within so many seconds."""

    def kill(self) -> None:
        """End it with all that it started."""

    def wait(self) -> None:
        """Wait until it has ended."""


def watched(process: Running, job: Job, limits: Limits, stop: Event | None) -> Ended:
    """Watch a process to its end, or to the first limit that it crosses; see `launch`."""
    start = time.monotonic()
    stopped: Status | None = None
    found = None
    pause = 0.002
    try:
        while found is None:
            found = process.reap(0)
            stopped = stopped or _crossed(job, limits, 0 if found else time.monotonic() - start)
            if found is None and stopped:
                process.kill()
            if stop is not None and stop.is_set():
                raise SandboxError("the run was stopped before its end")
            if found is None:
                found = process.reap(pause)
                pause = min(pause * 1.5, 0.03)
    finally:
        process.kill()
        if found is None:
            process.wait()
    stopped = stopped or _crossed(job, limits, 0)
    code, peak = found
    number = -code if code < 0 else code - _SHELL_SIGNAL
    ended_by = number if number in signal.valid_signals() else 0
    return Ended(stopped, ended_by, code, time.monotonic() - start, peak)


@dataclass(frozen=True)
class _Started:
    """A process of one's own, the first of its group."""

    process: subprocess.Popen[bytes]

    def reap(self, pause: float) -> tuple[int, float] | None:
        time.sleep(pause)
        pid, status, usage = os.wait4(self.process.pid, os.WNOHANG)
        if not pid:
            return None
        self.process.returncode = os.waitstatus_to_exitcode(status)
        return self.process.returncode, usage.ru_maxrss / 1024

    def kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(self.process.pid, signal.SIGKILL)

    def wait(self) -> None:
        self.process.wait()


def _start(command: Sequence[str], environment: Mapping[str, str], job: Job, pipe: int) -> subprocess.Popen[bytes]:
    with ExitStack() as stack:
        files = {name: stack.enter_context((job.own / name).open("ab")) for name in (*LOGS, *REPORTS)}
        descriptors = [*(files[name].fileno() for name in REPORTS), pipe]
        return subprocess.Popen(
            [*command, *map(str, descriptors)],
            stdin=subprocess.DEVNULL,
            stdout=files["stdout"],
            stderr=files["stderr"],
            env=dict(environment),
            cwd=job.tmp,
            pass_fds=descriptors,
            start_new_session=True,
        )


def _crossed(job: Job, limits: Limits, seconds: float) -> Status | None:
    """Return the limit that the run has crossed by now."""
    if seconds > limits.seconds:
        return Status.TIMED_OUT
    if any((job.own / name).stat().st_size > limits.log_kb * 1024 for name in LOGS):
        return Status.OUTPUT_TOO_LARGE
    total = 0
    for count, size in enumerate(_sizes(job.out, job.tmp), 1):
        total += size
        if count > limits.files or total > limits.output_mb * _MEGABYTE:
            return Status.OUTPUT_TOO_LARGE
    return None


def _sizes(*folders: Path) -> Iterator[int]:
    """Yield the size of everything beneath, folders too; what vanishes meanwhile counts nothing."""
    left = list(map(str, folders))
    while left:
        with suppress(OSError), os.scandir(left.pop()) as entries:
            for entry in entries:
                yield entry.stat(follow_symlinks=False).st_size
                if entry.is_dir(follow_symlinks=False):
                    left.append(entry.path)

"""Processes that work beside a run's threads, as many as there are threads that ask for something."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any

import prepsql
from prepsql.errors import PrepsqlError
from prepsql.evaluate.helper import TASKS

WORTH = 16
"""With fewer tries than this, starting processes takes longer than they save."""


@dataclass
class Helpers:
    """Does what is asked in a process that is free, or in a new one; in this process itself where `here` says so."""

    here: bool
    _free: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _all: list[subprocess.Popen[bytes]] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a task of `helper.TASKS` returns; raise PrepsqlError where it fails or its process ends."""
        if self.here:
            return TASKS[name](*arguments)
        process = self._taken()
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(pickle.dumps((name, arguments)))
            process.stdin.flush()
            well, result = pickle.load(process.stdout)  # noqa: S301 - from a process that runs our own code alone
        except (OSError, EOFError, pickle.UnpicklingError) as gone:
            raise PrepsqlError(f"the process that was to do this has ended ({name}): resume the run") from gone
        with self._lock:
            self._free.append(process)
        if not well:
            raise PrepsqlError(result)
        return result

    def stop(self) -> None:
        """End them all, also in the middle of something."""
        with self._lock:
            for process in self._all:
                with suppress(OSError):
                    process.kill()

    def _taken(self) -> subprocess.Popen[bytes]:
        with self._lock:
            if self._free:
                return self._free.pop()
            paths = [str(Path(prepsql.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
            process = subprocess.Popen(
                [sys.executable, "-m", "prepsql.evaluate.helper"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
            )  # fmt: skip
            self._all.append(process)
            return process


HERE = Helpers(here=True)
"""Does everything in this process."""


@contextmanager
def helpers(tries: int) -> Iterator[Helpers]:
    """Yield helpers for so many tries; they end with the block."""
    made = Helpers(here=tries < WORTH)
    try:
        yield made
    finally:
        made.stop()
        for process in made._all:
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe and pipe.close()

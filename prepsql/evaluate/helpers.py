"""Processes that work beside a run's threads, as many as there are threads that ask for something."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO, Any

import prepsql
from prepsql.agents.brief import Compiled, Script
from prepsql.agents.explore import profiled
from prepsql.errors import PrepsqlError
from prepsql.evaluate.compiled import compiled
from prepsql.sandbox import Language

WORTH = 16
"""With fewer tries than this, starting processes takes longer than they save."""
_PATIENCE = 5.0
_HERE_ONLY = ("server", "stop")  # a helper has servers of its own, and is killed


@dataclass(frozen=True)
class Helper:
    """One process; it does one thing at a time."""

    process: subprocess.Popen[bytes]

    def call(self, name: str, *arguments: Any) -> Any:
        """Return what a method of `helper.Bench` returns; raise PrepsqlError where it fails or the process ends."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        try:
            self.process.stdin.write(pickle.dumps((name, arguments)))
            self.process.stdin.flush()
            well, result = pickle.load(self.process.stdout)  # noqa: S301 - from a process that runs our own code alone
        except (OSError, ValueError, EOFError, pickle.UnpicklingError) as gone:
            raise PrepsqlError(f"the process that was to do this has ended ({name}): resume the run") from gone
        if not well:
            raise PrepsqlError(result)
        return result

    @property
    def ended(self) -> bool:
        """Whether it's gone."""
        return self.process.poll() is not None


@dataclass(frozen=True)
class CompiledThere:
    """A translation that a helper keeps."""

    document: Mapping[str, Any]
    proven: bool
    scripts: Sequence[Script]
    helper: Helper

    def against(self, document: Mapping[str, Any]) -> str:
        """Return what speaks against another workflow in its place."""
        said: str = self.helper.call("against", document)
        return said


@dataclass
class Helpers:
    """The helpers that there are so far; `here` says that there are none, and all is done in this process itself."""

    here: bool
    _free: list[Helper] = field(default_factory=list)
    _all: list[Helper] = field(default_factory=list)
    _lock: Lock = field(default_factory=Lock)
    # a process that ends with its parent ends with the very thread that started it
    _starter: ThreadPoolExecutor = field(default_factory=lambda: ThreadPoolExecutor(1))

    def profiled(self, inputs: Sequence[Path]) -> str:
        """Return the profile of raw tables as text."""
        if self.here:
            return profiled(inputs)
        with self._one() as helper:
            text: str = helper.call("profiled", inputs)
            return text

    @contextmanager
    def compiled(
        self, inputs: Sequence[Path], text: str, language: Language, options: Mapping[str, Any]
    ) -> Iterator[Compiled | None]:
        """Translate code as `compiled.compiled` does; a helper that does it is this block's own."""
        if self.here:
            with compiled(inputs, text, language, options) as made:
                yield made
            return
        with self._one() as helper:
            own = {name: value for name, value in options.items() if name not in _HERE_ONLY}
            found = helper.call("compile", inputs, text, language, own)
            try:
                if found is None:
                    yield None
                else:
                    document, proven, scripts = found
                    yield CompiledThere(document, proven, scripts, helper)
            finally:
                with suppress(PrepsqlError):
                    helper.call("release")

    def stop(self) -> None:
        """End them all, also in the middle of something."""
        with self._lock:
            for helper in self._all:
                with suppress(OSError):
                    helper.process.kill()

    def close(self) -> None:
        """Let them end, and wait until they have."""
        pipes = [(helper.process.stdin, helper.process.stdout) for helper in self._all]
        _close(asked for asked, _ in pipes)
        for helper in self._all:
            try:
                helper.process.wait(_PATIENCE)
            except subprocess.TimeoutExpired:
                helper.process.kill()
                helper.process.wait()
        _close(told for _, told in pipes)
        self._starter.shutdown()

    @contextmanager
    def _one(self) -> Iterator[Helper]:
        with self._lock:
            helper = self._free.pop() if self._free else self._new()
        try:
            yield helper
        finally:
            if not helper.ended:
                with self._lock:
                    self._free.append(helper)

    def _new(self) -> Helper:
        paths = [str(Path(prepsql.__file__).parent.parent), os.environ.get("PYTHONPATH", "")]
        started = self._starter.submit(
            subprocess.Popen,
            [sys.executable, "-m", "prepsql.evaluate.helper"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        )  # fmt: skip
        self._all.append(Helper(started.result()))
        return self._all[-1]


def _close(pipes: Iterable[IO[bytes] | None]) -> None:
    for pipe in pipes:
        if pipe:
            with suppress(OSError):
                pipe.close()


HERE = Helpers(here=True)
"""Does everything in this process."""


@contextmanager
def helpers(tries: int) -> Iterator[Helpers]:
    """Yield helpers for so many tries; they end with the block."""
    made = Helpers(here=tries < WORTH)
    try:
        yield made
    finally:
        made.close()

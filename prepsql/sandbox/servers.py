"""Servers for the jobs of many runs: one of each language, started when it is first asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from types import MappingProxyType

from prepsql.sandbox.outcome import DEFAULT_LIMITS, Language, Limits
from prepsql.sandbox.server import Server, job_server


@dataclass
class Servers:
    """The servers that there are so far; what runs on them must be told the same `hidden`, and no other."""

    limits: Limits
    hidden: tuple[Path, ...]
    extra: Mapping[Language, Sequence[str]]
    _stack: ExitStack
    _lock: Lock = field(default_factory=Lock)
    _started: dict[Language, Server | None] = field(default_factory=dict)

    def of(self, language: Language) -> Server | None:
        """Return the server of a language, None where it can't be had; a new one where the last is gone."""
        with self._lock:
            server = self._started.get(language)
            if language not in self._started or (server is not None and server.gone):
                server = self._stack.enter_context(self._new(language))
                self._started[language] = server
            return server

    def _new(self, language: Language) -> AbstractContextManager[Server | None]:
        return job_server(language, self.extra.get(language, ()), limits=self.limits, hidden=self.hidden)


@contextmanager
def job_servers(
    limits: Limits = DEFAULT_LIMITS,
    hidden: Sequence[Path] = (),
    extra: Mapping[Language, Sequence[str]] = MappingProxyType({}),
) -> Iterator[Servers]:
    """Yield servers that end with the block; jobs may want them to import what is `extra` in their language.

    Nothing of a job is left for the next: each is forked anew from a process that runs none itself.
    """
    with ExitStack() as stack:
        yield Servers(limits, tuple(hidden), extra, stack)

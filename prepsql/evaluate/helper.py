"""What a run's helpers do: work of ours that takes the interpreter's time, so that threads would wait for one another.

Run as a program, this is a helper: it takes calls from its standard input and answers on its standard output, one after
the other, until the other side closes it.
"""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from prepsql.agents.brief import Script
from prepsql.agents.explore import profiled
from prepsql.errors import PrepsqlError
from prepsql.evaluate.compiled import CompiledCode, compiled
from prepsql.sandbox import Language, Limits, Servers, job_servers
from prepsql.translate.run import EXTRA

Summary = tuple[Mapping[str, Any], bool, Sequence[Script]]
"""What is told of a translation: the workflow, whether it's proven, and its scripts."""


@dataclass
class Bench:
    """What a helper has at hand: at most one translation, until it is released, and servers for its jobs."""

    _open: ExitStack = field(default_factory=ExitStack)
    _found: CompiledCode | None = None
    _kept: ExitStack = field(default_factory=ExitStack)
    _servers: Servers | None = None

    def profiled(self, inputs: Sequence[Path]) -> str:
        """Return the profile of raw tables as text."""
        return profiled(inputs)

    def compile(
        self, inputs: Sequence[Path], text: str, language: Language, options: Mapping[str, Any]
    ) -> Summary | None:
        """Translate code, and keep it."""
        self.release()
        server = self._jobs(options["limits"], options["hidden"]).of(language)
        made = compiled(inputs, text, language, {**options, "server": server})
        self._found = found = self._open.enter_context(made)
        return (found.document, found.proven, found.scripts) if found else None

    def against(self, document: Mapping[str, Any]) -> str:
        """Return what speaks against a workflow in the place of the translation that is kept."""
        assert self._found is not None
        return self._found.against(document)

    def release(self) -> None:
        """Let go of what is kept."""
        self._found = None
        self._open.close()

    def close(self) -> None:
        """Let go of everything."""
        self.release()
        self._kept.close()

    def _jobs(self, limits: Limits, hidden: Sequence[Path]) -> Servers:
        """Return the servers for these terms; those for others end."""
        terms = limits, tuple(hidden)
        if self._servers is None or (self._servers.limits, self._servers.hidden) != terms:
            self._kept.close()
            self._servers = self._kept.enter_context(job_servers(*terms, EXTRA))
        return self._servers


def main() -> None:
    """Answer calls: a method's name and arguments come in, whether it went well and the result go out."""
    from prepsql.sandbox.child.parent import end_with_parent

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever asked ends this process
    end_with_parent()
    asked, told = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what a library prints is no answer
    bench = Bench()
    while True:
        try:
            name, arguments = pickle.load(asked)  # noqa: S301 - from the process that started this one
        except EOFError:
            bench.close()
            return
        told.write(pickle.dumps(_answer(getattr(bench, name), arguments)))
        told.flush()


def _answer(method: Callable[..., Any], arguments: Sequence[Any]) -> tuple[bool, Any]:
    try:
        return True, method(*arguments)
    except PrepsqlError as wrong:
        return False, str(wrong)
    except Exception as fault:  # one task's fault must not end what others need
        return False, f"{type(fault).__name__}: {fault}"


if __name__ == "__main__":
    main()

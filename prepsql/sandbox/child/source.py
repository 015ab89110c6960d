"""A Python program that defines one function: load it, and turn what it does wrong into a report with its own lines."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from prepsql.sandbox.child.faults import message_of, status_of
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.outcome import Status

_FRAMES = 5


@dataclass(frozen=True)
class Source:
    """The program's text, the function that it must define, and the words that tell how."""

    text: str
    entry: str
    form: str

    @property
    def file(self) -> str:
        """What tracebacks call the program."""
        return f"{self.entry}.py"

    def function(self) -> Callable[..., Any]:
        """Run the program and return its function; call it inside `faults`."""
        space: dict[str, Any] = {"__name__": self.entry, "__file__": self.file}
        exec(compile(self.text, self.file, "exec", dont_inherit=True), space)
        found = space.get(self.entry)
        if not callable(found):
            raise Fault(Report(Status.FAILED, f"the program has no function {self.entry}: {self.form}"))
        function: Callable[..., Any] = found
        return function

    @contextmanager
    def faults(self, where: Callable[[], str] = str) -> Iterator[None]:
        """Turn what the program does wrong into a Fault; SystemExit and KeyboardInterrupt too are its own.

        `where` is asked, once something went wrong, for words to begin the message with.
        """
        try:
            yield
        except Fault:
            raise
        except BaseException as failure:
            raise Fault(self._explain(failure, where())) from None

    def _explain(self, failure: BaseException, where: str) -> Report:
        """Return what went wrong, with the program's own lines alone."""
        kind = type(failure).__name__
        what = f"{kind}: {message_of(failure)}"
        if isinstance(failure, PermissionError):
            what += (
                " (the sandbox allows no network, no other program, and no file but the inputs and the current folder)"
            )
        if isinstance(failure, SystemExit):
            what = f"the program called exit ({message_of(failure) or 'no code'}): return from {self.entry} instead"
        if isinstance(failure, SyntaxError) and failure.filename == self.file:
            places = [(failure.lineno or 1, "")]
            what = f"{kind}: {failure.msg}"
        else:
            places = self._own_frames(failure.__traceback__)
        lines = self.text.splitlines()
        shown = [f"  {self.file}, line {n}{name}: {''.join(lines[n - 1 : n]).strip()}" for n, name in places[-_FRAMES:]]
        return Report(status_of(failure), "\n".join([where + what, *shown]), line=places[-1][0] if places else None)

    def _own_frames(self, trace: TracebackType | None) -> list[tuple[int, str]]:
        found: list[tuple[int, str]] = []
        while trace is not None:
            code = trace.tb_frame.f_code
            if code.co_filename == self.file:
                name = "" if code.co_name == "<module>" else f", in {code.co_name}"
                found.append((trace.tb_lineno, name))
            trace = trace.tb_next
        return found

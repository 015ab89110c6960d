"""A process that is ready for jobs: it forks one for each, behind the same layers, without importing pandas anew."""

from __future__ import annotations

import json
import os
import select
import signal
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event

from prepsql.sandbox import reads
from prepsql.sandbox.child.server import BEGUN
from prepsql.sandbox.job import Job
from prepsql.sandbox.launch import LOGS, REPORTS, Ended, watched
from prepsql.sandbox.layers import LAYERS, Layer, bubblewrap, environment
from prepsql.sandbox.outcome import DEFAULT_LIMITS, Language, Limits
from prepsql.scratch import scratch_folder

_NEEDED = {"environment", "rlimits", "landlock", "seccomp"}
_MOST = 1 << 16
_CHILD = ("main", "report", "several", "source")
_IMPORTS: Mapping[Language, Sequence[str]] = {
    "sql": ["pyarrow", *(f"prepsql.sandbox.child.{name}" for name in (*_CHILD, "sql", "query", "ready"))],
    "pandas": ["pandas", *(f"prepsql.sandbox.child.{name}" for name in (
        *_CHILD, "program", "frames", "sql", "transform", "returned", "scalar"
    ))],
}  # fmt: skip
_START = """
import json, sys
with open(sys.argv[1], encoding="utf-8") as file:
    told = json.load(file)
sys.path += told["import_path"]
from prepsql.sandbox.child.server import serve
serve(int(sys.argv[2]), told["imports"])
"""


class Gone(Exception):
    """The server ended before it told how a job ended."""


@dataclass
class Server:
    """A process that forks jobs; their folders lie in `folder`, behind `layers`, and nothing in `hidden` is seen.

    `imports` are modules of ours that jobs may want beside those that all need.
    """

    folder: Path
    layers: tuple[str, ...]
    hidden: tuple[Path, ...]
    threads: int
    imports: tuple[str, ...]
    process: subprocess.Popen[bytes]
    asking: socket.socket
    gone: bool = field(default=False, init=False)

    def fits(self, layers: Sequence[Layer], hidden: Sequence[Path], limits: Limits) -> bool:
        """Return whether a job on these terms is as well off here as in a process that is started for it."""
        terms = tuple(layer.name for layer in layers), tuple(hidden), limits.threads
        return not self.gone and terms == (self.layers, self.hidden, self.threads)

    def run(
        self, variables: Mapping[str, str], job: Job, limits: Limits, stop: Event | None, *, extra: bool = False
    ) -> Ended:
        """Run a job whose folder is ready, as `launch` does; with the `imports` where it wants what is `extra`.

        Raises Gone where the server is no more.
        """
        mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with mine:
            with its, ExitStack() as stack:
                opened = [stack.enter_context((job.own / name).open("ab")) for name in (*LOGS, *REPORTS)]
                asked = {
                    "told": str(job.code / "told.json"), "folder": str(job.tmp), "environment": dict(variables),
                    "imports": self.imports if extra else (),
                }  # fmt: skip
                self._ask(asked, [its.fileno(), *(file.fileno() for file in opened)])
            forked = _Forked(mine)
            try:
                forked.begin()
                return watched(forked, job, limits, stop)
            except Gone:
                self.gone = True
                raise

    def _ask(self, asked: Mapping[str, object], files: Sequence[int]) -> None:
        try:
            socket.send_fds(self.asking, [json.dumps(asked).encode()], files)
        except OSError as failure:
            self.gone = True
            raise Gone(str(failure)) from failure


@dataclass
class _Forked:
    """A job of a server, by the socket to the process that guards it."""

    control: socket.socket

    def begin(self) -> None:
        """Wait until its process is there: the server may still be importing."""
        if self._said() != BEGUN:
            raise Gone("a job's guard ended before it began")

    def reap(self, pause: float) -> tuple[int, float] | None:
        """Return exit code and peak of memory in MB, None where it hasn't ended within so many seconds."""
        if not select.select([self.control], [], [], pause)[0]:
            return None
        code, peak = json.loads(self._said())
        return code, peak / 1024

    def _said(self) -> bytes:
        try:
            said = self.control.recv(_MOST)
        except OSError as failure:
            raise Gone(str(failure)) from failure
        if not said:
            raise Gone("a job's guard ended")
        return said

    def kill(self) -> None:
        """End it."""
        with suppress(OSError):
            self.control.send(b"end")

    def wait(self) -> None:
        """Wait until it has ended."""
        with suppress(OSError):
            self.control.recv(_MOST)


@contextmanager
def job_server(
    language: Language,
    extra: Sequence[str] = (),
    *,
    limits: Limits = DEFAULT_LIMITS,
    hidden: Sequence[Path] = (),
    layers: Sequence[Layer] = LAYERS,
) -> Iterator[Server | None]:
    """Yield a server for jobs of a language; they may want it to import `extra` modules too. It ends with the block.

    None where it can't be had: without Landlock and seccomp, which each job puts on for itself, jobs would see one
    another's files.
    """
    active = [layer for layer in layers if layer.missing() is None]
    names = tuple(layer.name for layer in active)
    if not set(names) >= _NEEDED or not hasattr(os, "pidfd_open"):
        yield None
        return
    with scratch_folder("prepsql-jobs-") as folder, ExitStack() as stack:
        mine, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        stack.callback(mine.close)
        with its:
            process = _start(folder, its, names, _IMPORTS[language], limits, hidden)
        stack.callback(_end, process)
        yield Server(folder, names, tuple(hidden), limits.threads, tuple(extra), process, mine)


def _start(
    folder: Path, its: socket.socket, names: Sequence[str], imports: Sequence[str], limits: Limits,
    hidden: Sequence[Path],
) -> subprocess.Popen[bytes]:  # fmt: skip
    own = folder / "server"
    own.mkdir()
    told = own / "told.json"
    told.write_text(json.dumps({"import_path": reads.import_path(), "imports": list(imports)}), encoding="utf-8")
    command = [reads.interpreter(), "-P", "-s", "-S", "-B", "-c", _START, str(told), str(its.fileno())]
    if "bubblewrap" in names:
        command = bubblewrap.command(command, reads.readable(hidden).contents, [str(folder)], str(own))
    return subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        env=environment.variables(str(own), limits.threads), cwd=own, pass_fds=[its.fileno()], start_new_session=True,
    )  # fmt: skip


def _end(process: subprocess.Popen[bytes]) -> None:
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()

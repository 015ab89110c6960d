"""The process that is ready for jobs: it has imported what they need, and forks one for each; it runs none itself."""

from __future__ import annotations

import importlib
import json
import os
import select
import signal
import socket
import sys
import tempfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from prepsql.sandbox.child.parent import end_with_parent

_MOST = 1 << 16
BEGUN = b"begun"
"""What a guard says first, once the job's process is there."""
FILES = ("control", "stdout", "stderr", "ready", "report")
"""The open files that come with a job, in this order."""


def serve(descriptor: int, imports: Sequence[str]) -> None:
    """Take jobs from a socket until its other end is closed; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for name in imports:
        importlib.import_module(name)
    with socket.socket(fileno=descriptor) as asked:
        while True:
            message, files, _, _ = socket.recv_fds(asked, _MOST, len(FILES))
            if not message:
                os._exit(0)
            job = json.loads(message)
            for name in job["imports"]:
                importlib.import_module(name)
            if not os.fork():
                try:
                    asked.close()
                    _guard(job, dict(zip(FILES, files, strict=True)))
                finally:
                    os._exit(1)
            for file in files:
                os.close(file)


def _guard(job: dict[str, Any], files: dict[str, int]) -> None:
    """Fork the job, end it where the other side says so or is gone, and tell how it ended; never returns."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    end_with_parent()
    control = files["control"]
    child = os.fork()
    if not child:
        try:
            os.close(control)
            _become(job, files)
        finally:
            os._exit(1)
    ended = os.pidfd_open(child)
    os.write(control, BEGUN)
    readable, _, _ = select.select([control, ended], [], [])
    if ended not in readable:
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    _, status, usage = os.wait4(child, 0)
    with suppress(OSError):
        os.write(control, json.dumps([os.waitstatus_to_exitcode(status), usage.ru_maxrss]).encode())
        while os.read(control, _MOST):  # what is left unread would be an error for the other side
            pass
    os._exit(0)


def _become(job: dict[str, Any], files: dict[str, int]) -> None:
    """Be what a process of its own would be when it starts, and run the job; never returns."""
    end_with_parent()
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for target, source in enumerate((nothing, files["stdout"], files["stderr"])):
        os.dup2(source, target)
        os.close(source)
    os.environ.clear()
    os.environ.update(job["environment"])
    tempfile.tempdir = None
    os.chdir(job["folder"])
    if "numpy" in sys.modules:
        import numpy as np

        np.random.seed()  # else every job had the same chance
    told = json.loads(Path(job["told"]).read_text(encoding="utf-8"))
    from prepsql.sandbox.child.main import main

    main(told, files["ready"], files["report"])

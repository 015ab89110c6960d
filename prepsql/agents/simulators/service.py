"""A conversation over JSON lines, for agents in another process (docs/simulators.md)."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from prepsql.agents.simulators.session import Session
from prepsql.errors import CapReached, InputError, ModelError, PrepsqlError

LONGEST_LINE = 1_000_000
"""A longer line ends the conversation."""


class Service:
    """Answers lines; `fault` is what ended it from our side (a model out of reach, a cap), else None."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._lock = threading.Lock()
        self.fault: PrepsqlError | None = None

    def reply(self, line: bytes) -> dict[str, Any]:
        """Return the reply to one line: `ok`, and the result or an `error` that says what to send instead.

        Raises ModelError and CapReached of the simulator's model, after keeping them as `fault`.
        """
        try:
            asked = json.loads(line)
            operation = asked["op"]
        except (ValueError, KeyError, TypeError):
            return _error('not understood: send one JSON object a line, such as {"op": "ask", "questions": ["…"]}')
        try:
            with self._lock:
                if operation == "start_session":
                    return {"ok": True, **self._session.start_session()}
                if operation == "ask":
                    return {"ok": True, **self._session.ask(asked.get("questions", ()))}
        except InputError as wrong:
            return _error(str(wrong))
        except (ModelError, CapReached) as wrong:
            self.fault = wrong
            raise
        return _error(f"no operation {operation!r} (there are start_session, ask and stop)")

    def serve(self, lines: BinaryIO, out: BinaryIO) -> None:
        """Answer lines until one says stop, the stream ends, or the model can't be had; each reply is one line."""
        while line := lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                _send(out, _error(f"a line has more than {LONGEST_LINE} bytes"))
                return
            if not line.strip():
                continue
            if _stops(line):
                _send(out, {"ok": True})
                return
            try:
                _send(out, self.reply(line))
            except (ModelError, CapReached):
                _send(out, _error("the user can't be reached any more"))
                return

    @contextmanager
    def listening(self, path: Path) -> Iterator[Path]:
        """Serve a Unix socket at `path` in a thread for as long as the context lasts, one caller after the other.

        Raises InputError where the path can't be a socket's (it's taken, too long, its folder is missing).
        """
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as listener:
            try:
                listener.bind(str(path))
            except OSError as wrong:
                raise InputError(f"no socket at {path}: {wrong}: name a new file in an existing folder") from wrong
            listener.listen()
            thread = threading.Thread(target=self._accept, args=(listener,), daemon=True)
            thread.start()
            try:
                yield path
            finally:
                listener.shutdown(socket.SHUT_RDWR)
                thread.join(timeout=5)
                path.unlink(missing_ok=True)

    def _accept(self, listener: socket.socket) -> None:
        while True:
            try:
                caller, _ = listener.accept()
            except OSError:
                return
            try:
                with caller, caller.makefile("rb") as lines, caller.makefile("wb") as out:
                    self.serve(lines, out)
            except OSError:
                continue


def _stops(line: bytes) -> bool:
    try:
        return bool(json.loads(line)["op"] == "stop")
    except (ValueError, KeyError, TypeError):
        return False


def _send(out: BinaryIO, reply: dict[str, Any]) -> None:
    out.write(json.dumps(reply, ensure_ascii=False).encode() + b"\n")
    out.flush()


def _error(message: str) -> dict[str, Any]:
    return {"ok": False, "error": message}

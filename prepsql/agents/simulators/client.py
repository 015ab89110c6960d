"""What an agent in a process of its own asks through: `start_session`, `ask`. Standard library only."""

from __future__ import annotations

import json
import os
import socket
from collections.abc import Sequence
from typing import Any

SOCKET = "PREPSQL_SIMULATOR"
"""The environment variable that names the socket."""


class Client:
    """A conversation through the socket at `path`, by default the one that PREPSQL_SIMULATOR names.

    Raises KeyError where no socket is named, OSError where nobody listens, ValueError where a request is refused.
    """

    def __init__(self, path: str | None = None) -> None:
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._socket.connect(path or os.environ[SOCKET])
        self._file = self._socket.makefile("rwb")

    def start_session(self) -> dict[str, Any]:
        """Return the request and what may be asked."""
        return self._call({"op": "start_session"})

    def ask(self, questions: str | Sequence[str]) -> dict[str, Any]:
        """Ask one round of questions."""
        return self._call({"op": "ask", "questions": questions if isinstance(questions, str) else list(questions)})

    def close(self) -> None:
        """End the conversation."""
        self._file.close()
        self._socket.close()

    def _call(self, request: dict[str, Any]) -> dict[str, Any]:
        self._file.write(json.dumps(request).encode() + b"\n")
        self._file.flush()
        reply = json.loads(self._file.readline() or b'{"ok": false, "error": "nobody answers"}')
        if not reply.pop("ok"):
            raise ValueError(reply["error"])
        return dict(reply)

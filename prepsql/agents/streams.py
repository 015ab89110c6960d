"""Talking with a process line by line over its standard streams, until it ends or its time is over.

Nothing here waits for a stream to be closed: a child that outlives the process may hold it for as long as it likes.
"""

from __future__ import annotations

import codecs
import io
import os
import selectors
import subprocess
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import suppress

_LOOK_SECONDS = 0.1
_PIECE = 1 << 16
_LONGEST_LINE = 1_000_000
_LOG_LINES = 20


class Streams:
    """The three streams of a process, which are pipes without buffers; `stopped` is asked whether to leave off.

    `log` are the last lines of its standard error.
    """

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, stopped: Callable[[], bool]) -> None:
        self.log: deque[str] = deque(maxlen=_LOG_LINES)
        self._process = process
        self._ends = time.monotonic() + seconds
        self._stopped = stopped

    def lines(self) -> Iterator[str]:
        """Yield the lines of its standard output, until it has ended and all of them were read, or time is over."""
        out, err, given = self._process.stdout, self._process.stderr, self._process.stdin
        assert out
        assert err
        assert given
        logged = _Lines()
        with selectors.DefaultSelector() as open_ones:
            open_ones.register(out, selectors.EVENT_READ, _Lines())
            open_ones.register(err, selectors.EVENT_READ, logged)
            while not self._over():
                ended = self._process.poll() is not None  # what it wrote before that can be read now
                ready = open_ones.select(0 if ended else _LOOK_SECONDS)
                for key, _ in ready:
                    piece = os.read(key.fd, _PIECE)
                    found = key.data.take(piece)
                    if not piece:
                        open_ones.unregister(key.fileobj)
                    if key.data is logged:
                        self.log.extend(found)
                        continue
                    yield from found
                    if not piece:
                        given.close()
                if ended and not ready:
                    break
        self.log.extend(logged.take(b""))

    def say(self, line: str) -> None:
        """Write a line to its standard input; one that it doesn't read is dropped when it has ended or time is over."""
        given = self._process.stdin
        assert given
        os.set_blocking(given.fileno(), False)
        left = f"{line}\n".encode(errors="replace")
        with selectors.DefaultSelector() as room, suppress(BrokenPipeError):
            room.register(given, selectors.EVENT_WRITE)
            while left and self._process.poll() is None and not self._over():
                if room.select(_LOOK_SECONDS):
                    left = left[os.write(given.fileno(), left) :]

    def _over(self) -> bool:
        return self._stopped() or time.monotonic() > self._ends


class _Lines:
    """Makes lines of what comes in pieces; one that is too long comes in parts."""

    def __init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._decoder = io.IncrementalNewlineDecoder(decoder, translate=True)
        self._begun = ""

    def take(self, piece: bytes) -> list[str]:
        """Return the lines that are whole with this piece; the empty piece is the end."""
        *whole, self._begun = (self._begun + self._decoder.decode(piece, final=not piece)).split("\n")
        if self._begun and (not piece or len(self._begun) >= _LONGEST_LINE):
            whole.append(self._begun)
            self._begun = ""
        return whole

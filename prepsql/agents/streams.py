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
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

_LOOK_SECONDS = 0.1
_PIECE = 1 << 20  # the most that a program may leave in a pipe when it ends
_LONGEST_LINE = 1_000_000
_MOST_UNREAD = 1_000_000
_LOG_LINES = 20
_LOG_CHARACTERS = 1_000


class Streams:
    """The three streams of a process, which are pipes without buffers; `stopped` is asked whether to leave off.

    `log` are the last lines of its standard error, none of them long.
    """

    def __init__(self, process: subprocess.Popen[bytes], seconds: float, stopped: Callable[[], bool]) -> None:
        self.log: deque[str] = deque(maxlen=_LOG_LINES)
        self._process = process
        self._ends = time.monotonic() + seconds
        self._stopped = stopped
        self._unread = bytearray()

    def lines(self) -> Iterator[str]:
        """Yield the lines of its standard output, until it has ended and all of them were read, or time is over."""
        out, err, given = self._process.stdout, self._process.stderr, self._process.stdin
        assert out
        assert err
        assert given
        said, logged = _Lines(), _Lines()
        ended = silent = False
        os.set_blocking(given.fileno(), False)
        with selectors.DefaultSelector() as open_ones:
            open_ones.register(out, selectors.EVENT_READ, said)
            open_ones.register(err, selectors.EVENT_READ, logged)
            while not ended and not self._over():
                ended = self._process.poll() is not None  # what it wrote before that can be read now, at once
                for key, _ in open_ones.select(0 if ended else _LOOK_SECONDS):
                    piece = os.read(key.fd, _PIECE)
                    if not piece:
                        open_ones.unregister(key.fileobj)
                    if key.data is logged:
                        self._note(logged.take(piece))
                        continue
                    silent = not piece
                    yield from said.take(piece)
                self._send()
                if silent and not self._unread:
                    given.close()
        if ended:
            yield from said.take(b"")
        self._note(logged.take(b""))

    def say(self, line: str) -> None:
        """Write a line to its standard input as it reads; what it hasn't read when it ends or time is over is dropped.

        Where very much is unread it's waited for.
        """
        self._unread += f"{line}\n".encode(errors="replace")
        self._send()
        while len(self._unread) > _MOST_UNREAD and self._process.poll() is None and not self._over():
            time.sleep(_LOOK_SECONDS)
            self._send()

    @contextmanager
    def untimed(self) -> Iterator[None]:
        """Give the process the time that the block takes besides."""
        start = time.monotonic()
        try:
            yield
        finally:
            self._ends += time.monotonic() - start

    def _send(self) -> None:
        given = self._process.stdin
        assert given
        try:
            while self._unread:
                del self._unread[: os.write(given.fileno(), self._unread)]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            self._unread.clear()

    def _note(self, lines: Sequence[str]) -> None:
        self.log.extend(line[:_LOG_CHARACTERS] for line in lines)

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

"""An independent count of a delimited file: no CSV parser takes part, so it can contradict one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

import numpy as np

from prepsql.tables.encoding import CHUNK, Encoding, text_chunks

_RUN_OF_ENDS = re.compile(rb"[\r\n]+")


@dataclass(frozen=True)
class Survey:
    """What a file holds, counted over all its bytes.

    `records` counts all records but blank lines, header and preamble included; `blank` counts blank lines.
    `lf`, `crlf` and `cr` count the line ends outside quotes, `nul` the NUL characters. `unclosed` says that the
    last quote has no partner, `spaced` that blanks stand beside a quote, which readers take differently, `inner`
    that there are line ends inside quotes, `quoted` that there are quotes at all. `delimiters` counts them inside and
    outside quotes.
    """

    records: int
    blank: int
    nul: int
    lf: int
    crlf: int
    cr: int
    unclosed: bool
    spaced: bool
    inner: bool
    quoted: bool
    delimiters: int

    @property
    def line_ends(self) -> tuple[str, ...]:
        """The kinds of line end outside quotes, of LF, CRLF, CR."""
        return tuple(name for name, n in (("LF", self.lf), ("CRLF", self.crlf), ("CR", self.cr)) if n)

    @property
    def plain(self) -> bool:
        """Whether all readers must take the records of this file alike."""
        return not (self.blank or self.nul or self.cr or (self.lf and self.crlf) or self.unclosed or self.spaced)


def survey(path: Path, encoding: Encoding, delimiter: str) -> Survey:
    """Return the counts of `path`; memory is bounded by a chunk and the longest record.

    A quote opens a cell only at the cell's start; a doubled quote stays inside; a line end outside quotes ends
    the record. Raises OSError or UnicodeDecodeError where the file can't be read in this encoding.
    """
    return _survey(_utf8_chunks(path, encoding), delimiter)


def survey_text(text: str, delimiter: str) -> Survey:
    """Return the counts of a text."""
    return _survey([text.encode("utf-8")], delimiter)


def survey_beside(path: Path, encoding: Encoding, delimiter: str) -> Future[Survey]:
    """Return the counts of `path` once they are there: they are made in a thread, beside what the caller does."""
    counts: Future[Survey] = Future()

    def count() -> None:
        try:
            counts.set_result(survey(path, encoding, delimiter))
        except BaseException as bad:
            counts.set_exception(bad)

    # nobody waits for it where the caller has failed
    Thread(target=count, daemon=True).start()
    return counts


def _survey(chunks: Iterable[bytes], delimiter: str) -> Survey:
    counter = _Counter(delimiter)
    pending: list[bytes] = []
    size = wanted = 0
    mark = delimiter.encode("ascii")
    for chunk in chunks:
        counter.delimiters += int(np.count_nonzero(np.frombuffer(chunk, np.uint8) == mark[0]))
        pending.append(chunk)
        size += len(chunk)
        # an open cell is looked at again only when it has doubled, so that a long one costs linear time
        if size >= wanted:
            rest = counter.consume(b"".join(pending))
            pending, size, wanted = [rest], len(rest), 2 * len(rest)
    return counter.finish(b"".join(pending))


class _Counter:
    """Takes closed quoted cells out of the text, then counts line ends in what is left."""

    def __init__(self, delimiter: str) -> None:
        mark = re.escape(delimiter.encode("ascii"))
        # the look-behind stands after the quote, so that the search is for a plain byte
        opening = rb'"(?<![^\r\n' + mark + rb']")'
        cell = rb'[^"]*+(?:""[^"]*+)*+"'
        # the character after the last quote must be at hand: another quote would have kept the cell open
        self._closed = re.compile(opening + cell + rb"(?:" + mark + rb'"' + cell + rb')*+(?=[^"])')
        self._opened = re.compile(opening)
        self._spaced = re.compile(rb"(?:\A|[\r\n" + mark + rb']) +"|" +(?:\Z|[\r\n' + mark + rb"])")
        self.records = self.blank = self.nul = self.lf = self.crlf = self.cr = 0
        self.delimiters = 0
        self.spaced = self.inner = self.quoted = False

    def consume(self, text: bytes) -> bytes:
        """Count the finished records of `text`, which starts a record, and return the rest."""
        text, opened = self._unquote(text)
        end = len(text) if opened is None else opened
        if text.endswith(b"\r", 0, end):
            end -= 1
        return self._count(text, end)

    def finish(self, text: bytes) -> Survey:
        """Count the last records and return the sums."""
        text, opened = self._unquote(text + b"\n")
        rest = self._count(text[:-1], len(text) - 1 if opened is None else opened)
        self.records += bool(rest)
        self.nul += rest.count(0)
        return Survey(
            self.records,
            self.blank,
            self.nul,
            self.lf,
            self.crlf,
            self.cr,
            unclosed=opened is not None,
            spaced=self.spaced,
            inner=self.inner,
            quoted=self.quoted,
            delimiters=self.delimiters,
        )

    def _unquote(self, text: bytes) -> tuple[bytes, int | None]:
        """Return `text` with each closed quoted cell as `x`, and where a cell opens that isn't closed in it."""
        if b'"' not in text:
            return text, None
        self.quoted = True
        if b' "' in text or b'" ' in text:
            self.spaced = self.spaced or self._spaced.search(text) is not None
        ends = _ends(text)
        text = self._closed.sub(self._without_nul, text) if 0 in text else self._closed.sub(b"x", text)
        self.inner = self.inner or _ends(text) < ends
        opened = self._opened.search(text)
        return text, opened.start() if opened else None

    def _without_nul(self, cell: re.Match[bytes]) -> bytes:
        self.nul += cell[0].count(0)
        return b"x"

    def _count(self, text: bytes, end: int) -> bytes:
        """Count up to the last line end before `end`; return what follows it."""
        cut = max(text.rfind(b"\n", 0, end), text.rfind(b"\r", 0, end)) + 1
        # numpy lets other threads go on, and looks at each byte once
        breaks = np.flatnonzero(np.frombuffer(text, np.uint8, count=cut) == ord("\n"))
        crlf = cr = blank = 0
        if b"\r" in text:
            crlf = text.count(b"\r\n", 0, cut)
            cr = text.count(b"\r", 0, cut) - crlf
        lf = len(breaks) - crlf
        close = np.diff(breaks) <= (2 if crlf else 1)
        if cr or (lf and crlf) or text.startswith((b"\n", b"\r")) or close.any():
            runs = len(_RUN_OF_ENDS.findall(text, 0, cut))
            blank = lf + crlf + cr - runs + text.startswith((b"\n", b"\r"), 0, cut)
        self.records += lf + crlf + cr - blank
        self.blank += blank
        self.nul += text.count(0, 0, cut) if 0 in text else 0
        self.lf, self.crlf, self.cr = self.lf + lf, self.crlf + crlf, self.cr + cr
        return text[cut:]


def _ends(text: bytes) -> int:
    return text.count(b"\n") + (text.count(b"\r") if b"\r" in text else 0)


def _utf8_chunks(path: Path, encoding: Encoding) -> Iterator[bytes]:
    if encoding.name != "utf-8":
        yield from (text.encode("utf-8") for text in text_chunks(path, encoding))
        return
    with path.open("rb") as file:
        file.seek(encoding.bom)
        while block := file.read(CHUNK):
            yield block

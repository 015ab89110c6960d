"""The ledger: everything that was noticed or done while a raw file became a table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

# how many line numbers and texts an entry keeps; `count` says how many there were
KEPT = 20


@dataclass(frozen=True)
class Entry:
    """One thing noticed or done.

    `kind` is one of the constants that `KINDS` lists, `message` says it for a person, `lines` are the first line
    numbers of the file (from 1) that it concerns, `texts` the first pieces of it, `count` how many there were.
    """

    kind: str
    message: str
    lines: tuple[int, ...] = ()
    texts: tuple[str, ...] = ()
    count: int = 1

    def __str__(self) -> str:
        return f"{self.kind}: {self.message}"


KINDS = {
    "encoding": "the text is not UTF-8, or a byte-order mark was taken off",
    "delimiter": "the delimiter is another one than the file's suffix says",
    "directive": "a first line `sep=…` names the delimiter",
    "preamble": "lines above the header",
    "renamed header": "a name that a table can't have as it stands",
    "duplicate header": "a name that is there already, in the same or another case",
    "empty header": "a column without a name",
    "short rows": "rows with fewer cells than the header; the missing cells are empty",
    "long rows": "rows with more cells than the header; they have columns of their own",
    "trailing delimiter": "every row ends with one more delimiter than the header",
    "footer": "last rows that look like a note or a total; they are rows of the table",
    "blank lines": "lines without any text; they are no rows",
    "line ends": "more than one kind of line end, or CR alone",
    "nul": "NUL characters, which stay in their cells",
    "unclosed quote": "a quote without a partner: the rest of the file is in its cell",
    "stray quotes": "text after a closing quote; it is part of the cell, whose quotes are taken off",
    "header only": "a header and no rows",
    "sheet": "one of several sheets was read, or a hidden one",
    "error cells": "cells of a workbook with an error such as #N/A, which is their text",
    "unsaved formulas": "formulas of a workbook whose values were never saved; the cells are NULL",
    "missing keys": "objects without some of the keys; the missing values are NULL",
    "repeated keys": "objects that name a key twice, or have one inside that does; the last value is kept",
}


@dataclass(frozen=True)
class Ledger:
    """How a file was read. `header_line` is the line of the header from 1, None where the format has none.

    `encoding` and `delimiter` are None where the format has none. `entries` stand in the order of `KINDS`.
    """

    path: str
    format: str
    encoding: str | None = None
    delimiter: str | None = None
    header_line: int | None = None
    entries: tuple[Entry, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """Return the ledger as plain JSON values."""
        return asdict(self)

    def of(self, kind: str) -> Entry | None:
        """Return the entry of a kind, or None."""
        return next((entry for entry in self.entries if entry.kind == kind), None)

    def __str__(self) -> str:
        read_as = [self.format, self.encoding, self.delimiter and f"delimiter {self.delimiter!r}"]
        head = f"{self.path}: {', '.join(filter(None, read_as))}"
        return "\n".join([head, *(f"  {entry}" for entry in self.entries)])


def ordered(entries: Iterable[Entry | None]) -> tuple[Entry, ...]:
    """Return the entries that are there in the order of `KINDS`."""
    order = list(KINDS)
    return tuple(sorted(filter(None, entries), key=lambda entry: order.index(entry.kind)))


def on_lines(lines: Iterable[int], count: int) -> str:
    """Return `line 7` or `lines 3, 4, 5, …` for a message."""
    shown = list(lines)[:5]
    more = ", …" if count > len(shown) else ""
    return f"line{'s' if count > 1 else ''} {', '.join(map(str, shown))}{more}"


def plural(count: int, noun: str) -> str:
    """Return `1 row` or `3 rows`."""
    return f"{count:,} {noun}{'' if count == 1 else 's'}"

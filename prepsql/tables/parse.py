"""The careful path: records of a delimited file through Python's csv module, one at a time."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from prepsql.tables.encoding import Encoding

# the csv module's own limit is 128 KB; this is the largest that fits a C long on every platform
csv.field_size_limit(2**31 - 1)


def numbered_records(path: Path, encoding: Encoding, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each record with the number of the line it starts on, from 1; a blank line is an empty list.

    Quotes and line ends inside a cell stay as they are, and NUL characters too. Memory is bounded by a record.
    Raises OSError or UnicodeDecodeError where the file can't be read in this encoding.
    """
    with _text(path, encoding) as text:
        reader = csv.reader(text, delimiter=delimiter)
        line = 1
        for record in reader:
            yield line, record
            line = reader.line_num + 1


def records(path: Path, encoding: Encoding, delimiter: str) -> Iterator[list[str]]:
    """Yield each record that isn't a blank line, in file order; see `numbered_records`."""
    return (record for _, record in numbered_records(path, encoding, delimiter) if record)


def stray_quotes(path: Path, encoding: Encoding, delimiter: str) -> Iterator[bool]:
    """Yield for each record that isn't a blank line whether text follows a closing quote: `"x"y` is read as `xy`."""
    mark = re.escape(delimiter)
    # a cell that is never closed takes the rest, lest a quote in it passes for an opening one
    quoted = re.compile(rf'"(?<![^\r\n{mark}]")(?:[^"]*+(?:""[^"]*+)*+"([^\r\n{mark}])?|(?s:.*))')
    held: list[str] = []
    with _text(path, encoding) as text:
        for record in csv.reader(_held(text, held), delimiter=delimiter):
            if record:
                raw = "".join(held)
                yield '"' in raw and any(cell[1] for cell in quoted.finditer(raw))
            held.clear()


def _held(lines: Iterable[str], held: list[str]) -> Iterator[str]:
    """Yield the lines and put each into `held`."""
    for line in lines:
        held.append(line)
        yield line


def _text(path: Path, encoding: Encoding) -> io.TextIOWrapper:
    raw = path.open("rb")
    raw.seek(encoding.bom)
    # newline="" ends lines at LF, CRLF and CR alike and leaves them in the text
    return io.TextIOWrapper(raw, encoding.name, newline="")


def parse(text: str, delimiter: str) -> list[list[str]]:
    """Return the records of a text, a blank line as an empty list."""
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))

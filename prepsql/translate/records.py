"""A delimited file as what stands above its rows, and its rows; written back as it was."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from prepsql.errors import PrepsqlError
from prepsql.tables import Encoding, numbered_records, read, sniff_encoding
from prepsql.tables.encoding import text_chunks

_TEXT = {".csv", ".tsv", ".tab", ".psv", ".txt"}


@dataclass(frozen=True)
class Records:
    """The rows of a delimited file, blank lines left out, and the text `above` them: the header and what precedes it.

    `raw` is a row's text as it stands in the file, by the row's cells: a row that wasn't changed keeps its quotes.
    """

    above: str
    rows: list[list[str]]
    delimiter: str
    encoding: Encoding
    mark: bytes
    end: str
    raw: dict[tuple[str, ...], str] = field(repr=False)

    def with_rows(self, rows: list[list[str]]) -> bytes:
        """Return the file's bytes with other rows."""
        made = io.StringIO(newline="")
        writer = csv.writer(made, delimiter=self.delimiter, lineterminator=self.end)
        made.write(self.above)
        for row in rows:
            raw = self.raw.get(tuple(row))
            if raw is None:
                writer.writerow(row)
            else:
                made.write(raw)
        return self.mark + made.getvalue().encode(self.encoding.name)


def read_records(path: Path) -> Records | None:
    """Return the records of a file, None where it isn't delimited text or has no rows."""
    if path.suffix.lower() not in _TEXT:
        return None
    try:
        with duckdb.connect() as con:
            table = read(path, con, "given")
        delimiter = table.ledger.delimiter
        if not table.rows or not delimiter:
            return None
        encoding = sniff_encoding(path)
        numbered = [(line, record) for line, record in numbered_records(path, encoding, delimiter) if record]
        lines = io.StringIO("".join(text_chunks(path, encoding)), newline="").readlines()
    except (PrepsqlError, OSError, UnicodeError, csv.Error):
        return None
    first = table.line(0)
    rows = [(line, record) for line, record in numbered if line >= first]
    end = "\r\n" if lines[0].endswith("\r\n") else "\n"
    starts = [line for line, _ in rows] + [len(lines) + 1]
    raw = {
        tuple(record): "".join(lines[line - 1 : after - 1]).rstrip("\r\n") + end
        for (line, record), after in zip(rows, starts[1:], strict=True)
    }
    above = "".join(lines[: first - 1])
    if above and not above.endswith(("\r", "\n")):
        above += end
    mark = path.read_bytes()[: encoding.bom]
    return Records(above, [record for _, record in rows], delimiter, encoding, mark, end, raw)

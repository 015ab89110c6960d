"""Output files as the published evaluator reads them: every cell text, nothing repaired but what is listed here."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import duckdb

from prepsql.errors import ReadError
from prepsql.tables import Encoding, load_plain, load_records, numbered_records, survey
from prepsql.tables.encoding import text_chunks

_BOM = b"\xef\xbb\xbf"
# below this size Python reads a file faster than DuckDB's reader starts
_SMALL = 1 << 20
_LISTED = 5
# a wider table is read for its compared columns alone
_WIDE = 1000


@dataclass(frozen=True)
class RawTable:
    """A table of text in DuckDB, its `rowid` the row from 0; `columns` maps a name in the file to one in DuckDB.

    Of a very wide file only the compared columns are in DuckDB.
    """

    columns: Mapping[str, str]
    rows: int
    notes: tuple[str, ...] = ()


def load_output(
    con: duckdb.DuckDBPyConnection, table: str, path: Path, compared: Collection[str] | None = None
) -> RawTable:
    """Load an output file into `table` by the published reading rules.

    Blank lines are skipped; UTF-8, else Latin-1; a byte-order mark goes; a repeated header becomes `a.1`; a short
    row is filled with empty text. Where the first row is longer than the header, its first cells are an index and
    no column; rows longer than the first (or the header) are skipped. Of a file wider than 1,000 cells only the
    `compared` columns are loaded. Raises ReadError where that makes no table.
    """
    try:
        return _load(con, table, path, compared)
    except OSError as wrong:
        raise ReadError(f"{path.name}: {wrong.strerror or wrong}") from wrong
    except csv.Error as wrong:
        raise ReadError(f"{path.name}: {wrong}") from wrong


def output_columns(path: Path) -> dict[str, str]:
    """Return the columns that `load_output` would make of a file, by their names, from its first two rows."""
    columns, _ = _columns(_filled_lines(path, _encoding(path)), path)
    return columns


def _load(con: duckdb.DuckDBPyConnection, table: str, path: Path, compared: Collection[str] | None) -> RawTable:
    encoding = _encoding(path)
    found = survey(path, encoding, ",")
    if found.unclosed:
        raise ReadError(f"{path.name}: a quote is opened and never closed")
    columns, index = _columns(_filled_lines(path, encoding), path)
    notes = [] if encoding.name == "utf-8" else ["not UTF-8: read as Latin-1"]
    if index:
        notes.append(f"rows have more cells than the header: the first {index} of each are taken as an index")
    cells = [f"f{i}" for i in range(index + len(columns))]
    width, picked = len(cells), None
    if compared is not None and width > _WIDE:
        # a table has at least one column
        cells = [columns[name] for name in columns.keys() & compared] or cells[:1]
        picked = [int(cell.removeprefix("f")) for cell in cells]
    loaded = None
    # a blank line of a single column looks like a row to DuckDB
    if path.stat().st_size > _SMALL and width > 1 and not index and picked is None:
        loaded = load_plain(con, path, table, cells, skip=1, delimiter=",", encoding=encoding, found=found)
    if loaded is None:
        rows = _filled_lines(path, encoding)
        next(rows)
        fitted = _Fitted(rows, width)
        records = iter(fitted) if picked is None else ([record[i] for i in picked] for record in fitted)
        loaded = load_records(con, table, cells, records)
        notes += fitted.notes()
    return RawTable(columns, loaded, tuple(notes))


def _columns(rows: Iterator[tuple[int, list[str]]], path: Path) -> tuple[dict[str, str], int]:
    """Return names and columns, and how many index cells stand before them, from the header and the first row."""
    header, first = next(rows, None), next(rows, None)
    if header is None:
        raise ReadError(f"{path.name}: the file is empty")
    names = header_names(header[1])
    index = max(0, len(first[1]) - len(names)) if first else 0
    return {name: f"f{index + i}" for i, name in enumerate(names)}, index


def _encoding(path: Path) -> Encoding:
    with path.open("rb") as file:
        mark = file.read(len(_BOM)) == _BOM
    unicode = Encoding("utf-8", len(_BOM) if mark else 0)
    try:
        for _ in text_chunks(path, unicode):
            pass
    except UnicodeDecodeError:
        return Encoding("latin-1", certain=False)
    return unicode


def _filled_lines(path: Path, encoding: Encoding) -> Iterator[tuple[int, list[str]]]:
    """Yield numbered records without blank lines, which are empty or hold only blanks and tabs."""
    for line, record in numbered_records(path, encoding, ","):
        if record and (len(record) > 1 or record[0] == "" or record[0].strip(" \t")):
            yield line, record


def header_names(header: Sequence[str]) -> tuple[str, ...]:
    """Return the names of a header: an empty one becomes `Unnamed: <position>`, a repeated one gets `.1`, `.2`."""
    names = [name or f"Unnamed: {i}" for i, name in enumerate(header)]
    # given names keep theirs before made ones
    order = sorted(range(len(names)), key=lambda i: not header[i])
    seen: Counter[str] = Counter()
    taken = set(names)
    for i in order:
        given = name = names[i]
        count = seen[name]
        while count > 0:
            seen[given] = count + 1
            name = f"{given}.{count}"
            count = count + 1 if name in taken else seen[name]
        names[i] = name
        taken.add(name)
        seen[name] = count + 1
    return tuple(names)


@dataclass
class _Fitted:
    """Iterates over records of one width: fills short ones, skips long ones and remembers their lines."""

    rows: Iterator[tuple[int, list[str]]]
    width: int
    short: int = 0
    long: int = 0
    lines: list[int] = field(default_factory=list)

    def __iter__(self) -> Iterator[list[str]]:
        for line, record in self.rows:
            if len(record) > self.width:
                self.long += 1
                if len(self.lines) < _LISTED:
                    self.lines.append(line)
                continue
            if len(record) < self.width:
                self.short += 1
                record = record + [""] * (self.width - len(record))
            yield record

    def notes(self) -> list[str]:
        notes = []
        if self.long:
            listed = ", ".join(map(str, self.lines)) + (", …" if self.long > len(self.lines) else "")
            notes.append(f"{self.long} rows with too many cells skipped (lines {listed})")
        if self.short:
            notes.append(f"{self.short} short rows filled with empty cells")
        return notes

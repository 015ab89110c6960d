"""A delimited text file -> a table: find its layout, load it strictly or carefully, reconcile the count."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from itertools import chain, islice
from pathlib import Path

import duckdb

from prepsql.errors import InputError, ReadError
from prepsql.sqltext import quote, select
from prepsql.tables.count import Survey, survey, survey_beside, survey_text
from prepsql.tables.encoding import Encoding, declared_encoding, encoding_entry, sniff_encoding, text_chunks
from prepsql.tables.layout import Layout, find_layout
from prepsql.tables.ledger import KEPT, Entry, Ledger, on_lines, ordered, plural
from prepsql.tables.lines import LineMap, Tally
from prepsql.tables.load import load_plain, load_records
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names
from prepsql.tables.parse import numbered_records, stray_quotes
from prepsql.tables.shape import Shape, measure, ragged_entries

_SAMPLE = 1 << 18
# the counts of a larger file are made while it is loaded
_LARGE = 1 << 22
_USUAL = {".tsv": "\t", ".tab": "\t", ".psv": "|"}


def read_delimited(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: int | None = None,
) -> Loaded:
    """Load the file at `path` into the new table `name`, every cell as text, rows in file order.

    An empty cell is '', and so is one that a short row lacks. `header` is the line of the header, 0 for none.
    Raises InputError for an empty file or a header line that isn't there, ReadError where the loaded rows and the
    independent count differ or the text isn't in the declared encoding.
    """
    if delimiter is not None and not re.fullmatch(r"[ !#-~\t]", delimiter):
        raise InputError(f"delimiter {delimiter!r}: must be one ASCII character and no quote, such as ',' or '\\t'")
    try:
        coded = sniff_encoding(path) if encoding is None else declared_encoding(path, encoding)
        return _Reader(con, path, name, coded, delimiter, header).read()
    except UnicodeError as bad:
        raise ReadError(f"{path}: not {encoding} ({bad}); leave the encoding out to have it found") from bad


class _Reader:
    """One reading of one file."""

    def __init__(
        self,
        con: duckdb.DuckDBPyConnection,
        path: Path,
        name: str,
        encoding: Encoding,
        delimiter: str | None,
        header: int | None,
    ) -> None:
        self.con, self.path, self.name, self.encoding = con, path, name, encoding
        usual = _USUAL.get(path.suffix.lower(), ",")
        sample = _sample(path, encoding)
        self.layout = find_layout(sample, usual, delimiter)
        self.delimiter = self.layout.delimiter
        self.entries: list[Entry | None] = [
            encoding_entry(encoding),
            _delimiter_entry(self.delimiter, usual) if delimiter is None else None,
        ]
        self.found: Survey | Future[Survey]
        if path.stat().st_size > _LARGE and survey_text(sample, self.delimiter).plain:
            # it is likely loaded strictly, for which the counts are needed only afterwards
            self.found = survey_beside(path, encoding, self.delimiter)
        else:
            self.found = survey(path, encoding, self.delimiter)
        self.above = self.layout.above if header is None else self._records_above(header)
        self.headless = header == 0

    @property
    def count(self) -> Survey:
        return self.found if isinstance(self.found, Survey) else self.found.result()

    def read(self) -> Loaded:
        """Load the table and return what there is to say of it."""
        top = list(islice(self._filled(), self.above + 2))
        if not top:
            raise InputError(f"{self.path}: the file is empty; it needs a header and rows")
        if len(top) <= self.above:
            raise InputError(f"{self.path}: nothing below line {top[-1][0]}; it needs a header and rows")
        header_line, header = top[self.above]
        if self.headless:
            header_line, header = 0, [f"column_{i}" for i in range(1, len(header) + 1)]
        self.entries += _above_entries(top[: self.above], self.layout, self.delimiter)
        self.skip = self.above + (not self.headless)
        columns, names = unique_names(header)
        # a header that ends with an empty name may be wider than all rows, which only the careful path finds out
        rows = self._read_strictly(columns) if header[-1].strip() else None
        if rows is None:
            columns, rows, lines = self._read_carefully(header)
        else:
            self.entries += [*names, self._stray_entry(self.skip)]
            lines = self._lines(columns, top[self.skip][0] if len(top) > self.skip else 0)
        if rows == 0:
            self.entries.append(Entry("header only", "a header and no rows", (header_line,)))
        ledger = Ledger(
            str(self.path),
            "tsv" if self.delimiter == "\t" else "csv",
            self.encoding.name,
            self.delimiter,
            header_line or None,
            ordered(self.entries),
        )
        return Loaded(tuple(columns), rows, ledger, lines)

    def _read_strictly(self, columns: list[str]) -> int | None:
        return load_plain(
            self.con,
            self.path,
            self.name,
            columns,
            skip=self.skip,
            delimiter=self.delimiter,
            encoding=self.encoding,
            found=self.found,
        )

    def _read_carefully(self, header: list[str]) -> tuple[list[str], int, LineMap]:
        shape = measure(
            numbered_records(self.path, self.encoding, self.delimiter), self.skip, look_for_nul=self.count.nul > 0
        )
        header, width, trailing = _fit(header, shape)
        self.entries += trailing
        extra = [f"extra_{i}" for i in range(1, width - len(header) + 1)]
        columns, names = unique_names([*header, *extra])
        self.entries += names
        if not trailing or trailing[0].kind != "trailing delimiter":
            self.entries += ragged_entries(shape, len(header), columns[len(header) :])
        self.entries += [*_count_entries(self.count, shape), self._stray_entry(None)]
        rows = load_records(self.con, self.name, columns, self._rows(len(columns)))
        if rows + self.skip != self.count.records or shape.blank.count != self.count.blank:
            raise ReadError(
                f"{self.path}: {rows + self.skip} records read, {self.count.records} counted; "
                "the file may have changed meanwhile: read it again, or name its delimiter and encoding"
            )
        return columns, rows, shape.lines

    def _stray_entry(self, first: int | None) -> Entry | None:
        """Return the entry for text after a closing quote in the `first` records, in all for None."""
        if not self.count.quoted:
            return None
        tally = Tally(KEPT)
        strays = stray_quotes(self.path, self.encoding, self.delimiter)
        for (line, _), stray in islice(zip(self._filled(), strays, strict=True), first):
            if stray:
                tally.add(line)
        if not tally.count:
            return None
        message = (
            f"{plural(tally.count, 'record')} with text after a closing quote ({on_lines(tally.lines, tally.count)})"
        )
        return Entry("stray quotes", f"{message}; the quotes are taken off", tuple(tally.lines), count=tally.count)

    def _filled(self) -> Iterator[tuple[int, list[str]]]:
        return ((line, record) for line, record in numbered_records(self.path, self.encoding, self.delimiter) if record)

    def _rows(self, width: int) -> Iterator[Sequence[str]]:
        """Yield the rows, each cut or filled to `width` cells."""
        missing = [""] * width
        for _, record in islice(self._filled(), self.skip, None):
            yield record if len(record) == width else list(chain(record, missing))[:width]

    def _records_above(self, header: int) -> int:
        """Return how many records stand above the one that starts on line `header`; 0 for a file without one."""
        if header == 0:
            return int(self.layout.directive)
        for above, (line, _) in enumerate(self._filled()):
            if line == header:
                return above
            if line > header:
                break
        raise InputError(f"{self.path}: no record starts on line {header}; name the line of the header, or 0 for none")

    def _lines(self, columns: Sequence[str], first: int) -> LineMap:
        """Return the line numbers of a plain file, whose lines jump only at line ends inside cells."""
        lines = LineMap()
        lines.add(0, first)
        if self.count.inner:
            total = 0
            for row, inner in self.con.execute(_inner_line_ends_sql(self.name, columns)).fetchall():
                lines.add(row, first + row + total)
                total += inner
        return lines


def _inner_line_ends_sql(name: str, columns: Sequence[str]) -> str:
    """Return the query for each row's number and how many line ends are inside its cells."""
    cells = f"concat_ws(',', {', '.join(map(quote, columns))})"
    as_one = f"replace({cells}, chr(13) || chr(10), chr(10))"
    # a column of that name hides the number of the row; a scan keeps the order, so it can be counted again
    row = "row_number() OVER () - 1" if "rowid" in map(str.lower, columns) else "rowid"
    return select([row, f"strlen({as_one}) - strlen(replace(replace({as_one}, chr(10), ''), chr(13), ''))"], name)


def _sample(path: Path, encoding: Encoding) -> str:
    """Return the first whole lines of the text."""
    text = ""
    for chunk in text_chunks(path, encoding):
        text += chunk[: _SAMPLE + 1]
        if len(text) > _SAMPLE:
            cut = max(text.rfind("\n"), text.rfind("\r"))
            return text[: cut + 1] if cut >= 0 else text
    return text


def _fit(header: list[str], shape: Shape) -> tuple[list[str], int, list[Entry]]:
    """Return the header without empty ends, the number of columns, and the entry for ends that differ from the rows'.

    Where each row has one cell more and it is empty, there is no column for it. Where the header ends with empty
    cells beyond the widest row, there are none for them either.
    """
    width = len(header)
    if shape.rows and set(shape.widths) == {width + 1} and shape.emptied == shape.rows:
        message = f"each of {plural(shape.rows, 'row')} ends with one more delimiter than the header; no column for it"
        return header, width, [Entry("trailing delimiter", message, count=shape.rows)]
    named = max((i for i, cell in enumerate(header, start=1) if cell.strip()), default=width)
    keep = max(named, min(width, shape.widest))
    if keep < width:
        message = f"the header ends with {plural(width - keep, 'empty name')} over no cells; no column for that"
        return header[:keep], max(keep, shape.widest), [Entry("empty header", message, count=width - keep)]
    return header, max(width, shape.widest), []


def _delimiter_entry(delimiter: str, usual: str) -> Entry | None:
    return None if delimiter == usual else Entry("delimiter", f"{delimiter!r} separates the cells, not {usual!r}")


def _above_entries(above: Sequence[tuple[int, list[str]]], layout: Layout, delimiter: str) -> list[Entry]:
    entries = []
    texts = [(line, delimiter.join(record)) for line, record in above]
    if layout.directive and texts:
        line, text = texts.pop(0)
        entries.append(Entry("directive", f"line {line} says that {delimiter!r} separates the cells", (line,), (text,)))
    if texts:
        lines = tuple(line for line, _ in texts)
        message = f"{plural(len(texts), 'record')} above the header ({on_lines(lines, len(lines))})"
        entries.append(Entry("preamble", message, lines[:KEPT], tuple(t for _, t in texts[:KEPT]), len(texts)))
    return entries


def _count_entries(count: Survey, shape: Shape) -> list[Entry]:
    """Return the entries for blank lines, line ends, NUL characters and an unclosed quote."""
    entries = []
    if shape.blank.count:
        n, lines = shape.blank.count, shape.blank.lines
        entries.append(
            Entry("blank lines", f"{plural(n, 'blank line')} left out ({on_lines(lines, n)})", tuple(lines), count=n)
        )
    if len(count.line_ends) > 1 or count.cr:
        ends = ", ".join(f"{n:,} {k}" for k, n in (("LF", count.lf), ("CRLF", count.crlf), ("CR", count.cr)) if n)
        entries.append(Entry("line ends", f"lines end in {ends}", count=len(count.line_ends)))
    if shape.nul.count:
        n, lines = shape.nul.count, shape.nul.lines
        message = f"{plural(count.nul, 'NUL character')} kept ({on_lines(lines, n)})"
        entries.append(Entry("nul", message, tuple(lines), count=count.nul))
    if count.unclosed:
        line = shape.last[-1][0] if shape.last else 1
        message = f"a quote in the record that starts on line {line} is never closed; the rest of the file is its cell"
        entries.append(Entry("unclosed quote", message, (line,)))
    return entries

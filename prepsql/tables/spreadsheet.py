"""A sheet of an XLSX or XLS workbook -> a table of text."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any

import duckdb
import python_calamine

from prepsql.errors import InputError, ReadError
from prepsql.tables.layout import preamble
from prepsql.tables.ledger import KEPT, Entry, Ledger, on_lines, ordered, plural
from prepsql.tables.lines import LineMap
from prepsql.tables.load import load_records
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names


def read_sheet(
    con: duckdb.DuckDBPyConnection, path: Path, name: str, *, sheet: str | None = None, header: int | None = None
) -> Loaded:
    """Load one sheet into the new table `name`: `sheet`, else the first that has cells; the ledger names the others.

    Numbers are written as the shortest decimals that give the same double, whole ones without a point; dates and
    times in ISO form, truth values as true and false. An empty cell is NULL; a row without cells is left out and
    reported. `header` is the row of the header, 0 for none. Raises InputError or ReadError.
    """
    chosen, cells, others = _open(path, sheet)
    filled = [(line, row) for line, row in enumerate(cells, start=1) if row]
    if not filled:
        raise InputError(f"{path}: sheet {chosen!r} is empty; it needs a header and rows")
    if header is None:
        above = preamble(cells)
    else:
        above = next((i for i, (line, _) in enumerate(filled) if line == header), 0 if header == 0 else -1)
        if above < 0:
            raise InputError(
                f"{path}: row {header} of sheet {chosen!r} is empty; name the row of the header, or 0 for none"
            )
    width = max(len(row) for _, row in filled[above:])
    body = filled[above + (header != 0) :]
    top = filled[above][1] if header != 0 else [f"column_{i}" for i in range(1, width + 1)]
    columns, entries = unique_names([*top, *[""] * (width - len(top))])
    entries += _entries(filled[:above], cells, chosen, others)
    lines = LineMap()
    for row, (line, _) in enumerate(body):
        lines.add(row, line)
    rows = load_records(con, name, columns, _padded(body, width))
    header_line = filled[above][0] if header != 0 else None
    if not rows:
        entries.append(Entry("header only", "a header and no rows", (filled[above][0],)))
    ledger = Ledger(str(path), path.suffix.lower().lstrip("."), header_line=header_line, entries=ordered(entries))
    return Loaded(tuple(columns), rows, ledger, lines)


def _open(path: Path, sheet: str | None) -> tuple[str, list[list[str]], list[str]]:
    """Return the chosen sheet's name and rows, without empty cells at their ends, and the other sheets with cells."""
    try:
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            names = book.sheet_names
            if sheet is not None and sheet not in names:
                raise InputError(f"{path}: no sheet {sheet!r} (has: {', '.join(names)})")
            full = [n for n in names if book.get_sheet_by_name(n).height]
            chosen = sheet or (full or names)[0]
            rows = book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
    except (python_calamine.CalamineError, python_calamine.PasswordError) as bad:
        raise ReadError(f"{path}: not a workbook that can be read ({bad}); save it again as .xlsx or .csv") from bad
    return chosen, [_trimmed([cell_text(cell) for cell in row]) for row in rows], [n for n in full if n != chosen]


def cell_text(value: Any) -> str:
    """Return a cell as text: see `read_sheet`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return str(int(value)) if value.is_integer() else f"{Decimal(repr(value)):f}"
    if isinstance(value, dt.datetime):
        return value.isoformat(sep=" ")
    return value.isoformat() if isinstance(value, dt.date | dt.time) else str(value)


def _trimmed(row: list[str]) -> list[str]:
    while row and not row[-1]:
        row.pop()
    return row


def _padded(body: Sequence[tuple[int, list[str]]], width: int) -> Iterator[list[str | None]]:
    for _, row in body:
        yield [cell or None for cell in row] + [None] * (width - len(row))


def _entries(
    above: Sequence[tuple[int, list[str]]], cells: Sequence[list[str]], chosen: str, others: Sequence[str]
) -> list[Entry]:
    entries = []
    if others:
        message = f"{chosen!r} was read; other sheets with cells: {', '.join(others)}"
        entries.append(Entry("sheet", message, texts=tuple(others[:KEPT]), count=len(others)))
    if above:
        lines = [line for line, _ in above]
        message = f"{plural(len(above), 'row')} above the header ({on_lines(lines, len(lines))})"
        texts = tuple(" ".join(filter(None, row)) for _, row in above[:KEPT])
        entries.append(Entry("preamble", message, tuple(lines[:KEPT]), texts, len(above)))
    blank = [line for line, row in enumerate(cells, start=1) if not row]
    if blank:
        message = f"{plural(len(blank), 'row')} without cells left out ({on_lines(blank, len(blank))})"
        entries.append(Entry("blank lines", message, tuple(blank[:KEPT]), count=len(blank)))
    return entries

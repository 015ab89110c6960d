"""A sheet of an XLSX or XLS workbook -> a table of text."""

from __future__ import annotations

import datetime as dt
import zipfile
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import duckdb
import python_calamine

from prepsql.errors import InputError, ReadError
from prepsql.tables.layout import preamble
from prepsql.tables.ledger import KEPT, Entry, Ledger, on_lines, ordered, plural
from prepsql.tables.lines import LineMap
from prepsql.tables.load import load_records
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names
from prepsql.tables.sheet_xml import OddCells, name_of, odd_cells

_VISIBLE = python_calamine.SheetVisibleEnum.Visible
_DAMAGED = (
    python_calamine.CalamineError,
    python_calamine.PasswordError,
    zipfile.BadZipFile,
    ElementTree.ParseError,
    KeyError,
)


def read_sheet(
    con: duckdb.DuckDBPyConnection, path: Path, name: str, *, sheet: str | None = None, header: int | None = None
) -> Loaded:
    """Load one sheet into the new table `name`: `sheet`, else the first that has cells; the ledger names the others.

    Numbers are written as the shortest decimals that give the same double, whole ones without a point; dates and
    times in ISO form, truth values as true and false. An error cell of XLSX is its text, such as #N/A, and reported,
    as are formulas without a saved value. An empty cell is NULL; a row without cells is left out and reported.
    `header` is the row of the header, 0 for none. Raises InputError or ReadError.
    """
    chosen, cells, entries = _open(path, sheet)
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
    columns, renamed = unique_names([*top, *[""] * (width - len(top))])
    entries += [*renamed, *_row_entries(filled[:above], cells)]
    lines = LineMap()
    for row, (line, _) in enumerate(body):
        lines.add(row, line)
    rows = load_records(con, name, columns, _padded(body, width))
    header_line = filled[above][0] if header != 0 else None
    if not rows:
        entries.append(Entry("header only", "a header and no rows", (filled[above][0],)))
    ledger = Ledger(str(path), path.suffix.lower().lstrip("."), header_line=header_line, entries=ordered(entries))
    return Loaded(tuple(columns), rows, ledger, lines)


def _open(path: Path, sheet: str | None) -> tuple[str, list[list[str]], list[Entry]]:
    """Return the chosen sheet's name, its rows without empty cells at their ends, and the entries for both."""
    try:
        with python_calamine.CalamineWorkbook.from_path(str(path)) as book:
            names = book.sheet_names
            if sheet is not None and sheet not in names:
                raise InputError(f"{path}: no sheet {sheet!r} (has: {', '.join(names)})")
            full = [n for n in names if book.get_sheet_by_name(n).height]
            chosen = sheet or (full or names)[0]
            hidden = any(s.name == chosen and s.visible != _VISIBLE for s in book.sheets_metadata)
            rows = book.get_sheet_by_name(chosen).to_python(skip_empty_area=False)
        odd = odd_cells(path, chosen)
    except _DAMAGED as bad:
        raise ReadError(f"{path}: not a workbook that can be read ({bad}); save it again as .xlsx or .csv") from bad
    cells = [[cell_text(cell) for cell in row] for row in rows]
    for (row, column), text in odd.errors.items():
        cells += [[] for _ in range(row + 1 - len(cells))]
        cells[row] += [""] * (column + 1 - len(cells[row]))
        cells[row][column] = text
    entries = _sheet_entries(chosen, hidden, [n for n in full if n != chosen]) + _odd_entries(odd)
    return chosen, [_trimmed(row) for row in cells], entries


def cell_text(value: Any) -> str:
    """Return a cell as text: see `read_sheet`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        return f"{Decimal(repr(value).removesuffix('.0')):f}"
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


def _sheet_entries(chosen: str, hidden: bool, others: Sequence[str]) -> list[Entry]:
    if not (hidden or others):
        return []
    message = f"{chosen!r} was read{', which is hidden' if hidden else ''}"
    if others:
        message += f"; other sheets with cells: {', '.join(others)}"
    return [Entry("sheet", message, texts=tuple(others[:KEPT]), count=max(1, len(others)))]


def _odd_entries(odd: OddCells) -> list[Entry]:
    entries = []
    for kind, cells, noun, effect in (
        ("error cells", list(odd.errors), "cell with an error", "the error is their text"),
        ("unsaved formulas", odd.unsaved, "formula without a saved value", "NULL; open and save it in a spreadsheet"),
    ):
        if cells:
            shown = ", ".join(name_of(*cell) for cell in cells[:5]) + (", …" if len(cells) > 5 else "")
            lines = tuple(dict.fromkeys(row + 1 for row, _ in cells))[:KEPT]
            texts = tuple(odd.errors.get(cell, name_of(*cell)) for cell in cells[:KEPT])
            message = f"{len(cells):,} × {noun} ({shown}): {effect}"
            entries.append(Entry(kind, message, lines, texts, len(cells)))
    return entries


def _row_entries(above: Sequence[tuple[int, list[str]]], cells: Sequence[list[str]]) -> list[Entry]:
    entries = []
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

"""What the reader of workbooks leaves out of an XLSX sheet: error cells, and formulas whose value was never saved."""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

_BOOK = "xl/workbook.xml"
_ID = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}id"
# a sheet without any of these needs no parsing
_ODD = re.compile(rb"""\bt=["']e["']|<(?:\w+:)?f[\s/>]""")


@dataclass
class OddCells:
    """Cells by row and column from 0: the texts of `errors` such as `#N/A`, and `unsaved` formulas."""

    errors: dict[tuple[int, int], str] = field(default_factory=dict)
    unsaved: list[tuple[int, int]] = field(default_factory=list)


def odd_cells(path: Path, sheet: str) -> OddCells:
    """Return the odd cells of a sheet, in its order; none for a workbook of another format than XLSX.

    Raises zipfile.BadZipFile, KeyError or ElementTree.ParseError for one that is damaged.
    """
    found = OddCells()
    if not zipfile.is_zipfile(path):
        return found
    with zipfile.ZipFile(path) as book:
        part = _part(book, sheet) if _BOOK in book.namelist() else None
        data = book.read(part) if part else b""
    if not _ODD.search(data):
        return found
    for at, cell in _cells(data):
        parts = {_local(child.tag): child.text or "" for child in cell}
        if cell.get("t") == "e":
            found.errors[at] = parts.get("v", "")
        elif "f" in parts and not parts.get("v") and cell.get("t") != "str":
            # a formula of type str may well have given an empty text
            found.unsaved.append(at)
    return found


def _part(book: zipfile.ZipFile, sheet: str) -> str | None:
    """Return the name of the file that holds a sheet, None where the workbook doesn't say."""
    links = ElementTree.fromstring(book.read("xl/_rels/workbook.xml.rels"))
    targets = {link.get("Id"): link.get("Target", "") for link in links}
    for element in ElementTree.fromstring(book.read(_BOOK)).iter():
        if _local(element.tag) == "sheet" and element.get("name") == sheet and element.get(_ID) in targets:
            return posixpath.normpath(posixpath.join("/xl", targets[element.get(_ID)])).lstrip("/")
    return None


def _cells(data: bytes) -> Iterator[tuple[tuple[int, int], ElementTree.Element]]:
    """Yield each cell with its row and column; one that doesn't say where it is follows the one before."""
    row = column = -1
    for event, element in ElementTree.iterparse(BytesIO(data), ("start", "end")):
        kind = _local(element.tag)
        if kind == "row" and event == "start":
            row, column = int(element.get("r", row + 2)) - 1, -1
        elif kind == "row":
            element.clear()
        elif kind == "c" and event == "end":
            letters = element.get("r", "").rstrip("0123456789")
            column = _number(letters) - 1 if letters else column + 1
            yield (row, column), element


def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def _number(letters: str) -> int:
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number


def name_of(row: int, column: int) -> str:
    """Return the name of a cell.

    >>> name_of(0, 26)
    'AA1'
    """
    letters, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(ord("A") + rest) + letters
    return f"{letters}{row + 1}"

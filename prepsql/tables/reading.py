"""Raw file -> Table, whatever its format; and the inputs of a task as text and typed tables."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import duckdb

from prepsql.errors import InputError
from prepsql.sqltext import create_as
from prepsql.tables.delimited import read_delimited
from prepsql.tables.json_lines import read_json
from prepsql.tables.loaded import Loaded
from prepsql.tables.parquet import read_parquet
from prepsql.tables.safe_types import typed_sql
from prepsql.tables.spreadsheet import read_sheet
from prepsql.tables.table import Table

FORMATS = {
    "csv": (".csv", ".tsv", ".tab", ".psv", ".txt"),
    "json": (".jsonl", ".ndjson", ".json"),
    "parquet": (".parquet", ".pq"),
    "sheet": (".xlsx", ".xlsm", ".xls"),
}
# gzip, xz, zstd, bzip2, zip
_COMPRESSED = re.compile(rb"\x1f\x8b|\xfd7zXZ\0|\x28\xb5\x2f\xfd|BZh[1-9]1AY&SY|PK\x03\x04")
_MAGIC = ((b"PAR1", "parquet"), (b"PK\x03\x04", "sheet"), (b"\xd0\xcf\x11\xe0", "sheet"))


def read(
    path: str | Path,
    con: duckdb.DuckDBPyConnection | None = None,
    name: str | None = None,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    header: int | None = None,
    sheet: str | None = None,
    format: str | None = None,
) -> Table:
    """Load a file as text into the new table `name` (its stem by default) of `con` (a new one in memory by default).

    A row a record, in file order, with nothing lost; what was noticed and done is in the table's ledger. Formats:
    CSV and the like, JSON lines or an array, Parquet, XLSX and XLS, by the suffix, else by the content, or as `format`
    says (a key of `FORMATS`). Everything that the options don't say is found: the `delimiter` and `encoding` of text,
    the line of the `header` (from 1; 0 for a file without one), the `sheet` of a workbook (by default the first that
    has cells).

    Raises InputError where the file is missing, a folder, empty or of no known format; ReadError where it is damaged
    or can't be read without loss.
    """
    path = Path(path)
    try:
        found = _format(path)
        kind = format or found
        con = con or duckdb.connect()
        name = name or path.stem
        if kind == "csv":
            loaded = read_delimited(con, path, name, delimiter=delimiter, encoding=encoding, header=header)
        else:
            loaded = _read_other(con, path, name, kind, header, sheet)
    except OSError as bad:
        raise InputError(f"{path}: can't be read ({bad.strerror or bad}); check its rights") from bad
    return Table(name, path, loaded.columns, loaded.rows, loaded.ledger, con, loaded.lines)


def load_inputs(con: duckdb.DuckDBPyConnection, paths: Sequence[str | Path]) -> tuple[Table, ...]:
    """Make two tables of each file on `con`: `raw_<stem>`, all text, and `<stem>`, safely typed; return the raw ones.

    Both have the file's rows in the file's order, `rowid` counting from 0. In `<stem>` an empty cell is NULL, and a
    column has a type other than VARCHAR only as `Table.types` says. Raises InputError where two files would make
    tables of one name, else as `read`.
    """
    named: dict[str, Path] = {}
    for path in map(Path, paths):
        for table in (path.stem.lower(), f"raw_{path.stem}".lower()):
            if table in named:
                raise InputError(
                    f"{path}: its tables would have the names of {named[table]}'s; rename one of the files"
                )
            named[table] = path
    return tuple(_load_input(con, Path(path)) for path in paths)


def _load_input(con: duckdb.DuckDBPyConnection, path: Path) -> Table:
    raw = read(path, con, f"raw_{path.stem}")
    con.execute(create_as(path.stem, typed_sql(raw.name, raw.types())))
    return raw


def _format(path: Path) -> str:
    """Return the format of a file that is there, by its suffix or its first bytes."""
    if not path.exists():
        there = sorted(p.name for p in path.parent.iterdir() if p.is_file())[:5] if path.parent.is_dir() else []
        raise InputError(f"{path}: no such file (beside it: {', '.join(there) or 'nothing'})")
    if path.is_dir():
        raise InputError(f"{path}: a folder; name a file in it")
    if not path.is_file():
        # to open a pipe or a terminal could wait for ever
        raise InputError(f"{path}: not a regular file; save what it gives as a file, and name that")
    with path.open("rb") as file:
        head = file.read(4096)
    if not head:
        raise InputError(f"{path}: the file is empty; it needs a header and rows")
    named = next((kind for kind, suffixes in FORMATS.items() if path.suffix.lower() in suffixes), None)
    if named in {"parquet", "sheet"}:
        return named
    for magic, kind in _MAGIC:
        if head.startswith(magic) and named is None and path.suffix.lower() != ".zip":
            return kind
    if _COMPRESSED.match(head):
        raise InputError(f"{path}: compressed: unpack it first, or name a workbook .xlsx")
    if named:
        return named
    if head.lstrip()[:1] in (b"{", b"["):
        return "json"
    if head.count(0) > len(head) // 2 + 1 or head.startswith((b"%PDF", b"SQLite format")):
        known = ", ".join(suffix for suffixes in FORMATS.values() for suffix in suffixes)
        raise InputError(f"{path}: not a format that can be read ({known}); convert it to one of them")
    return "csv"


def _read_other(
    con: duckdb.DuckDBPyConnection, path: Path, name: str, kind: str, header: int | None, sheet: str | None
) -> Loaded:
    if kind == "sheet":
        return read_sheet(con, path, name, sheet=sheet, header=header)
    return read_json(con, path, name) if kind == "json" else read_parquet(con, path, name)

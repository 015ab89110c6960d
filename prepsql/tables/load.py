"""Rows into a DuckDB table of text columns: strictly by DuckDB's own reader, or carefully from records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from string import Template
from uuid import uuid4

import duckdb
import pyarrow as pa

from prepsql.sqltext import create_as, drop, literal, quote, select
from prepsql.tables.count import Survey
from prepsql.tables.encoding import Encoding
from prepsql.tables.parse import records
from prepsql.tables.texts import texts

_CELLS_PER_BATCH = 400_000
_INSERT = Template("INSERT INTO $table FROM $source")
_GLOB = re.compile(r"[*?\[\]{}]")


def create_text_table(con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str]) -> None:
    """Create an empty table of VARCHAR columns, replacing one of that name."""
    con.execute(f"CREATE OR REPLACE TABLE {quote(name)} ({', '.join(f'{quote(c)} VARCHAR' for c in columns)})")


@contextmanager
def registered(con: duckdb.DuckDBPyConnection, data: pa.Table | pa.RecordBatchReader) -> Iterator[str]:
    """Give `data` to `con` under the name that it yields, which no table has, and take it back at the end."""
    name = f"batch_{uuid4().hex}"
    con.register(name, data)
    try:
        yield name
    finally:
        con.unregister(name)


def load_records(
    con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]
) -> int:
    """Load `rows`, each of as many cells as there are `columns`, into a new table; return how many they were.

    The table keeps the order: its `rowid` is the row's number from 0. None is NULL, '' stays ''. Memory is bounded
    by a batch besides what the table takes. `columns` must differ in more than case.
    """
    create_text_table(con, name, columns)
    names = [f"c{i}" for i in range(len(columns))]
    size = max(1, _CELLS_PER_BATCH // max(1, len(columns)))
    rows, count = iter(rows), 0
    while batch := list(islice(rows, size)):
        arrays = [texts(cells) for cells in zip(*batch, strict=True)]
        with registered(con, pa.Table.from_arrays(arrays, names=names)) as source:
            con.execute(_INSERT.substitute(table=quote(name), source=quote(source)))
        count += len(batch)
    return count


def load_plain(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    columns: Sequence[str],
    *,
    skip: int,
    delimiter: str,
    encoding: Encoding,
    found: Survey | Future[Survey],
) -> int | None:
    """Load a plain file into a new table with DuckDB's reader; return the row count, or None if it isn't plain.

    Plain: UTF-8, one kind of line end, no blank line, no NUL, every record after the first `skip` with exactly one
    cell a column, and as many records as the survey `found`, which may still be going on. The table then equals what
    `load_records` makes.
    On None there is no table of this name, and the caller takes the careful path.
    """
    if encoding.name != "utf-8" or (isinstance(found, Survey) and not found.plain) or _GLOB.search(str(path)):
        return None
    try:
        con.execute(_read_sql(path, name, columns, skip, delimiter))
        count = found if isinstance(found, Survey) else found.result()
        if count.plain and _reconciles(con, path, name, columns, skip, delimiter, encoding, count):
            return count.records - skip
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.PermissionException):
        # not strictly a CSV file, or a connection that may not open files: the careful path does without
        pass
    con.execute(drop(name))
    return None


def _reconciles(
    con: duckdb.DuckDBPyConnection,
    path: Path,
    name: str,
    columns: Sequence[str],
    skip: int,
    delimiter: str,
    encoding: Encoding,
    found: Survey,
) -> bool:
    """Return whether the table has as many rows and delimiters as the file.

    DuckDB drops an empty cell beyond the last column without a word; only the delimiters show it.
    """
    inside = "0"
    if found.quoted:
        cells = f"concat({', '.join(map(quote, columns))})"
        inside = f"sum(strlen({cells}) - strlen(replace({cells}, {literal(delimiter)}, '')))"
    ((rows, delimiters),) = con.execute(select(["count(*)", inside], name)).fetchall()
    skipped = sum(len(r) - 1 + "".join(r).count(delimiter) for r in islice(records(path, encoding, delimiter), skip))
    delimiters = (delimiters or 0) + skipped + (len(columns) - 1) * rows
    return bool(rows == found.records - skip and delimiters == found.delimiters)


def _read_sql(path: Path, name: str, columns: Sequence[str], skip: int, delimiter: str) -> str:
    """Return the statement that reads strictly: nothing detected, nothing padded, nothing taken for null."""
    listed = [literal(c) for c in columns]
    options = {
        "auto_detect": "false",
        "columns": "{" + ", ".join(f"{c}: 'VARCHAR'" for c in listed) + "}",
        "header": "false",
        "skip": str(skip),
        "delim": literal(delimiter),
        "quote": literal('"'),
        "escape": literal('"'),
        "force_not_null": f"[{', '.join(listed)}]",
        "null_padding": "false",
        "strict_mode": "true",
        "compression": literal("none"),
        # the usual 32 MB, and two of them at a time, don't fit into a small memory limit; no slower
        "buffer_size": "8000000",
    }
    settings = ", ".join(f"{key} = {value}" for key, value in options.items())
    return create_as(name, f"FROM read_csv({literal(str(path))}, {settings})")

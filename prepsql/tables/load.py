"""Rows into a DuckDB table of text columns: strictly by DuckDB's own reader, or carefully from records."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice
from pathlib import Path

import duckdb
import pyarrow as pa
from sqlglot import exp

from prepsql.sqltext import call, ident, lit, quote, render
from prepsql.tables.count import Survey
from prepsql.tables.encoding import Encoding

_CELLS_PER_BATCH = 400_000
_LONGEST_LINE = 64 * 1024 * 1024
_GLOB = re.compile(r"[*?\[\]{}]")


def create_text_table(con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str]) -> None:
    """Create an empty table of VARCHAR columns, replacing one of that name."""
    defs: list[exp.Expr] = [exp.ColumnDef(this=ident(c), kind=exp.DataType.build("VARCHAR")) for c in columns]
    schema = exp.Schema(this=exp.Table(this=ident(name)), expressions=defs)
    con.execute(render(exp.Create(this=schema, kind="TABLE", replace=True)))


def load_records(
    con: duckdb.DuckDBPyConnection, name: str, columns: Sequence[str], rows: Iterable[Sequence[str | None]]
) -> int:
    """Load `rows`, each of as many cells as there are `columns`, into a new table; return how many they were.

    The table keeps the order: its `rowid` is the row's number from 0. None is NULL, '' stays ''. Memory is bounded
    by a batch besides what the table takes. `columns` must differ in more than case.
    """
    create_text_table(con, name, columns)
    schema = pa.schema([(f"c{i}", pa.string()) for i in range(len(columns))])
    insert = render(exp.insert(exp.select("*").from_("prepsql_batch"), exp.Table(this=ident(name))))
    size = max(1, _CELLS_PER_BATCH // max(1, len(columns)))
    rows, count = iter(rows), 0
    while batch := list(islice(rows, size)):
        arrays = [pa.array(cells, pa.string()) for cells in zip(*batch, strict=True)]
        con.register("prepsql_batch", pa.Table.from_arrays(arrays, schema=schema))
        try:
            con.execute(insert)
        finally:
            con.unregister("prepsql_batch")
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
    found: Survey,
) -> int | None:
    """Load a plain file into a new table with DuckDB's reader; return the row count, or None if it isn't plain.

    Plain: UTF-8, one kind of line end, no blank line, no NUL, every record after the first `skip` with exactly one
    cell a column, and as many records as the survey `found`. The table then equals what `load_records` makes.
    On None there is no table of this name, and the caller takes the careful path.
    """
    if encoding.name != "utf-8" or not found.plain or _GLOB.search(str(path)):
        return None
    try:
        con.execute(_read_sql(path, name, columns, skip, delimiter))
        row = con.execute(render(exp.select(call("count", exp.Star())).from_(exp.Table(this=ident(name))))).fetchone()
        if row is not None and row[0] == found.records - skip:
            return found.records - skip
    except (duckdb.InvalidInputException, duckdb.IOException, duckdb.ConversionException):
        pass
    con.execute("DROP TABLE IF EXISTS " + quote(name))
    return None


def _read_sql(path: Path, name: str, columns: Sequence[str], skip: int, delimiter: str) -> str:
    """Return the statement that reads strictly: nothing detected, nothing padded, nothing taken for null."""
    types = exp.Struct(expressions=[exp.PropertyEQ(this=lit(c), expression=lit("VARCHAR")) for c in columns])
    options: dict[str, exp.Expr] = {
        "auto_detect": exp.false(),
        "columns": types,
        "header": exp.false(),
        "skip": lit(skip),
        "delim": lit(delimiter),
        "quote": lit('"'),
        "escape": lit('"'),
        "force_not_null": exp.Array(expressions=[lit(c) for c in columns]),
        "null_padding": exp.false(),
        "strict_mode": exp.true(),
        "compression": lit("none"),
        "max_line_size": lit(_LONGEST_LINE),
    }
    settings = [exp.EQ(this=exp.column(key), expression=value) for key, value in options.items()]
    query = exp.select("*").from_(call("read_csv", lit(str(path)), *settings))
    return render(exp.Create(this=exp.Table(this=ident(name)), kind="TABLE", replace=True, expression=query))

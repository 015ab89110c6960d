"""A Parquet file -> a table of text."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
from sqlglot import exp

from prepsql.errors import InputError, ReadError
from prepsql.sqltext import call, column, ident, render
from prepsql.tables.ledger import Ledger, ordered
from prepsql.tables.lines import LineMap
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names
from prepsql.tables.sql import create_as


def read_parquet(con: duckdb.DuckDBPyConnection, path: Path, name: str) -> Loaded:
    """Load the file at `path` into the new table `name`, each value as the text that DuckDB writes for it.

    Numbers in the shortest form that gives them back, dates and timestamps in ISO form, those with a time zone in UTC
    with Z, nested values as JSON, bytes as DuckDB escapes them. Nulls stay NULL. Raises InputError for a file without
    columns, ReadError for one that is damaged.
    """
    try:
        with pq.ParquetFile(path) as file:
            names, entries = unique_names(file.schema_arrow.names)
            if not names:
                raise InputError(f"{path}: no columns in the file; nothing to read")
            fields = [pa.field(f"c{i}", field.type) for i, field in enumerate(file.schema_arrow)]
            schema = pa.schema(fields)
            batches = (pa.RecordBatch.from_arrays(b.columns, schema=schema) for b in file.iter_batches())
            con.register("prepsql_batch", pa.RecordBatchReader.from_batches(schema, batches))
            try:
                texts = [exp.alias_(_text(field), ident(n)) for field, n in zip(fields, names, strict=True)]
                con.execute(create_as(name, render(exp.select(*texts).from_("prepsql_batch"))))
            finally:
                con.unregister("prepsql_batch")
            rows = file.metadata.num_rows
    except (pa.ArrowException, OSError, duckdb.Error) as bad:
        why = str(bad).splitlines()[0]
        raise ReadError(f"{path}: not a Parquet file that can be read ({why}); write it again") from bad
    lines = LineMap()
    lines.add(0, 1)
    return Loaded(tuple(names), rows, Ledger(str(path), "parquet", entries=ordered(entries)), lines)


def _text(field: pa.Field) -> exp.Expr:
    cell: exp.Expr = column(field.name)
    if pa.types.is_nested(field.type):
        cell = call("to_json", cell)
    elif pa.types.is_timestamp(field.type) and field.type.tz:
        utc = exp.cast(call("make_timestamp", call("epoch_us", cell)), "VARCHAR")
        return exp.DPipe(this=utc, expression=exp.Literal.string("Z"))
    return exp.cast(cell, "VARCHAR")

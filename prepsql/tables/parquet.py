"""A Parquet file -> a table of text."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from prepsql.errors import InputError, ReadError
from prepsql.sqltext import create_as, named, select
from prepsql.tables.cells import as_text, nanoseconds
from prepsql.tables.ledger import Ledger, ordered
from prepsql.tables.lines import LineMap
from prepsql.tables.load import registered
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names


def read_parquet(con: duckdb.DuckDBPyConnection, path: Path, name: str) -> Loaded:
    """Load the file at `path` into the new table `name`, each value as the text that `as_text` gives.

    Nulls stay NULL. Raises InputError for a file without columns, ReadError for one that is damaged, or that has a
    column that can't be read without loss.
    """
    try:
        with pq.ParquetFile(path) as file:
            names, entries = unique_names(file.schema_arrow.names)
            if not names:
                raise InputError(f"{path}: no columns in the file; nothing to read")
            given = file.schema_arrow
            _check(con, given)
            schema = pa.schema((f"c{i}", _readable(field.type)) for i, field in enumerate(given))
            batches = (_cast(batch, schema) for batch in file.iter_batches())
            with registered(con, pa.RecordBatchReader.from_batches(schema, batches)) as source:
                kinds = con.table(source).types
                cells = zip(schema.names, given.types, kinds, names, strict=True)
                texts = [named(nanoseconds(c) if _counted(t) else as_text(c, k), n) for c, t, k, n in cells]
                con.execute(create_as(name, select(texts, source)))
            rows = file.metadata.num_rows
    except (pa.ArrowException, OSError, duckdb.Error) as bad:
        why = str(bad).splitlines()[0]
        raise ReadError(f"{path}: can't be read as Parquet ({why}); write it again") from bad
    lines = LineMap()
    lines.add(0, 1)
    return Loaded(tuple(names), rows, Ledger(str(path), "parquet", entries=ordered(entries)), lines)


def _counted(kind: pa.DataType) -> bool:
    return bool(kind == pa.duration("ns"))


def _readable(kind: pa.DataType, nested: bool = False) -> pa.DataType:
    """Return the type in which DuckDB can take the values of `kind`; nanoseconds of a duration as their number."""
    if _counted(kind):
        # DuckDB's intervals have microseconds; the cast fails where that isn't enough
        return pa.duration("us") if nested else pa.int64()
    if pa.types.is_float16(kind):
        return pa.float32()
    if pa.types.is_decimal256(kind):
        return pa.string()
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        make = pa.list_ if pa.types.is_list(kind) else pa.large_list
        return make(_readable(kind.value_type, nested=True))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_readable(kind.value_type, nested=True), kind.list_size)
    if pa.types.is_struct(kind):
        return pa.struct([(field.name, _readable(field.type, nested=True)) for field in kind])
    if pa.types.is_map(kind):
        return pa.map_(_readable(kind.key_type, nested=True), _readable(kind.item_type, nested=True))
    return kind


def _cast(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    columns = []
    for column, given, field in zip(batch.columns, batch.schema, schema, strict=True):
        try:
            columns.append(column if given.type == field.type else column.cast(field.type))
        except pa.ArrowException as bad:
            raise pa.ArrowInvalid(f"column {given.name!r} of type {given.type}: {bad}") from bad
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def _check(con: duckdb.DuckDBPyConnection, schema: pa.Schema) -> None:
    """Raise pyarrow.ArrowInvalid that names the first column of a type that DuckDB can't take."""
    for field in schema:
        try:
            with registered(con, pa.schema([("c", _readable(field.type))]).empty_table()):
                pass
        except duckdb.NotImplementedException as bad:
            raise pa.ArrowInvalid(f"column {field.name!r} is of type {field.type}, which DuckDB has not") from bad

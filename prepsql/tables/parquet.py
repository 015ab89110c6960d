"""A Parquet file -> a table of text."""

from __future__ import annotations

from pathlib import Path

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from prepsql.errors import InputError, ReadError
from prepsql.sqltext import create_as, named, select
from prepsql.tables.cells import as_text
from prepsql.tables.ledger import Ledger, ordered
from prepsql.tables.lines import LineMap
from prepsql.tables.load import registered
from prepsql.tables.loaded import Loaded
from prepsql.tables.names import unique_names


def read_parquet(con: duckdb.DuckDBPyConnection, path: Path, name: str) -> Loaded:
    """Load the file at `path` into the new table `name`, each value as the text that `as_text` gives.

    Nulls stay NULL. Raises InputError for a file without
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
            with registered(con, pa.RecordBatchReader.from_batches(schema, batches)) as source:
                kinds = con.table(source).types
                cells = zip(fields, kinds, names, strict=True)
                texts = [named(as_text(f.name, str(k)), n) for f, k, n in cells]
                con.execute(create_as(name, select(texts, source)))
            rows = file.metadata.num_rows
    except (pa.ArrowException, OSError, duckdb.Error) as bad:
        why = str(bad).splitlines()[0]
        raise ReadError(f"{path}: not a Parquet file that can be read ({why}); write it again") from bad
    lines = LineMap()
    lines.add(0, 1)
    return Loaded(tuple(names), rows, Ledger(str(path), "parquet", entries=ordered(entries)), lines)

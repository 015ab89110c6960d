"""Tables that go into and come out of a script as Arrow streams, and the types that they may have."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pyarrow as pa

RESULT = "result.arrow"
_SIMPLE = (
    pa.types.is_boolean,
    pa.types.is_integer,
    pa.types.is_float32,
    pa.types.is_float64,
    pa.types.is_decimal128,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
    pa.types.is_date32,
    pa.types.is_time,
    pa.types.is_timestamp,
    pa.types.is_duration,
    pa.types.is_interval,
)


def carried(kind: pa.DataType) -> bool:
    """Return whether a column of this type may cross: plain values, and lists and structs of them.

    Each of these types takes room for each row, so that what comes back can't be larger than its file; and DuckDB
    reads each.
    """
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return _carried_field(kind.value_field)
    if pa.types.is_map(kind):
        return _carried_field(kind.key_field) and _carried_field(kind.item_field)
    if pa.types.is_struct(kind):
        return kind.num_fields > 0 and all(_carried_field(kind.field(n)) for n in range(kind.num_fields))
    return any(fits(kind) for fits in _SIMPLE)


def _carried_field(field: pa.Field) -> bool:
    return not field.metadata and carried(field.type)


def files(folder: Path, count: int) -> list[Path]:
    """Return the files of `count` tables; their names are nobody's choice."""
    return [folder / f"{number}.arrow" for number in range(count)]


def write(table: pa.Table, path: Path) -> None:
    """Write a table, uncompressed, so that it can be read without taking more room than its file."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def write_all(tables: Iterable[pa.Table], folder: Path) -> None:
    """Write the tables to the `files` of a folder, in order."""
    several = list(tables)
    for table, path in zip(several, files(folder, len(several)), strict=True):
        write(table, path)


def read(path: Path) -> pa.Table:
    """Read a table that this side wrote; what code wrote is for `receive`."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_stream(file).read_all()

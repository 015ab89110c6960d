"""Tables that go into and come out of a script as Arrow streams, and the types that they may have."""

from __future__ import annotations

from collections.abc import Sequence
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
        parts = [kind.field(n) for n in range(kind.num_fields)]
        # to DuckDB, names that differ in case are one
        return len({part.name.lower() for part in parts}) == len(parts) > 0 and all(map(_carried_field, parts))
    return any(fits(kind) for fits in _SIMPLE)


def _carried_field(field: pa.Field) -> bool:
    """Return the same for what a list or struct holds, whose name (reading it fails if it's no text) says no more."""
    return field.name is not None and not field.metadata and carried(field.type)


class Uncarried(Exception):
    """A column has a type that may not cross."""

    def __init__(self, column: str, kind: pa.DataType) -> None:
        super().__init__(f"column {column!r} is of type {kind}, which a script can't take or give")


def plain(table: pa.Table) -> pa.Table:
    """Return the table in types that may cross, its values unchanged; raise Uncarried where a column has none.

    Dictionaries are decoded, lists of fixed size become lists, columns of nothing but null text, and instants are
    named in UTC.
    """
    columns = []
    for field, values in zip(table.schema, table.columns, strict=True):
        kind = _plain(field.type)
        if not carried(kind):
            raise Uncarried(field.name, field.type)
        columns.append(values.cast(kind) if kind != field.type else values)
    return pa.table(columns, names=table.column_names)


def _plain(kind: pa.DataType) -> pa.DataType:
    if pa.types.is_dictionary(kind):
        return _plain(kind.value_type)
    if pa.types.is_null(kind) or pa.types.is_string_view(kind):
        return pa.string()
    if pa.types.is_binary_view(kind) or pa.types.is_fixed_size_binary(kind):
        return pa.binary()
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(pa.field(kind.value_field.name, kind.value_type))
    if pa.types.is_timestamp(kind) and kind.tz:
        return pa.timestamp(kind.unit, "UTC")
    if pa.types.is_float16(kind):
        return pa.float32()
    return pa.date32() if pa.types.is_date64(kind) else kind


def files(folder: Path, count: int) -> list[Path]:
    """Return the files of `count` tables; their names are nobody's choice."""
    return [folder / f"{number}.arrow" for number in range(count)]


def write(table: pa.Table, path: Path) -> None:
    """Write a table, uncompressed, so that it can be read without taking more room than its file."""
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as stream:
        stream.write_table(table)


def write_all(tables: Sequence[pa.Table], folder: Path) -> None:
    """Write the tables to the `files` of a folder, in order."""
    for table, path in zip(tables, files(folder, len(tables)), strict=True):
        write(table, path)


def read(path: Path) -> pa.Table:
    """Read a table that this side wrote; what code wrote is for `receive`."""
    with pa.memory_map(str(path)) as file:
        return pa.ipc.open_stream(file).read_all()

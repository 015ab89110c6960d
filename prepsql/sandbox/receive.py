"""Take over the table that a script left, trusting no byte of it."""

from __future__ import annotations

import struct
from pathlib import Path

import pyarrow as pa

from prepsql.sandbox.collect import Unacceptable, open_plain
from prepsql.sandbox.exchange import RESULT, carried
from prepsql.sandbox.outcome import Limits

_BATCHES = 10_000  # each costs time, however small it is
_HEADER, _COMPRESSION = 2, 3  # fields of Message and of RecordBatch in Arrow's Message.fbs


def receive(left: Path, limits: Limits) -> pa.Table:
    """Return the one table in the folder `left`, read into memory of this process and validated in full.

    Raises Unacceptable for anything but a stream of plain Arrow: links, other files, compressed or dictionary-encoded
    batches, types that may not cross, buffers that don't fit, names that are empty or come twice, and more bytes than
    the limits allow.
    """
    try:
        names = sorted(path.name for path in left.iterdir())
    except OSError as failure:
        raise Unacceptable(f"the result can't be read: {failure.strerror}") from failure
    if names != [RESULT]:
        raise Unacceptable("no result was left: return it from the function, and write files to the current folder")
    with open_plain(left / RESULT, limits) as file:
        data = file.read()
    try:
        table = _table(pa.py_buffer(data))
        table.validate(full=True)
    except (pa.ArrowException, struct.error, ValueError, TypeError, OSError, StopIteration) as failure:
        raise Unacceptable(
            f"the result is no Arrow table: {(str(failure).splitlines() or ['it ends too early'])[0][:200]}"
        ) from None
    if table.nbytes > limits.output_mb << 20:
        raise Unacceptable(f"the result is larger than {limits.output_mb} MB")
    return table


def _table(data: pa.Buffer) -> pa.Table:
    for number, message in enumerate(pa.ipc.MessageReader.open_stream(data)):
        wanted = "record batch" if number else "schema"
        if message.type != wanted or number > _BATCHES or (number and _compressed(message.metadata.to_pybytes())):
            raise Unacceptable("the result is no plain Arrow table: it has dictionaries, compression or too many parts")
    # only the reader of a whole stream is safe with any bytes: that of a single message isn't
    with pa.ipc.open_stream(data) as stream:
        schema = _schema(stream.schema)
        table = stream.read_all()
    return pa.Table.from_arrays(table.columns, schema=schema)


def _schema(told: pa.Schema) -> pa.Schema:
    names = told.names
    if not names or not all(names) or len(set(names)) < len(names):
        raise Unacceptable("the result wants columns, each with a name of its own")
    for field in told:
        if not carried(field.type) or (pa.types.is_timestamp(field.type) and field.type.tz not in (None, "UTC")):
            raise Unacceptable(f"the result's column {field.name!r} has a type that can't be taken over: {field.type}")
    return pa.schema([pa.field(field.name, field.type) for field in told])


def _compressed(message: bytes) -> bool:
    """Return whether a record batch's buffers are compressed: a small one could unpack to any size."""
    batch = _follow(message, struct.unpack_from("<I", message)[0], _HEADER)
    return batch is None or _follow(message, batch, _COMPRESSION) is not None


def _follow(message: bytes, table: int, field: int) -> int | None:
    """Return where the table that a flatbuffer's table refers to in a field starts, None where the field is absent."""
    layout = table - struct.unpack_from("<i", message, table)[0]
    if struct.unpack_from("<H", message, layout)[0] < 6 + 2 * field:
        return None
    offset = struct.unpack_from("<H", message, layout + 4 + 2 * field)[0]
    return table + offset + struct.unpack_from("<I", message, table + offset)[0] if offset else None

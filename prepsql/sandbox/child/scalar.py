"""Run a Python function of one row over all rows."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa

from prepsql.sandbox import exchange
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.source import Source
from prepsql.sandbox.child.values import Unfit, column
from prepsql.sandbox.outcome import Status

_FORM = "define transform(row), where row['column'] is the row's value, that returns one value"
_BATCH = 10_000
_SHOWN = 200


def run(text: str, folder: Path, returns: str | None) -> Report:
    """Run the function on the one table in `folder`, and leave a table of its values there; raise Fault."""
    source = Source(text, "transform", _FORM)
    with source.faults():
        transform = source.function()
    if not takes(transform, 1):
        raise Fault(Report(Status.FAILED, f"transform doesn't take one argument: {_FORM}"))
    values: list[Any] = []
    for batch in _plain(exchange.read(exchange.files(folder / "inputs", 1)[0])).to_batches(_BATCH):
        _apply(transform, source, batch, values)
    with source.faults():
        exchange.write(_table(values, returns), folder / "out" / exchange.RESULT)
    return Report(Status.OK)


def _table(values: list[Any], returns: str | None) -> pa.Table:
    try:
        return pa.table({"value": column(values, returns)})
    except Unfit as reason:
        raise Fault(Report(Status.FAILED, f"transform {reason}: return one type of value for every row")) from None


def takes(function: Callable[..., Any], count: int) -> bool:
    """Return whether a function can be called with `count` arguments, true where Python can't say."""
    try:
        inspect.signature(function).bind(*[None] * count)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


def _plain(table: pa.Table) -> pa.Table:
    """Return the table with times that Python's own datetime holds."""
    types = [pa.timestamp("us", f.type.tz) if pa.types.is_timestamp(f.type) else f.type for f in table.schema]
    return table.cast(pa.schema(list(zip(table.column_names, types, strict=True))), safe=False)


def _apply(transform: Callable[..., Any], source: Source, batch: pa.RecordBatch, values: list[Any]) -> None:
    names = batch.schema.names
    start = len(values)

    def where() -> str:
        row = batch.slice(len(values) - start, 1).to_pylist()[0]
        shown = ", ".join(f"{name}={value!r}" for name, value in row.items())
        return f"row {len(values) + 1} ({shown if len(shown) <= _SHOWN else shown[:_SHOWN] + '…'}): "

    append = values.append
    with source.faults(where):
        for row in zip(*(each.to_pylist() for each in batch.columns), strict=True):
            append(transform(dict(zip(names, row, strict=True))))

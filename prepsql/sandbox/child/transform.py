"""Run a Python function that makes one DataFrame of one or more."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

import pyarrow as pa

from prepsql.sandbox import exchange
from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.scalar import takes
from prepsql.sandbox.child.source import Source
from prepsql.sandbox.outcome import Limits, Status


def run(text: str, folder: Path, limits: Limits, names: Sequence[str]) -> Report:
    """Run the function on the tables in `folder`, and leave its table there; raise Fault for what it did wrong."""
    source = Source(text, "transform", _form(names))
    with source.faults():
        transform = source.function()
    if not takes(transform, 3):
        raise Fault(Report(Status.FAILED, f"transform doesn't take three arguments: {source.form}"))
    paths = exchange.files(folder / "inputs", len(names))
    tables = {name: _whole(exchange.read(path)) for name, path in zip(names, paths, strict=True)}
    import numpy as np
    import pandas as pd

    from prepsql.sandbox.child import frames, returned

    given = frames.of_arrow(tables, folder, limits)
    with source.faults():
        result = transform(given if len(names) > 1 else given[names[0]], pd, np)
        exchange.write(returned.table(result, _types(tables)), folder / "out" / exchange.RESULT)
    return Report(Status.OK)


def _whole(table: pa.Table) -> pa.Table:
    """Return the table with decimals without places, such as DuckDB's sums of whole numbers, as int64 if they fit."""
    columns = {name: table[name] for name in table.column_names}
    for name, values in columns.items():
        if pa.types.is_decimal128(values.type) and values.type.scale == 0:
            with suppress(pa.ArrowInvalid):
                columns[name] = values.cast(pa.int64())
    return pa.table(columns)


def _form(names: Sequence[str]) -> str:
    if len(names) == 1:
        return "define transform(df, pd, np) that returns a DataFrame"
    return f"define transform(tables, pd, np), where tables[{names[0]!r}] is a DataFrame, that returns a DataFrame"


def _types(tables: Mapping[str, pa.Table]) -> dict[str, pa.DataType]:
    """Return the type of each column name that has one type in all tables."""
    found: dict[str, set[pa.DataType]] = {}
    for table in tables.values():
        for field in table.schema:
            found.setdefault(field.name, set()).add(field.type)
    return {name: next(iter(types)) for name, types in found.items() if len(types) == 1}

"""Tables as a pandas program gets them, and its result as files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import duckdb
import numpy as np
import pandas as pd

from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.sql import connect
from prepsql.sandbox.outcome import OUTPUT_NAME, Limits, Status
from prepsql.sqltext import quote

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

WANTED = "solve must return {'output_01': DataFrame, …}"


def frames(con: duckdb.DuckDBPyConnection, names: Sequence[str]) -> dict[str, pd.DataFrame]:
    """Return the tables as frames, rows in order, with the types that `pandas.read_csv` would have chosen.

    Integers are int64, with nulls float64; other numbers float64; dates and times datetime64[ns]; booleans bool, with
    nulls object; text object. Null is NaN (NaT in dates). Dates before 1678 or after 2262 keep datetime64[us].
    """
    return {name: con.table(quote(name)).df().apply(_like_read_csv) for name in names}


def of_arrow(tables: Mapping[str, pa.Table], folder: Path, limits: Limits) -> dict[str, pd.DataFrame]:
    """Return the tables as `frames` does, whatever their columns are called; sums of whole numbers are int64 too."""
    made = {}
    with connect(folder, limits) as con:
        for name, table in tables.items():
            con.register("given", table.rename_columns(list(map(str, range(table.num_columns)))))
            made[name] = frames(con, ["given"])["given"]
            made[name].columns = pd.Index(table.column_names, dtype=object)
    return made


def _like_read_csv(values: pd.Series[Any]) -> pd.Series[Any]:
    kind = values.dtype
    if isinstance(kind, pd.DatetimeTZDtype):
        return values
    if pd.api.types.is_datetime64_any_dtype(kind):
        try:
            return values.astype("datetime64[ns]")
        except pd.errors.OutOfBoundsDatetime:  # years before 1678 or after 2262
            return values
    if pd.api.types.is_bool_dtype(kind):
        return values if values.notna().all() else _with_nan(values.astype(object))
    if pd.api.types.is_extension_array_dtype(kind) or pd.api.types.is_float_dtype(kind):  # whole numbers with nulls
        return values.astype("float64")
    if pd.api.types.is_integer_dtype(kind) and kind != "uint64":
        return values.astype("int64")
    return _with_nan(values) if pd.api.types.is_object_dtype(kind) else values


def _with_nan(values: pd.Series[Any]) -> pd.Series[Any]:
    filled: pd.Series[Any] = values.where(values.notna(), np.nan)
    return filled


def write(result: object, out: Path) -> None:
    """Write what a program returned as CSV files; raise Fault where it isn't a dict of frames by output name."""
    for name, frame in _checked(result).items():
        frame.to_csv(out / f"{name}.csv", index=False)


def _checked(result: object) -> Mapping[str, pd.DataFrame]:
    if not isinstance(result, dict):
        raise Fault(Report(Status.FAILED, f"solve returned {type(result).__name__}: {WANTED}"))
    if not result:
        raise Fault(Report(Status.FAILED, f"solve returned an empty dict: {WANTED}"))
    found: dict[str, pd.DataFrame] = {}
    for key, value in result.items():
        name = key.removesuffix(".csv") if isinstance(key, str) else ""
        if not OUTPUT_NAME.fullmatch(name):
            raise Fault(Report(Status.FAILED, f"solve returned the key {key!r}: {WANTED}"))
        if not isinstance(value, pd.DataFrame):
            raise Fault(Report(Status.FAILED, f"{key!r} is a {type(value).__name__}, not a DataFrame: {WANTED}"))
        found[name] = value
    return found

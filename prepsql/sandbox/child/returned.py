"""The DataFrame that a script returned, as an Arrow table: carried faithfully, or refused with the next step."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NoReturn

import numpy as np
import pandas as pd
import pyarrow as pa

from prepsql.sandbox.child.report import Fault, Report
from prepsql.sandbox.child.values import Unfit, column
from prepsql.sandbox.exchange import Uncarried, plain
from prepsql.sandbox.outcome import Status

_INSTEAD = {
    "Series": "return s.to_frame('name')",
    "list": "return pd.DataFrame(rows)",
    "dict": "return pd.DataFrame(columns), or one of its frames",
    "NoneType": "end with return df",
}
_TEXT = "make it text with .astype('string')"


def table(result: object, given: Mapping[str, pa.DataType]) -> pa.Table:
    """Return the frame as a table; `given` are the types of columns by name as they were before pandas.

    A column under such a name goes back to its date or whole-number type, which pandas can't hold with nulls, where
    every value fits. Raises Fault.
    """
    if not isinstance(result, pd.DataFrame):
        kind = type(result).__name__
        _refuse(f"transform returned {kind}, not a DataFrame: {_INSTEAD.get(kind, 'return a DataFrame')}")
    _check_index(result.index)
    names = _names(result.columns)
    columns = {}
    for position, name in enumerate(names):
        try:
            columns[name] = _as_given(_column(result.iloc[:, position]), given.get(name))
        except Unfit as reason:
            _refuse(f"column {name!r} {reason}: {reason.mend or _TEXT}")
    try:
        return plain(pa.table(columns))
    except Uncarried as reason:
        _refuse(f"{reason}: {_TEXT}")


def _check_index(index: pd.Index[Any]) -> None:
    """Refuse an index that says something; one of unnamed whole numbers, as filters and sorts leave it, is dropped."""
    named = [str(name) for name in index.names if name is not None]
    if named or index.nlevels > 1 or not (pd.api.types.is_integer_dtype(index.dtype) or not len(index)):
        what = f"{', '.join(named)!r}" if named else "values without a name"
        _refuse(
            f"the index of the DataFrame holds {what}: return df.reset_index() to make columns of it, "
            "or df.reset_index(drop=True) to drop it"
        )


def _names(labels: pd.Index[Any]) -> list[str]:
    if labels.nlevels > 1:
        first = tuple(labels[0]) if len(labels) else ()
        _refuse(f"the columns have {labels.nlevels} levels, such as {first!r}: set df.columns to one name each")
    names = [str(x) if isinstance(x, int | np.integer) and not isinstance(x, bool) else x for x in labels]
    if not names:
        _refuse("the DataFrame has no columns: return one with at least one")
    for position, name in enumerate(names):
        if not isinstance(name, str) or not name:
            _refuse(f"the name of column {position + 1} is {name!r}: set df.columns to names that are text")
        if name in names[:position]:
            _refuse(f"two columns are called {name!r}: rename one, by position in df.columns")
    return names


def _column(values: pd.Series[Any]) -> pa.Array:
    kind = values.dtype
    if isinstance(kind, pd.CategoricalDtype):
        codes = values.cat.codes.to_numpy()
        return _column(pd.Series(values.cat.categories)).take(pa.array(codes, mask=codes < 0))
    if isinstance(kind, pd.SparseDtype):
        return _column(pd.Series(np.asarray(values)))
    if isinstance(kind, pd.PeriodDtype):
        raise Unfit("holds periods", "make it dates with .dt.to_timestamp(), or text with .astype('string')")
    if isinstance(kind, pd.IntervalDtype) or pd.api.types.is_complex_dtype(kind):
        raise Unfit(f"holds {'intervals' if isinstance(kind, pd.IntervalDtype) else 'complex numbers'}")
    if pd.api.types.is_object_dtype(kind):
        return column(values.tolist())
    return _plain(pa.array(values, from_pandas=True))


def _plain(values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
    """Return a column that pandas had typed, in microseconds where none is lost."""
    kind = values.type
    if pa.types.is_timestamp(kind):
        return _fitting(values, pa.timestamp("us", kind.tz))
    return _fitting(values, pa.duration("us")) if pa.types.is_duration(kind) else values


def _as_given(values: pa.Array | pa.ChunkedArray, given: pa.DataType | None) -> pa.Array | pa.ChunkedArray:
    if given is None:
        return values
    whole = pa.types.is_integer(given) and (pa.types.is_float64(values.type) or pa.types.is_integer(values.type))
    day = pa.types.is_date32(given) and pa.types.is_timestamp(values.type) and values.type.tz is None
    fitted = _fitting(values, given) if whole or day else values
    return fitted if not day or fitted.cast(values.type).equals(values) else values


def _fitting(values: pa.Array | pa.ChunkedArray, wanted: pa.DataType) -> pa.Array | pa.ChunkedArray:
    """Return the values in another type, or as they are where one would lose something."""
    try:
        return values.cast(wanted)
    except pa.ArrowInvalid:
        return values


def _refuse(message: str) -> NoReturn:
    raise Fault(Report(Status.FAILED, message))

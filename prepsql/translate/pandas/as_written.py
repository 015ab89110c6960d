"""The cells of a table as pandas writes them to a file."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import MIXED, is_zoned, of_wholes, untagged
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules import zones
from prepsql.workflow.pandas_text.value import Value, made


def as_written(frame: FrameSymbol, real: pd.DataFrame) -> FrameSymbol:
    """Return the frame with its cells as pandas writes them.

    Truth values are True and False, times without a clock dates, lengths of time days; floats that Python writes with
    an exponent are text.
    """
    columns = dict(frame.columns)
    for at, (label, value) in enumerate(frame.columns.items()):
        columns[label] = _cell(value, real.iloc[:, at], label)
    return frame.with_columns(columns)


def _cell(value: Value, real: pd.Series[Any], label: Any) -> Value:
    if value.family == MIXED.family:
        return untagged(value)
    if is_zoned(value):
        return zones.as_written(value)
    if value.family == "boolean":
        return made("CASE WHEN x THEN 'True' WHEN NOT x THEN 'False' END", "text", value, x=value.sql)
    if value.family == "timestamp":
        if not pd.api.types.is_datetime64_any_dtype(real):
            return value
        times = real.dropna()
        if (times == times.dt.normalize()).all():
            return made("x::DATE", "date", value, x=value.sql)
        return value
    if value.family == "float" and pd.api.types.is_float_dtype(real):
        sizes = real.dropna().abs()
        if (((sizes < 1e-4) & (sizes > 0)) | (sizes >= 1e16)).any():
            return made("x::VARCHAR", "text", value, x=value.sql)
        return value
    if value.family == "span" and pd.api.types.is_timedelta64_dtype(real):
        spans = real.dropna()
        if (spans == spans.dt.floor("D")).all():
            return made("floor(x / 86400000000)::BIGINT || ' days'", "text", value, x=value.sql)
    if of_wholes(value):
        plain = replace(value, item=None)
        return made("'[' || array_to_string(x, ', ') || ']'", "text", plain, x=value.sql)
    if value.family in ("span", "list", "struct"):
        raise NotTranslatable(f"{label}: a column of {value.family} as it is written")
    return value

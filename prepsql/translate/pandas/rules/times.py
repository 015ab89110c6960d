"""Columns of times: reading them as pandas does."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pandas as pd
from pandas.tseries.api import guess_datetime_format  # type: ignore[attr-defined]

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import call, series
from prepsql.workflow.pandas_text import dates
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import TIMES, Value, constant, made

_CLOCK = "[0-9]{1,4}:[0-5]?[0-9]:[0-5]?[0-9]"
_UNITS = {"D": 86_400_000_000, "h": 3_600_000_000, "m": 60_000_000, "s": 1_000_000, "ms": 1_000, "us": 1}

# the first day of a period as pandas writes it: 2024Q1, 2024-01, 2024-01-01/2024-01-07
_START = (
    "CASE WHEN contains(x, 'Q') THEN make_date(left(x, 4)::INTEGER, right(x, 1)::INTEGER * 3 - 2, 1)::TIMESTAMP "
    "ELSE try_strptime(split_part(x, '/', 1), ['%Y-%m-%d', '%Y-%m', '%Y']) END"
)


def to_datetime(
    hooks: Any, result: Any, arg: Any, errors: str = "raise", dayfirst: bool = False, yearfirst: bool = False,
    utc: bool = False, format: Any = None, exact: Any = True, unit: Any = None, infer_datetime_format: Any = None,
    origin: Any = "unix", cache: bool = True,
) -> Symbol | None:  # fmt: skip
    """A column read as times; without a format, by the one that pandas finds in the first value."""
    symbol = hooks.symbol(arg)
    if isinstance(arg, Mapping):
        parts = {name: hooks.symbol(one) if hooks.symbol(one) is not None else one for name, one in arg.items()}
        return _of_parts(hooks, result, parts)
    if isinstance(symbol, FrameSymbol):
        return _of_parts(hooks, result, {name: symbol.series(name) for name in symbol.columns})
    if not isinstance(symbol, SeriesSymbol):
        if isinstance(arg, pd.Series | pd.Index):
            raise NotTranslatable("to_datetime of what isn't understood")
        return None
    if utc and (format is None or isinstance(format, str)) and symbol.value.family in ("text", "timestamp"):
        from prepsql.translate.pandas.rules import zones

        if symbol.value.family == "text" and (format is None or format in ("mixed", "ISO8601")):
            format = guessed(arg, dayfirst, format is not None)
            symbol.rows.assume(f"moments written as {format} in {symbol.name or 'the column'}")
        return zones.read(hooks, result, symbol, format, errors)
    if utc or errors not in ("raise", "coerce"):
        raise NotTranslatable("to_datetime in a time zone")
    value = symbol.value.exact()
    if value.family in TIMES:
        return series(hooks, symbol, result, dates.to_datetime(value))
    if value.family in ("integer", "float"):
        return series(hooks, symbol, result, _of_number(value, unit, origin, format, errors))
    if value.family == "period":
        return series(hooks, symbol, result, made(_START, "timestamp", value, x=value.sql))
    if value.family != "text":
        raise NotTranslatable(f"to_datetime of {value.family}")
    if format == "ISO8601":
        cast = "x::TIMESTAMP" if errors == "raise" else "TRY_CAST(x AS TIMESTAMP)"
        nullable = None if errors == "raise" else True
        return series(hooks, symbol, result, made(cast, "timestamp", value, nullable=nullable, x=value.sql))
    if format is None or format == "mixed":
        format = guessed(arg, dayfirst, format == "mixed")
        symbol.rows.assume(f"dates written as {format} in {symbol.name or 'the column'}")
    found = dates.to_datetime(value, constant(format), constant(errors))
    return series(hooks, symbol, result, found)


def guessed(values: Any, dayfirst: bool, each: bool) -> str:
    """Return the format that pandas finds in the first value, or, if it looks at each, the one that all have."""
    texts = [one for one in pd.Series(values) if isinstance(one, str) and one]
    looked = list(dict.fromkeys(texts)) if each else texts[:1]
    found = {guess_datetime_format(one, dayfirst=dayfirst) for one in looked}
    [form] = found if len(found) == 1 else [None]
    if not isinstance(form, str):
        raise NotTranslatable("to_datetime without a format that all values have")
    return form


def _of_number(value: Value, unit: Any, origin: Any, format: Any, errors: str) -> Value:
    if format is not None:
        if value.family != "integer":
            raise NotTranslatable("to_datetime of numbers with nulls by a format")
        text = made("x::VARCHAR", "text", value, x=value.sql)
        return dates.to_datetime(text, constant(format), constant(errors))
    if unit not in _UNITS:
        raise NotTranslatable("to_datetime of numbers without a unit")
    start = pd.Timestamp(0) if origin == "unix" else pd.Timestamp(origin)
    step = f"x * {_UNITS[unit]}" if value.family == "integer" else f"round(x * {_UNITS[unit]})::BIGINT"
    template = f"TIMESTAMP '{start.isoformat(sep=' ')}' + to_microseconds(y::BIGINT)"
    return made(template, "timestamp", value, y=bind(step, x=value.sql))


def _of_parts(hooks: Any, result: Any, parts: Mapping[str, Any]) -> Symbol | None:
    """Years, months and days in columns of their own."""
    base = next((one for one in parts.values() if isinstance(one, SeriesSymbol)), None)
    known = {str(name).lower().removesuffix("s"): one for name, one in parts.items()}
    if base is None or set(known) != {"year", "month", "day"}:
        raise NotTranslatable("to_datetime of other parts than year, month and day")
    values = []
    for name in ("year", "month", "day"):
        one = known[name]
        if isinstance(one, SeriesSymbol):
            if one.rows is not base.rows:
                raise NotTranslatable("to_datetime of parts of several tables")
            values.append(one.value)
        elif isinstance(one, int | np.integer):
            values.append(constant(int(one)))
        else:
            raise NotTranslatable("to_datetime of parts that aren't understood")
    if any(value.family != "integer" for value in values):
        raise NotTranslatable("to_datetime of parts that are no whole numbers")
    y, m, d = values
    return series(hooks, base, result, made("make_date(y, m, d)::TIMESTAMP", "timestamp", y, m, d,
                                            y=y.sql, m=m.sql, d=d.sql))  # fmt: skip


def period(name: str, value: Value) -> Value:
    """Return what an attribute or method of a period gives: it is kept as the text that pandas writes."""
    start = _START
    templates: dict[str, tuple[str, Any]] = {
        "to_timestamp": (start, "timestamp"), "start_time": (start, "timestamp"),
        "year": ("left(x, 4)::BIGINT", "integer"), "month": ("substr(x, 6, 2)::BIGINT", "integer"),
        "quarter": ("right(x, 1)::BIGINT", "integer"),
    }  # fmt: skip
    if name not in templates:
        raise NotTranslatable(f".dt.{name} of a period")
    template, family = templates[name]
    return made(template, family, value, x=value.sql)


def to_timedelta(hooks: Any, result: Any, arg: Any, unit: Any = None, errors: str = "raise") -> Symbol | None:
    """A column as lengths of time: numbers of a unit, or clocks written out."""
    symbol = hooks.symbol(arg)
    if not isinstance(symbol, SeriesSymbol) or symbol.value.family != "text" or unit is not None:
        if errors != "raise":
            raise NotTranslatable("to_timedelta of what may be none")
        return call(hooks, "pd.to_timedelta", [arg], {} if unit is None else {"unit": unit}, result)
    pairs = [(one, read) for one, read in zip(pd.Series(arg), pd.Series(result), strict=True) if isinstance(one, str)]
    if errors not in ("raise", "coerce") or not all(
        (re.fullmatch(_CLOCK, one) is None) == (read is pd.NaT) for one, read in pairs
    ):  # fmt: skip
        raise NotTranslatable("to_timedelta of what isn't written as hours:minutes:seconds")
    symbol.rows.assume(f"lengths of time written as hours:minutes:seconds in {symbol.name or 'the column'}")
    value = symbol.value.exact()
    seconds = " + ".join(f"split_part(x, ':', {at})::BIGINT * {size}" for at, size in ((1, 3600), (2, 60), (3, 1)))
    template, nullable = f"({seconds}) * 1000000", value.nullable
    if errors == "coerce":
        template, nullable = f"CASE WHEN regexp_full_match(x, {literal(_CLOCK)}) THEN {template} END", True
    return series(hooks, symbol, result, made(template, "span", value, nullable=nullable, x=value.sql))


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.to_datetime": to_datetime, "pd.to_timedelta": to_timedelta}

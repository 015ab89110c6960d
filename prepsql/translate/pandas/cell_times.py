"""Times on cells: reading, making and taking them apart."""

from __future__ import annotations

import datetime as clock
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.translate.pandas.forks import path, refuse
from prepsql.translate.pandas.symbols import SCOPE, Cell, fails_unless, guarded, value_thing
from prepsql.workflow.pandas_text import calls
from prepsql.workflow.pandas_text.value import TIMES, Name, Offset, Value, constant, made


def strptime(text: Any, pattern: Any) -> Any:
    """datetime.strptime()."""
    value = value_thing(text)
    if value.family != "text":
        raise TypeError("strptime() argument 1 must be str")
    if not isinstance(pattern, str):
        raise refuse("a format that depends on the data")
    moment = guarded(calls.call, SCOPE, Name("pd.to_datetime"), "", [value],
                     {"format": constant(pattern), "errors": constant("coerce")}).thing  # fmt: skip
    fails_unless(made("x IS NOT NULL", "boolean", moment, nullable=False, x=moment.sql), ValueError)
    return Cell(replace(moment, nullable=False))


def to_datetime(arg: Any, errors: str = "raise", format: Any = None, dayfirst: bool = False, **named: Any) -> Any:
    """pd.to_datetime of one text: without a format only ISO dates are certain."""
    value = value_thing(arg)
    if value.family in TIMES:
        return arg
    if value.family != "text" or named:
        raise refuse(f"to_datetime of {value.family}")
    if format is None:
        raise refuse("to_datetime of one text without a format")
    moment = guarded(calls.call, SCOPE, Name("pd.to_datetime"), "", [value],
                     {"format": constant(format), "errors": constant("coerce")}).thing  # fmt: skip
    if errors == "coerce":
        return Cell(moment)
    fails_unless(made("x IS NULL OR y IS NOT NULL", "boolean", value, nullable=False, x=value.sql, y=moment.sql),
                 ValueError)  # fmt: skip
    return Cell(replace(moment, nullable=value.nullable))


def stamp(*given: Any, **named: Any) -> Any:
    """pd.Timestamp or datetime of numbers, or of a time."""
    if len(given) == 1 and not named:
        value = value_thing(given[0])
        if value.family in TIMES:
            return Cell(made("x::TIMESTAMP", "timestamp", value, x=value.sql))
        raise refuse(f"a timestamp of {value.family}")
    return _of_numbers("make_timestamp(y, m, d, h, i, s)", "timestamp", given, named)


def day(*given: Any, **named: Any) -> Any:
    """date(y, m, d)."""
    return _of_numbers("make_date(y, m, d)", "date", given, named)


def _of_numbers(template: str, family: Any, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    if path().trying:
        raise refuse("a date of numbers that may be none")
    names = ("year", "month", "day", "hour", "minute", "second")
    values = {**dict.fromkeys(names, 0), **dict(zip(names, given, strict=False)), **named}
    if set(values) != set(names):
        raise refuse("a date of other numbers")
    y, m, d, h, i, s = (value_thing(values[name]) for name in names)
    return Cell(
        made(template, family, y, m, d, h, i, s, nullable=None, y=y.sql, m=m.sql, d=d.sql, h=h.sql, i=i.sql, s=s.sql)
    )


def step(*given: Any, **named: Any) -> Any:
    """Timedelta or pd.Timedelta of cells: microseconds."""
    if given and not named:
        named = {"days": given[0]}
    units = {"days": 86_400_000_000, "hours": 3_600_000_000, "minutes": 60_000_000, "seconds": 1_000_000,
             "weeks": 604_800_000_000}  # fmt: skip
    if not named or not set(named) <= set(units):
        raise refuse("a length of time of other units")
    total: Value | None = None
    for unit, count in named.items():
        value = value_thing(count)
        template = f"(x * {units[unit]})::BIGINT" if value.family == "float" else f"x * {units[unit]}"
        one = made(template, "span", value, x=value.sql)
        total = one if total is None else made("x + y", "span", total, one, x=total.sql, y=one.sql)
    assert total is not None
    return Cell(total)


def months(**named: Any) -> Any:
    """pd.DateOffset of cells."""
    if len(named) != 1 or not set(named) <= {"months", "years", "days", "weeks"}:
        raise refuse("a step in time of several units")
    [(unit, count)] = named.items()
    return Cell(
        Offset(made("x", "integer", value_thing(count), x=f"to_{unit}({value_thing(count).sql}::INTEGER)").sql, None)
    )


def method(value: Value, name: str, given: tuple[Any, ...], named: Mapping[str, Any]) -> Any:
    """Return what a method of a time or of a length of time gives; refuses what it doesn't know."""
    if value.family == "span":
        if name == "total_seconds":
            return Cell(made("x / 1000000", "float", value, x=value.sql))
        return None
    if name in ("replace",):
        return _replaced(value, named)
    if name == "date":
        return Cell(made("x::DATE", "date", value, x=value.sql))
    if name in ("to_pydatetime", "to_timestamp", "tz_localize") and not (given and given[0] is not None):
        return Cell(value)
    if name == "isocalendar":
        fails_unless(made("x IS NOT NULL", "boolean", value, nullable=False, x=value.sql), ValueError)
        year, week, weekday = (
            Cell(made(f"{function}(x)", "integer", value, nullable=False, x=value.sql))
            for function in ("isoyear", "week", "isodow")
        )
        return IsoCalendar(year, week, weekday)
    if name == "isoformat" and value.family == "date":
        return Cell(made("strftime(x, '%Y-%m-%d')", "text", value, x=value.sql))
    if name == "isoformat":
        return Cell(made("strftime(x, '%Y-%m-%dT%H:%M:%S')", "text", value, x=value.sql))
    return None


class IsoCalendar(tuple[Any, ...]):
    """What isocalendar() gives."""

    def __new__(cls, year: Any, week: Any, weekday: Any) -> IsoCalendar:
        """Return year, week and weekday."""
        return super().__new__(cls, (year, week, weekday))

    year = property(lambda self: self[0])
    week = property(lambda self: self[1])
    weekday = property(lambda self: self[2])


def _replaced(value: Value, named: Mapping[str, Any]) -> Any:
    if set(named) == {"day"} and named["day"] == 1:
        cast = "::DATE" if value.family == "date" else "::TIMESTAMP"
        clocked = "date_trunc('month', x)" + cast
        if value.family == "timestamp":
            clocked = "(date_trunc('month', x) + (x - date_trunc('day', x)))::TIMESTAMP"
        return Cell(made(clocked, value.family, value, x=value.sql))
    if set(named) <= {"year", "month", "day"}:
        parts = {name: value_thing(named[name]).sql if name in named else made(f"{name}(x)", "integer", value,
                 x=value.sql).sql for name in ("year", "month", "day")}  # fmt: skip
        template = "make_date(a, b, c)"
        if value.family == "timestamp":
            template = "(make_date(a, b, c) + (x - date_trunc('day', x)))::TIMESTAMP"
        return Cell(made(template, value.family, value, x=value.sql, a=parts["year"], b=parts["month"], c=parts["day"]))
    if set(named) <= {"hour", "minute", "second", "microsecond"} and not any(named.values()) and "hour" in named:
        return Cell(made("date_trunc('day', x)::TIMESTAMP", "timestamp", value, x=value.sql))
    raise refuse("a time with other parts")


# by what the function is an attribute of, and its name; a bound method has another identity each time
STATIC: Mapping[tuple[Any, str], Callable[..., Any]] = {
    (clock.datetime, "strptime"): strptime, (pd.Timestamp, "strptime"): strptime,
}  # fmt: skip
RULES: Mapping[int, Callable[..., Any]] = {
    id(pd.to_datetime): to_datetime, id(pd.Timestamp): stamp, id(clock.datetime): stamp, id(clock.date): day,
    id(clock.timedelta): step, id(pd.Timedelta): step, id(pd.DateOffset): months,
}  # fmt: skip

"""Calendars: `pd.date_range` as the rows of a series of days, months or hours."""

from __future__ import annotations

from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol, after, of_columns
from prepsql.translate.pandas.rules import numbers
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column
from prepsql.workflow.reserved import column_name

_STEPS = {
    "D": "INTERVAL 1 DAY", "h": "INTERVAL 1 HOUR", "min": "INTERVAL 1 MINUTE", "MS": "INTERVAL 1 MONTH",
    "W": "INTERVAL 7 DAYS", "QS": "INTERVAL 3 MONTHS", "YS": "INTERVAL 1 YEAR", "ME": "INTERVAL 1 MONTH",
}  # fmt: skip
_FEW = 12


def step_of(index: pd.DatetimeIndex) -> str | None:
    """Return the step of a calendar as SQL, None where it has another."""
    word = index.freqstr or ""
    word = "QS" if word.startswith("QS") else "YS" if word.startswith("YS") else word.partition("-")[0]
    if word[:-1].isdigit() and word[-1] in "Dh":
        return f"INTERVAL {word[:-1]} {'DAYS' if word[-1] == 'D' else 'HOURS'}"
    return _STEPS.get(word)


def written_out(label: Any, index: Any) -> FrameSymbol | None:
    """Return the table of a calendar whose ends are constants, None for a short one or another thing."""
    if not isinstance(index, pd.DatetimeIndex) or index.tz is not None or len(index) <= _FEW:
        return None
    step = step_of(index)
    if step is None:
        return None
    ends = Rows("input", {"data": [{"first": str(index[0]), "last": str(index[-1])}]}, {}, wanted="calendar_ends")
    ends.columns = {name: Value(column_name(name), "text", False) for name in ("first", "last")}
    made = _below(ends, label, '"first"::TIMESTAMP', '"last"::TIMESTAMP', step, index)
    return FrameSymbol(made.rows, {label: made.value}, (), True)


def _below(ends: Rows, label: Any, first: str, last: str, step: str, index: Any) -> SeriesSymbol:
    """Return the moments from the first to the last, one a row."""
    word = (index.freqstr or "").partition("-")[0]
    expr = f"generate_series({first}, {last}, {step})"
    if word == "ME":
        start = f"date_trunc('month', {first})::TIMESTAMP"
        expr = f"list_transform(generate_series({start}, {last}, {step}), lambda x: last_day(x)::TIMESTAMP)"
        if index[0] != index[0].normalize():
            raise NotTranslatable("ends of months with a clock")
    name = ends.name_for(label or "date")
    params = {"compute": [{"as": name, "expr": expr}], "explode": {"col": name}}
    columns = {**of_columns(ends.columns), name: Value(column_name(name), "timestamp", False)}
    rows = Rows("project", params, {"in": ends}, columns, wanted="calendar")
    rows = after(rows, "sort", {"order_by": [{"expr": column_name(name)}]}, wanted="in_order")
    return SeriesSymbol(rows, rows.columns[name], label, (), True)


def date_range(
    hooks: Any, result: Any, start: Any = None, end: Any = None, periods: Any = None, freq: Any = "D", **named: Any
) -> SeriesSymbol | None:
    """A calendar whose ends came of a table."""
    ends = [start, end]
    if not any(isinstance(hooks.symbol(one), ScalarSymbol) for one in [*ends, periods]):
        return None
    step = step_of(result) if len(result) > 1 or freq == "D" else _STEPS.get(str(freq))
    offset = pd.tseries.frequencies.to_offset(freq)
    weekday = getattr(offset, "weekday", None) if isinstance(offset, pd.offsets.Week) and offset.n == 1 else None
    if isinstance(offset, pd.offsets.Tick) and offset.nanos >= 1000:
        step = _STEPS.get(str(freq), f"to_microseconds({offset.nanos // 1000})")
    elif weekday is not None:
        step = _STEPS["W"]
    elif str(freq) != "MS":
        step = None
    if step is None or periods is not None or named.keys() - {"name"}:
        raise NotTranslatable("a calendar of these steps between what came of a table")
    ends = [one if isinstance(hooks.symbol(one), ScalarSymbol) else pd.Timestamp(one) for one in ends]
    rows, things = numbers.together(hooks, ends)
    values = [column(one) for one in things]
    if any(value.family not in ("timestamp", "date") for value in values):
        raise NotTranslatable("a calendar between what are no times")
    first, last = (rows.define(name, value) for name, value in zip(("from_day", "to_day"), values, strict=True))
    begin, finish = bind("x::TIMESTAMP", x=first.sql), bind("x::TIMESTAMP", x=last.sql)
    # the ends go to the next place of the calendar inside, each with its own clock
    if weekday is not None:
        begin = bind(f"(x + to_days((({weekday} - isodow(x) + 8) % 7)::INTEGER))::TIMESTAMP", x=first.sql)
        finish = bind(f"(x - to_days(((isodow(x) + 6 - {weekday}) % 7)::INTEGER))::TIMESTAMP", x=last.sql)
    if str(freq) == "MS":
        clock = "(x - date_trunc('day', x))"
        begin = bind(f"(date_trunc('month', x - to_days(1)) + to_months(1) + {clock})::TIMESTAMP", x=first.sql)
        finish = bind(f"(date_trunc('month', x) + {clock})::TIMESTAMP", x=last.sql)
    return _below(rows, named.get("name"), begin, finish, step, result)


def days_of(index: pd.DatetimeIndex) -> SeriesSymbol | None:
    """Return a constant calendar as a column, None for a short one or another."""
    frame = written_out("date", index)
    return frame.only() if frame is not None else None


CALLS = {"pd.date_range": date_range}

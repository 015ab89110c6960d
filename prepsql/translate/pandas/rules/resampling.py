"""Groups of moments by the steps of a calendar: `resample`, `pd.Grouper(freq=…)`, and rows by a calendar: `asfreq`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    of_columns,
)
from prepsql.translate.pandas.rules.group_categories import EMPTY
from prepsql.translate.pandas.rules.values import SCOPE
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import calls, columns
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import TIMES, Value, column
from prepsql.workflow.reserved import column_name

_DAYS = ("MON", "TUE", "WED", "THU", "FRI", "SAT", "SUN")
_DAY = 86_400_000_000


@dataclass(frozen=True)
class Step:
    """A step of a calendar: the label of the bin of a moment x, the labels from one to another (a, b), as templates.

    A step of `micro` microseconds that doesn't part days into equal pieces is counted from the first day.
    """

    label: str
    all: str
    micro: int | None = None


def step_of(freq: Any) -> Step:
    """Return the step that pandas has for a frequency; raises NotTranslatable for one that isn't known."""
    offset = pd.tseries.frequencies.to_offset(freq)
    name = type(offset).__name__
    series = "generate_series(a, b, {})"
    if isinstance(offset, pd.offsets.Tick):
        micro = offset.nanos // 1000
        if micro < 1_000_000:
            raise NotTranslatable(f"bins of {freq}")
        every = series.format(f"to_microseconds({micro})")
        if micro == _DAY:
            return Step("date_trunc('day', x)::TIMESTAMP", every)
        return Step(f"time_bucket(to_microseconds({micro}), x, o)", every, micro)
    if offset.n != 1 or getattr(offset, "normalize", False):
        raise NotTranslatable(f"bins of {freq}")
    if name == "Week" and offset.weekday is not None:
        ahead = f"((({offset.weekday} - (isodow(x) - 1)) % 7 + 7) % 7)"
        return Step(f"date_trunc('day', x)::TIMESTAMP + to_days({ahead}::INTEGER)", series.format("to_days(7)"))
    if name == "MonthBegin":
        return Step("date_trunc('month', x)::TIMESTAMP", series.format("to_months(1)"))
    if name == "MonthEnd":
        return Step("last_day(x)::TIMESTAMP", _ends(1))
    if name == "QuarterBegin" and offset.startingMonth % 3 == 1:
        return Step("date_trunc('quarter', x)::TIMESTAMP", series.format("to_months(3)"))
    if name == "QuarterEnd" and offset.startingMonth % 3 == 0:
        return Step("last_day(date_trunc('quarter', x) + to_months(2))::TIMESTAMP", _ends(3))
    if name == "YearBegin" and offset.month == 1:
        return Step("date_trunc('year', x)::TIMESTAMP", series.format("to_years(1)"))
    if name == "YearEnd" and offset.month == 12:
        return Step("make_date(year(x), 12, 31)::TIMESTAMP", _ends(12))
    raise NotTranslatable(f"bins of {freq}")


def _ends(months: int) -> str:
    """Return what gives the ends of months from one to another."""
    starts = f"generate_series(date_trunc('month', a)::TIMESTAMP, b, to_months({months}))"
    return f"list_transform({starts}, lambda m: last_day(m)::TIMESTAMP)"


def binned(rows: Rows, moments: Value, step: Step, wanted: Any, keys: tuple[Value, ...] = ()) -> Value:
    """Return the label of the bin of each moment."""
    if moments.family not in TIMES:
        raise NotTranslatable("bins of what are no moments")
    moments = rows.define("moment" if wanted is None else wanted, moments)
    origin = "TIMESTAMP '2000-01-01'"
    if step.micro is not None and _DAY % step.micro:
        over = f" (PARTITION BY {', '.join(key.sql for key in keys)})" if keys else " ()"
        first = bind("date_trunc('day', min(x)", x=moments.sql) + f" OVER{over})::TIMESTAMP"
        origin = rows.define("first_day", Value(first, "timestamp", moments.nullable)).sql
    sql = bind(step.label, x=bind("x::TIMESTAMP", x=moments.sql), o=origin)
    return rows.define("bin" if wanted is None else wanted, Value(sql, "timestamp", moments.nullable))


def filled(
    groups: GroupsSymbol, grouped: Rows, found: Mapping[Any, Value], functions: Mapping[Any, Any]
) -> FrameSymbol:
    """Return one row a step of the calendar from the first bin to the last, those without rows too."""
    *outer, name = grouped.params["group_keys"]
    levels = [label for label, _ in groups.keys]
    if outer and len(outer) > 1:
        raise NotTranslatable("bins of groups of several keys")
    rows = _calendar(grouped, outer, name, groups.calendar)
    keys = [rows.columns[one] for one in (*outer, _LABEL)]
    theirs = [grouped.columns[one] for one in (*outer, name)]
    values: dict[Any, Value] = {}
    for label, value in found.items():
        there = rows.looked_up(label, keys, grouped, theirs, value, nulls=False)
        empty = EMPTY.get(functions[label])
        values[label] = there if empty is None else rows.define(label, columns.fill_na(there, constant_thing(empty)))
    if groups.as_index:
        return FrameSymbol(rows, values, tuple(map(IndexLevel, levels, keys)), False)
    return FrameSymbol(rows, {**dict(zip(levels, keys, strict=True)), **values}, (), True)


_LABEL = "bin_label"


def _calendar(grouped: Rows, outer: list[str], name: str, step: Step) -> Rows:
    """Return the steps between the first and the last bin, for each key of a group."""
    ends = Rows(
        "aggregate",
        {"group_keys": outer, "aggs": [{"as": f"{which}_bin", "func": which, "expr": grouped.columns[name].sql}
                                       for which in ("min", "max")]},
        {"in": grouped}, of_columns({one: grouped.columns[one] for one in outer}), wanted="calendar_ends",
    )  # fmt: skip
    if not outer:
        ends.params = {"aggs": ends.params["aggs"]}
    ends.columns |= {one: Value(one, "timestamp", True) for one in ("min_bin", "max_bin")}
    return spread(ends, bind(step.all, a="min_bin", b="max_bin"), outer)


def spread(ends: Rows, sql: str, outer: list[str]) -> Rows:
    """Return a row a moment of a list."""
    params = {"compute": [{"as": _LABEL, "expr": sql}], "explode": {"col": _LABEL}}
    made_of = {**of_columns(ends.columns), _LABEL: Value(column_name(_LABEL), "timestamp", False)}
    rows = Rows("project", params, {"in": ends}, made_of, wanted="calendar")
    order = [{"expr": column_name(one)} for one in (*outer, _LABEL)]
    return after(rows, "sort", {"order_by": order}, wanted="in_order")


def of_key(hooks: Any, frame: FrameSymbol, key: Any, label: Any) -> tuple[Value, Step]:
    """Return the bins of a `pd.Grouper`, and its step."""
    if key.closed not in (None, "left", "right") or key.level is not None or key.freq is None:
        raise NotTranslatable("pd.Grouper of this")
    _plain_ends(key)
    step = step_of(key.freq)
    moments = frame.column(key.key) if key.key is not None else _index(frame)
    return binned(frame.rows, moments, step, label), step


def _plain_ends(key: Any) -> None:
    """Raise NotTranslatable where bins are closed, or labelled, at other ends than they are by themselves."""
    plain = pd.Grouper(key=key.key, freq=key.freq)
    same = [getattr(key, one, None) == getattr(plain, one, None) for one in ("closed", "label", "origin", "offset")]
    if not all(same):
        raise NotTranslatable("bins that are closed or labelled otherwise")


def _index(frame: FrameSymbol) -> Value:
    if len(frame.index) != 1:
        raise NotTranslatable("bins without moments")
    return frame.index[0].value


def resample(hooks: Any, result: Any, symbol: Any, rule: Any, *, on: Any = None, **named: Any) -> GroupsSymbol:
    """Rows by the steps of a calendar, of a table, a column or groups."""
    _plain_ends(pd.Grouper(key=on, freq=rule, **named))
    step = step_of(rule)
    one = isinstance(symbol, SeriesSymbol)
    if isinstance(symbol, SeriesSymbol):
        symbol = symbol.framed("value" if symbol.name is None else symbol.name)
    outer: list[tuple[Any, Value]] = []
    picked, frame = None, symbol
    if isinstance(symbol, GroupsSymbol):
        symbol.plain("resample")
        if not symbol.as_index or not symbol.sort or not symbol.dropna:
            raise NotTranslatable("resample of such groups")
        frame, outer, picked, one = symbol.frame, list(symbol.keys), symbol.picked, symbol.one
    moments = frame.column(on) if on is not None else _index(frame)
    label = on if on is not None else frame.index[0].name
    value = binned(frame.rows, moments, step, label, tuple(value for _, value in outer))
    picked = list(frame.columns) if one and picked is None else picked
    if on is not None and picked is None:
        frame = frame.with_columns({x: one_ for x, one_ in frame.columns.items() if x != on})
    return GroupsSymbol(
        frame, [*outer, (label, value)], picked, one, real=result, categories=[None] * (len(outer) + 1),
        unobserved=True, calendar=step,
    )  # fmt: skip


def asfreq(hooks: Any, result: Any, symbol: Any, freq: Any, method: Any = None, fill_value: Any = None) -> Symbol:
    """Rows by a calendar from the first to the last moment of the index."""
    single = isinstance(symbol, SeriesSymbol)
    frame = symbol.framed(_OWN) if isinstance(symbol, SeriesSymbol) else symbol
    found = by_steps(frame, step_of(freq), freq, fill_value, result)
    if method is not None:
        found = filled_from(found, {"pad": "ffill", "backfill": "bfill"}.get(method, method))
    return replace(found.only(), name=symbol.name) if single else found


_OWN = ("value",)


def by_steps(frame: FrameSymbol, step: Step, freq: Any, fill_value: Any, result: Any) -> FrameSymbol:
    """Return one row a step between the least and the greatest label of the index, nulls where there is no row."""
    key = frame.rows.define("moment", _index(frame))
    if key.family not in TIMES:
        raise NotTranslatable("a calendar over what are no moments")
    bins = binned(frame.rows, key, step, None)
    aggs = [{"as": f"{which}_bin", "func": which, "expr": bins.sql} for which in ("min", "max")]
    ends = Rows("aggregate", {"aggs": aggs}, {"in": frame.rows}, wanted="calendar_ends")
    ends.columns |= {one: Value(one, "timestamp", True) for one in ("min_bin", "max_bin")}
    rows = spread(ends, bind(step.all, a="min_bin", b="max_bin"), [])
    label = rows.columns[_LABEL]
    frame.rows.assume(f"moments that are each a step of {freq}, and no two the same")
    found = {}
    for one, value in frame.columns.items():
        there = rows.looked_up(one, [label], frame.rows, [key], value)
        if fill_value is not None and fill_value == fill_value:
            if value.nullable:
                raise NotTranslatable("a calendar whose gaps are filled, where there are nulls")
            there = rows.define(one, columns.fill_na(there, constant_thing(fill_value)))
        found[one] = there
    return FrameSymbol(rows, found, (IndexLevel(frame.index[0].name, label),), False)


def filled_from(frame: FrameSymbol, method: str) -> FrameSymbol:
    """Return a table whose nulls are filled with the value before or after, or by a line between them."""
    from prepsql.translate.pandas.rules import interpolating

    found = {}
    for label, value in frame.columns.items():
        if method == "interpolate":
            made_of = interpolating.between(frame.rows, value, ())
        else:
            made_of = column(calls.call(SCOPE, value, method, [], {}))
        found[label] = frame.rows.define(label, made_of)
    return frame.with_columns(found)


def upsampled(method: str) -> Callable[..., Symbol]:
    """Return the rule of ffill, bfill, asfreq or interpolate of a resampled table."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol) -> Symbol:
        if groups.calendar is None or len(groups.keys) > 1:
            raise NotTranslatable(f"{method} of groups by a calendar")
        frame = groups.frame
        if groups.picked is not None:
            frame = frame.with_columns({label: frame.column(label) for label in groups.picked})
        found = by_steps(frame, groups.calendar, "the calendar", None, result)
        found = found if method == "asfreq" else filled_from(found, method)
        return replace(found.only(), name=result.name) if isinstance(result, pd.Series) else found

    return rule


FRAME_METHODS: Mapping[str, Callable[..., Any]] = {"resample": resample, "asfreq": asfreq}
GROUP_METHODS: Mapping[str, Callable[..., Any]] = {
    "resample": resample, **{name: upsampled(name) for name in ("asfreq", "interpolate")},
}  # fmt: skip

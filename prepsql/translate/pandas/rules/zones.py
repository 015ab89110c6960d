"""Moments in time zones: kept as what the clock shows in UTC, with the zone beside.

Their family is that of columns of such a type that scripts make (`carried.py`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas.carried import carried, is_zoned
from prepsql.translate.pandas.rows import SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import series, thing
from prepsql.translate.pandas.things import operated
from prepsql.workflow.pandas_text import dates
from prepsql.workflow.pandas_text.value import Offset, Thing, Value, constant, made

_ISO = re.compile(r"%Y-%m-%d[T ]%H:%M:%S(?:\.%f)?%z")


def zone_of(value: Value) -> str:
    """Return the zone of a moment."""
    found = re.search(r"tz_convert\('([^']+)'\)", str(value.family))
    return found[1] if found else "UTC"


def in_utc(value: Value) -> Value:
    """Return a moment as what the clock shows in UTC."""
    return replace(value, family="timestamp")


def on_clock(value: Value) -> Value:
    """Return a moment as what the clock shows in its zone."""
    zone = zone_of(value)
    if zone == "UTC":
        return in_utc(value)
    return made("timezone(z, timezone('UTC', x))", "timestamp", in_utc(value), x=value.sql, z=literal(zone))


def _own(value: Value) -> Value:
    """Return a time as an expression of its own: a column is of one type, here it becomes one of another."""
    return made("x::TIMESTAMP", "timestamp", value, x=value.sql)


def _zoned(value: Value, result: Any) -> Value:
    """Return what the clock shows in UTC as a moment in the zone that a result has."""
    kind = carried(pd.Series(result))
    zone = zone_of(replace(value, family=kind.family))
    if zone != "UTC" and "/" not in zone:
        raise NotTranslatable(f"the time zone {zone}")
    return replace(value, family=kind.family)


def _from_clock(value: Value, zone: str) -> Value:
    """Return what a clock of a zone shows as what one in UTC does."""
    if zone == "UTC":
        return value
    return made("timezone('UTC', timezone(z, x))", "timestamp", value, x=value.sql, z=literal(zone))


def has_zone(result: Any) -> bool:
    """Return whether a column of pandas holds moments in a time zone."""
    return isinstance(getattr(result, "dtype", None), pd.DatetimeTZDtype)


def read(hooks: Any, result: Any, symbol: SeriesSymbol, format: str, errors: str) -> Symbol | None:
    """pd.to_datetime of text with utc=True."""
    value = symbol.value.exact()
    if value.family == "timestamp":
        return series(hooks, symbol, result, _zoned(_own(value), result))
    if value.family != "text" or errors not in ("raise", "coerce"):
        raise NotTranslatable("to_datetime in a time zone")
    if "%z" not in format:
        return series(
            hooks, symbol, result, _zoned(dates.to_datetime(value, constant(format), constant(errors)), result)
        )
    if _ISO.fullmatch(format):
        cast = "x::TIMESTAMPTZ" if errors == "raise" else "TRY_CAST(x AS TIMESTAMPTZ)"
    else:
        cast = f"{'' if errors == 'raise' else 'try_'}strptime(x, {literal(format)})"
    nullable = None if errors == "raise" else True
    return series(hooks, symbol, result, _zoned(
        made(f"timezone('UTC', {cast})", "timestamp", value, nullable=nullable, x=value.sql), result))  # fmt: skip


def localized(
    hooks: Any, symbol: SeriesSymbol, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any
) -> Symbol | None:
    """.dt.tz_localize or .dt.tz_convert."""
    value = symbol.value.exact()
    zone = given[0] if given else named.get("tz")
    if named.keys() - {"tz"} or len(given) > 1 or not (zone is None or isinstance(zone, str)):
        raise NotTranslatable(f".dt.{name} with arguments")
    if zone is None:
        if not is_zoned(value):
            raise NotTranslatable(f".dt.{name} of no zone")
        clock = on_clock(value) if name == "tz_localize" else in_utc(value)
        return series(hooks, symbol, result, _own(clock) if clock.sql == value.sql else clock)
    if name == "tz_convert" and is_zoned(value):
        return series(hooks, symbol, result, _zoned(_own(in_utc(value)), result))
    if name == "tz_localize" and value.family == "timestamp":
        return series(hooks, symbol, result, _zoned(_from_clock(_own(value), zone), result))
    raise NotTranslatable(f".dt.{name} of {value.family}")


def of_clock(
    hooks: Any, symbol: SeriesSymbol, result: Any, rule: Callable[[SeriesSymbol], Symbol | None]
) -> Symbol | None:
    """What `.dt` gives for what the clock shows in the zone; what is a moment again is one in the zone."""
    shown = replace(symbol, value=symbol.rows.short(symbol.name or "clock", on_clock(symbol.value.exact())))
    found = rule(shown)
    if not has_zone(result) or not isinstance(found, SeriesSymbol):
        return found
    again = _from_clock(found.value, zone_of(symbol.value))
    return replace(found, value=symbol.rows.short(symbol.name or "moment", _zoned(again, result)))


def operate(hooks: Any, operator: str, operands: Sequence[Any], base: Any, result: Any) -> Symbol | None:
    """An operator of which an operand is a moment in a zone, None for others."""
    known = [hooks.symbol(one) for one in operands]
    if not any(isinstance(one, SeriesSymbol) and is_zoned(one.value) for one in known):
        return None
    things = [_instant(hooks, one, base) for one in operands]
    found = operated(operator, *things)
    if not isinstance(found, Value):
        raise NotTranslatable(f"{operator} of moments in a time zone")
    return series(hooks, base, result, _zoned(found, result) if has_zone(result) else found)


def _instant(hooks: Any, one: Any, base: Any) -> Thing:
    if isinstance(one, pd.Timestamp) and one.tz is not None and hooks.symbol(one) is None:
        return constant_of(one)
    found = thing(hooks, one, base)
    if isinstance(found, Offset) and found.microseconds is None:
        raise NotTranslatable("a step in the calendar of a time zone")
    return in_utc(found) if isinstance(found, Value) and is_zoned(found) else found


def constant_of(one: pd.Timestamp) -> Value:
    """Return a moment that is written out as what the clock shows in UTC."""
    clock = one.tz_convert("UTC").tz_localize(None)
    return Value(f"TIMESTAMP '{clock.isoformat(sep=' ')}'", "timestamp", False)


def as_written(value: Value) -> Value:
    """Return moments as pandas writes them: the clock of the zone, and how far it is from UTC."""
    clock, utc = on_clock(value), in_utc(value)
    if zone_of(value) == "UTC":
        return made("strftime(x, '%Y-%m-%d %H:%M:%S+00:00')", "text", utc, x=utc.sql)
    minutes = made("date_diff('minute', y, x)", "integer", utc, x=clock.sql, y=utc.sql)
    return made(
        "strftime(x, '%Y-%m-%d %H:%M:%S') || CASE WHEN m < 0 THEN '-' ELSE '+' END || "
        "strftime(TIMESTAMP '2000-01-01' + to_minutes(abs(m)), '%H:%M')",
        "text", utc, x=clock.sql, m=minutes.sql,
    )  # fmt: skip

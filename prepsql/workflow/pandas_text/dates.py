"""Times: `.dt` of a column, its names on a cell, and the functions that make times."""

from __future__ import annotations

import re

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    TIMES,
    Family,
    Offset,
    Thing,
    Value,
    column,
    flag_of,
    is_null,
    made,
    moment,
    text_of,
    whole_of,
)

# attributes and methods without arguments, by family
OF_TIMES: dict[str, tuple[str, Family]] = {
    "year": ("year(x)", "integer"),
    "month": ("month(x)", "integer"),
    "day": ("day(x)", "integer"),
    "hour": ("hour(x)", "integer"),
    "minute": ("minute(x)", "integer"),
    "second": ("second(x)", "integer"),
    "quarter": ("quarter(x)", "integer"),
    "weekday": ("isodow(x) - 1", "integer"),
    "dayofweek": ("isodow(x) - 1", "integer"),
    "day_of_week": ("isodow(x) - 1", "integer"),
    "dayofyear": ("dayofyear(x)", "integer"),
    "day_of_year": ("dayofyear(x)", "integer"),
    "days_in_month": ("day(last_day(x))", "integer"),
    "daysinmonth": ("day(last_day(x))", "integer"),
    "date": ("x::DATE", "date"),
    "normalize": ("date_trunc('day', x)::TIMESTAMP", "timestamp"),
    "day_name": ("dayname(x)", "text"),
    "month_name": ("monthname(x)", "text"),
    "is_month_start": ("coalesce(day(x) = 1, FALSE)", "boolean"),
    "is_month_end": ("coalesce(x::DATE = last_day(x), FALSE)", "boolean"),
    "isoweekday": ("isodow(x)", "integer"),
    "is_quarter_start": ("coalesce(x::DATE = date_trunc('quarter', x)::DATE, FALSE)", "boolean"),
    "is_quarter_end": ("coalesce(x::DATE = last_day(x) AND month(x) % 3 = 0, FALSE)", "boolean"),
    "is_year_start": ("coalesce(dayofyear(x) = 1, FALSE)", "boolean"),
    "is_year_end": ("coalesce(month(x) = 12 AND day(x) = 31, FALSE)", "boolean"),
    "is_leap_year": ("coalesce(day(last_day(make_date(year(x), 2, 1))) = 29, FALSE)", "boolean"),
}
OF_ISO_CALENDAR: dict[str, tuple[str, Family]] = {
    "week": ("week(x)", "integer"),
    "year": ("isoyear(x)", "integer"),
    "day": ("isodow(x)", "integer"),
}
OF_SPANS: dict[str, tuple[str, Family]] = {
    "days": ("floor(x / 86400000000)::BIGINT", "integer"),
    "total_seconds": ("x / 1000000", "float"),
    "seconds": ("((x % 86400000000 + 86400000000) % 86400000000) // 1000000", "integer"),
}
_UNITS = {"D": 86_400_000_000, "h": 3_600_000_000, "min": 60_000_000, "m": 60_000_000, "s": 1_000_000}
_UNIT_WORDS = {
    "days": "D",
    "day": "D",
    "hours": "h",
    "hour": "h",
    "minutes": "min",
    "seconds": "s",
    "H": "h",
    "T": "min",
}
_TRUNCATED = {"D": "day", "d": "day", "h": "hour", "H": "hour", "min": "minute", "s": "second"}
_DIRECTIVES = {
    "Y": r"\d{4}", "y": r"\d{2}", "m": r"\d{1,2}", "d": r"\d{1,2}", "H": r"\d{1,2}", "I": r"\d{1,2}", "M": r"\d{1,2}",
    "S": r"\d{1,2}", "b": "[A-Za-z]{3}", "B": "[A-Za-z]+", "a": "[A-Za-z]{3}", "A": "[A-Za-z]+", "p": "[AaPp][Mm]",
    "j": r"\d{1,3}",
}  # fmt: skip
_SHORT = {"%F": "%Y-%m-%d", "%T": "%H:%M:%S", "%R": "%H:%M", "%D": "%m/%d/%y", "%h": "%b"}
_WRITTEN = frozenset("YymdHIMSbBaApjfUWwGVu%") | frozenset({"-d", "-m", "-H", "-I", "-M", "-S", "-y", "-j"})


def as_time(value: Value) -> Value:
    """Return a value that is a time for certain."""
    if value.family in TIMES:
        return value
    if value.family == "unknown":
        return made("x::TIMESTAMP", "timestamp", value, x=value.sql)
    raise NotTranslatable(f"a date's part of {value.family}")


def strftime(x: Value, date_format: object) -> Value:
    """Write a time in a format."""
    text = text_of(date_format, "the format of strftime")
    for short, long in _SHORT.items():
        text = text.replace(short, long)
    if "%e" in text:
        return _with_blank_day(x, text)
    for directive in re.findall(r"%(-?.)", text):
        if directive not in _WRITTEN:
            raise NotTranslatable(f"%{directive} in strftime")
    return made("strftime(x, y)", "text", x, x=x.sql, y=literal(text))


def _with_blank_day(x: Value, text: str) -> Value:
    """Write a time with the day of the month filled with a blank."""
    day = "CASE WHEN day(x) < 10 THEN ' ' ELSE '' END || day(x)"
    parts = [strftime(x, part).sql if part else "" for part in text.split("%e")]
    pieces = [piece for part in parts for piece in (made(day, "text", x, x=x.sql).sql, part)][1:]
    return made(" || ".join(piece for piece in pieces if piece), "text", x)


def floor(x: Value, freq: object) -> Value:
    """Round a time down to a unit, or to several minutes or hours of a day."""
    word = text_of(freq, "the unit of floor")
    unit = _TRUNCATED.get(word)
    if unit is not None:
        return made(f"date_trunc('{unit}', x)::TIMESTAMP", "timestamp", x, x=x.sql)
    return made(f"time_bucket({_several(word)}, x)", "timestamp", x, x=x.sql)


def ceil(x: Value, freq: object) -> Value:
    """Round a time up to a unit."""
    low = floor(x, freq)
    step = _interval(text_of(freq, "the unit of ceil"))
    return made(f"CASE WHEN y < x THEN y + {step} ELSE y END", "timestamp", x, x=x.sql, y=low.sql)


def _interval(word: str) -> str:
    unit = _TRUNCATED.get(word)
    return f"INTERVAL 1 {unit.upper()}" if unit else _several(word)


def _several(word: str) -> str:
    """Return several minutes, or hours, that fill a day as an interval."""
    found = re.fullmatch(r"(\d+)\s*(min|T|h|H)", word)
    size = int(found[1]) * (60 if found[2] in "hH" else 1) if found else 0
    if found is None or not size or 1440 % size:
        raise NotTranslatable("a time rounded to these units")
    return f"INTERVAL {int(found[1])} {'HOUR' if found[2] in 'hH' else 'MINUTE'}"


def to_period(x: Value, freq: object) -> Value:
    """Return the period of a time, as the text that pandas writes for it."""
    templates = {
        "M": "strftime(x, '%Y-%m')",
        "Q": "year(x) || 'Q' || quarter(x)",
        "Y": "strftime(x, '%Y')",
        "A": "strftime(x, '%Y')",
        "D": "strftime(x, '%Y-%m-%d')",
        "W": (
            "strftime(date_trunc('week', x), '%Y-%m-%d') || '/' || "
            "strftime(date_trunc('week', x) + to_days(6), '%Y-%m-%d')"
        ),
    }
    word = text_of(freq, "the unit of to_period")
    template = templates.get("W" if word == "W-SUN" else word)
    if template is None:
        raise NotTranslatable("to_period of this unit")
    return made(template, "period", x, x=x.sql)


def to_datetime(
    arg: Thing, format: object = None, errors: object = "raise", dayfirst: object = False, unit: object = None
) -> Value:
    """Read times. Without a format only ISO text is certain; with errors='coerce' what doesn't fit is null."""
    x = column(arg).exact()
    mode = text_of(errors, "errors")
    if x.family in TIMES:
        return made("x::TIMESTAMP", "timestamp", x, x=x.sql) if x.family == "date" else x
    if isinstance(x.constant, str) and is_null(format):
        return timestamp(x)
    if not is_null(unit) or x.family in NUMERIC or mode not in ("raise", "coerce"):
        raise NotTranslatable(f"to_datetime of {x.family} with a unit or errors={mode!r}")
    if not is_null(format):
        return _with_format(x, text_of(format, "the format of to_datetime"), mode)
    if flag_of(dayfirst, "dayfirst") or mode == "coerce" or x.family == "text":
        raise NotTranslatable("to_datetime without a format: pandas infers it from the data")
    return made("x::TIMESTAMP", "timestamp", x, x=x.sql)


def timestamp(x: Thing) -> Value:
    """Return a moment written out."""
    return moment(column(x))


def time_step(days: object = None, **units: object) -> Offset:
    """Return the step of pd.DateOffset or pd.Timedelta given by its units."""
    given = {name: whole_of(n, name) for name, n in {"days": days, **units}.items() if not is_null(n)}
    if len(given) != 1:
        raise NotTranslatable("a length of time in several units")
    ((name, n),) = given.items()
    if name in ("months", "years", "weeks"):
        micro = n * 7 * _UNITS["D"] if name == "weeks" else None
        return Offset(f"to_{name}({n})", micro)
    if name not in _UNIT_WORDS:
        raise NotTranslatable(f"a length of time in {name}")
    return Offset(f"to_{name}({n})", n * _UNITS[_UNIT_WORDS[name]])


def timedelta(value: Thing | None = None, unit: object = None, **units: object) -> Offset:
    """Return the step of pd.Timedelta or np.timedelta64."""
    if value is None:
        return time_step(**units)
    given = column(value)
    number, word = given.constant, "ns" if unit is None else text_of(unit, "unit")
    if isinstance(number, str):
        found = re.fullmatch(r"(\d+)\s*(\w+)", number)
        if found is None:
            raise NotTranslatable(f"the length of time {number!r}")
        number, word = int(found[1]), found[2]
    word = _UNIT_WORDS.get(word, word)
    if word not in _UNITS or not isinstance(number, int):
        raise NotTranslatable("a length of time that isn't a whole number of days, hours, minutes or seconds")
    micro = number * _UNITS[word]
    return Offset(f"to_microseconds({micro})", micro)


def to_timedelta(arg: Thing, unit: object = None) -> Thing:
    """Return a column of numbers as lengths of time."""
    x = column(arg)
    word = _UNIT_WORDS.get(text_of(unit, "the unit of to_timedelta"), text_of(unit, "unit"))
    if x.family not in NUMERIC or word not in _UNITS:
        raise NotTranslatable("to_timedelta of what isn't a number of days, hours, minutes or seconds")
    if x.family == "float":
        return made(f"round(x * {_UNITS[word]})::BIGINT", "span", x, x=x.sql)
    return made(f"x * {_UNITS[word]}", "span", x, x=x.sql)


def _with_format(x: Value, text: str, mode: str) -> Value:
    pieces = re.split(r"(%.)", text)
    for directive in pieces[1::2]:
        if directive[1] not in _DIRECTIVES:
            raise NotTranslatable(f"{directive} in a format of to_datetime")
    # %Y of DuckDB also takes two digits, and it skips white space at the ends
    shape = "".join(_DIRECTIVES[p[1]] if i % 2 else re.sub(r"([^\w\s/:,-])", r"\\\1", p) for i, p in enumerate(pieces))
    y, z = literal(text), literal(shape)
    if mode == "coerce":
        template = "CASE WHEN regexp_full_match(x, z) THEN try_strptime(x, y) END"
        return made(template, "timestamp", x, nullable=True, x=x.sql, y=y, z=z)
    return made("strptime(x, y)", "timestamp", x, x=x.sql, y=y)


RULES = {"strftime": strftime, "floor": floor, "ceil": ceil, "to_period": to_period}

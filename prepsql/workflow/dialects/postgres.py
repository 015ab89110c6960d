"""PostgreSQL 15 and later."""

from __future__ import annotations

from prepsql.workflow.dialects.common import (
    BOOLEAN_NUMBER,
    BOOLEAN_TEXT,
    COMMON,
    DOUBLE_DECIMAL,
    ROUND_DIGITS,
    ROUND_DOUBLE,
    SIGNS,
)
from prepsql.workflow.dialects.dialect import Dialect, Each, Names, Template

_PARTS = {
    "year": "YEAR", "month": "MONTH", "day": "DAY", "quarter": "QUARTER", "week": "WEEK", "isodow": "ISODOW",
    "dayofweek": "DOW", "dayofyear": "DOY", "isoyear": "ISOYEAR",
}  # fmt: skip
_MONTHS = (
    "extract(YEAR FROM {2}) * 12 + extract(MONTH FROM {2}) - extract(YEAR FROM {1}) * 12 - extract(MONTH FROM {1})"
)
_STEPS = {"days": "day", "weeks": "week", "months": "month", "years": "year", "hours": "hour", "minutes": "minute",
          "seconds": "second"}  # fmt: skip

FUNCTIONS: dict[str, Template] = COMMON | ROUND_DIGITS | {
    "/(double, number)": "{0} / {1}",
    "/(number, number)": "CAST({0} AS DOUBLE PRECISION) / {1}",
    "//(integer, integer)": "{0} / {1}",
    "**(number, number)": "power(CAST({0} AS DOUBLE PRECISION), {1})",
    "sqrt(number)": "sqrt(CAST({0} AS DOUBLE PRECISION))",
    "ln(number)": "ln(CAST({0} AS DOUBLE PRECISION))",
    "exp(number)": "exp(CAST({0} AS DOUBLE PRECISION))",
    "sign(number)": "CAST(sign({0}) AS INTEGER)",
    "floor(number)": "floor({0})",
    "ceil(number)": "ceil({0})",
    "trunc(number)": "trunc({0})",
    "round(decimal)": "round({0})",
    "round(double)": ROUND_DOUBLE,
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    "round_half_up(double)": "CAST(round(CAST(CAST({0} AS TEXT) AS NUMERIC)) AS DOUBLE PRECISION)",
    "round_half_up(double, count)": "CAST(round(CAST(CAST({0} AS TEXT) AS NUMERIC), {1}) AS DOUBLE PRECISION)",
    **{
        f"{name}({kind}, ...)": Each("{}", ", ", f"{name}({{}})")
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "length({0})",
    "upper(text)": "upper({0})",
    "lower(text)": "lower({0})",
    "trim(text)": "btrim({0}, ' ')",
    "ltrim(text)": "ltrim({0}, ' ')",
    "rtrim(text)": "rtrim({0}, ' ')",
    "trim(text, word)": "btrim({0}, {1})",
    "ltrim(text, word)": "ltrim({0}, {1})",
    "rtrim(text, word)": "rtrim({0}, {1})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "translate(text, word, text)": "translate({0}, {1}, {2})",
    "substr(text, positive)": "substr({0}, {1})",
    "substr(text, positive, count)": "substr({0}, {1}, {2})",
    "left(text, count)": "left({0}, {1})",
    "right(text, count)": "right({0}, {1})",
    "strpos(text, text)": "strpos({0}, {1})",
    "contains(text, text)": "strpos({0}, {1}) > 0",
    "starts_with(text, text)": "starts_with({0}, {1})",
    "ends_with(text, text)": "right({0}, length({1})) = {1}",
    "split_part(text, word, positive)": "split_part({0}, {1}, {2})",
    "repeat(text, count)": "repeat({0}, {1})",
    "lpad(text, count, word)": "lpad({0}, {1}, {2})",
    "rpad(text, count, word)": "rpad({0}, {1}, {2})",
    "concat(text, ...)": Each("{}", ", ", "concat({})"),
    "concat_ws(word, text, ...)": Each("{}", ", ", "concat_ws({})"),
    "md5(text)": "md5({0})",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lower({0}) LIKE lower({1})",
    "regexp_matches(text, match)": "{0} ~ {1}",
    "regexp_full_match(text, fullmatch)": "{0} ~ {1}",
    "regexp_replace(text, pattern, replacement)": "regexp_replace({0}, {1}, {2})",
    "regexp_replace(text, pattern, replacement, 'g')": "regexp_replace({0}, {1}, {2}, 'g')",
    "regexp_extract(text, pattern)": "CASE WHEN {0} IS NOT NULL THEN coalesce(substring({0} FROM {1}), '') END",
    "regexp_extract(text, pattern, count)": "CASE WHEN {0} IS NOT NULL THEN coalesce(substring({0} FROM {1}), '') END",
    **{f"{part}(moment)": f"CAST(extract({field} FROM {{0}}) AS BIGINT)" for part, field in _PARTS.items()},
    **{
        f"{part}(moment)": f"CAST(floor(extract({part.upper()} FROM CAST({{0}} AS TIMESTAMP))) AS BIGINT)"
        for part in ("hour", "minute", "second")
    },
    "monthname(moment)": "to_char({0}, 'FMMonth')",
    "dayname(moment)": "to_char({0}, 'FMDay')",
    "strftime(moment, format)": "to_char({0}, {1})",
    "strptime(text, dayformat)": "CAST(to_date({0}, {1}) AS TIMESTAMP)",
    **{
        f"date_trunc('{part}', moment)": f"date_trunc('{part}', CAST({{1}} AS TIMESTAMP))"
        for part in ("year", "quarter", "month", "week", "day", "hour", "minute")
    },
    "last_day(moment)": "CAST(date_trunc('month', CAST({0} AS TIMESTAMP)) + INTERVAL '1 month -1 day' AS DATE)",
    "make_date(integer, integer, integer)":
        "make_date(CAST({0} AS INTEGER), CAST({1} AS INTEGER), CAST({2} AS INTEGER))",
    "+(date, integer)": "{0} + CAST({1} AS INTEGER)",
    "+(integer, date)": "{1} + CAST({0} AS INTEGER)",
    "-(date, integer)": "{0} - CAST({1} AS INTEGER)",
    "-(date, date)": "{0} - {1}",
    **{
        f"{sign} {unit}(moment, integer)": f"CAST({{0}} AS TIMESTAMP) {sign} {{1}} * INTERVAL '1 {word}'"
        for sign in "+-"
        for unit, word in _STEPS.items()
    },
    "datediff('day', moment, moment)": "CAST({2} AS DATE) - CAST({1} AS DATE)",
    "datediff('month', moment, moment)": f"CAST({_MONTHS} AS BIGINT)",
    "datediff('year', moment, moment)": "CAST(extract(YEAR FROM {2}) - extract(YEAR FROM {1}) AS BIGINT)",
    **{f"{sign}(text, text)": f'{{0}} COLLATE "C" {sign} {{1}}' for sign in SIGNS if sign not in ("=", "<>")},
    "min(text)": 'min({0} COLLATE "C")',
    "max(text)": 'max({0} COLLATE "C")',
    "avg(number)": "avg(CAST({0} AS DOUBLE PRECISION))",
    "avg over(number)": "avg(CAST({0} AS DOUBLE PRECISION))",
    **{
        f"median({kind})": "percentile_cont(0.5) WITHIN GROUP (ORDER BY CAST({0} AS DOUBLE PRECISION))"
        for kind in ("integer", "double")
    },
    **{
        f"quantile_cont({kind}, share)":
            "percentile_cont({1}) WITHIN GROUP (ORDER BY CAST({0} AS DOUBLE PRECISION))"
        for kind in ("integer", "double")
    },
    "stddev_samp(number)": "stddev_samp(CAST({0} AS DOUBLE PRECISION))",
    "var_samp(number)": "var_samp(CAST({0} AS DOUBLE PRECISION))",
    "bool_or(boolean)": "bool_or({0})",
    "bool_and(boolean)": "bool_and({0})",
    "string_agg ordered(text, word)": "string_agg({0}, {1} ORDER BY {order})",
    "first ordered(any)": "(array_agg({0} ORDER BY {order}){filter})[1]",
    "last ordered(any)": "(array_agg({0} ORDER BY {order}){filter})[count(*){filter}]",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

FORMATS = {
    "%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "HH24", "%M": "MI", "%S": "SS", "%y": "YY", "%B": "FMMonth",
    "%b": "Mon", "%A": "FMDay", "%a": "Dy", "%j": "DDD", "%-d": "FMDD", "%-m": "FMMM", "%-H": "FMHH24", "%I": "HH12",
    "%-I": "FMHH12", "%p": "AM", "": '"x"',
}  # fmt: skip

TYPES = {
    "BIGINT": "BIGINT", "INTEGER": "INTEGER", "SMALLINT": "SMALLINT", "TINYINT": "SMALLINT",
    "HUGEINT": "NUMERIC(38, 0)", "DOUBLE": "DOUBLE PRECISION", "FLOAT": "REAL", "VARCHAR": "TEXT",
    "BOOLEAN": "BOOLEAN", "DATE": "DATE", "TIMESTAMP": "TIMESTAMP", "DECIMAL": "NUMERIC({p}, {s})",
    '"NULL"': "INTEGER",
}  # fmt: skip

CASTS = {
    ("literal", "DATE"): "DATE {0}",
    ("literal", "TIMESTAMP"): "TIMESTAMP {0}",
    ("integer", "BIGINT"): "CAST({0} AS BIGINT)",
    ("integer", "INTEGER"): "CAST({0} AS INTEGER)",
    ("integer", "DOUBLE"): "CAST({0} AS DOUBLE PRECISION)",
    ("integer", "VARCHAR"): "CAST({0} AS TEXT)",
    ("integer", "DECIMAL"): "CAST({0} AS NUMERIC({p}, {s}))",
    ("decimal", "DOUBLE"): "CAST({0} AS DOUBLE PRECISION)",
    ("decimal", "BIGINT"): "CAST({0} AS BIGINT)",
    ("decimal", "INTEGER"): "CAST({0} AS INTEGER)",
    ("decimal", "VARCHAR"): "CAST(CAST({0} AS NUMERIC({p}, {s})) AS TEXT)",
    ("decimal", "DECIMAL"): "CAST({0} AS NUMERIC({p}, {s}))",
    ("double", "DECIMAL"): DOUBLE_DECIMAL,
    ("double", "BIGINT"): "CAST({0} AS BIGINT)",
    ("double", "INTEGER"): "CAST({0} AS INTEGER)",
    ("text", "BIGINT"): "CAST({0} AS BIGINT)",
    ("text", "INTEGER"): "CAST({0} AS INTEGER)",
    ("text", "DOUBLE"): "CAST({0} AS DOUBLE PRECISION)",
    ("text", "DECIMAL"): "CAST({0} AS NUMERIC({p}, {s}))",
    ("text", "DATE"): "CAST({0} AS DATE)",
    ("text", "TIMESTAMP"): "CAST({0} AS TIMESTAMP)",
    ("boolean", "VARCHAR"): BOOLEAN_TEXT,
    ("boolean", "INTEGER"): BOOLEAN_NUMBER,
    ("boolean", "BIGINT"): BOOLEAN_NUMBER,
    ("date", "VARCHAR"): "to_char({0}, 'YYYY-MM-DD')",
    ("date", "TIMESTAMP"): "CAST({0} AS TIMESTAMP)",
    ("timestamp", "DATE"): "CAST({0} AS DATE)",
}

POSTGRES = Dialect(
    "postgres",
    "PostgresCompiler",
    "postgres",
    functions=FUNCTIONS,
    types=TYPES,
    casts=CASTS,
    formats=FORMATS,
    regex="posix",
    names=Names(bytes=63),
    scale=38,
    filter=True,
    frames=frozenset(["ROWS", "RANGE"]),
    text_order='{0} COLLATE "C"',
    by_equality=frozenset(["FULL"]),
    expects=("the database is in UTF-8, with a locale that knows its letters' cases",),
)

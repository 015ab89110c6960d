"""Snowflake. Names are quoted, so that they keep their case."""

from __future__ import annotations

from prepsql.workflow.dialects.common import (
    BOOLEAN_NUMBER,
    BOOLEAN_TEXT,
    COMMON,
    DOUBLE_DECIMAL,
    ROUND_DIGITS,
    ROUND_DOUBLE,
)
from prepsql.workflow.dialects.dialect import Dialect, Each, Names, Template

_UNITS = {"days": "DAY", "weeks": "WEEK", "months": "MONTH", "years": "YEAR", "hours": "HOUR", "minutes": "MINUTE",
          "seconds": "SECOND"}  # fmt: skip

FUNCTIONS: dict[str, Template] = COMMON | ROUND_DIGITS | {
    "/(number, number)": "CAST({0} AS DOUBLE) / {1}",
    "**(number, number)": "power(CAST({0} AS DOUBLE), {1})",
    "sqrt(number)": "sqrt(CAST({0} AS DOUBLE))",
    "ln(number)": "ln(CAST({0} AS DOUBLE))",
    "exp(number)": "exp(CAST({0} AS DOUBLE))",
    "sign(number)": "sign({0})",
    "floor(number)": "floor({0})",
    "ceil(number)": "ceil({0})",
    "trunc(number)": "trunc({0})",
    "round(double)": ROUND_DOUBLE,
    "round(decimal)": "round({0})",
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, ...)": Each("{}", ", ", f"{name}_ignore_nulls({{}})")
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "length({0})",
    "upper(text)": "upper({0})",
    "lower(text)": "lower({0})",
    "trim(text)": "trim({0}, ' ')",
    "ltrim(text)": "ltrim({0}, ' ')",
    "rtrim(text)": "rtrim({0}, ' ')",
    "trim(text, word)": "trim({0}, {1})",
    "ltrim(text, word)": "ltrim({0}, {1})",
    "rtrim(text, word)": "rtrim({0}, {1})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "substr(text, positive)": "substr({0}, {1})",
    "substr(text, positive, count)": "substr({0}, {1}, {2})",
    "left(text, count)": "left({0}, {1})",
    "right(text, count)": "right({0}, {1})",
    "strpos(text, word)": "position({1}, {0})",
    "contains(text, text)": "contains({0}, {1})",
    "starts_with(text, text)": "startswith({0}, {1})",
    "ends_with(text, text)": "endswith({0}, {1})",
    "split_part(text, word, positive)": "split_part({0}, {1}, {2})",
    "repeat(text, count)": "repeat({0}, {1})",
    "lpad(text, count, word)": "lpad({0}, {1}, {2})",
    "rpad(text, count, word)": "rpad({0}, {1}, {2})",
    "md5(text)": "md5({0})",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lower({0}) LIKE lower({1})",
    "year(moment)": "year({0})",
    "month(moment)": "month({0})",
    "day(moment)": "day({0})",
    "quarter(moment)": "quarter({0})",
    "isodow(moment)": "dayofweekiso({0})",
    "dayofyear(moment)": "dayofyear({0})",
    "week(moment)": "weekiso({0})",
    "isoyear(moment)": "yearofweekiso({0})",
    "hour(timestamp)": "hour({0})",
    "minute(timestamp)": "minute({0})",
    "second(timestamp)": "second({0})",
    "strftime(moment, format)": "to_char({0}, {1})",
    "strptime(text, dayformat)": "CAST(to_date({0}, {1}) AS TIMESTAMP_NTZ)",
    **{
        f"date_trunc('{part}', moment)": f"date_trunc('{part}', CAST({{1}} AS TIMESTAMP_NTZ))"
        for part in ("year", "quarter", "month", "day", "hour", "minute")
    },
    "last_day(moment)": "last_day({0})",
    "make_date(integer, integer, integer)": "date_from_parts({0}, {1}, {2})",
    "+(date, integer)": "dateadd(DAY, {1}, {0})",
    "+(integer, date)": "dateadd(DAY, {0}, {1})",
    "-(date, integer)": "dateadd(DAY, -{1}, {0})",
    "-(date, date)": "datediff(DAY, {1}, {0})",
    **{
        f"{sign} {unit}(moment, integer)": f"dateadd({word}, {'-' * (sign == '-')}{{1}}, CAST({{0}} AS TIMESTAMP_NTZ))"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    **{f"datediff('{part}', moment, moment)": f"datediff({part.upper()}, {{1}}, {{2}})" for part in
       ("day", "month", "year")},
    "avg(number)": "avg(CAST({0} AS DOUBLE))",
    "avg over(number)": "avg(CAST({0} AS DOUBLE))",
    **{f"median({kind})": "median(CAST({0} AS DOUBLE))" for kind in ("integer", "double")},
    **{
        f"quantile_cont({kind}, share)": "percentile_cont({1}) WITHIN GROUP (ORDER BY CAST({0} AS DOUBLE))"
        for kind in ("integer", "double")
    },
    "stddev_samp(number)": "stddev_samp(CAST({0} AS DOUBLE))",
    "var_samp(number)": "var_samp(CAST({0} AS DOUBLE))",
    "bool_or(boolean)": "boolor_agg({0})",
    "bool_and(boolean)": "booland_agg({0})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

SNOWFLAKE = Dialect(
    "snowflake",
    "SnowflakeCompiler",
    "snowflake",
    functions=FUNCTIONS,
    types={
        "BIGINT": "BIGINT", "INTEGER": "INTEGER", "SMALLINT": "SMALLINT", "TINYINT": "SMALLINT",
        "HUGEINT": "NUMBER(38, 0)", "DOUBLE": "DOUBLE", "FLOAT": "DOUBLE", "VARCHAR": "VARCHAR", "BOOLEAN": "BOOLEAN",
        "DATE": "DATE", "TIMESTAMP": "TIMESTAMP_NTZ", "DECIMAL": "NUMBER({p}, {s})", '"NULL"': "INTEGER",
    },
    casts={
        ("literal", "DATE"): "CAST({0} AS DATE)",
        ("literal", "TIMESTAMP"): "CAST({0} AS TIMESTAMP_NTZ)",
        ("integer", "BIGINT"): "CAST({0} AS BIGINT)",
        ("integer", "INTEGER"): "CAST({0} AS INTEGER)",
        ("integer", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("integer", "VARCHAR"): "CAST({0} AS VARCHAR)",
        ("integer", "DECIMAL"): "CAST({0} AS NUMBER({p}, {s}))",
        ("decimal", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("decimal", "BIGINT"): "CAST(round({0}) AS BIGINT)",
        ("decimal", "INTEGER"): "CAST(round({0}) AS INTEGER)",
        ("decimal", "VARCHAR"): "CAST(CAST({0} AS NUMBER({p}, {s})) AS VARCHAR)",
        ("decimal", "DECIMAL"): "CAST({0} AS NUMBER({p}, {s}))",
        ("double", "DECIMAL"): DOUBLE_DECIMAL,
        ("text", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("text", "DATE"): "to_date({0}, 'YYYY-MM-DD')",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "to_char({0}, 'YYYY-MM-DD')",
        ("date", "TIMESTAMP"): "CAST({0} AS TIMESTAMP_NTZ)",
        ("timestamp", "DATE"): "CAST({0} AS DATE)",
    },
    formats={
        "%Y": "YYYY", "%m": "MM", "%d": "DD", "%H": "HH24", "%M": "MI", "%S": "SS", "%y": "YY", "%B": "MMMM",
        "%b": "MON", "%a": "DY", "": '"x"',
    },
    names=Names(bytes=255),
    scale=12,
    backslash=True,
    ignore_nulls="after",
    expects=("timestamps are TIMESTAMP_NTZ, decimals NUMBER(p, s)",),
)  # fmt: skip

"""Trino. A result's column names may lose their case."""

from __future__ import annotations

from prepsql.workflow.dialects.common import (
    BOOLEAN_NUMBER,
    BOOLEAN_TEXT,
    COMMON,
    DOUBLE_DECIMAL,
    ROUND_DIGITS,
    ROUND_DOUBLE,
)
from prepsql.workflow.dialects.dialect import Dialect, Template

_UNITS = {"days": "day", "weeks": "week", "months": "month", "years": "year", "hours": "hour", "minutes": "minute",
          "seconds": "second"}  # fmt: skip

FUNCTIONS: dict[str, Template] = COMMON | ROUND_DIGITS | {
    "/(number, number)": "CAST({0} AS DOUBLE) / {1}",
    "//(integer, integer)": "{0} / {1}",
    "**(number, number)": "power(CAST({0} AS DOUBLE), {1})",
    "sqrt(number)": "sqrt(CAST({0} AS DOUBLE))",
    "ln(number)": "ln(CAST({0} AS DOUBLE))",
    "exp(number)": "exp(CAST({0} AS DOUBLE))",
    "sign(number)": "sign({0})",
    "floor(number)": "floor({0})",
    "ceil(number)": "ceil({0})",
    "trunc(number)": "truncate({0})",
    "round(double)": ROUND_DOUBLE,
    "round(decimal)": "round({0})",
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, {kind})": f"coalesce({name}({{0}}, {{1}}), {{0}}, {{1}})"
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "length({0})",
    "upper(text)": "upper({0})",
    "lower(text)": "lower({0})",
    "trim(text)": "trim(BOTH ' ' FROM {0})",
    "ltrim(text)": "trim(LEADING ' ' FROM {0})",
    "rtrim(text)": "trim(TRAILING ' ' FROM {0})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "substr(text, positive)": "substr({0}, {1})",
    "substr(text, positive, count)": "substr({0}, {1}, {2})",
    "left(text, count)": "substr({0}, 1, {1})",
    "strpos(text, word)": "strpos({0}, {1})",
    "contains(text, text)": "strpos({0}, {1}) > 0",
    "starts_with(text, text)": "starts_with({0}, {1})",
    "split_part(text, word, positive)":
        "CASE WHEN {0} IS NOT NULL THEN coalesce(split_part({0}, {1}, {2}), '') END",
    "lpad(text, count, word)": "lpad({0}, {1}, {2})",
    "rpad(text, count, word)": "rpad({0}, {1}, {2})",
    "md5(text)": "lower(to_hex(md5(to_utf8({0}))))",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lower({0}) LIKE lower({1})",
    "regexp_matches(text, match)": "regexp_like({0}, {1})",
    "regexp_full_match(text, fullmatch)": "regexp_like({0}, {1})",
    "regexp_replace(text, pattern, replacement, 'g')": "regexp_replace({0}, {1}, {2})",
    "year(moment)": "year({0})",
    "month(moment)": "month({0})",
    "day(moment)": "day({0})",
    "quarter(moment)": "quarter({0})",
    "week(moment)": "week({0})",
    "isodow(moment)": "day_of_week({0})",
    "dayofweek(moment)": "day_of_week({0}) % 7",
    "dayofyear(moment)": "day_of_year({0})",
    "isoyear(moment)": "year_of_week({0})",
    "hour(timestamp)": "hour({0})",
    "minute(timestamp)": "minute({0})",
    "second(timestamp)": "second({0})",
    "strftime(moment, format)": "date_format(CAST({0} AS TIMESTAMP), {1})",
    "strptime(text, dayformat)": "date_parse({0}, {1})",
    **{
        f"date_trunc('{part}', moment)": f"date_trunc('{part}', CAST({{1}} AS TIMESTAMP))"
        for part in ("year", "quarter", "month", "week", "day", "hour", "minute")
    },
    "last_day(moment)": "last_day_of_month({0})",
    "+(date, integer)": "date_add('day', {1}, {0})",
    "+(integer, date)": "date_add('day', {0}, {1})",
    "-(date, integer)": "date_add('day', -{1}, {0})",
    "-(date, date)": "date_diff('day', {1}, {0})",
    **{
        f"{sign} {unit}(moment, integer)": f"date_add('{word}', {'-' * (sign == '-')}{{1}}, CAST({{0}} AS TIMESTAMP))"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    "datediff('day', moment, moment)": "date_diff('day', CAST({1} AS DATE), CAST({2} AS DATE))",
    "datediff('year', moment, moment)": "year({2}) - year({1})",
    "datediff('month', moment, moment)": "(year({2}) - year({1})) * 12 + month({2}) - month({1})",
    "avg(number)": "avg(CAST({0} AS DOUBLE))",
    "avg over(number)": "avg(CAST({0} AS DOUBLE))",
    "stddev_samp(number)": "stddev_samp(CAST({0} AS DOUBLE))",
    "var_samp(number)": "var_samp(CAST({0} AS DOUBLE))",
    "bool_or(boolean)": "bool_or({0})",
    "bool_and(boolean)": "bool_and({0})",
    "string_agg ordered(text, word)": "listagg({0}, {1}) WITHIN GROUP (ORDER BY {order})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

TRINO = Dialect(
    "trino",
    "TrinoCompiler",
    "trino",
    functions=FUNCTIONS,
    types={
        "BIGINT": "BIGINT", "INTEGER": "INTEGER", "SMALLINT": "SMALLINT", "TINYINT": "TINYINT",
        "HUGEINT": "DECIMAL(38, 0)", "DOUBLE": "DOUBLE", "FLOAT": "REAL", "VARCHAR": "VARCHAR", "BOOLEAN": "BOOLEAN",
        "DATE": "DATE", "TIMESTAMP": "TIMESTAMP(6)", "DECIMAL": "DECIMAL({p}, {s})", '"NULL"': "INTEGER",
    },
    casts={
        ("literal", "DATE"): "DATE {0}",
        ("literal", "TIMESTAMP"): "TIMESTAMP {0}",
        ("integer", "BIGINT"): "CAST({0} AS BIGINT)",
        ("integer", "INTEGER"): "CAST({0} AS INTEGER)",
        ("integer", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("integer", "VARCHAR"): "CAST({0} AS VARCHAR)",
        ("integer", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("decimal", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("decimal", "BIGINT"): "CAST({0} AS BIGINT)",
        ("decimal", "INTEGER"): "CAST({0} AS INTEGER)",
        ("decimal", "VARCHAR"): "CAST(CAST({0} AS DECIMAL({p}, {s})) AS VARCHAR)",
        ("decimal", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("text", "BIGINT"): "CAST({0} AS BIGINT)",
        ("text", "INTEGER"): "CAST({0} AS INTEGER)",
        ("double", "DECIMAL"): DOUBLE_DECIMAL,
        ("text", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("text", "DATE"): "CAST({0} AS DATE)",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "CAST({0} AS VARCHAR)",
        ("date", "TIMESTAMP"): "CAST({0} AS TIMESTAMP(6))",
        ("timestamp", "DATE"): "CAST({0} AS DATE)",
    },
    formats={
        "%Y": "%Y", "%m": "%m", "%d": "%d", "%H": "%H", "%M": "%i", "%S": "%s", "%y": "%y", "%B": "%M", "%b": "%b",
        "%A": "%W", "%a": "%a", "%j": "%j", "%I": "%h", "%p": "%p", "": "x",
    },
    regex="java",
    scale=18,
    filter=True,
    ignore_nulls="after",
    expects=("the names of its columns may come back in lower case",),
)  # fmt: skip

"""Databricks SQL and Apache Spark 4, both with ANSI on (as is the default)."""

from __future__ import annotations

from dataclasses import replace

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
    "//(integer, integer)": "{0} div {1}",
    "**(number, number)": "power(CAST({0} AS DOUBLE), {1})",
    "sqrt(number)": "sqrt(CAST({0} AS DOUBLE))",
    "exp(number)": "exp(CAST({0} AS DOUBLE))",
    "sign(number)": "CAST(sign({0}) AS INT)",
    "floor(decimal)": "floor({0})",
    "ceil(decimal)": "ceil({0})",
    "floor(double)": "CAST(floor({0}) AS DOUBLE)",
    "ceil(double)": "CAST(ceil({0}) AS DOUBLE)",
    "round(double)": ROUND_DOUBLE,
    "round(decimal)": "round({0})",
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, {kind}, ...)": Each("{}", ", ", f"{name}({{}})")
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "char_length({0})",
    "upper(text)": "upper({0})",
    "lower(text)": "lower({0})",
    "trim(text)": "trim({0})",
    "ltrim(text)": "ltrim({0})",
    "rtrim(text)": "rtrim({0})",
    "trim(text, word)": "trim(BOTH {1} FROM {0})",
    "ltrim(text, word)": "trim(LEADING {1} FROM {0})",
    "rtrim(text, word)": "trim(TRAILING {1} FROM {0})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "substr(text, positive)": "substr({0}, {1})",
    "substr(text, positive, count)": "substr({0}, {1}, {2})",
    "left(text, count)": "left({0}, {1})",
    "right(text, count)": "right({0}, {1})",
    "strpos(text, word)": "instr({0}, {1})",
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
    "regexp_matches(text, match)": "{0} RLIKE {1}",
    "regexp_full_match(text, fullmatch)": "{0} RLIKE {1}",
    "regexp_replace(text, pattern, replacement, 'g')": "regexp_replace({0}, {1}, {2})",
    "year(moment)": "year({0})",
    "month(moment)": "month({0})",
    "day(moment)": "day({0})",
    "quarter(moment)": "quarter({0})",
    "week(moment)": "weekofyear({0})",
    "isodow(moment)": "weekday({0}) + 1",
    "dayofweek(moment)": "dayofweek({0}) - 1",
    "dayofyear(moment)": "dayofyear({0})",
    "hour(timestamp)": "hour({0})",
    "minute(timestamp)": "minute({0})",
    "second(timestamp)": "second({0})",
    "strftime(moment, format)": "date_format({0}, {1})",
    "strptime(text, dayformat)": "CAST(to_date({0}, {1}) AS TIMESTAMP_NTZ)",
    **{
        f"date_trunc('{part}', moment)": f"CAST(date_trunc('{part}', {{1}}) AS TIMESTAMP_NTZ)"
        for part in ("year", "quarter", "month", "week", "day")
    },
    "last_day(moment)": "last_day({0})",
    "make_date(integer, integer, integer)": "make_date({0}, {1}, {2})",
    "+(date, integer)": "date_add({0}, {1})",
    "+(integer, date)": "date_add({1}, {0})",
    "-(date, integer)": "date_sub({0}, {1})",
    "-(date, date)": "datediff({0}, {1})",
    **{
        f"{sign} {unit}(moment, integer)":
            f"timestampadd({word}, {'-' * (sign == '-')}{{1}}, CAST({{0}} AS TIMESTAMP_NTZ))"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    "datediff('day', moment, moment)": "datediff({2}, {1})",
    "datediff('year', moment, moment)": "year({2}) - year({1})",
    "datediff('month', moment, moment)": "(year({2}) - year({1})) * 12 + month({2}) - month({1})",
    "avg(number)": "avg(CAST({0} AS DOUBLE))",
    "avg over(number)": "avg(CAST({0} AS DOUBLE))",
    **{f"median({kind})": "median({0})" for kind in ("integer", "double")},
    **{f"quantile_cont({kind}, share)": "percentile({0}, {1})" for kind in ("integer", "double")},
    "stddev_samp(number)": "stddev_samp(CAST({0} AS DOUBLE))",
    "var_samp(number)": "var_samp(CAST({0} AS DOUBLE))",
    "bool_or(boolean)": "bool_or({0})",
    "bool_and(boolean)": "bool_and({0})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

DATABRICKS = Dialect(
    "databricks",
    "DatabricksCompiler",
    "databricks",
    functions=FUNCTIONS,
    types={
        "BIGINT": "BIGINT", "INTEGER": "INT", "SMALLINT": "SMALLINT", "TINYINT": "TINYINT", "HUGEINT": "DECIMAL(38, 0)",
        "DOUBLE": "DOUBLE", "FLOAT": "FLOAT", "VARCHAR": "STRING", "BOOLEAN": "BOOLEAN", "DATE": "DATE",
        "TIMESTAMP": "TIMESTAMP_NTZ", "DECIMAL": "DECIMAL({p}, {s})", '"NULL"': "INT",
    },
    casts={
        ("literal", "DATE"): "DATE {0}",
        ("literal", "TIMESTAMP"): "TIMESTAMP_NTZ {0}",
        ("integer", "BIGINT"): "CAST({0} AS BIGINT)",
        ("integer", "INTEGER"): "CAST({0} AS INT)",
        ("integer", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("integer", "VARCHAR"): "CAST({0} AS STRING)",
        ("integer", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("decimal", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("decimal", "BIGINT"): "CAST(round({0}) AS BIGINT)",
        ("decimal", "INTEGER"): "CAST(round({0}) AS INT)",
        ("decimal", "VARCHAR"): "CAST(CAST({0} AS DECIMAL({p}, {s})) AS STRING)",
        ("decimal", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("text", "BIGINT"): "CAST({0} AS BIGINT)",
        ("text", "INTEGER"): "CAST({0} AS INT)",
        ("double", "DECIMAL"): DOUBLE_DECIMAL,
        ("text", "DOUBLE"): "CAST({0} AS DOUBLE)",
        ("text", "DATE"): "CAST({0} AS DATE)",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "CAST({0} AS STRING)",
        ("date", "TIMESTAMP"): "CAST({0} AS TIMESTAMP_NTZ)",
        ("timestamp", "DATE"): "CAST({0} AS DATE)",
    },
    formats={
        "%Y": "yyyy", "%m": "MM", "%d": "dd", "%H": "HH", "%M": "mm", "%S": "ss", "%y": "yy", "%B": "MMMM", "%b": "MMM",
        "%A": "EEEE", "%a": "EEE", "%j": "DDD", "%-d": "d", "%-m": "M", "%-H": "H", "%I": "hh", "": "'x'",
    },
    regex="java",
    names=Names(bytes=255),
    scale=18,
    backslash=True,
    filter=True,
    ignore_nulls="after",
    expects=("ANSI mode is on; timestamps are TIMESTAMP_NTZ",),
)  # fmt: skip

SPARK = replace(DATABRICKS, name="spark", sqlglot="spark")

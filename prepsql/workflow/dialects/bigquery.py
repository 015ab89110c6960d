"""BigQuery (GoogleSQL). TIMESTAMP is DATETIME there; names lack some characters."""

from __future__ import annotations

from prepsql.workflow.dialects.common import BOOLEAN_NUMBER, BOOLEAN_TEXT, COMMON, ROUND_DIGITS, ROUND_DOUBLE
from prepsql.workflow.dialects.dialect import Dialect, Names, Template

_UNITS = {"days": "DAY", "weeks": "WEEK", "months": "MONTH", "years": "YEAR", "hours": "HOUR", "minutes": "MINUTE",
          "seconds": "SECOND"}  # fmt: skip
_PARTS = {"year": "YEAR", "month": "MONTH", "day": "DAY", "quarter": "QUARTER", "week": "ISOWEEK", "isoyear": "ISOYEAR",
          "dayofyear": "DAYOFYEAR"}  # fmt: skip

FUNCTIONS: dict[str, Template] = COMMON | ROUND_DIGITS | {
    "%(integer, integer)": "mod({0}, {1})",
    "/(number, number)": "CAST({0} AS FLOAT64) / {1}",
    "//(integer, integer)": "div({0}, {1})",
    "**(number, number)": "pow(CAST({0} AS FLOAT64), {1})",
    "sqrt(number)": "sqrt(CAST({0} AS FLOAT64))",
    "ln(number)": "ln(CAST({0} AS FLOAT64))",
    "exp(number)": "exp(CAST({0} AS FLOAT64))",
    "sign(number)": "sign({0})",
    "floor(number)": "floor({0})",
    "ceil(number)": "ceil({0})",
    "trunc(number)": "trunc({0})",
    "round(double)": ROUND_DOUBLE,
    "round(decimal)": "round({0})",
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, {kind})": f"coalesce({name}({{0}}, {{1}}), {{0}}, {{1}})"
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "char_length({0})",
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
    "strpos(text, word)": "strpos({0}, {1})",
    "contains(text, text)": "strpos({0}, {1}) > 0",
    "starts_with(text, text)": "starts_with({0}, {1})",
    "ends_with(text, text)": "ends_with({0}, {1})",
    "repeat(text, count)": "repeat({0}, {1})",
    "lpad(text, count, word)": "lpad({0}, {1}, {2})",
    "rpad(text, count, word)": "rpad({0}, {1}, {2})",
    "md5(text)": "to_hex(md5({0}))",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lower({0}) LIKE lower({1})",
    "regexp_matches(text, match)": "regexp_contains({0}, {1})",
    "regexp_full_match(text, fullmatch)": "regexp_contains({0}, {1})",
    "regexp_replace(text, pattern, replacement, 'g')": "regexp_replace({0}, {1}, {2})",
    "regexp_extract(text, pattern)": "CASE WHEN {0} IS NOT NULL THEN coalesce(regexp_extract({0}, {1}), '') END",
    "regexp_extract(text, pattern, count)":
        "CASE WHEN {0} IS NOT NULL THEN coalesce(regexp_extract({0}, {1}), '') END",
    **{f"{part}(moment)": f"extract({field} FROM {{0}})" for part, field in _PARTS.items()},
    "isodow(moment)": "mod(extract(DAYOFWEEK FROM {0}) + 5, 7) + 1",
    "dayofweek(moment)": "extract(DAYOFWEEK FROM {0}) - 1",
    **{f"{part}(timestamp)": f"extract({part.upper()} FROM {{0}})" for part in ("hour", "minute", "second")},
    "strftime(moment, format)": "format_datetime({1}, CAST({0} AS DATETIME))",
    "strptime(text, dayformat)": "parse_datetime({1}, {0})",
    **{
        f"date_trunc('{part}', moment)": f"datetime_trunc(CAST({{1}} AS DATETIME), {word})"
        for part, word in {"year": "YEAR", "quarter": "QUARTER", "month": "MONTH", "week": "ISOWEEK", "day": "DAY",
                           "hour": "HOUR", "minute": "MINUTE"}.items()
    },
    "last_day(date)": "last_day({0})",
    "make_date(integer, integer, integer)": "date({0}, {1}, {2})",
    "+(date, integer)": "date_add({0}, INTERVAL {1} DAY)",
    "+(integer, date)": "date_add({1}, INTERVAL {0} DAY)",
    "-(date, integer)": "date_sub({0}, INTERVAL {1} DAY)",
    "-(date, date)": "date_diff({0}, {1}, DAY)",
    **{
        f"{sign} {unit}(moment, integer)":
            f"datetime_{'add' if sign == '+' else 'sub'}(CAST({{0}} AS DATETIME), INTERVAL {{1}} {word})"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    **{f"datediff('{part}', moment, moment)":
       f"datetime_diff(CAST({{2}} AS DATETIME), CAST({{1}} AS DATETIME), {part.upper()})"
       for part in ("day", "month", "year")},
    "avg(number)": "avg(CAST({0} AS FLOAT64))",
    "avg over(number)": "avg(CAST({0} AS FLOAT64))",
    "stddev_samp(number)": "stddev_samp(CAST({0} AS FLOAT64))",
    "var_samp(number)": "var_samp(CAST({0} AS FLOAT64))",
    "bool_or(boolean)": "logical_or({0})",
    "bool_and(boolean)": "logical_and({0})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

BIGQUERY = Dialect(
    "bigquery",
    "BigQueryCompiler",
    "bigquery",
    functions=FUNCTIONS,
    types={
        "BIGINT": "INT64", "INTEGER": "INT64", "SMALLINT": "INT64", "TINYINT": "INT64", "HUGEINT": "BIGNUMERIC",
        "DOUBLE": "FLOAT64", "FLOAT": "FLOAT64", "VARCHAR": "STRING", "BOOLEAN": "BOOL", "DATE": "DATE",
        "TIMESTAMP": "DATETIME", "DECIMAL": "NUMERIC", '"NULL"': "INT64",
    },
    casts={
        ("literal", "DATE"): "DATE {0}",
        ("literal", "TIMESTAMP"): "DATETIME {0}",
        ("integer", "BIGINT"): "CAST({0} AS INT64)",
        ("integer", "INTEGER"): "CAST({0} AS INT64)",
        ("integer", "DOUBLE"): "CAST({0} AS FLOAT64)",
        ("integer", "VARCHAR"): "CAST({0} AS STRING)",
        ("decimal", "DOUBLE"): "CAST({0} AS FLOAT64)",
        ("decimal", "BIGINT"): "CAST({0} AS INT64)",
        ("decimal", "INTEGER"): "CAST({0} AS INT64)",
        ("text", "BIGINT"): "CAST({0} AS INT64)",
        ("text", "INTEGER"): "CAST({0} AS INT64)",
        ("text", "DOUBLE"): "CAST({0} AS FLOAT64)",
        ("text", "DATE"): "CAST({0} AS DATE)",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "format_date('%F', {0})",
        ("date", "TIMESTAMP"): "CAST({0} AS DATETIME)",
        ("timestamp", "DATE"): "CAST({0} AS DATE)",
    },
    formats={
        code: code for code in ("%Y", "%m", "%d", "%H", "%M", "%S", "%y", "%B", "%b", "%A", "%a", "%j", "%I", "%p")
    } | {"": "x"},
    regex="re2",
    decimal="NUMERIC '{0}'",
    names=Names(bytes=300, without="!\"$()*,./;?@[\\]^`{}~\n\t\r"),
    scale=9,
    backslash=True,
    ignore_nulls="inside",
    by_equality=frozenset(["LEFT", "RIGHT", "FULL"]),
    expects=("TIMESTAMP columns of the workflow are DATETIME, decimals NUMERIC",),
)  # fmt: skip

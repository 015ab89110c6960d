"""ClickHouse. Joins and aggregates give null only with the settings that end the query."""

from __future__ import annotations

from prepsql.workflow.dialects.common import BOOLEAN_NUMBER, BOOLEAN_TEXT, COMMON, ROUND_DIGITS, ROUND_DOUBLE
from prepsql.workflow.dialects.dialect import Dialect, Template

_NO = ("lag over(any)", "lead over(any)", "lag over(any, count)", "lead over(any, count)", "ntile over(positive)",
       "nth_value over(any, positive)", "percent_rank over()", "cume_dist over()")  # fmt: skip

FUNCTIONS: dict[str, Template] = {key: entry for key, entry in COMMON.items() if key not in _NO} | ROUND_DIGITS | {
    **{
        f"IS {word}({kind}, {kind})": template
        for word, template in (("NOT DISTINCT FROM", "{0} <=> {1}"), ("DISTINCT FROM", "NOT ({0} <=> {1})"))
        for kind in ("number", "text", "moment", "boolean")
    },
    "/(number, number)": "{0} / {1}",
    "//(integer, integer)": "intDiv({0}, {1})",
    "sqrt(number)": "sqrt({0})",
    "ln(number)": "log({0})",
    "exp(number)": "exp({0})",
    "sign(number)": "sign({0})",
    "floor(double)": "floor({0})",
    "ceil(double)": "ceil({0})",
    "trunc(double)": "trunc({0})",
    "round(double)": ROUND_DOUBLE,
    "round(integer, count)": "{0}",
    "length(text)": "lengthUTF8({0})",
    "upper(text)": "upperUTF8({0})",
    "lower(text)": "lowerUTF8({0})",
    "trim(text)": "trim(BOTH ' ' FROM {0})",
    "ltrim(text)": "trim(LEADING ' ' FROM {0})",
    "rtrim(text)": "trim(TRAILING ' ' FROM {0})",
    "replace(text, word, text)": "replaceAll({0}, {1}, {2})",
    "substr(text, positive)": "substringUTF8({0}, {1})",
    "substr(text, positive, count)": "substringUTF8({0}, {1}, {2})",
    "left(text, count)": "leftUTF8({0}, {1})",
    "right(text, count)": "rightUTF8({0}, {1})",
    "strpos(text, word)": "positionUTF8({0}, {1})",
    "contains(text, text)": "position({0}, {1}) > 0",
    "starts_with(text, text)": "startsWith({0}, {1})",
    "ends_with(text, text)": "endsWith({0}, {1})",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lowerUTF8({0}) LIKE lowerUTF8({1})",
    "regexp_matches(text, match)": "match({0}, {1})",
    "regexp_full_match(text, fullmatch)": "match({0}, {1})",
    "regexp_replace(text, pattern, replacement)": "replaceRegexpOne({0}, {1}, {2})",
    "regexp_replace(text, pattern, replacement, 'g')": "replaceRegexpAll({0}, {1}, {2})",
    "regexp_extract(text, pattern)": "extract({0}, {1})",
    "regexp_extract(text, pattern, count)": "extract({0}, {1})",
    "year(moment)": "toYear({0})",
    "month(moment)": "toMonth({0})",
    "day(moment)": "toDayOfMonth({0})",
    "quarter(moment)": "toQuarter({0})",
    "isodow(moment)": "toDayOfWeek({0})",
    "dayofyear(moment)": "toDayOfYear({0})",
    "hour(timestamp)": "toHour({0})",
    "minute(timestamp)": "toMinute({0})",
    "second(timestamp)": "toSecond({0})",
    "-(date, date)": "dateDiff('day', {1}, {0})",
    **{f"datediff('{part}', moment, moment)": f"dateDiff('{part}', {{1}}, {{2}})" for part in ("day", "month", "year")},
    "avg(integer)": "avg({0})",
    "avg(double)": "avg({0})",
    "avg over(double)": "avg({0})",
    "bool_or(boolean)": "max({0})",
    "bool_and(boolean)": "min({0})",
}  # fmt: skip

CLICKHOUSE = Dialect(
    "clickhouse",
    "ClickHouseCompiler",
    "clickhouse",
    functions=FUNCTIONS,
    types={
        "BIGINT": "Nullable(Int64)", "INTEGER": "Nullable(Int32)", "SMALLINT": "Nullable(Int16)",
        "TINYINT": "Nullable(Int8)", "HUGEINT": "Nullable(Int128)", "DOUBLE": "Nullable(Float64)",
        "FLOAT": "Nullable(Float32)", "VARCHAR": "Nullable(String)", "BOOLEAN": "Nullable(Bool)",
        "DATE": "Nullable(Date32)", "TIMESTAMP": "Nullable(DateTime64(6, 'UTC'))", '"NULL"': "Nullable(Int32)",
    },
    casts={
        ("literal", "DATE"): "toDate32({0})",
        ("literal", "TIMESTAMP"): "toDateTime64({0}, 6, 'UTC')",
        ("integer", "BIGINT"): "CAST({0} AS Nullable(Int64))",
        ("integer", "DOUBLE"): "CAST({0} AS Nullable(Float64))",
        ("integer", "VARCHAR"): "CAST({0} AS Nullable(String))",
        ("decimal", "DOUBLE"): "CAST({0} AS Nullable(Float64))",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "CAST({0} AS Nullable(String))",
        ("timestamp", "DATE"): "CAST({0} AS Nullable(Date32))",
    },
    regex="re2",
    backslash=True,
    view="CREATE OR REPLACE VIEW {0} AS\n{1}\nSETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1",
    end="\nSETTINGS join_use_nulls = 1, aggregate_functions_null_for_empty = 1",
    expects=("columns that may be null are Nullable, dates Date32 (1900 to 2299), timestamps DateTime64(6, 'UTC')",),
)  # fmt: skip

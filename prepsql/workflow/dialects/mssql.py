"""SQL Server 2022 (T-SQL). Conditions are no values there, and text compares as its collation says."""

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

_UNITS = {"days": "day", "weeks": "week", "months": "month", "years": "year", "hours": "hour", "minutes": "minute",
          "seconds": "second"}  # fmt: skip

FUNCTIONS: dict[str, Template] = {
    key: entry for key, entry in COMMON.items() if not key.startswith("nth_value")
} | ROUND_DIGITS | {
    "||(text, text)": "{0} + {1}",
    "concat(text, text, ...)": Each("{}", ", ", "concat({})"),
    "concat(text)": "coalesce({0}, '')",
    "/(number, number)": "CAST({0} AS FLOAT) / {1}",
    "//(integer, integer)": "{0} / {1}",
    "**(number, number)": "power(CAST({0} AS FLOAT), {1})",
    "sqrt(number)": "sqrt({0})",
    "ln(number)": "log({0})",
    "exp(number)": "exp({0})",
    "sign(number)": "sign({0})",
    "floor(number)": "floor({0})",
    "ceil(number)": "ceiling({0})",
    "trunc(number)": "round({0}, 0, 1)",
    "round(double)": ROUND_DOUBLE,
    "round(decimal)": "round({0}, 0)",
    "round(decimal, count)": "round({0}, {1})",
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, ...)": Each("{}", ", ", f"{name}({{}})")
        for name in ("greatest", "least")
        for kind in ("number", "date", "timestamp")
    },
    # len() doesn't count spaces at the end
    "length(text)": "len({0} + 'x') - 1",
    "upper(text)": "upper({0})",
    "lower(text)": "lower({0})",
    "trim(text)": "trim(' ' FROM {0})",
    "ltrim(text)": "ltrim({0})",
    "rtrim(text)": "rtrim({0})",
    "trim(text, word)": "trim({1} FROM {0})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "substr(text, positive)": "substring({0}, {1}, 2147483647)",
    "substr(text, positive, count)": "substring({0}, {1}, {2})",
    "left(text, count)": "left({0}, {1})",
    "right(text, count)": "right({0}, {1})",
    "strpos(text, word)": "charindex({1}, {0})",
    "contains(text, word)": "charindex({1}, {0}) > 0",
    "repeat(text, count)": "replicate({0}, {1})",
    "~~(text, like)": "{0} LIKE {1}",
    "~~*(text, like)": "lower({0}) LIKE lower({1})",
    "year(moment)": "year({0})",
    "month(moment)": "month({0})",
    "day(moment)": "day({0})",
    "quarter(moment)": "datepart(quarter, {0})",
    "week(moment)": "datepart(iso_week, {0})",
    "dayofyear(moment)": "datepart(dayofyear, {0})",
    "hour(timestamp)": "datepart(hour, {0})",
    "minute(timestamp)": "datepart(minute, {0})",
    "second(timestamp)": "datepart(second, {0})",
    "strftime(moment, format)": "format({0}, {1}, 'en-US')",
    **{
        f"date_trunc('{part}', moment)": f"datetrunc({word}, CAST({{1}} AS DATETIME2))"
        for part, word in {"year": "year", "quarter": "quarter", "month": "month", "week": "iso_week", "day": "day",
                           "hour": "hour", "minute": "minute"}.items()
    },
    "last_day(moment)": "eomonth({0})",
    "make_date(integer, integer, integer)": "datefromparts({0}, {1}, {2})",
    "+(date, integer)": "dateadd(day, {1}, {0})",
    "+(integer, date)": "dateadd(day, {0}, {1})",
    "-(date, integer)": "dateadd(day, -{1}, {0})",
    "-(date, date)": "datediff(day, {1}, {0})",
    **{
        f"{sign} {unit}(moment, integer)": f"dateadd({word}, {'-' * (sign == '-')}{{1}}, CAST({{0}} AS DATETIME2))"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    **{f"datediff('{part}', moment, moment)": f"datediff({part}, {{1}}, {{2}})" for part in ("day", "month", "year")},
    "avg(number)": "avg(CAST({0} AS FLOAT))",
    "avg over(number)": "avg(CAST({0} AS FLOAT))",
    "stddev_samp(number)": "stdev({0})",
    "var_samp(number)": "var({0})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

MSSQL = Dialect(
    "mssql",
    # Ibis' own compiler for it lists every column by what it knows of the schema, which is the author's to say here
    "PostgresCompiler",
    "tsql",
    functions=FUNCTIONS,
    types={
        "BIGINT": "BIGINT", "INTEGER": "INT", "SMALLINT": "SMALLINT", "TINYINT": "SMALLINT",
        "HUGEINT": "DECIMAL(38, 0)",
        "DOUBLE": "FLOAT", "FLOAT": "REAL", "VARCHAR": "NVARCHAR(4000)", "BOOLEAN": "BIT", "DATE": "DATE",
        "TIMESTAMP": "DATETIME2(6)", "DECIMAL": "DECIMAL({p}, {s})", '"NULL"': "INT",
    },
    casts={
        ("literal", "DATE"): "CAST({0} AS DATE)",
        ("literal", "TIMESTAMP"): "CAST({0} AS DATETIME2(6))",
        ("integer", "BIGINT"): "CAST({0} AS BIGINT)",
        ("integer", "INTEGER"): "CAST({0} AS INT)",
        ("integer", "DOUBLE"): "CAST({0} AS FLOAT)",
        ("integer", "VARCHAR"): "CAST({0} AS NVARCHAR(40))",
        ("integer", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("decimal", "DOUBLE"): "CAST({0} AS FLOAT)",
        ("decimal", "BIGINT"): "CAST(round({0}, 0) AS BIGINT)",
        ("decimal", "INTEGER"): "CAST(round({0}, 0) AS INT)",
        ("decimal", "VARCHAR"): "CAST(CAST({0} AS DECIMAL({p}, {s})) AS NVARCHAR(60))",
        ("decimal", "DECIMAL"): "CAST({0} AS DECIMAL({p}, {s}))",
        ("double", "DECIMAL"): DOUBLE_DECIMAL,
        ("text", "DATE"): "CONVERT(DATE, {0}, 23)",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT.replace("{0}", "{0} = 1"),
        ("boolean", "INTEGER"): BOOLEAN_NUMBER.replace("{0}", "{0} = 1"),
        ("boolean", "BIGINT"): BOOLEAN_NUMBER.replace("{0}", "{0} = 1"),
        ("date", "VARCHAR"): "CONVERT(NVARCHAR(10), {0}, 23)",
        ("date", "TIMESTAMP"): "CAST({0} AS DATETIME2(6))",
        ("timestamp", "DATE"): "CAST({0} AS DATE)",
    },
    formats={
        "%Y": "yyyy", "%m": "MM", "%d": "dd", "%H": "HH", "%M": "mm", "%S": "ss", "%y": "yy", "%B": "MMMM", "%b": "MMM",
        "%A": "dddd", "%a": "ddd", "%I": "hh", "%p": "tt",
    },
    like="brackets",
    names=Names(bytes=128),
    wide="N",
    scale=6,
    booleans=False,
    nulls=False,
    ignore_nulls="after",
    view="CREATE OR ALTER VIEW {0} AS\n{1}",
    expects=(
        "text columns are NVARCHAR, with a collation such as Latin1_General_100_BIN2, and without spaces at the end",
    ),
)  # fmt: skip

"""SQLite 3.39 and later, with its mathematical functions."""

from __future__ import annotations

from prepsql.workflow.dialects.common import BOOLEAN_NUMBER, BOOLEAN_TEXT, COMMON, ROUND_DIGITS, ROUND_DOUBLE, SIGNS
from prepsql.workflow.dialects.dialect import Dialect, Template

_PARTS = {"year": "%Y", "month": "%m", "day": "%d", "hour": "%H", "minute": "%M", "second": "%S", "dayofweek": "%w",
          "dayofyear": "%j"}  # fmt: skip
_UNITS = ("days", "hours", "minutes", "seconds")

FUNCTIONS: dict[str, Template] = {
    # dates and timestamps are text, whose forms can't be mixed
    key: template for key, template in COMMON.items() if "moment" not in key
} | ROUND_DIGITS | {
    **{f"{sign}({kind}, {kind})": f"{{0}} {sign} {{1}}" for sign in SIGNS for kind in ("date", "timestamp")},
    **{
        f"IS {word}({kind}, {kind})": f"{{0}} IS {word} {{1}}"
        for word in ("DISTINCT FROM", "NOT DISTINCT FROM")
        for kind in ("date", "timestamp")
    },
    "/(number, nonzero)": "CAST({0} AS REAL) / {1}",
    "//(integer, integer)": "{0} / {1}",
    "floor(double)": "floor({0})",
    "ceil(double)": "ceil({0})",
    "trunc(double)": "trunc({0})",
    "sign(number)": "sign({0})",
    "round(double)": ROUND_DOUBLE,
    "round(integer, count)": "{0}",
    **{
        f"{name}({kind}, {kind})": f"coalesce({word}({{0}}, {{1}}), {{0}}, {{1}})"
        for name, word in (("greatest", "max"), ("least", "min"))
        for kind in ("number", "date", "timestamp")
    },
    "length(text)": "length({0})",
    "trim(text)": "trim({0})",
    "ltrim(text)": "ltrim({0})",
    "rtrim(text)": "rtrim({0})",
    "trim(text, word)": "trim({0}, {1})",
    "ltrim(text, word)": "ltrim({0}, {1})",
    "rtrim(text, word)": "rtrim({0}, {1})",
    "replace(text, word, text)": "replace({0}, {1}, {2})",
    "substr(text, positive)": "substr({0}, {1})",
    "substr(text, positive, count)": "substr({0}, {1}, {2})",
    "left(text, count)": "substr({0}, 1, {1})",
    "right(text, positive)": "substr({0}, -{1})",
    "strpos(text, text)": "instr({0}, {1})",
    "contains(text, text)": "instr({0}, {1}) > 0",
    "starts_with(text, text)": "substr({0}, 1, length({1})) = {1}",
    "ends_with(text, word)": "substr({0}, -length({1})) = {1}",
    "~~(text, glob)": "{0} GLOB {1}",
    **{f"{part}(moment)": f"CAST(strftime('{code}', {{0}}) AS INTEGER)" for part, code in _PARTS.items()},
    "quarter(moment)": "(CAST(strftime('%m', {0}) AS INTEGER) + 2) / 3",
    "isodow(moment)": "(CAST(strftime('%w', {0}) AS INTEGER) + 6) % 7 + 1",
    "strftime(moment, format)": "strftime({1}, {0})",
    "last_day(moment)": "date({0}, 'start of month', '+1 month', '-1 day')",
    **{
        f"date_trunc('{part}', moment)": f"datetime({{1}}, 'start of {part}')" for part in ("year", "month", "day")
    },
    "+(date, integer)": "date({0}, {1} || ' days')",
    "-(date, integer)": "date({0}, (-{1}) || ' days')",
    "-(date, date)": "CAST(julianday({0}) - julianday({1}) AS INTEGER)",
    **{f"+ {unit}(moment, integer)": f"datetime({{0}}, {{1}} || ' {unit}')" for unit in _UNITS},
    **{f"- {unit}(moment, integer)": f"datetime({{0}}, (-{{1}}) || ' {unit}')" for unit in _UNITS},
    "datediff('day', moment, moment)": "CAST(julianday(date({2})) - julianday(date({1})) AS INTEGER)",
    "datediff('year', moment, moment)":
        "CAST(strftime('%Y', {2}) AS INTEGER) - CAST(strftime('%Y', {1}) AS INTEGER)",
    "avg(integer)": "avg({0})",
    "avg(double)": "avg({0})",
    "avg over(integer)": "avg({0})",
    "avg over(double)": "avg({0})",
    "bool_or(boolean)": "max({0})",
    "bool_and(boolean)": "min({0})",
    "lag over(number, count, number)": "lag({0}, {1}, {2})",
    "lead over(number, count, number)": "lead({0}, {1}, {2})",
}  # fmt: skip

SQLITE = Dialect(
    "sqlite",
    "SQLiteCompiler",
    "sqlite",
    functions=FUNCTIONS,
    types={
        "BIGINT": "INTEGER",
        "INTEGER": "INTEGER",
        "SMALLINT": "INTEGER",
        "TINYINT": "INTEGER",
        "HUGEINT": "INTEGER",
        "DOUBLE": "REAL",
        "FLOAT": "REAL",
        "VARCHAR": "TEXT",
        "BOOLEAN": "INTEGER",
        "DATE": "TEXT",
        "TIMESTAMP": "TEXT",
        '"NULL"': "INTEGER",
    },
    casts={
        ("literal", "DATE"): "{0}",
        ("literal", "TIMESTAMP"): "{0}",
        ("integer", "BIGINT"): "{0}",
        ("integer", "INTEGER"): "{0}",
        ("integer", "DOUBLE"): "CAST({0} AS REAL)",
        ("decimal", "DOUBLE"): "CAST({0} AS REAL)",
        ("integer", "VARCHAR"): "CAST({0} AS TEXT)",
        ("boolean", "VARCHAR"): BOOLEAN_TEXT,
        ("boolean", "INTEGER"): BOOLEAN_NUMBER,
        ("boolean", "BIGINT"): BOOLEAN_NUMBER,
        ("date", "VARCHAR"): "{0}",
        ("date", "TIMESTAMP"): "datetime({0})",
        ("timestamp", "DATE"): "date({0})",
    },
    formats={code: code for code in ("%Y", "%m", "%d", "%H", "%M", "%S", "%j")} | {"": "x"},
    filter=True,
    view="DROP VIEW IF EXISTS {0};\nCREATE VIEW {0} AS\n{1}",
    expects=("dates are text such as 2024-03-31, timestamps such as 2024-03-31 10:00:00, booleans 1 and 0",),
)

"""Amazon Redshift: PostgreSQL's forms where it has them."""

from __future__ import annotations

from prepsql.workflow.dialects.common import COMMON, ROUND_DIGITS, SIGNS
from prepsql.workflow.dialects.dialect import Dialect, Names, Template
from prepsql.workflow.dialects.postgres import CASTS, FORMATS, POSTGRES, TYPES
from prepsql.workflow.dialects.postgres import FUNCTIONS as POSTGRES_FUNCTIONS

_SAME = (
    "/(double, number)", "/(number, number)", "//(integer, integer)", "**(number, number)", "sqrt(number)",
    "ln(number)", "exp(number)", "sign(number)", "floor(number)", "ceil(number)", "trunc(number)", "round(double)",
    "round(decimal)", "round(decimal, count)", "round(integer, count)", "upper(text)", "lower(text)", "trim(text)",
    "ltrim(text)", "rtrim(text)", "trim(text, word)", "ltrim(text, word)", "rtrim(text, word)",
    "replace(text, word, text)", "translate(text, word, text)", "left(text, count)", "right(text, count)",
    "split_part(text, word, positive)", "repeat(text, count)", "lpad(text, count, word)", "rpad(text, count, word)",
    "md5(text)", "~~(text, like)", "~~*(text, like)", "regexp_matches(text, match)",
    "regexp_full_match(text, fullmatch)", "strftime(moment, format)", "strptime(text, dayformat)",
    "avg(number)", "avg over(number)", "stddev_samp(number)", "var_samp(number)", "bool_or(boolean)",
    "bool_and(boolean)", "-(date, date)", "+(date, integer)", "-(date, integer)",
    *(f"{name}({kind}, ...)" for name in ("greatest", "least") for kind in ("number", "date", "timestamp")),
    *(f"date_trunc('{part}', moment)" for part in ("year", "quarter", "month", "week", "day", "hour", "minute")),
)  # fmt: skip
_PARTS = ("year", "month", "day", "quarter", "week")
_UNITS = {"days": "day", "weeks": "week", "months": "month", "years": "year", "hours": "hour", "minutes": "minute",
          "seconds": "second"}  # fmt: skip
_SAME_VALUE = "{0} = {1} OR ({0} IS NULL AND {1} IS NULL)"
_EQUAL = f"CASE WHEN {_SAME_VALUE} THEN TRUE ELSE FALSE END"
_DISTINCT = f"CASE WHEN {_SAME_VALUE} THEN FALSE ELSE TRUE END"

FUNCTIONS: dict[str, Template] = COMMON | ROUND_DIGITS | {key: POSTGRES_FUNCTIONS[key] for key in _SAME} | {
    **{f"{sign}(text, text)": f"{{0}} {sign} {{1}}" for sign in SIGNS},
    **{
        f"IS NOT DISTINCT FROM({kind}, {kind})": _EQUAL for kind in ("number", "text", "moment", "boolean")
    },
    **{
        f"IS DISTINCT FROM({kind}, {kind})": _DISTINCT
        for kind in ("number", "text", "moment", "boolean")
    },
    "length(text)": "len({0})",
    "substr(text, positive)": "substring({0}, {1})",
    "substr(text, positive, count)": "substring({0}, {1}, {2})",
    "strpos(text, word)": "strpos({0}, {1})",
    "contains(text, word)": "strpos({0}, {1}) > 0",
    **{f"{part}(moment)": f"CAST(extract({part.upper()} FROM {{0}}) AS BIGINT)" for part in _PARTS},
    **{f"{part}(timestamp)": f"CAST(extract({part.upper()} FROM {{0}}) AS BIGINT)" for part in ("hour", "minute")},
    "last_day(moment)": "last_day({0})",
    **{
        f"{sign} {unit}(moment, integer)": f"dateadd({word}, {'-' * (sign == '-')}{{1}}, CAST({{0}} AS TIMESTAMP))"
        for sign in "+-"
        for unit, word in _UNITS.items()
    },
    **{f"datediff('{part}', moment, moment)": f"datediff({part}, {{1}}, {{2}})" for part in ("day", "month", "year")},
    **{f"median({kind})": "median(CAST({0} AS DOUBLE PRECISION))" for kind in ("integer", "double")},
    "string_agg ordered(text, word)": "listagg({0}, {1}) WITHIN GROUP (ORDER BY {order})",
}  # fmt: skip

_NO_CASTS = (("boolean", "VARCHAR"), ("double", "BIGINT"), ("double", "INTEGER"),
             ("decimal", "BIGINT"), ("decimal", "INTEGER"), ("text", "DECIMAL"), ("text", "TIMESTAMP"))  # fmt: skip

REDSHIFT = Dialect(
    "redshift",
    "PostgresCompiler",
    "redshift",
    functions=FUNCTIONS,
    types=TYPES | {"VARCHAR": "VARCHAR(65535)"},
    casts={key: made.replace(" AS TEXT", " AS VARCHAR(65535)") for key, made in CASTS.items() if key not in _NO_CASTS}
    | {("boolean", "VARCHAR"): CASTS["boolean", "VARCHAR"]},
    formats=FORMATS,
    regex=POSTGRES.regex,
    names=Names(bytes=127),
    scale=18,
    backslash=True,
    frames=frozenset(["ROWS"]),
    ignore_nulls="after",
    by_equality=frozenset(["FULL"]),
    view="CREATE OR REPLACE VIEW {0} AS\n{1}",
    expects=("text has no spaces at the end; quoted names keep their case only where that is enabled",),
)

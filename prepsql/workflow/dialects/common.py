"""What all dialects say alike, and the parts that several share. Each dialect takes what holds for it."""

from __future__ import annotations

from prepsql.workflow.dialects.dialect import Each, Template

SIGNS = ("=", "<>", "<", ">", "<=", ">=")

COMMON: dict[str, Template] = {
    "+(number, number)": "{0} + {1}",
    "-(number, number)": "{0} - {1}",
    "*(number, number)": "{0} * {1}",
    "+(number)": "{0}",
    "-(number)": "-{0}",
    "%(integer, integer)": "{0} % {1}",
    "abs(number)": "abs({0})",
    "round(integer)": "{0}",
    "floor(integer)": "{0}",
    "ceil(integer)": "{0}",
    "trunc(integer)": "{0}",
    "||(text, text)": "{0} || {1}",
    "concat(text, ...)": Each("coalesce({}, '')", " || "),
    "nullif(number, number)": "nullif({0}, {1})",
    "nullif(text, text)": "nullif({0}, {1})",
    "nullif(date, date)": "nullif({0}, {1})",
    "count_star()": "count(*)",
    "count(any)": "count({0})",
    "count distinct(any)": "count(DISTINCT {0})",
    "sum(number)": "sum({0})",
    "sum distinct(exact)": "sum(DISTINCT {0})",
    "min(plain)": "min({0})",
    "max(plain)": "max({0})",
    "min(text)": "min({0})",
    "max(text)": "max({0})",
    "min over(plain)": "min({0})",
    "max over(plain)": "max({0})",
    "sum over(number)": "sum({0})",
    "count over(any)": "count({0})",
    "count_star over()": "count(*)",
    "row_number over()": "row_number()",
    "rank over()": "rank()",
    "dense_rank over()": "dense_rank()",
    "percent_rank over()": "percent_rank()",
    "cume_dist over()": "cume_dist()",
    "ntile over(positive)": "ntile({0})",
    "lag over(any)": "lag({0})",
    "lead over(any)": "lead({0})",
    "lag over(any, count)": "lag({0}, {1})",
    "lead over(any, count)": "lead({0}, {1})",
    "first_value over(any)": "first_value({0})",
    "last_value over(any)": "last_value({0})",
    "nth_value over(any, positive)": "nth_value({0}, {1})",
    **{f"{sign}({kind}, {kind})": f"{{0}} {sign} {{1}}" for sign in SIGNS for kind in ("number", "text", "moment")},
    **{f"{sign}(boolean, boolean)": f"{{0}} {sign} {{1}}" for sign in ("=", "<>")},
    **{
        f"IS {word}({kind}, {kind})": f"{{0}} IS {word} {{1}}"
        for word in ("DISTINCT FROM", "NOT DISTINCT FROM")
        for kind in ("number", "text", "moment", "boolean")
    },
}
"""Entries that hold for every dialect that doesn't give another."""

BOOLEAN_TEXT = "CASE WHEN {0} THEN 'true' WHEN NOT {0} THEN 'false' END"
BOOLEAN_NUMBER = "CASE WHEN {0} THEN 1 WHEN NOT {0} THEN 0 END"

_WHOLE = "floor(abs({0}))"

ROUND_DOUBLE = f"sign({{0}}) * ({_WHOLE} + CASE WHEN abs({{0}}) - {_WHOLE} >= 0.5 THEN 1 ELSE 0 END)"
"""Halves away from zero; abs(x) + 0.5 would be rounded itself."""


def rounded(digits: int) -> str:
    """Return the template that rounds a DOUBLE to digits as DuckDB does: by its exact value, halves away from zero.

    1.115 is a little less than it looks, and becomes 1.11. What the product with 100 loses is found by splitting the
    number into two halves of 26 bits (Veltkamp), whose products are exact. It holds while |x| * 10^digits < 2^52.
    """
    power, size = f"{10**digits}.0", "abs({0})"
    high = f"({size} * 134217729.0 - ({size} * 134217729.0 - {size}))"
    moved = f"{size} * {power}"
    lost = f"({high} * {power} - {moved}) + ({size} - {high}) * {power}"
    up = f"CASE WHEN ({moved} - floor({moved}) - 0.5) + ({lost}) >= 0 THEN 1 ELSE 0 END"
    return f"sign({{0}}) * (floor({moved}) + {up}) / {power}"


ROUND_DIGITS = {f"round(double, {digits})": rounded(digits) for digits in range(1, 7)}

DOUBLE_DECIMAL = (
    "CAST(CAST(sign({0}) * (floor(abs({0}) * {power}) + CASE WHEN abs({0}) * {power} - floor(abs({0}) * {power}) "
    ">= 0.5 THEN 1 ELSE 0 END) AS BIGINT) * {unit} AS DECIMAL({p}, {s}))"
)
"""The cast of a DOUBLE to a DECIMAL: other than round() it goes by the product, which is rounded itself."""

"""What functions of other dialects are called in DuckDB; its own guesses go by spelling."""

from __future__ import annotations

import re

_ALIASES = {
    "charindex": "strpos(text, part)",
    "convert": "CAST(value AS type)",
    "dateadd": "date + INTERVAL 1 DAY",
    "dateserial": "make_date(year, month, day)",
    "getdate": "current_date; but the result should not depend on the day it runs",
    "iff": "if(condition, a, b) or CASE",
    "iif": "if(condition, a, b) or CASE",
    "initcap": "list_aggregate(list_transform(string_split(lower(s), ' '), lambda w: upper(w[1]) || w[2:]), "
    "'string_agg', ' ')",
    "isnull": "x IS NULL, or coalesce(x, y)",
    "len": "length(text)",
    "locate": "strpos(text, part)",
    "nvl": "coalesce(a, b)",
    "nvl2": "CASE WHEN a IS NOT NULL THEN b ELSE c END",
    "regexp_like": "regexp_matches(text, pattern)",
    "regexp_substr": "regexp_extract(text, pattern); it gives '' where nothing matches",
    "safe_cast": "TRY_CAST(value AS type)",
    "safe_divide": "a / nullif(b, 0)",
    "str_to_date": "try_strptime(text, '%Y-%m-%d')::DATE",
    "substring_index": "split_part(text, separator, n)",
    "to_char": "strftime(date, '%Y-%m-%d')",
    "to_date": "try_strptime(text, '%Y-%m-%d')::DATE",
    "to_number": "TRY_CAST(text AS DOUBLE)",
    "to_timestamp": "try_strptime(text, '%Y-%m-%d %H:%M:%S')",
    "try_to_date": "try_strptime(text, '%Y-%m-%d')::DATE",
    "try_to_number": "TRY_CAST(text AS DOUBLE)",
}
_UNKNOWN = re.compile(r"Function with name \"?(\w+)\"? does not exist!(?:\nDid you mean [^\n]*)?")
_TOO_DEEP = re.compile(r"(expression depth limit of \d+ exceeded\.) Use \"SET [^\n]*")


def with_hint(message: str) -> str:
    r"""Return DuckDB's message with its advice replaced, where it's another dialect's function or a setting.

    >>> with_hint('Catalog Error: Scalar Function with name nvl does not exist!\nDid you mean "ntile"?')
    'Catalog Error: Scalar Function with name nvl does not exist!\nIn DuckDB: coalesce(a, b)'
    """

    def known(match: re.Match[str]) -> str:
        name = match[1]
        alias = _ALIASES.get(name.lower())
        return f"Function with name {name} does not exist!\nIn DuckDB: {alias}" if alias else match[0]

    message = _TOO_DEEP.sub(r"\1 Compute parts of it in tables of their own, or use a list function", message)
    return _UNKNOWN.sub(known, message)

"""Which names DuckDB reads without quotes."""

from __future__ import annotations

import re
from functools import cache

from prepsql.sqltext import quote
from prepsql.workflow.engine import engine

_PLAIN = re.compile(r"[a-z_][a-z0-9_]*")


@cache
def _keywords() -> frozenset[str]:
    query = "SELECT keyword_name FROM duckdb_keywords() WHERE keyword_category <> 'unreserved'"
    rows = engine().execute(query).fetchall()
    return frozenset(name for (name,) in rows)


def is_plain(name: str) -> bool:
    """Return whether a name can stand without quotes, whatever it is used for.

    >>> is_plain("amount"), is_plain("order"), is_plain("Order id")
    (True, False, False)
    """
    return _PLAIN.fullmatch(name) is not None and name not in _keywords()


def column_name(name: str) -> str:
    """Return a name for an expression, in quotes where it needs them.

    >>> column_name("order id")
    '"order id"'
    """
    return name if is_plain(name) else quote(name)

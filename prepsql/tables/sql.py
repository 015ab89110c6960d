"""The few statements that several modules of this room send.

Text and not trees: a table may have hundreds of columns, and each has the same long expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from string import Template

from prepsql.sqltext import lit, quote, render

_SELECT = Template("SELECT\n  $cells\nFROM $table")


def select(cells: Iterable[str], table: str) -> str:
    """Return the query for the expressions `cells` over `table`."""
    return _SELECT.substitute(cells=",\n  ".join(cells), table=quote(table))


def literal(text: str) -> str:
    """Return `text` as a SQL literal."""
    return render(lit(text), pretty=False)


def named(cell: str, name: str) -> str:
    """Return the expression `cell` under a name."""
    return f"{cell} AS {quote(name)}"


def fill(expression: str, **parts: str) -> str:
    """Return `expression` with each of the words `parts` replaced by SQL, in one pass."""
    return re.sub(rf"\b({'|'.join(parts)})\b", lambda word: parts[word[0]], expression)


def create_as(name: str, query: str) -> str:
    """Return the statement that makes the table `name` of a query, replacing one of that name."""
    return f"CREATE OR REPLACE TABLE {quote(name)} AS\n{query}"


def drop(name: str) -> str:
    """Return the statement that drops the table `name` if there is one."""
    return f"DROP TABLE IF EXISTS {quote(name)}"

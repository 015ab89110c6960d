"""SQL text for DuckDB: the one place where names and values are quoted, and the few statements that several rooms send.

Statements are templates of text, filled with what `quote` and `literal` return. Why not trees: a table may have
hundreds of columns with the same long expression each (docs/design/0004-templates-of-text.md).
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from string import Template

_SELECT = Template("SELECT\n  $cells\nFROM $table")


def quote(name: str) -> str:
    """Return `name` as a quoted identifier, whatever characters it holds.

    >>> quote("order id")
    '"order id"'
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """Return `text` as a SQL literal.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"


def literals(values: Iterable[str | float]) -> str:
    """Return texts or numbers as a list in SQL.

    >>> literals(["a", "b"])
    "['a', 'b']"
    """
    return f"[{', '.join(literal(value) if isinstance(value, str) else str(value) for value in values)}]"


def named(cell: str, name: str) -> str:
    """Return the expression `cell` under a name."""
    return f"{cell} AS {quote(name)}"


def free_name(name: str, taken: Iterable[str]) -> str:
    """Return a name, numbered where `taken` has it already but for case.

    >>> free_name("id", ["ID", "id_2"])
    'id_3'
    """
    lowered = {other.lower() for other in taken}
    numbered = (name if number == 1 else f"{name}_{number}" for number in itertools.count(1))
    return next(one for one in numbered if one.lower() not in lowered)


def step_name(text: str, longest: int | None = None) -> str:
    """Return a text as a step's name, '' where nothing of it can be one.

    >>> step_name("Marks & more"), step_name("2024 paid")
    ('marks_more', 'step_2024_paid')
    """
    name = re.sub(r"\W+", "_", text, flags=re.ASCII)[:longest].strip("_").lower()
    return f"step_{name}" if name[:1].isdigit() else name


def fill(expression: str, **parts: str) -> str:
    """Return `expression` with each of the words `parts` replaced by SQL, in one pass."""
    return re.sub(rf"\b({'|'.join(parts)})\b", lambda word: parts[word[0]], expression)


def select(cells: Iterable[str], table: str) -> str:
    """Return the query for the expressions `cells` over `table`."""
    return _SELECT.substitute(cells=",\n  ".join(cells), table=quote(table))


def create_as(name: str, query: str) -> str:
    """Return the statement that makes the table `name` of a query, replacing one of that name."""
    return f"CREATE OR REPLACE TABLE {quote(name)} AS\n{query}"


def drop(name: str) -> str:
    """Return the statement that drops the table `name` if there is one."""
    return f"DROP TABLE IF EXISTS {quote(name)}"

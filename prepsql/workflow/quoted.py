"""What stands in quotes: SQL is laid out, and its brackets are counted, without it."""

from __future__ import annotations

import re

_TOKEN = re.compile(
    r"""--[^\n]*|/\*.*?\*/|\be'(?:\\.|''|[^'\\])*'|'(?:''|[^'])*'|"(?:""|[^"])*"|\$(\w*)\$.*?\$\1\$""",
    re.DOTALL | re.IGNORECASE,
)
# no SQL text can have it
_HELD = "\0"


def hold(sql: str) -> str:
    """Return SQL whose line breaks inside quotes are out of a layout's reach until `release`."""
    return _TOKEN.sub(lambda token: hold_all(token[0]), sql) if "\n" in sql else sql


def hold_all(text: str) -> str:
    """Return a text all of whose line breaks are out of a layout's reach until `release`."""
    return text.replace("\n", _HELD)


def release(sql: str) -> str:
    """Return SQL with the line breaks that `hold` took away."""
    return sql.replace(_HELD, "\n")


def indented(sql: str) -> str:
    r"""Return SQL two blanks further in; text in quotes stays as it is.

    >>> print(indented("SELECT\n  1"))
      SELECT
        1
    """
    return release("\n".join(f"  {line}" if line else line for line in hold(sql).split("\n")))


def balanced(sql: str) -> bool:
    """Return whether no bracket closes before it opens, outside quotes.

    >>> balanced("f(a) + (b)"), balanced("a) + (b"), balanced("a || ')'")
    (True, False, True)
    """
    depth = 0
    for sign in _TOKEN.sub("", sql):
        depth += (sign in "([{") - (sign in ")]}")
        if depth < 0:
            return False
    return True

"""What functions of other dialects are called in DuckDB; its own guesses go by spelling."""

from __future__ import annotations

import re

from prepsql.macros.aliases import suggest

_UNKNOWN = re.compile(r"Function with name \"?(\w+)\"? does not exist!(?:\nDid you mean [^\n]*)?")
_TOO_DEEP = re.compile(r"(expression depth limit of \d+ exceeded\.) Use \"SET [^\n]*")


def with_hint(message: str) -> str:
    r"""Return DuckDB's message with its advice replaced, where it names another tool's function or a setting.

    >>> with_hint('Catalog Error: Scalar Function with name nvl does not exist!\nDid you mean "ntile"?')
    'Catalog Error: Scalar Function with name nvl does not exist!\nWrite: coalesce(a, b)'
    """

    def known(match: re.Match[str]) -> str:
        meant = suggest(match[1])
        return f"Function with name {match[1]} does not exist!\nWrite: {meant}" if meant else match[0]

    message = _TOO_DEEP.sub(r"\1 Compute parts of it in tables of their own, or use a list function", message)
    return _UNKNOWN.sub(known, message)

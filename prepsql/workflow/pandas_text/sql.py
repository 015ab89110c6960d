"""Templates of SQL expressions, filled with parentheses only where they are needed."""

from __future__ import annotations

import re

_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
_INNERMOST = re.compile(r"\([^()]*\)|\[[^\[\]]*\]")
_ATOM = re.compile(r"[\w.]*(?:::\w+)*")
# words after and before which any expression stands without parentheses
_OPENS = re.compile(r"(?:^|[(,\[]|\b(?:CASE|WHEN|THEN|ELSE|PARTITION BY|IN))\s*$")
_CLOSES = re.compile(r"\s*(?:$|[),\]]|(?:WHEN|THEN|ELSE|END|ORDER BY|AS)\b)")


def is_atom(sql: str) -> bool:
    """Return whether an expression can be an operand as it is.

    >>> is_atom("lower(trim(a))"), is_atom("a + b"), is_atom("CASE WHEN a THEN b END")
    (True, False, True)
    """
    bare = _QUOTED.sub("q", sql)
    while bare != (bare := _INNERMOST.sub("", bare)):
        pass
    if bare.startswith("CASE") and bare.endswith("END"):
        depth = 0
        words = re.findall(r"\bCASE\b|\bEND\b", bare)
        for index, word in enumerate(words):
            depth += 1 if word == "CASE" else -1
            if depth == 0 and index < len(words) - 1:
                return False
        return True
    return _ATOM.fullmatch(bare) is not None


def has_window(sql: str) -> bool:
    """Return whether an expression looks at other rows."""
    return re.search(r"\bOVER \(", _QUOTED.sub("", sql)) is not None


def bind(template: str, **parts: str) -> str:
    """Return `template` with each of the words `parts` replaced by SQL, in parentheses where an operator is beside it.

    >>> bind("x * y", x="a + b", y="lower(c)")
    '(a + b) * lower(c)'
    """
    if not parts:
        return template
    quoted = [match.span() for match in _QUOTED.finditer(template)]

    def put(word: re.Match[str]) -> str:
        if any(start <= word.start() < end for start, end in quoted):
            return word[0]
        sql = parts[word[0]]
        rest = template[word.end() :]
        free = _OPENS.search(template[: word.start()]) and _CLOSES.match(rest)
        # a subscript can't follow a cast
        whole = is_atom(sql) and not (rest.startswith("[") and "::" in sql)
        return sql if free or whole else f"({sql})"

    return re.sub(rf"\b(?:{'|'.join(parts)})\b", put, template)

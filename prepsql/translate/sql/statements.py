"""A script as statements: what each makes, its query, and the comment above it."""

from __future__ import annotations

import re
from dataclasses import dataclass

import duckdb

from prepsql.errors import NotTranslatable
from prepsql.sandbox.child.lexing import Word, head, plain, words
from prepsql.workflow.engine import engine

_RULE = re.compile(r"^\s*[-=*#]*\s*|\s*[-=*#]*\s*$")
_NUMBERED = re.compile(r"^(?:step\s+)?\d+[.):]\s*", re.IGNORECASE)


@dataclass(frozen=True)
class Statement:
    """One CREATE … AS: the name it makes, its query's text, whether it's a view, and the comment above it."""

    name: str
    query: str
    view: bool
    comment: str
    columns: tuple[str, ...] = ()


def statements(script: str) -> list[Statement]:
    """Return the statements of a script; raises NotTranslatable where one is no CREATE … AS, or it doesn't parse."""
    try:
        parsed = engine().extract_statements(script)
    except duckdb.Error as bad:
        raise NotTranslatable(f"the script doesn't parse: {' '.join(str(bad).split())}") from bad
    found = []
    for number, each in enumerate(parsed, 1):
        tokens = words(each.query)
        made = head(tokens)
        if made is None:
            raise NotTranslatable(f"statement {number} isn't CREATE TABLE or VIEW … AS SELECT …: write it so")
        name, start = made
        raw = each.query.encode()
        before = raw[: tokens[0].start].decode()
        kind = [word.text.upper() for word in tokens[:5]]
        query = raw[start:].decode().rstrip().rstrip(";").rstrip()
        found.append(Statement(name, query, "VIEW" in kind, comment_of(before), _columns(tokens, start)))
    if not found:
        raise NotTranslatable("the script is empty: write CREATE TABLE output_01 AS SELECT …")
    return found


def _columns(tokens: list[Word], start: int) -> tuple[str, ...]:
    """Return the names that CREATE name (a, b) AS gives the columns."""
    listed = [word for word in tokens if word.start < start]
    at = next((i for i, word in enumerate(listed) if word.text.startswith("(")), None)
    if at is None:
        return ()
    return tuple(plain(w.text) for w in listed[at + 1 :] if w.text not in (",", "(", ")") and w.text.upper() != "AS")


def comment_of(text: str) -> str:
    r"""Return what the comments at the end of a text say, down to a blank line, as one line.

    Numbers and signs at the beginning are left out.

    >>> comment_of("-- 1. Orders\n-- of the year.\n")
    'Orders of the year.'
    """
    tail = re.split(r"\n[ \t]*\n", text)[-1]
    said = []
    for block, line in re.findall(r"/\*(.*?)\*/|--([^\n]*)", tail, re.DOTALL):
        for part in (block or line).splitlines():
            said.append(_RULE.sub("", part))
    return _NUMBERED.sub("", " ".join(" ".join(filter(None, said)).split()))

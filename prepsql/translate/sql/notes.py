"""The comments of a script, where they stand above what they are about."""

from __future__ import annotations

import re

import duckdb

from prepsql.translate.sql.statements import comment_of


def comment_above(text: str, name: str) -> str:
    """Return the comment right before the common table `name` in a query's text, '' where there is none."""
    raw = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [*(start for start, _ in tokens[1:]), len(raw)]
    spans = zip(tokens, ends, strict=True)
    parts = [
        (raw[start:end].decode(errors="ignore"), kind == duckdb.token_type.comment) for (start, kind), end in spans
    ]
    above = ""
    for at, (word, comment) in enumerate(parts):
        if comment:
            above += word
            continue
        plain = word.strip().strip('"').lower()
        if plain == name.lower() and _opens(parts[at + 1 :]):
            return comment_of(above)
        above = ""
    return ""


def _opens(after: list[tuple[str, bool]]) -> bool:
    """Return whether AS ( or a list of columns follows, as after the name of a common table."""
    words = " ".join(word.strip() for word, comment in after[:40] if not comment).upper()
    return re.match(r"(\([^()]*\) )?AS (NOT )?(MATERIALIZED )?\(", words) is not None

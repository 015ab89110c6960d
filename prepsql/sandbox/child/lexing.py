"""A statement's words, and the head of a CREATE … AS, by DuckDB's own lexer."""

from __future__ import annotations

from dataclasses import dataclass

import duckdb


@dataclass(frozen=True)
class Word:
    """One token's text, and the byte of the statement where it starts."""

    text: str
    start: int


def words(text: str) -> list[Word]:
    """Return the tokens of a statement without its comments."""
    raw = text.encode()
    tokens = duckdb.tokenize(text)
    ends = [*(start for start, _ in tokens[1:]), len(raw)]
    return [
        Word(raw[start:end].decode().strip(), start)
        for (start, kind), end in zip(tokens, ends, strict=True)
        if kind != duckdb.token_type.comment
    ]


def plain(word: str) -> str:
    """Return an identifier without its quotes."""
    return word[1:-1].replace('""', '"') if word.startswith('"') else word


def head(found: list[Word]) -> tuple[str, int] | None:
    """Return the name that a CREATE … AS makes and the byte where its query starts, None for any other form."""
    upper = [word.text.upper() for word in found]
    at = 0

    def skip(*wanted: str) -> bool:
        nonlocal at
        fits = tuple(upper[at : at + len(wanted)]) == wanted
        at += len(wanted) if fits else 0
        return fits

    if not skip("CREATE"):
        return None
    skip("OR", "REPLACE")
    if not skip("TEMP"):
        skip("TEMPORARY")
    if not (skip("TABLE") or skip("VIEW")):
        return None
    skip("IF", "NOT", "EXISTS")
    if at + 1 >= len(found):
        return None
    name = plain(found[at].text)
    at += 1
    if upper[at].startswith("("):  # names for the columns
        while at < len(found) and upper[at] != "AS":
            at += 1
    if not skip("AS") or at >= len(found):
        return None
    return name, found[at].start

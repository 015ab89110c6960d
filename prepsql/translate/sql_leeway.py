"""What a SQL script leaves open: the order of rows in the tables that it makes, and how sums are rounded on the way."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import pairwise
from string import Template

import duckdb
import sqlglot
from sqlglot import exp

from prepsql.sandbox.child.lexing import head, words
from prepsql.sqltext import quote

_ORDERS = ("ALL", "ALL DESC", "hash(t)")
_AGAIN = Template("\n;\nCREATE OR REPLACE $temp TABLE $table AS SELECT * FROM $table AS t ORDER BY $order")
_NUDGES = ("1.0000000000001e0", "0.9999999999999e0")
_EXACT = {"sum": "fsum", "avg": "favg", "mean": "favg"}


def other_answers(script: str) -> Sequence[str]:
    """Return scripts that mean the same to SQL, which knows no order of a table's rows, nor of the terms of a sum.

    The first adds up without rounding on the way; the others put the rows of every table that the script makes, but for
    its outputs, into another order as soon as it is made. None where there is nothing to change.
    """
    try:
        texts = [each.query for each in duckdb.extract_statements(script)]
    except duckdb.Error:
        return []
    plain = ";\n".join(map(_bare, texts))
    ways: list[Callable[[str], str]] = [partial(_reordered, order=order) for order in _ORDERS]
    made = [";\n".join(way(_bare(text)) for text in texts) for way in [_exact, *ways]]
    return [script for script in made if script != plain]


def other_roundings(script: str) -> Sequence[str]:
    """Return the script with its roundings at ties all up, and all down; none where it rounds nothing.

    What lies between two numbers only because of how a sum was rounded on the way may go either way.
    """
    try:
        statements = [each for each in sqlglot.parse(script, read="duckdb") if each is not None]
    except sqlglot.ParseError:
        return []
    if not any(each.find(exp.Round) for each in statements):
        return []
    return [
        ";\n".join(each.transform(_nudged, factor).sql(dialect="duckdb") for each in statements) for factor in _NUDGES
    ]


def _nudged(node: exp.Expr, factor: str) -> exp.Expr:
    if isinstance(node, exp.Round):
        node = node.copy()
        node.set("this", exp.Mul(this=exp.Paren(this=node.this), expression=exp.Literal.number(factor)))
    return node


def _bare(text: str) -> str:
    return text.strip().rstrip(";") + "\n"


def _reordered(text: str, order: str) -> str:
    found = words(text)
    named = head(found)
    upper = [word.text.upper() for word in found[:5]]
    if not named or "TABLE" not in upper or named[0].lower().startswith("output_"):
        return text
    temp = "TEMP" if "TEMP" in upper or "TEMPORARY" in upper else ""
    return text + _AGAIN.substitute(temp=temp, table=quote(named[0]), order=order)


def _exact(text: str) -> str:
    raw = text.encode()
    for word, after in reversed(list(pairwise(words(text)))):
        if word.text.lower() in _EXACT and after.text.startswith("("):
            end = word.start + len(word.text.encode())
            raw = raw[: word.start] + _EXACT[word.text.lower()].encode() + raw[end:]
    return raw.decode()

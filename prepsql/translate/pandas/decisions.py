"""The ways through a traced function as one CASE: a tree of decisions, written as short as it goes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.sql import bind, is_atom
from prepsql.workflow.pandas_text.value import Value

_IS_NULL = re.compile(r"([\w.\"]+) IS (NOT )?NULL")


class Way(tuple[Value, ...]):
    """The conditions that hold on one way; `decisions` has with them those that don't, in order."""

    decisions: tuple[tuple[Value, bool], ...]

    @classmethod
    def of(cls, decisions: Sequence[tuple[Value, bool]]) -> Way:
        """Return the way of these decisions."""
        way = cls(condition for condition, truth in decisions if truth)
        way.decisions = tuple(decisions)
        return way


@dataclass(frozen=True)
class Leaf:
    """What a way ends in."""

    sql: str


@dataclass(frozen=True)
class Fork:
    """A condition with what follows where it holds, and where it doesn't."""

    condition: Value
    true: Tree
    false: Tree


Tree = Leaf | Fork


def tree(ways: Sequence[tuple[Way, str]], at: int = 0) -> Tree:
    """Return the tree of ways that share their first decisions; those that lead to the same are none.

    Raises NotTranslatable where they don't part by one condition after the other.
    """
    while True:
        if len(ways) == 1:
            return Leaf(ways[0][1])
        asked = {way.decisions[at][0].sql if at < len(way.decisions) else "" for way, _ in ways}
        if len(asked) > 1 or "" in asked:
            raise NotTranslatable("ways that don't part by one condition after the other")
        condition = ways[0][0].decisions[at][0]
        true = [one for one in ways if one[0].decisions[at][1]]
        false = [one for one in ways if not one[0].decisions[at][1]]
        if true and false:
            found = Fork(condition, tree(true, at + 1), tree(false, at + 1))
            return found.true if found.true == found.false else found
        at += 1


def otherwise(condition: Value) -> str:
    """Return the SQL that is true exactly where a condition isn't."""
    null = _IS_NULL.fullmatch(condition.sql)
    if null:
        return f"{null[1]} IS NULL" if null[2] else f"{null[1]} IS NOT NULL"
    if condition.nullable or condition.loose:
        return bind("x IS NOT TRUE", x=condition.sql)
    return bind("NOT x", x=condition.sql)


Whens = list[tuple[str, str]]


def written(found: Tree) -> tuple[Whens, str]:
    """Return a tree as tests with what they give, and what is given otherwise."""
    whens, last = _written(found)
    joined: Whens = []
    for test, value in whens:
        if joined and joined[-1][1] == value:
            joined[-1] = (bind("x OR y", x=joined[-1][0], y=test), value)
        else:
            joined.append((test, value))
    while joined and joined[-1][1] == last:
        joined.pop()
    return joined, last


def _written(found: Tree) -> tuple[Whens, str]:
    if isinstance(found, Leaf):
        return [], found.sql
    test = found.condition.sql
    if isinstance(found.true, Leaf):
        whens, last = _written(found.false)
        return [(test, found.true.sql), *whens], last
    if isinstance(found.false, Leaf):
        whens, last = _written(found.true)
        return [(otherwise(found.condition), found.false.sql), *whens], last
    inner, inner_last = written(found.true)
    whens, last = _written(found.false)
    flat = [(bind("x AND y", x=test, y=one), value) for one, value in inner] + [(test, inner_last)]
    nested = [(test, case(inner, inner_last))]
    length = [sum(len(one) + len(value) + 11 for one, value in each) for each in (flat, nested)]
    return [*(flat if length[0] <= length[1] else nested), *whens], last


def case(whens: Whens, last: str) -> str:
    """Return a CASE."""
    if not whens:
        return last
    written = " ".join(bind("WHEN x THEN y", x=test, y=value) for test, value in whens)
    if last.startswith("CASE WHEN ") and is_atom(last):
        return f"CASE {written} {last.removeprefix('CASE ')}"
    return f"CASE {written}{'' if last == 'NULL' else bind(' ELSE x', x=last)} END"

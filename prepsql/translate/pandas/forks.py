"""A function of the program run on symbols: each truth it asks for forks, and the paths become one CASE."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, field, replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.decisions import Way, case, tree, written
from prepsql.translate.pandas.meanwhile import meanwhile
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import WHOLES_AS_TEXT, WHOLES_FORMATTED, Value, common_family

_MOST_PATHS = 64
TOO_MANY = "a function with more than"
_ERRORS = (ValueError, TypeError, KeyError, IndexError, AttributeError, ArithmeticError)
_QUOTED = re.compile(r"'(?:[^']|'')*'")
_OURS = re.compile(r"\b(?:Cell|Match|Record|Fields)\b")


class Untraceable(BaseException):
    """A symbol was used where only a value will do; no `except Exception` of the program takes it."""


@dataclass
class Path:
    """One way through a function: the decisions that were given, then those made, and the conditions they were about.

    `trying` counts the try statements that are open, in which a failure has a meaning; `appended` has what was
    appended to lists from outside, by their identity. A way through what is done to each piece of a list has the
    `parent` way that it is on, which decides what doesn't hang on the piece, whose `variable` the conditions name.
    """

    given: tuple[bool, ...]
    taken: list[bool] = field(default_factory=list)
    conditions: list[Value] = field(default_factory=list)
    trying: int = 0
    failed: str = ""
    appended: list[tuple[int, Any]] = field(default_factory=list)
    parent: Path | None = None
    variable: str = ""
    known: Sequence[tuple[Value, bool]] = ()

    def decisions(self) -> list[tuple[Value, bool]]:
        """Return what is decided, with what was known before."""
        return [*self.known, *zip(self.conditions, self.taken, strict=True)]

    def decide(self, condition: Value) -> bool:
        """Return the truth of a condition on this path."""
        if isinstance(condition.constant, bool):
            return condition.constant
        for known, truth in self.decisions():
            if known.sql == condition.sql:
                return truth
        if self.parent is not None and not names(condition.sql, self.variable):
            return self.parent.decide(condition)
        at = len(self.taken)
        if at > _MOST_PATHS:
            raise refuse("a loop that goes on as the data say")
        self.taken.append(self.given[at] if at < len(self.given) else True)
        self.conditions.append(condition)
        return self.taken[at]


_PATHS: list[Path] = []


def tracing() -> bool:
    """Return whether a function is being run on symbols."""
    return bool(_PATHS)


def path() -> Path:
    """Return the path that is being taken; raises Untraceable outside a trace."""
    if not _PATHS:
        raise Untraceable("a symbol outside a traced function")
    return _PATHS[-1]


_ROWS: list[Any] = []
_CHAINS: list[bool] = []


def chain() -> AbstractContextManager[None]:
    """Make columns of what a traced function calls by a name, meanwhile, and of what an `if` leaves in one."""
    return meanwhile(_CHAINS, True)


def chaining() -> bool:
    """Return whether what has a name becomes a column."""
    return bool(_CHAINS) and bool(_PATHS) and rows() is not None and depth() == 0


_PARTED: list[bool] = []
_OF_NULLS = (WHOLES_AS_TEXT, WHOLES_FORMATTED)


def again(function: Callable[[], list[Ending]]) -> list[Ending]:
    """Return what a function gives that follows the program's; where a part of a time may be missing, on ways apart."""
    try:
        return function()
    except NotTranslatable as reason:
        if _PARTED or not any(words in str(reason) for words in _OF_NULLS):
            raise
        with meanwhile(_PARTED, True):
            return function()


def parted() -> bool:
    """Return whether a time that may be missing takes a way of its own."""
    return bool(_PARTED) and bool(_PATHS)


def over(rows: Any) -> AbstractContextManager[None]:
    """Trace functions of cells of these rows meanwhile."""
    return meanwhile(_ROWS, rows)


def rows() -> Any:
    """Return the rows whose cells the traced function is given, None where that isn't known."""
    return _ROWS[-1] if _ROWS else None


def refuse(reason: str) -> Untraceable:
    """Return the error for what can't be traced, and remember it where the program swallows it."""
    if _PATHS:
        _PATHS[-1].failed = _PATHS[-1].failed or reason
    return Untraceable(reason)


@dataclass(frozen=True)
class Ending:
    """How one path ends: the decisions that were true, what was returned, and what was appended to which list."""

    conditions: Way
    result: Any
    appended: tuple[tuple[int, Any], ...] = ()


def depth() -> int:
    """Return how many lists' pieces the path that is being taken is inside of."""
    found, way = 0, _PATHS[-1] if _PATHS else None
    while way is not None and way.parent is not None:
        found, way = found + 1, way.parent
    return found


def inside_of_pieces(sql: str) -> bool:
    """Return whether an expression names a piece that is followed, which is no column of the rows."""
    way = _PATHS[-1] if _PATHS else None
    while way is not None:
        if way.variable and names(sql, way.variable):
            return True
        way = way.parent
    return False


def names(sql: str, variable: str) -> bool:
    """Return whether an expression has a variable in it, or one of several that `|` stands between."""
    return re.search(rf"\b(?:{variable})\b", _QUOTED.sub("", sql)) is not None


@dataclass(frozen=True)
class Failed:
    """The result of a path that ends with an error of the program's own."""

    error: Exception


def explore(
    function: Callable[[], Any], variable: str = "", known: Sequence[tuple[Value, bool]] | None = None
) -> list[Ending]:
    """Return the endings of all paths, so that the first whose conditions hold is the one that is taken.

    Paths that end with an error of the program's own are left out: the program has no result there. Raises
    NotTranslatable for what can't be traced, or where there are too many paths. With a variable the function is what is
    done to each piece of a list on the path that is being taken; with what is `known`, a part of that path. Where
    errors have a meaning there, they are results.
    """
    parent = path() if variable else None
    trying = path().trying if variable or known is not None else 0
    waiting: list[tuple[bool, ...]] = [()]
    endings: list[Ending] = []
    while waiting:
        if len(endings) + len(waiting) > _MOST_PATHS:
            raise NotTranslatable(f"{TOO_MANY} {_MOST_PATHS} ways through it")
        way = Path(waiting.pop(), trying=trying, parent=parent, variable=variable, known=known or ())
        _PATHS.append(way)
        try:
            with suppress(*_ERRORS):
                try:
                    result = function()
                except (TypeError, AttributeError) as wrong:
                    if _OURS.search(str(wrong)):  # not the program's error: a symbol where only a value will do
                        raise Untraceable(f"a cell as a plain value: {wrong}") from None
                    if not trying:
                        raise
                    result = Failed(wrong)
                except _ERRORS as wrong:
                    if not trying:
                        raise
                    result = Failed(wrong)
                taken = Way.of(list(zip(way.conditions, way.taken, strict=True)))
                endings.append(Ending(taken, result, tuple(way.appended)))
        except (Untraceable, NotTranslatable, RecursionError) as reason:
            raise NotTranslatable(way.failed or str(reason)) from None
        finally:
            _PATHS.pop()
        if way.failed:
            raise NotTranslatable(way.failed)
        # the way that turns off last comes first
        for at in range(len(way.given), len(way.taken)):
            waiting.append((*way.taken[:at], not way.taken[at]))
    if not endings:
        raise NotTranslatable("a function that fails whatever it is given")
    return endings


def one_value(endings: Sequence[tuple[tuple[Value, ...], Value]]) -> Value:
    """Return the CASE of values by their conditions, the last without one."""
    values = [value.exact() for _, value in endings]
    if len({(value.sql, value.family) for value in values}) == 1:
        return replace(values[0], cell=False)
    family = common_family(values, "what a function returns")
    ways = [(conditions, value.sql) for (conditions, _), value in zip(endings, values, strict=True)]
    if all(isinstance(way, Way) for way, _ in ways):
        whens, last = written(tree([(way, sql) for way, sql in ways if isinstance(way, Way)]))
    else:
        whens, last = _in_order(ways)
    sql = case(whens, last)
    return Value(sql, family, any(value.nullable for value in values))


def _in_order(ways: Sequence[tuple[tuple[Value, ...], str]]) -> tuple[list[tuple[str, str]], str]:
    """Return ways, the first of which that holds is taken, as tests with what they give."""
    whens: list[tuple[str, str]] = []
    for conditions, sql in ways[:-1]:
        if not conditions:
            return whens, sql
        whens.append((" AND ".join(bind("x AND", x=one.sql).removesuffix(" AND") for one in conditions), sql))
    return whens, ways[-1][1]

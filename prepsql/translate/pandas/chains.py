"""A long expression as a chain of columns: what has a name in the program, and what stands in it several times."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.cell_lists import merged
from prepsql.translate.pandas.cell_options import Options, copied, meeting
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Failed, Untraceable, explore, path, rows
from prepsql.translate.pandas.rows import Rows
from prepsql.translate.pandas.symbols import Cell, Match, Record, truth
from prepsql.workflow.pandas_text.sql import has_window
from prepsql.workflow.pandas_text.value import Value

# an expression of a local variable that is longer than this becomes a column
_SHORT = 50
_LEAST = 24
_MOST_PARTS = 12
_QUOTED = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*\"""")
_CALL = re.compile(r"(\w+)\(")
_CAST = re.compile(r"::(\w+)")
_LAMBDA = re.compile(r"\blambda ([\w, ]+):")
# functions that give a value or null whatever they are given
_NEVER_FAIL = frozenset({
    "lower", "upper", "strip_space", "trim", "ltrim", "rtrim", "replace", "regexp_replace", "regexp_matches", "left",
    "regexp_full_match", "regexp_extract", "regexp_extract_all", "regexp_split_to_array", "string_split", "nullif",
    "coalesce", "contains", "starts_with", "ends_with", "length", "len", "python_float", "pandas_number", "right",
    "python_title", "substr", "reverse", "strpos", "try_strptime", "try_cast", "array_to_string", "list_filter",
    "list_transform", "list_contains", "list_sum", "list_max", "list_min", "list_sort", "list_reverse_sort", "concat",
    "list_distinct", "list_concat", "list_reverse", "list_position", "list_zip", "list_append", "list_reduce",
    "flatten", "strftime", "year", "month", "day", "hour", "minute", "second", "isodow", "week", "isoyear", "abs",
    "floor", "ceil", "trunc", "numpy_round", "format", "greatest", "least", "unicode", "translate", "in", "and", "or",
    "not", "when", "then", "else", "case", "list_prepend", "isnan", "last_day", "date_trunc", "datediff", "date_diff",
})  # fmt: skip
_SAFE_CASTS = frozenset({"DOUBLE", "VARCHAR", "DATE", "TIMESTAMP"})
_CALLED = (("string_split", "pieces"), ("regexp_extract_all", "pieces"), ("regexp_split", "pieces"),
           ("list_", "pieces"), ("regexp_extract", "found"), ("python_float", "number"), ("try_cast", "number"),
           ("try_strptime", "moment"), ("lower", "text"), ("upper", "text"), ("strip", "text"), ("trim", "text"),
           ("replace", "text"), ("regexp_replace", "text"))  # fmt: skip


def never_fails(sql: str) -> bool:
    """Return whether an expression can be computed for every row: nothing in it raises an error."""
    bare = _QUOTED.sub("q", sql)
    texts = re.findall(r"(\w*)q::(?:DATE|TIMESTAMP)", bare)
    calls = {name.lower() for name in _CALL.findall(bare)}
    return calls <= _NEVER_FAIL and set(_CAST.findall(bare)) <= _SAFE_CASTS and not texts and not has_window(sql)


def named(name: str, value: Any) -> Any:
    """Return what a helper's name stands for, as a column where it is long."""
    if not isinstance(value, Cell) or type(value) is not Cell or not isinstance(value.thing, Value):
        return value
    inner = value.thing
    if len(inner.sql) <= _SHORT or inner.family in ("boolean", "span", "list", "struct") or not never_fails(inner.sql):
        return value
    return Cell(rows().define(name, replace(inner, cell=False)))


def joined(
    test: Any, then: Callable[..., Any], other: Callable[..., Any], names: Sequence[str], things: Sequence[Any]
) -> Any:
    """Return what names stand for after an `if`: a CASE each, where the ways can meet again."""
    way = path()
    condition = test.found if isinstance(test, Match) else truth(test) if isinstance(test, Cell) else None
    known = way.decisions()
    if condition is None or isinstance(condition.constant, bool) or condition.sql in {one.sql for one, _ in known}:
        return then(*things) if test else other(*things)
    before = way.failed
    try:
        found = [
            (Way.of([(condition, holds), *ending.conditions.decisions]), ending.result, ending.appended)
            for function, holds in ((then, True), (other, False))
            for ending in explore(partial(_run, function, things), known=[*known, (condition, holds)])
        ]
        if not any(isinstance(result, Failed) or appended for _, result, appended in found):
            return tuple(
                _meeting(name, things[at : at + 1], [(one, result[at]) for one, result, _ in found])
                for at, name in enumerate(names)
            )
    except (NotTranslatable, Untraceable):
        way.failed = before
    return then(*things) if way.decide(condition) else other(*things)


def both(operator: str, value: Any, way: Callable[[], Any]) -> Any:
    """Return value `and` or `or` what a way gives, as a CASE where it can be."""
    if not isinstance(value, Cell | Match):
        return value if bool(value) != (operator == "And") else way()
    ways: tuple[Callable[..., Any], Callable[..., Any]] = (lambda: (way(),), lambda: (value,))
    then, other = ways if operator == "And" else ways[::-1]
    return joined(value, then, other, ["value"], [])[0]


def _run(function: Callable[..., Any], things: Sequence[Any]) -> Any:
    return function(*map(copied, things))


def _meeting(name: str, before: Sequence[Any], ways: Sequence[tuple[Way, Any]]) -> Any:
    first = ways[0][1]
    if before and type(before[0]) in (dict, Record):
        return _stored(name, before[0], ways)
    if before and (type(before[0]) is list or isinstance(before[0], Options)):
        return meeting(before[0], ways)
    if all(one is first for _, one in ways):
        return first
    if isinstance(first, str | int | float) and all(type(one) is type(first) and one == first for _, one in ways):
        return first
    return named(name, merged([(way, _there(way, one)) for way, one in ways]))


def _stored(name: str, before: Any, ways: Sequence[tuple[Way, Any]]) -> Any:
    """Return a dict or row after an `if` that stores in it."""
    kept = [(way, one.cells if isinstance(one, Record) else one) for way, one in ways]
    if any(type(one) is not type(before) for _, one in ways):
        raise NotTranslatable("an if that makes something else of a dict")
    found: dict[Any, Any] = {}
    for key in dict.fromkeys(key for _, one in kept for key in one):
        if isinstance(before, Record):
            parts = [(way, one.cell(key)) for way, one in ways]
        elif all(key in one for _, one in kept):
            parts = [(way, one[key]) for way, one in kept]
        else:
            raise NotTranslatable("an if after which a dict may have a key")
        found[key] = _meeting(f"{name}_{key}", [], parts)
    return Record(before.frame, found) if isinstance(before, Record) else found


def _there(way: Way, found: Any) -> Any:
    """Return a cell without nulls where the way says so."""
    if isinstance(found, Cell) and isinstance(found.thing, Value) and found.thing.nullable:
        null, there = f"{found.thing.sql} IS NULL", f"{found.thing.sql} IS NOT NULL"
        if any((test.sql, holds) in ((null, False), (there, True)) for test, holds in way.decisions):
            return Cell(replace(found.thing, nullable=False))
    return found


def shortened(over: Rows, wanted: str, value: Value) -> Value:
    """Return an expression whose repeated parts are columns of their own, as far as nothing in them can fail."""
    sql = value.sql
    for _ in range(_MOST_PARTS):
        counted = Counter(sql[start:end] for start, end in _spans(sql))
        gains = {text: (count - 1) * (len(text) - 12) for text, count in counted.items()
                 if count > 1 and len(text) >= _LEAST and never_fails(text) and _closed(text, sql)}  # fmt: skip
        if not gains:
            break
        text = max(gains, key=lambda one: (gains[one], len(one)))
        column = over.define(f"{wanted}_{_called(text)}", Value(text, "unknown"))
        sql = _put(sql, text, column.sql)
    return replace(value, sql=sql)


def _called(text: str) -> str:
    head = _CALL.match(text)
    name = head[1].lower() if head else ""
    return next((word for start, word in _CALLED if name.startswith(start)), "part")


def _closed(text: str, sql: str) -> bool:
    """Return whether a part of an expression names no lambda's variable but its own lambdas'."""
    everywhere = {one.strip() for found in _LAMBDA.findall(sql) for one in found.split(",")}
    own = {one.strip() for found in _LAMBDA.findall(text) for one in found.split(",")}
    return not (set(re.findall(r"\w+", _QUOTED.sub("", text))) & everywhere - own)


def _put(sql: str, text: str, name: str) -> str:
    for start, end in sorted(_spans(sql), reverse=True):
        if sql[start:end] == text:
            sql = sql[:start] + name + sql[end:]
    return sql


def _spans(sql: str) -> Iterator[tuple[int, int]]:
    """Return where the calls and CASEs in an expression start and end, with the casts and places after them."""
    bare = _QUOTED.sub(lambda found: "q" * len(found[0]), sql)
    for found in _CALL.finditer(bare):
        end = _closing(bare, found.end() - 1)
        yield found.start(), end
        while end < len(bare) and (bare[end] == "[" or bare.startswith("::", end)):
            cast = _CAST.match(bare, end)
            end = cast.end() if cast else _closing(bare, end)
            yield found.start(), end
    starts: list[int] = []
    for word in re.finditer(r"\bCASE\b|\bEND\b", bare):
        if word[0] == "CASE":
            starts.append(word.start())
        elif starts:
            yield starts.pop(), word.end()


def _closing(bare: str, at: int) -> int:
    depth = 0
    for place in range(at, len(bare)):
        depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(bare[place], 0)
        if depth == 0:
            return place + 1
    return len(bare)

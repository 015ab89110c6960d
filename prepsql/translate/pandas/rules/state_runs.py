"""What a loop over rows carries along until it begins anew: totals and counts of a run of rows, the greatest so far."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import Ending
from prepsql.translate.pandas.rows import Rows
from prepsql.translate.pandas.things import operated
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, constant
from prepsql.workflow.pandas_text.windows import Window
from prepsql.workflow.quoted import balanced

_RUN = "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW"
_BEFORE = "ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING"
_NUMBERS = ("integer", "float")
MARK = "__carried_"
"""What the columns are called that stand for names as they were before a row, until they are known."""


def total(
    rows: Rows, name: str, ways: Sequence[tuple[Way, Any]], start: Value, family: Family, mark: str,
    window: Window,
) -> Value | Family | None:  # fmt: skip
    """Return a total, as it was before a row, that begins anew on some ways; its family where that is another one."""
    if start.family not in _NUMBERS or any(mark in test.sql for way, _ in ways for test, _ in way.decisions):
        return None
    steps: list[tuple[Way, Value]] = []
    for way, one in ways:
        if _goes_on(one, name):
            steps.append((way, _sum(one.added)))
            continue
        value = cells.value_of([Ending(Way.of(()), one)])
        if mark in value.sql or value.family not in _NUMBERS:
            return None
        steps.append((way, replace(value, cell=False)))
    step = forks.one_value(steps)
    wanted: Family = "float" if "float" in (step.family, start.family) else "integer"
    if wanted != family:
        return wanted
    anew = forks.one_value([(way, constant(not _goes_on(one, name))) for way, one in ways])
    anew = rows.define(f"{name}_begins", replace(anew, nullable=False))
    begun = window.over(f"count(*) FILTER (WHERE {anew.sql})", rows=True, frame=_RUN)
    run = rows.define(f"{name}_run", Value(begun, "integer", False))
    step = rows.define(f"{name}_step", replace(step, cell=False))
    total = window.over(f"sum({step.sql})", rows=True, frame=_RUN, also=run.sql)
    sql = total + ("::BIGINT" if family == "integer" else "")
    if start.constant != 0:
        sql = f"{sql} + CASE WHEN {run.sql} = 0 THEN {start.sql} ELSE 0 END"
    if step.nullable:
        there = window.over(f"bool_and({step.sql} IS NOT NULL)", rows=True, frame=_RUN, also=run.sql)
        sql = f"CASE WHEN {there} THEN {sql} END"
    here = rows.define(f"{name}_here", Value(sql, family, step.nullable))
    before = window.over(f"lag({here.sql}, 1, {_typed(start, family)})", rows=True)
    return rows.define(f"{name}_before", Value(before, family, step.nullable))


def plainer(ways: Sequence[tuple[Way, Any]]) -> list[tuple[Way, Any]]:
    """Return ways to what a name is bound to without the decisions on which nothing hangs."""
    return [(Way.of(decisions), one) for decisions, one in _plainer(list(ways), 0)]


_Ways = list[tuple[list[tuple[Value, bool]], Any]]


def _plainer(ways: list[tuple[Way, Any]], at: int) -> _Ways:
    while len(ways) > 1:
        condition = ways[0][0].decisions[at][0]
        sides = [[one for one in ways if one[0].decisions[at][1] is truth] for truth in (True, False)]
        if all(sides):
            true, false = (_plainer(side, at + 1) for side in sides)
            if _outline(true) == _outline(false):
                return true
            return [*(([(condition, True), *tests], one) for tests, one in true),
                    *(([(condition, False), *tests], one) for tests, one in false)]  # fmt: skip
        at += 1
    return [([], ways[0][1])]


def _outline(ways: _Ways) -> list[Any]:
    return [([(test.sql, truth) for test, truth in tests], _told(one)) for tests, one in ways]


def _told(one: Any) -> Any:
    """Return what tells things apart that a name is bound to."""
    if isinstance(one, cells.Cell) and type(one).__name__ != "Label" and isinstance(one.thing, Value):
        added = tuple(step.sql for step in getattr(one, "added", ()))
        return getattr(one, "name", ""), one.thing.sql, one.thing.family, added
    return (type(one), one) if one is None or isinstance(one, str | int | float) else id(one)


def _goes_on(one: Any, name: str) -> bool:
    return getattr(one, "name", None) == name and hasattr(one, "added")


def _sum(steps: Sequence[Value]) -> Value:
    found = steps[0] if steps else constant(0)
    for step in steps[1:]:
        found = operated("Add", found, step)
    return found


def _typed(start: Value, family: Family) -> str:
    return f"{start.sql}::DOUBLE" if family == "float" else start.sql


def same(ways: Sequence[tuple[Way, Any]], kept: Sequence[bool], marked: str) -> bool:
    """Return whether the ways that keep a name as it was say that it is what the others make it."""
    new = {_sql(one) for (_, one), old in zip(ways, kept, strict=True) if not old}
    if len(new) != 1 or None in new or not any(kept):
        return False
    [value] = new
    equal = {bind("x = y", x=value, y=marked), bind("x = y", x=marked, y=value)}
    return all(
        any(_says_equal(test.sql, truth, equal) for test, truth in way.decisions)
        for (way, _), old in zip(ways, kept, strict=True) if old
    )  # fmt: skip


def whatever(ways: Sequence[tuple[Way, Any]], mark: str) -> Sequence[tuple[Way, Any]]:
    """Return ways without what they ask of names that aren't known, where all that change one do the same."""
    new = [(way, one) for way, one in ways if not hasattr(one, "added")]
    kept = [way for way, one in ways if hasattr(one, "added")]
    if len({_sql(one) for _, one in new}) != 1 or any(_sql(one) is None for _, one in new):
        return ways
    if any(mark in test.sql for way in kept for test, _ in way.decisions):
        return ways
    found: dict[tuple[tuple[str, bool], ...], tuple[Way, Any]] = {}
    for way, one in ways:
        plain = [(test, truth) for test, truth in way.decisions if mark not in test.sql]
        found.setdefault(tuple((test.sql, truth) for test, truth in plain), (Way.of(plain), one))
    return list(found.values())


def _sql(one: Any) -> Any:
    if not isinstance(one, cells.Cell):
        return None
    return cells.value_of([Ending(Way.of(()), one)]).sql


def _says_equal(test: str, truth: bool, equal: set[str]) -> bool:
    return (truth and test in equal) or (not truth and test in {f"({one}) IS NOT TRUE" for one in equal} | {
        f"NOT ({one})" for one in equal} | {one.replace(" = ", " <> ") for one in equal})  # fmt: skip


def _choice(value: Value, marked: str) -> tuple[str, str] | None:
    """Return of a CASE that chooses between a value and the name the value and whether it is the greater one."""
    name = re.escape(marked)
    found = re.fullmatch(rf"CASE WHEN (.+) ([<>]) {name} THEN (.+) ELSE {name} END", value.sql)
    if found and _bare(found[1]) == _bare(found[3]) and marked not in found[1]:
        return _bare(found[3]), found[2]
    found = re.fullmatch(rf"CASE WHEN {name} ([<>]) (.+) THEN {name} ELSE (.+) END", value.sql)
    if found and _bare(found[2]) == _bare(found[3]) and marked not in found[2] and not value.nullable:
        return _bare(found[3]), "<" if found[1] == ">" else ">"
    return None


def _bare(sql: str) -> str:
    """Return an expression without the parentheses around it."""
    inside = sql[1:-1]
    return inside if sql.startswith("(") and sql.endswith(")") and balanced(inside) else sql


def extreme(
    rows: Rows, name: str, ways: Sequence[tuple[Way, Any]], start: Value | None, family: Family, marked: str,
    window: Window, also: str = "", absent: Sequence[str] = (),
) -> Value | Family | None:  # fmt: skip
    """Return the greatest or least of what was there before a row, beginning with a value or with None.

    It is of the rows of a window, those with the same `also`; `absent` has the tests that say that nothing is there.
    """
    new: list[tuple[Way, Value | None]] = []
    signs: set[str] = set()
    for way, one in ways:
        plain, asked = _without(way, marked, absent)
        if any(marked in test.sql for test, _ in plain.decisions):
            return None
        if _goes_on(one, name):
            if one.added:
                return None
            new.append((plain, None))
            continue
        value = cells.value_of([Ending(Way.of(()), one)])
        if (choice := _choice(value, marked)) is not None:
            signs.add(choice[1])
            new.append((plain, Value(choice[0], value.family, value.nullable)))
            if any(not _is_null(test, marked) for test, _ in asked):
                return None
            continue
        tests = [(test, truth) for test, truth in asked if not _is_null(test, marked)]
        if marked in value.sql or value.family not in (*_NUMBERS, "timestamp", "date"):
            return None
        for test, truth in tests:
            sign = _compares(test, value.sql, marked)
            if sign is None or (not truth and value.nullable):
                return None
            signs.add(sign if truth else "<" if sign == ">" else ">")
        if not asked:
            return None
        new.append((plain, replace(value, cell=False)))
    if len(signs) != 1:
        return None
    values = _met(new)
    if values is None:
        return None
    step = forks.one_value(values)
    if MARK in step.sql:
        return None
    if step.family != family:
        return step.family if step.family == "float" and family == "integer" else None
    call = "max" if signs == {">"} else "min"
    step = rows.define(f"{name}_step", replace(step, cell=False))
    sql = window.over(f"{call}({step.sql})", rows=True, frame=_BEFORE, also=also)
    if start is None:
        return rows.define(f"{name}_before", Value(sql, family, True, none=True))
    both = "greatest" if call == "max" else "least"
    return rows.define(f"{name}_before", Value(f"{both}({sql}, {_typed(start, family)})", family, False))


def _without(way: Way, marked: str, absent: Sequence[str]) -> tuple[Way, list[tuple[str, bool]]]:
    """Return a way without what it asked of the name itself, and that."""
    own = [marked in test.sql or test.sql in absent for test, _ in way.decisions]
    pairs = list(zip(way.decisions, own, strict=True))
    asked = [("" if test.sql in absent else test.sql, truth) for (test, truth), mine in pairs if mine]
    return Way.of([pair for pair, mine in pairs if not mine]), asked


def _is_null(test: str, marked: str) -> bool:
    return not test or test.strip("()") == f"{marked} IS NULL"


def _compares(test: str, value: str, marked: str) -> str | None:
    """Return whether a test asks if a value is above or below the name."""
    for template, sign in (("x > y", ">"), ("x >= y", ">"), ("x < y", "<"), ("x <= y", "<")):
        if test == bind(template, x=value, y=marked):
            return sign
        if test == bind(template, x=marked, y=value):
            return "<" if sign == ">" else ">"
    return None


def _met(ways: Sequence[tuple[Way, Value | None]]) -> list[tuple[Way, Value]] | None:
    """Return ways that differ in nothing any more as one, on which the value is compared."""
    found: dict[tuple[tuple[str, bool], ...], tuple[Way, Value | None]] = {}
    for way, value in ways:
        key = tuple((test.sql, truth) for test, truth in way.decisions)
        known = found.get(key)
        if known is not None and known[1] is not None and value is not None and known[1].sql != value.sql:
            return None
        found[key] = (way, value if known is None or known[1] is None else known[1])
    if all(value is None for _, value in found.values()):
        return None
    nothing = Value("NULL", "null", True)
    return [(way, nothing if value is None else value) for way, value in found.values()]

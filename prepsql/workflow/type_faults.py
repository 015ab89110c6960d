"""Expressions whose types or constants don't fit: what the binder refuses, and what would fail at the first row."""

from __future__ import annotations

from collections.abc import Collection, Iterator

import duckdb

from prepsql.workflow.describe import constant_fault, fits, type_in
from prepsql.workflow.expression import column_of, parse
from prepsql.workflow.families import family
from prepsql.workflow.operators.base import Operator, Scope, Text, problem
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, Relation
from prepsql.workflow.wording import in_words


def type_faults(operator: Operator, scope: Scope, failure: duckdb.Error) -> tuple[Problem, ...]:
    """Return what doesn't fit in a step that the binder refuses: each expression alone, else the step as a whole."""
    found = misfits(operator, scope)
    for text in operator.calls(scope) if not found else ():
        found += tuple(_own_fault(text, scope))
    return found or (problem(scope, _only_text(operator, scope), "wrong_type", *in_words(failure)),)


def misfits(
    operator: Operator, scope: Scope, known: Collection[Problem] = (), *, bound: bool = False
) -> tuple[Problem, ...]:
    """Return expressions whose types don't fit, as far as columns are known, where the fault isn't `known` already.

    Those of a step that the binder takes (`bound`) may still hold constants that don't fit, or be no condition.
    """
    found: list[Problem] = []
    for text in operator.expressions(scope):
        if text.parameter not in {fault.parameter for fault in known}:
            suspect = not bound or (text.role == "predicate" and not parse(text.text).condition)
            found += (_own_fault(text, scope) if suspect else []) or _constant_faults(text, scope)
    said = {fault.message for fault in known}
    return tuple(fault for fault in dict.fromkeys(found) if fault.message not in said)


def _constant_faults(text: Text, scope: Scope) -> Iterator[Problem]:
    """Yield constants that can't become the type they are cast to or compared with.

    DuckDB casts the cells of a text column that is compared with a number, and ends the run at the first that is none:
    that is a fault here, whatever the cells are.
    """
    found = parse(text.text)
    for constant in found.constants:
        wrong = constant_fault(constant)
        if wrong:
            yield problem(
                scope, text.parameter, "wrong_type", f"{constant} fails: {wrong}", "give a value that fits, or NULL"
            )
    told: set[str] = set()
    for one, kind, other in found.compared:
        fault = None if one in told or other in told else _compared(text, scope, one, kind, other)
        if fault:
            told.add(one)
            yield fault


def _own_fault(text: Text, scope: Scope) -> list[Problem]:
    """Return what the binder says about an expression alone, and a condition that is none."""
    found = parse(text.text)
    try:
        kind = _type(text, scope, text.text)
    except duckdb.Error as wrong:
        return [problem(scope, text.parameter, "wrong_type", *in_words(wrong))]
    if text.role != "predicate" or found.condition or kind in ("BOOLEAN", '"NULL"', ""):
        return []
    example = "x = 'yes'" if family(kind) == "text" else "x > 0"
    message = f"the condition is {kind}, not true or false"
    return [problem(scope, text.parameter, "wrong_type", message, f"compare it: {example}, x IS NOT NULL")]


def _only_text(operator: Operator, scope: Scope) -> str:
    """Return the parameter of the only expression, '' where there are several or none."""
    places = [text.parameter for text in operator.expressions(scope)]
    return places[0] if len(places) == 1 else ""


def _compared(text: Text, scope: Scope, one: str, kind: str, other: str) -> Problem | None:
    """Return what is wrong with a comparison of a column or call, with a constant of `kind` or with another one."""
    mine = _kind(text, scope, one)
    if not mine:
        return None
    if not kind:
        theirs = _kind(text, scope, other)
        if family(mine) != "text" or family(theirs) not in ("number", "time", "boolean"):
            return None
        return problem(
            scope, text.parameter, "wrong_type", f"{one} is text, {other} is {theirs}",
            f"cast one of them: CAST({other} AS VARCHAR), or TRY_CAST({one} AS {theirs})",
        )  # fmt: skip
    if kind in ("INTEGER", "NUMERIC") and family(mine) == "text":
        return problem(
            scope, text.parameter, "wrong_type", f"{one} is text, {other} is a number",
            f"write '{other}' for equal text, or TRY_CAST({one} AS DOUBLE) for numbers",
        )  # fmt: skip
    if kind == "STRING" and family(mine) in ("number", "time", "boolean") and not fits(other, mine):
        hint = f"give a value that is {mine}, or cast to text: CAST({one} AS VARCHAR)"
        hint = hint if other.strip() else "write NULL, and IS NULL, for a missing value"
        return problem(scope, text.parameter, "wrong_type", f"{one} is {mine}, which '{other}' can't be", hint)
    return None


def _kind(text: Text, scope: Scope, part: str) -> str:
    """Return the type of a part of an expression, '' where it isn't known."""
    try:
        return _type(text, scope, part)
    except duckdb.Error:
        return ""


def _type(text: Text, scope: Scope, part: str) -> str:
    """Return the type of an expression or a part of it, '' where it names what isn't known; raises duckdb.Error."""
    if text.parameter == "condition":
        relations = list(scope.inputs.values())
        return type_in(part, relations) if all(relation.certain for relation in relations) else ""
    columns = scope.parent.columns if text.columns is None else text.columns
    known = {name: kind for name, kind in columns.items() if kind != UNKNOWN}
    if not parse(part).names <= {name.lower() for name in known}:
        return ""
    column = column_of(part)
    if column is not None:
        return next(kind for name, kind in known.items() if name.lower() == column.lower())
    return type_in(part, [Relation(scope.parent.name or "rows", known)])

"""Expressions whose types or constants don't fit: what the binder refuses, and what would fail at the first row."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import duckdb

from prepsql.workflow.describe import constant_fault, fits, type_of
from prepsql.workflow.document import Step
from prepsql.workflow.expression import parse
from prepsql.workflow.families import family
from prepsql.workflow.operators.base import Operator, Scope, Text, problem
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, Relation
from prepsql.workflow.reserved import column_name
from prepsql.workflow.wording import in_words


def type_faults(step: Step, scope: Scope, failure: duckdb.Error) -> list[Problem]:
    """Return what doesn't fit: each expression by itself, else the step as DuckDB says it."""
    assert step.operator is not None
    found: list[Problem] = []
    for text in step.operator.expressions(scope):
        if text.parameter != "condition":
            found += _own_fault(text, scope)
    return found or [problem(scope, _only_text(step.operator, scope), "wrong_type", *in_words(failure))]


def value_faults(operator: Operator, scope: Scope) -> Iterator[Problem]:
    """Yield constants that can't become the type they are cast to or compared with.

    DuckDB casts the cells of a text column that is compared with a number, and ends the run at the first that is none:
    that is a fault here, whatever the cells are.
    """
    for text in operator.expressions(scope):
        found = parse(text.text)
        for constant in found.constants:
            wrong = constant_fault(constant)
            if wrong:
                yield problem(
                    scope, text.parameter, "wrong_type", f"{constant} fails: {wrong}",
                    "give a value that fits, or NULL",
                )  # fmt: skip
        for parts, kind, value in found.compared:
            yield from _compared(text, scope, parts, kind, value)


def _own_fault(text: Text, scope: Scope) -> Iterator[Problem]:
    columns = scope.parent.columns if text.columns is None else text.columns
    if UNKNOWN in columns.values():
        columns = {name: kind for name, kind in columns.items() if kind != UNKNOWN}
        if not parse(text.text).names <= {name.lower() for name in columns}:
            return
    try:
        kind = type_of(text.text, Relation(scope.parent.name, columns))
    except duckdb.Error as wrong:
        yield problem(scope, text.parameter, "wrong_type", *in_words(wrong))
        return
    if text.role == "predicate" and kind not in ("BOOLEAN", '"NULL"'):
        yield problem(
            scope, text.parameter, "wrong_type", f"the condition is {kind}, not true or false", _condition_hint(kind)
        )


def _condition_hint(kind: str) -> str:
    if family(kind) == "text":
        return "compare it: x = 'yes', x IS NOT NULL"
    return "compare it: x > 0, x IS NOT NULL"


def _only_text(operator: Operator, scope: Scope) -> str:
    """Return the parameter of the only expression, '' where there are several or none."""
    places = [text.parameter for text in operator.expressions(scope)]
    return places[0] if len(places) == 1 else ""


def _compared(text: Text, scope: Scope, parts: tuple[str, ...], kind: str, value: object) -> Iterator[Problem]:
    mine = _kind(text, scope, parts)
    name = column_name(parts[-1])
    if not mine:
        return
    if kind == "COLUMN":
        assert isinstance(value, tuple)
        other = _kind(text, scope, value)
        if family(mine) == "text" and other and family(other) in ("number", "time", "boolean"):
            yield problem(
                scope, text.parameter, "wrong_type", f"'{parts[-1]}' is text, '{value[-1]}' is {other}",
                f"cast one of them: CAST({column_name(value[-1])} AS VARCHAR), or TRY_CAST({name} AS {other})",
            )  # fmt: skip
    elif kind in ("INTEGER", "NUMERIC") and family(mine) == "text":
        yield problem(
            scope, text.parameter, "wrong_type", f"'{parts[-1]}' is text, {value} a number",
            f"write '{value}' for equal text, or TRY_CAST({name} AS DOUBLE) for numbers",
        )  # fmt: skip
    elif kind == "STRING" and family(mine) in ("number", "time", "boolean") and not fits(str(value), mine):
        hint = "write IS NULL for a missing value" if not str(value).strip() else f"give a value that is {mine}"
        yield problem(scope, text.parameter, "wrong_type", f"'{parts[-1]}' is {mine}, and '{value}' can't be", hint)


def _kind(text: Text, scope: Scope, parts: tuple[str, ...]) -> str:
    """Return the type of the column that a reference means, '' where it isn't known."""
    for relation in scope.inputs.values():
        if len(parts) == 2 and relation.name.lower() == parts[0].lower():
            return _in(relation.columns, parts[1])
    if len(parts) > 1:
        return ""
    return _in(scope.parent.columns if text.columns is None else text.columns, parts[0])


def _in(columns: Mapping[str, str], name: str) -> str:
    kind = next((kind for column, kind in columns.items() if column.lower() == name.lower()), UNKNOWN)
    return "" if kind == UNKNOWN else kind

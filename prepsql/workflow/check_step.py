"""What is wrong with one step, given the columns that come in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from prepsql.workflow.expression import Expression, parse
from prepsql.workflow.functions import catalogue
from prepsql.workflow.hints import column_hint, function_hint, syntax_hint
from prepsql.workflow.operators.base import Operator, Scope, Text, duplicates, missing, problem
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import HIDDEN
from prepsql.workflow.reserved import column_name

_AGGREGATE_HINT = "put it in an aggregate step, or over rows: sum(x) OVER (PARTITION BY …)"


def named_faults(operator: Operator, scope: Scope) -> Iterator[Problem]:
    """Yield columns and expressions that can't be, what the operator finds, and names that would stand twice."""
    yield from text_faults(operator, scope)
    own = list(operator.faults(scope))
    yield from own
    yield from _bad_names(operator, scope)
    said = any(fault.code == "duplicate_column" for fault in own)
    clashes = [] if said or operator.kind == "join" else duplicates(name for name, _ in operator.outline(scope) or ())
    for a, b in clashes:
        if a != b and any({a, b} <= set(relation.columns) for relation in scope.inputs.values()):
            continue  # said of the step that made them
        what = f"two columns would be called '{a}'" if a == b else f"'{a}' and '{b}' are one name to SQL"
        yield problem(scope, "", "duplicate_column", what, "give one of them another name")


def _bad_names(operator: Operator, scope: Scope) -> Iterator[Problem]:
    """Yield names that the step gives to columns and SQL or prepsql can't have."""
    there = {name for relation in scope.inputs.values() for name in relation.columns}
    for name in dict.fromkeys(name for name, _ in operator.outline(scope) or () if name not in there):
        if not name:
            yield problem(scope, "", "bad_name", "a column would have no name", "give it one")
        elif name.lower().startswith(HIDDEN):
            message = f"column '{name}' begins with {HIDDEN}, as prepsql's own do"
            yield problem(scope, "", "bad_name", message, "give it another name")


def text_faults(operator: Operator, scope: Scope) -> Iterator[Problem]:
    """Yield the columns that aren't there, and the expressions that are none."""
    for named in operator.columns_named(scope):
        relation = scope.inputs[named.port]
        if relation.named(named.column) is None and not relation.open:
            yield missing(scope, named.parameter, named.column, list(relation.columns))
    for text in operator.expressions(scope):
        yield from _expression_faults(text, operator, scope)


def _expression_faults(text: Text, operator: Operator, scope: Scope) -> Iterator[Problem]:
    found = parse(text.text)
    if found.fault:
        message = f"{_short(text.text)}: {found.fault}" if text.text.strip() else found.fault
        column = _column(text, scope)
        hint = f"write {column_name(column)}, a column's name" if column else syntax_hint(text.text, found.fault)
        yield problem(scope, text.parameter, "bad_expression", message, hint)
        return
    yield from _not_allowed(text, found, scope)
    yield from _missing_columns(text, found, operator, scope)
    for name in found.functions:
        if name not in catalogue():
            yield problem(scope, text.parameter, "unknown_function", f"no function '{name}'", function_hint(name))


def _column(text: Text, scope: Scope) -> str | None:
    """Return the column that a text is the bare name of, such as `order id`, which wants quotes."""
    columns = scope.parent.columns if text.columns is None else text.columns
    return next((name for name in columns if name.lower() == text.text.strip().lower()), None)


def _not_allowed(text: Text, found: Expression, scope: Scope) -> Iterator[Problem]:
    if found.subquery:
        yield problem(
            scope, text.parameter, "not_allowed", "a subquery can't be in an expression",
            "join the other table in a step before",
        )  # fmt: skip
    if found.aggregates:
        name = found.aggregates[0].replace("count_star", "count(*)")
        message = f"{name} is an aggregate, and each row is on its own here"
        hint = _AGGREGATE_HINT
        if text.parameter == "having" or text.parameter.startswith("aggs"):
            message = f"{name} is an aggregate, and can't stand here"
            hint = "give func and the bare expr; having uses the names of the result's columns"
        yield problem(scope, text.parameter, "not_allowed", message, hint)
    if found.windows and text.role != "window":
        yield problem(
            scope, text.parameter, "not_allowed", "a window can't be used here",
            "compute it in a project step before, and name that column",
        )  # fmt: skip
    volatile = [name for name in found.functions if catalogue().get(name) == "volatile"]
    if volatile:
        yield problem(
            scope, text.parameter, "not_allowed", f"{volatile[0]} gives another value at another time",
            "results must be the same each time; use a column, or hash one",
        )  # fmt: skip


def _missing_columns(text: Text, found: Expression, operator: Operator, scope: Scope) -> Iterator[Problem]:
    if text.parameter == "condition":
        yield from _condition_columns(text, found, scope)
        return
    parent = next(iter(scope.inputs.values()))
    columns: Mapping[str, str] = parent.columns if text.columns is None else text.columns
    if parent.open:
        return
    folded = {name.lower() for name in columns}
    reported = set()
    for parts, start, length in found.columns:
        name = parts[0]
        if name.lower() == parent.name.lower() and name.lower() not in folded and len(parts) > 1:
            name = parts[1]
        if name.lower() in folded:
            continue
        quoted = start >= 0 and text.text[start : start + 1] == '"'
        key = re.match(r"\[\s*['\"]([^'\"]+)['\"]\s*\]", text.text[start + length :]) if start >= 0 else None
        gone = operator.gone(name) if parent.named(name) else ""
        hint = gone or column_hint(parts, key[1] if key else "", quoted, columns) or scope.whence(name)
        if (name, hint) in reported:
            continue
        reported.add((name, hint))
        yield problem(
            scope, text.parameter, "missing_column", f"no column '{name}' (has: {listing(list(columns))})", hint
        )


def _condition_columns(text: Text, found: Expression, scope: Scope) -> Iterator[Problem]:
    """Yield the columns of a join's condition that neither side has, or both."""
    sides = {relation.name.lower(): relation for relation in scope.inputs.values()}
    both = list(scope.inputs.values())
    for parts, _, _ in found.columns:
        if parts[0].lower() in sides and len(parts) > 1:
            side = sides[parts[0].lower()]
            if side.named(parts[1]) is None and not side.open:
                columns = [f"{side.name}.{name}" for name in side.columns]
                yield missing(scope, text.parameter, f"{parts[0]}.{parts[1]}", columns)
            continue
        holders = [relation.name for relation in both if relation.named(parts[0])]
        if len(holders) == 2:
            yield problem(
                scope, text.parameter, "ambiguous_column", f"both sides have '{parts[0]}'",
                f"write {holders[0]}.{parts[0]} or {holders[1]}.{parts[0]}",
            )  # fmt: skip
        elif not holders and not any(relation.open for relation in both):
            columns = [f"{relation.name}.{name}" for relation in both for name in relation.columns]
            yield missing(scope, text.parameter, ".".join(parts), columns)


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 50 else line[:47] + "…")

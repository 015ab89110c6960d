"""What is wrong with one step, given the columns that come in."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

import duckdb

from prepsql.workflow.describe import type_of
from prepsql.workflow.document import Step
from prepsql.workflow.expression import Expression, parse
from prepsql.workflow.families import family
from prepsql.workflow.functions import catalogue
from prepsql.workflow.hints import function_hint
from prepsql.workflow.operators.base import Operator, Scope, Text, duplicates, missing, problem
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import UNKNOWN, Relation

_AGGREGATE_HINT = "put it in an aggregate step, or over rows: sum(x) OVER (PARTITION BY …)"


def named_faults(operator: Operator, scope: Scope) -> Iterator[Problem]:
    """Yield columns and expressions that can't be, what the operator finds, and names that would stand twice."""
    for named in operator.columns_named(scope):
        relation = scope.inputs[named.port]
        if relation.named(named.column) is None and not relation.open:
            yield missing(scope, named.parameter, named.column, list(relation.columns))
    for text in operator.expressions(scope):
        yield from _expression_faults(text, scope)
    yield from operator.faults(scope)
    clashes = [] if operator.kind == "join" else duplicates(name for name, _ in operator.outline(scope) or ())
    for a, b in clashes:
        if a != b and any({a, b} <= set(relation.columns) for relation in scope.inputs.values()):
            continue  # said of the step that made them
        what = f"two columns would be called '{a}'" if a == b else f"'{a}' and '{b}' are one name to SQL"
        yield problem(scope, "", "duplicate_column", what, "give one of them another name")


def type_faults(step: Step, scope: Scope, failure: duckdb.Error) -> list[Problem]:
    """Return what doesn't fit: each expression by itself, else the step as DuckDB says it."""
    found: list[Problem] = []
    assert step.operator is not None
    for text in step.operator.expressions(scope):
        columns = scope.parent.columns if text.columns is None else text.columns
        if UNKNOWN in columns.values():
            columns = {name: kind for name, kind in columns.items() if kind != UNKNOWN}
            if not parse(text.text).names <= {name.lower() for name in columns}:
                continue
        try:
            kind = type_of(text.text, Relation("input", columns))
        except duckdb.Error as wrong:
            found.append(problem(scope, text.parameter, "wrong_type", _first(wrong), _type_hint(wrong)))
            continue
        if text.role == "predicate" and kind not in ("BOOLEAN", '"NULL"'):
            message = f"the condition is {kind}, not true or false"
            found.append(problem(scope, text.parameter, "wrong_type", message, "compare it with something"))
    return found or [problem(scope, "", "wrong_type", _first(failure), _type_hint(failure))]


def _expression_faults(text: Text, scope: Scope) -> Iterator[Problem]:
    found = parse(text.text)
    if found.fault:
        hint = "expressions are SQL: columns by their names, text in single quotes"
        yield problem(scope, text.parameter, "bad_expression", f"{_short(text.text)}: {found.fault}", hint)
        return
    yield from _not_allowed(text, found, scope)
    yield from _missing_columns(text, found, scope)
    for name in found.functions:
        if name not in catalogue():
            yield problem(scope, text.parameter, "unknown_function", f"no function '{name}'", function_hint(name))


def _not_allowed(text: Text, found: Expression, scope: Scope) -> Iterator[Problem]:
    if found.subquery:
        yield problem(
            scope, text.parameter, "not_allowed", "a subquery can't be in an expression",
            "join the other table in a step before",
        )  # fmt: skip
    if found.aggregates:
        message = f"{found.aggregates[0]} is an aggregate, and each row is on its own here"
        hint = _AGGREGATE_HINT
        if text.parameter == "having" or text.parameter.startswith("aggs"):
            message = f"{found.aggregates[0]} is an aggregate already; the aggregate is named by func"
            hint = "give func and the bare expr; in having use the names of the result's columns"
        yield problem(scope, text.parameter, "not_allowed", message, hint)
    if found.windows and text.role != "window":
        yield problem(
            scope, text.parameter, "not_allowed", "a window can't be used here",
            "compute it in a project step before, and name that column",
        )  # fmt: skip
    volatile = [name for name in found.functions if catalogue().get(name) == "volatile"]
    if volatile:
        yield problem(
            scope, text.parameter, "not_allowed", f"{volatile[0]} gives another value each time",
            "results must be the same each time; use a column, or hash one",
        )  # fmt: skip


def _missing_columns(text: Text, found: Expression, scope: Scope) -> Iterator[Problem]:
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
        if name.lower() in folded or name in reported:
            continue
        reported.add(name)
        known = missing(scope, text.parameter, name, list(columns))
        if not known.suggestion and text.text[start : start + 1] == '"' and length:
            hint = f"for text write it in single quotes: '{name}'"
            known = problem(scope, text.parameter, "missing_column", known.message, hint)
        yield known


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


def _first(failure: duckdb.Error) -> str:
    """Return DuckDB's message without its class, its list of candidates and its picture of the place."""
    text = str(failure).split("\n\tCandidate")[0].split("\nLINE")[0].split("\n\nLINE")[0]
    text = re.sub(r"^\w+(?: \w+)? Error: ", "", text)
    return " ".join(text.split()).removesuffix(" You might need to add explicit type casts.")


def _type_hint(failure: duckdb.Error) -> str:
    given = re.search(r"argument types '(\S+?)\((.*)\)'", str(failure))
    if given:
        kinds = [kind.strip() for kind in given[2].split(",")]
        if len({family(kind) for kind in kinds}) > 1 and len(kinds) == 2:
            return f"cast one side: CAST(… AS {kinds[1]}), or TRY_CAST for null where it doesn't fit"
        forms = re.findall(rf"\t(\"?{re.escape(given[1])}\"?\(.*?\)) ->", str(failure))
        return f"it takes {listing(forms, 2)}" if forms else ""
    if "Cannot compare" in str(failure) or "Cannot mix" in str(failure):
        return "cast one side so that both are of one type"
    return ""


def _short(text: str) -> str:
    line = " ".join(text.split())
    return repr(line if len(line) <= 50 else line[:47] + "…")

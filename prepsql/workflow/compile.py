"""From steps to SQL: each step's SELECT, with the columns and the order of rows that it gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import duckdb

from prepsql.workflow import describe
from prepsql.workflow.check_step import named_faults, type_faults
from prepsql.workflow.checks.cycles import sequence
from prepsql.workflow.dialects import NotPortable
from prepsql.workflow.document import Step
from prepsql.workflow.operators.base import Scope
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, Demand, Relation
from prepsql.workflow.render import render

Asker = Callable[["Chain", str, str], Sequence[tuple[Any, ...]] | None]
"""Answers a question about a step's rows: (chain so far, step, SELECT over it) → rows, None where it can't."""


@dataclass(frozen=True)
class Compiled:
    """One step: its SELECT ('' where it is a table already, or faulty), and what it gives."""

    step: Step
    sql: str
    relation: Relation
    problems: tuple[Problem, ...] = ()


def demands(steps: Mapping[str, Step], exact: bool) -> dict[str, Demand]:
    """Return, for each step, how much of the order of its rows later steps need."""
    needed = dict.fromkeys(steps, Demand.NONE)
    for name in reversed(sequence(steps)):
        step = steps[name]
        need = step.operator.demand(needed[name], exact) if step.operator else Demand.NONE
        for source in step.inputs.values():
            needed[source] = max(needed[source], need)
    return needed


class Chain:
    """Steps compiled one after the other, each on what those before it give.

    `exact`: ties are broken by the files' rows, so that a result is the same each time. For export it is false: SQL
    stays free of row numbers but where a step goes by the order of rows itself.
    """

    def __init__(
        self, steps: Mapping[str, Step], sources: Mapping[str, Relation], *, dialect: str = "duckdb",
        exact: bool = True, ask: Asker | None = None,
    ) -> None:  # fmt: skip
        self.steps, self.sources, self.dialect, self.exact, self.ask = steps, sources, dialect, exact, ask
        self.demands = demands(steps, exact)
        self.done: dict[str, Compiled] = {}

    def __iter__(self) -> Iterator[Step]:
        """Yield the steps in an order in which they can be compiled."""
        return (self.steps[name] for name in sequence(self.steps))

    def add(self, step: Step) -> Compiled:
        """Compile a step whose inputs are compiled; its faults are in the result."""
        scope = self._scope(step)
        made = self._compile(step, scope)
        self.done[step.name] = made
        return made

    def put(self, step: Step, relation: Relation) -> None:
        """Say that a step's result is a table of the step's name."""
        self.done[step.name] = Compiled(step, "", relation)

    @property
    def problems(self) -> list[Problem]:
        """The problems of all compiled steps."""
        return [problem for compiled in self.done.values() for problem in compiled.problems]

    def ancestors(self, name: str) -> list[Compiled]:
        """Return the compiled steps that a step rests on, itself last; those that are tables end the way."""
        needed = {name}
        for other in reversed(sequence(self.steps)):
            if other in needed and self.done[other].sql:
                needed |= set(self.steps[other].inputs.values())
        return [self.done[other] for other in sequence(self.steps) if other in needed and self.done[other].sql]

    def _scope(self, step: Step) -> Scope:
        if step.kind == "input":
            inputs = {"in": self.sources.get(step.name, Relation(step.name, {}, open=True))}
        else:
            inputs = {port: self.done[source].relation for port, source in step.inputs.items()}
        parent = next(iter(inputs.values()))
        return Scope(
            step.name, inputs, self.demands[step.name], self.exact, self.dialect,
            type_of=lambda text, rows=None: _type_or_unknown(text, parent, rows),
        )  # fmt: skip

    def _compile(self, step: Step, scope: Scope) -> Compiled:
        operator = step.operator
        if operator is None:
            return Compiled(step, "", Relation(step.name, {}, open=True))
        scope = self._answered(step, scope)
        problems = list(dict.fromkeys(named_faults(operator, scope)))
        certain = all(relation.certain for relation in scope.inputs.values())
        outline = operator.outline(scope)
        guess = Relation(step.name, dict(outline or ()), open=outline is None or scope.parent.open)
        if problems or not certain or outline is None or step.kind == "script":
            return Compiled(step, "", guess, tuple(problems))
        try:
            lowered = operator.lower(scope)
            columns = {c.lower(): c for relation in scope.inputs.values() for c in relation.all_columns}
            sql = render(lowered.shape, self.dialect, columns)
        except NotPortable as no:
            fault = Problem(step.name, "", "not_portable", f"{self.dialect} can't say it: {no}", no.mend)
            return Compiled(step, "", guess, (fault,))
        if step.kind == "input":
            return Compiled(
                step, sql, replace(guess, order=lowered.order, hidden=dict.fromkeys(lowered.hidden, "BIGINT"))
            )
        here = sql if self.dialect == "duckdb" else render(operator.lower(replace(scope, dialect="duckdb")).shape)
        try:
            made = describe.describe(here, scope.inputs.values())
        except duckdb.Error as wrong:
            return Compiled(step, "", guess, tuple(type_faults(step, scope, wrong)))
        hidden = {name: kind for name, kind in made.items() if name in lowered.hidden}
        visible = {name: kind for name, kind in made.items() if name not in lowered.hidden}
        return Compiled(step, sql, Relation(step.name, visible, lowered.order, hidden))

    def _answered(self, step: Step, scope: Scope) -> Scope:
        """Return the scope with the answer to the operator's question, if it has one and can be answered."""
        assert step.operator is not None
        if self.ask is None or step.kind == "input" or not all(r.certain for r in scope.inputs.values()):
            return scope
        if any(
            True for named in step.operator.columns_named(scope) if scope.inputs[named.port].named(named.column) is None
        ):
            return scope
        question = step.operator.question(scope)
        if question is None:
            return scope
        return replace(scope, answer=self.ask(self, step.inputs["in"], question))


def _type_or_unknown(text: str, parent: Relation, rows: Any) -> str:
    try:
        if rows is not None:
            parent = Relation("below", describe.describe(render(rows), [parent]))
        return describe.type_of(text, parent)
    except duckdb.Error:
        return UNKNOWN

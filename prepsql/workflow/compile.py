"""From steps to SQL: each step's SELECT, with the columns and the order of rows that it gives."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from threading import Lock
from typing import Any

import duckdb

from prepsql.errors import WorkflowError
from prepsql.workflow import describe
from prepsql.workflow.check_step import named_faults, text_faults
from prepsql.workflow.checks.cycles import sequence
from prepsql.workflow.dialects import NotPortable
from prepsql.workflow.document import Step
from prepsql.workflow.operators import OPERATORS
from prepsql.workflow.operators.base import Operator, Scope
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, Demand, Relation
from prepsql.workflow.render import render
from prepsql.workflow.type_faults import misfits, type_faults

Asker = Callable[["Chain", str, str], Sequence[tuple[Any, ...]] | None]
"""Answers a question about a step's rows: (chain so far, step, SELECT over it) → rows, None where it can't."""

_LOWERING = Lock()
"""Ibis keeps what it made in one place, and isn't made for two threads at once."""


@dataclass(frozen=True)
class Compiled:
    """One step: its SELECT ('' for a script, or where it is faulty), and what it gives; `kept` where it is a table."""

    step: Step
    sql: str
    relation: Relation
    problems: tuple[Problem, ...] = ()
    kept: bool = False


def demands(steps: Mapping[str, Step], exact: bool) -> dict[str, Demand]:
    """Return, for each step, how much of the order of its rows later steps need."""
    needed = dict.fromkeys(steps, Demand.NONE)
    for name in reversed(sequence(steps)):
        step = steps[name]
        need = step.operator.demand(needed[name], exact) if step.operator else Demand.NONE
        for source in step.inputs.values():
            needed[source] = max(needed.get(source, need), need)
    return needed


class Chain:
    """Steps compiled one after the other, each on what those before it give.

    `exact`: ties are broken by the files' rows, so that a result is the same each time. For export it is false: SQL
    stays free of row numbers but where a step goes by the order of rows itself. `known` keeps what the same steps
    became on the same columns, for other chains of them.
    """

    def __init__(
        self, steps: Mapping[str, Step], sources: Mapping[str, Relation], *, dialect: str = "duckdb",
        exact: bool = True, ask: Asker | None = None, known: dict[Hashable, Compiled] | None = None,
    ) -> None:  # fmt: skip
        self.known: dict[Hashable, Compiled] = {} if known is None else known
        self.steps, self.sources, self.dialect, self.exact, self.ask = steps, sources, dialect, exact, ask
        self.demands = demands(steps, exact)
        self.order = sequence(steps)
        self.done: dict[str, Compiled] = {}
        self._sound: set[str] = set()

    def __iter__(self) -> Iterator[Step]:
        """Yield the steps in an order in which they can be compiled."""
        return (self.steps[name] for name in self.order)

    def add(self, step: Step) -> Compiled:
        """Compile a step whose inputs are compiled; its faults are in the result."""
        scope = self._scope(step)
        made = self._compile(step, scope)
        self.done[step.name] = made
        if made.sql and not made.problems and self._sound.issuperset(step.inputs.values()):
            self._sound.add(step.name)
        return made

    def put(self, step: Step, relation: Relation) -> None:
        """Say that a step's result is a table of the step's name; its SELECT stays for those who want to read it."""
        sql = self.done[step.name].sql if step.name in self.done else ""
        self.done[step.name] = Compiled(step, sql, relation, kept=True)
        self._sound.add(step.name)

    @property
    def problems(self) -> list[Problem]:
        """The problems of all compiled steps."""
        return [problem for compiled in self.done.values() for problem in compiled.problems]

    def ancestors(self, name: str, *, whole: bool = False) -> list[Compiled]:
        """Return the compiled steps that a step rests on, itself last.

        Those that are tables end the way, unless the `whole` chain is wanted: then only scripts do.
        """
        needed, found = {name}, []
        for other in reversed(self.order):
            made = self.done.get(other)
            if other in needed and made and made.sql and (whole or not made.kept):
                needed |= set(self.steps[other].inputs.values())
                found.append(made)
        return found[::-1]

    def sound(self, name: str) -> bool:
        """Return whether a step can run: it and all before it are compiled without a fault, or tables."""
        return name in self._sound

    def _scope(self, step: Step) -> Scope:
        unknown = Relation("", {}, open=True)
        if step.kind == "input":
            inputs = {"in": self.sources.get(step.name, Relation(step.name, {}, open=True))}
        else:
            inputs = {}
            for port, source in step.inputs.items():
                made = self.done.get(source)
                inputs[port] = made.relation if made and made.step.kind != "output" else unknown
            ports = step.operator.ports.split() if step.operator else ["in"]
            inputs = {port: unknown for port in ports if port in ("in", "left", "right")} | inputs
        parent = next(iter(inputs.values()), unknown)
        return Scope(
            step.name, inputs, self.demands[step.name], self.exact, self.dialect,
            type_of=lambda text, rows=None: _type_or_unknown(text, parent, rows),
            whence=lambda column: self._whence(step, column),
        )  # fmt: skip

    def _whence(self, step: Step, column: str) -> str:
        """Return which step before this one has a column that is missing here, and which one left it out."""
        left, seen = [(source, step.name) for source in step.inputs.values()], set()
        while left:
            source, taker = left.pop(0)
            if source in seen or source not in self.done:
                continue
            seen.add(source)
            if self.done[source].relation.named(column):
                place = "this step" if taker == step.name else f"'{taker}'"
                return f"{place} leaves it out ('{source}' has it): keep it there"
            left += [(other, source) for other in self.steps[source].inputs.values()]
        return ""

    def _compile(self, step: Step, scope: Scope) -> Compiled:
        operator = step.operator
        if operator is None:
            passes = step.kind in OPERATORS and OPERATORS[step.kind].keeps_columns
            guess = replace(scope.parent, name=step.name) if passes else Relation(step.name, {}, open=True)
            return Compiled(step, "", guess)
        try:
            scope = self._answered(step, scope)
        except WorkflowError as failed:
            why = str(failed).split("; its SQL:")[0]
            parameter, mend = operator.asks
            fault = Problem(
                step.name, parameter, "unknown_columns", f"they depend on rows that fail: {why}"[:200], mend
            )
            return Compiled(step, "", Relation(step.name, {}, open=True), (fault,))
        key = _key(step, scope)
        if key not in self.known:
            with _LOWERING:
                made = self._on_columns(step, operator, scope)
            if made.problems or not made.sql:
                return made
            self.known[key] = made
        return self.known[key]

    def _on_columns(self, step: Step, operator: Operator, scope: Scope) -> Compiled:
        found = named_faults(operator, scope) if step.whole else text_faults(operator, scope)
        problems = list(dict.fromkeys(found))
        certain = all(relation.certain for relation in scope.inputs.values())
        outline = operator.outline(scope)
        first = {name.lower(): (name, kind) for name, kind in reversed(outline or ())}
        guess = Relation(
            step.name, dict(reversed(first.values())), open=_is_open(step, operator, scope, outline, problems)
        )
        if problems or not certain or outline is None or step.kind == "script" or not step.whole:
            return Compiled(step, "", guess, (*problems, *misfits(operator, scope, problems)))
        lowered = operator.lower(replace(scope, dialect="duckdb"))
        sql = render(lowered.shape)
        if step.kind == "input":
            return Compiled(
                step, sql, replace(guess, order=lowered.order, hidden=dict.fromkeys(lowered.hidden, "BIGINT"))
            )
        try:
            columns = describe.describe(sql, scope.inputs.values())
        except duckdb.Error as wrong:
            return Compiled(step, "", guess, type_faults(operator, scope, wrong))
        faults = misfits(operator, scope, bound=True)
        hidden = {name: kind for name, kind in columns.items() if name in lowered.hidden}
        visible = {name: kind for name, kind in columns.items() if name not in lowered.hidden}
        made = Compiled(step, "" if faults else sql, Relation(step.name, visible, lowered.order, hidden), faults)
        return made if faults or self.dialect == "duckdb" else self._translated(made, scope)

    def _translated(self, made: Compiled, scope: Scope) -> Compiled:
        """Return a step in another dialect; its columns are known whether it can be said there or not."""
        operator = made.step.operator
        assert operator is not None
        relations = {relation.name: relation for relation in scope.inputs.values()}
        try:
            if operator.demand(Demand.NONE, exact=False) == Demand.ROWS:
                raise NotPortable("it goes by the order of a file's rows, which a table doesn't have", "give order_by")
            return replace(made, sql=render(operator.lower(scope).shape, self.dialect, relations))
        except NotPortable as no:
            fault = Problem(made.step.name, "", "not_portable", f"{self.dialect} can't say it: {no}", no.mend)
            return replace(made, sql="", problems=(fault,))

    def _answered(self, step: Step, scope: Scope) -> Scope:
        """Return the scope with the answer to the operator's question, if it has one and can be answered."""
        assert step.operator is not None
        if self.ask is None or step.kind == "input" or not all(map(self.sound, step.inputs.values())):
            return scope
        if any(scope.inputs[n.port].named(n.column) is None for n in step.operator.columns_named(scope)):
            return scope
        question = step.operator.question(scope)
        if question is None:
            return scope
        return replace(scope, answer=self.ask(self, step.inputs["in"], question))


def _key(step: Step, scope: Scope) -> Hashable:
    """Return what a step's SQL depends on, beside the step itself."""
    answer = None if scope.answer is None else tuple(map(tuple, scope.answer))
    relations = [
        (port, r.name, tuple(r.columns.items()), r.order, tuple(r.hidden.items()), r.open)
        for port, r in scope.inputs.items()
    ]
    return step.name, scope.demand, scope.exact, scope.dialect, answer, tuple(relations)


def _is_open(
    step: Step, operator: Operator, scope: Scope, outline: list[tuple[str, str]] | None, problems: Sequence[Problem]
) -> bool:
    """Return whether a step may give columns of other names than its outline says.

    So it is where a parameter that names columns is at fault: later steps may rest on what was meant.
    """
    fixed = {text.parameter for text in operator.expressions(scope)}
    named = any(
        p.code in ("missing_column", "duplicate_column") and p.parameter not in fixed
        and not p.parameter.startswith(("drop", "rename", "order_by", "partition_by", "keys"))
        for p in problems
    )  # fmt: skip
    above = not operator.names_all and any(relation.open for relation in scope.inputs.values())
    part = not step.whole and not operator.keeps_columns
    return not outline or part or named or above


def _type_or_unknown(text: str, parent: Relation, rows: Any) -> str:
    try:
        if rows is not None:
            parent = Relation("below", describe.describe(render(rows), [parent]))
        return describe.type_of(text, parent)
    except duckdb.Error:
        return UNKNOWN

"""What every operator is: parameters, what they name, checks, and the shape of its SELECT.

An operator is one frozen pydantic model in a file of its own; nothing else knows its parameters. It never runs
anything: it is asked what its parameters name (`columns_named`, `expressions`), what else is wrong (`faults`), which
columns it gives (`outline`), whose order it needs (`demand`), and how its SELECT looks (`lower`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, model_validator
from pydantic_core import PydanticCustomError

from prepsql.workflow import shape
from prepsql.workflow.describe import type_fault
from prepsql.workflow.problem import Problem, did_you_mean, listing
from prepsql.workflow.relation import HIDDEN, UNKNOWN, Demand, OrderKey, Relation
from prepsql.workflow.reserved import column_name

_PLACE = re.compile(r"[\s(]*[-+]?\d+[\s)]*")
# ORDER BY would read it as a column's place

Cells = list[tuple[str, str]]
"""Names and expressions of a select list."""

Ports = Literal["none", "in", "left right", "items", "named"]
"""Which inputs a kind has: none; one, `in`; `left` and `right`; a list, `items`; or any under names of its own."""


class Model(BaseModel):
    """Parameters: frozen, and only those that are named."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True, strict=True)

    @property
    def given(self) -> set[str]:
        """The parameters that say something: one with its default as value says as little as one that is left out."""
        fields = type(self).model_fields.items()
        return {key for key, field in fields if getattr(self, key) != field.get_default(call_default_factory=True)}


Word = BeforeValidator(lambda given: "null" if given is None else given)
"""For parameters with the word "null" among their words: JSON's null says the same."""


class Key(Model):
    """One key of an order."""

    expr: str
    asc: bool = True
    nulls: Literal["first", "last"] = "last"

    @model_validator(mode="after")
    def _no_place(self) -> Key:
        if _PLACE.fullmatch(self.expr):
            raise misfit("expr", f"{self.expr.strip()} is the same for every row", "name a column by its name")
        return self


@dataclass(frozen=True)
class Named:
    """A column that a parameter names, of the input at `port`."""

    parameter: str
    column: str
    port: str = "in"


@dataclass(frozen=True)
class Text:
    """An expression in a parameter; windows are allowed in the role `window` only.

    `columns` are the columns that it may name, with their types, where they aren't those of the only input.
    """

    parameter: str
    text: str
    role: Literal["scalar", "predicate", "window"] = "scalar"
    columns: Mapping[str, str] | None = None


@dataclass(frozen=True)
class Scope:
    """What an operator gets to lower itself.

    `inputs` are the relations at its ports; for `items` the ports are '0', '1', …. `demand` is what later steps need
    of the order of its rows; `exact` says that ties are to be broken by the files' rows. `answer` is what `question`
    was answered; `type_of` gives an expression's DuckDB type, over the only input or over `rows`, a shape on it;
    `whence` says which step left a column out.
    """

    step: str
    inputs: Mapping[str, Relation]
    demand: Demand = Demand.NONE
    exact: bool = True
    dialect: str = "duckdb"
    answer: Sequence[tuple[Any, ...]] | None = None
    type_of: Callable[..., str] = field(default=lambda text, rows=None: UNKNOWN)
    whence: Callable[[str], str] = field(default=lambda column: "")

    @property
    def parent(self) -> Relation:
        """The relation of the only input."""
        return next(iter(self.inputs.values()))

    @property
    def hidden(self) -> str:
        """What the names of hidden columns of this step begin with."""
        return f"{HIDDEN}{self.step}"


@dataclass(frozen=True)
class Lowered:
    """The shape of a step's SELECT, the order of its rows, and which of its columns are hidden."""

    shape: Any
    order: tuple[OrderKey, ...] = ()
    hidden: tuple[str, ...] = ()


class Operator(Model):
    """Parameters and meaning of one kind of step."""

    kind: ClassVar[str]
    purpose: ClassVar[str]
    ports: ClassVar[Ports] = "in"
    asks: ClassVar[tuple[str, str]] = ("", "")
    """The parameter whose columns its `question` asks the data for, and what to do where they can't be had."""
    keeps_columns: ClassVar[bool] = False
    """Whether it gives the columns that come in, whatever the parameters."""

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield every column that a parameter names."""
        yield from ()

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield every expression of the parameters."""
        yield from ()

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield what is wrong besides names and expressions."""
        yield from ()

    def before(self, parameter: str) -> Operator | None:
        """Return the operator that gives the rows which a parameter's expression sees, None where its input does."""
        return None

    def calls(self, scope: Scope) -> Iterator[Text]:
        """Yield what it makes of its expressions, each under the parameter at fault where its types don't fit."""
        yield from ()

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the columns it gives with their types as far as known, None where they can't be known yet."""
        return list(scope.parent.columns.items())

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Return how much of its inputs' order it needs, where later steps want `wanted` of its own."""
        return wanted

    def gone(self, column: str) -> str:
        """Return what to do about a column of its input that is no longer there where its expressions are."""
        return ""

    @property
    def names_all(self) -> bool:
        """Whether the parameters name every column that it gives, whatever comes in."""
        return False

    def question(self, scope: Scope) -> str | None:
        """Return a SELECT over its input whose answer must be known before it is lowered, None where there's none."""
        return None

    def lower(self, scope: Scope) -> Lowered:
        """Return its SELECT."""
        raise NotImplementedError


def problem(scope: Scope, parameter: str, code: str, message: str, suggestion: str = "") -> Problem:
    """Return a problem of the step that `scope` is of."""
    return Problem(scope.step, parameter, code, message, suggestion)


def lacking(parameter: str, message: str, mend: str) -> PydanticCustomError:
    """Return what a validator raises where a parameter is missing that others call for."""
    return PydanticCustomError("missing_parameter", "{what}", {"what": message, "parameter": parameter, "mend": mend})


def misfit(parameter: str, message: str, mend: str = "") -> PydanticCustomError:
    """Return what a validator raises where a parameter doesn't go with the others."""
    return PydanticCustomError("bad_value", "{what}", {"what": message, "parameter": parameter, "mend": mend})


def missing(scope: Scope, parameter: str, name: str, have: Sequence[str]) -> Problem:
    """Return the problem of a column that isn't there."""
    message = f"no column '{name}' (has: {listing(have)})"
    return problem(scope, parameter, "missing_column", message, did_you_mean(name, have) or scope.whence(name))


def bad_pattern(scope: Scope, parameter: str, pattern: str) -> Iterator[Problem]:
    """Yield the problem of a date's pattern that names no part of a date."""
    if "%" not in pattern:
        yield problem(
            scope, parameter, "bad_value", f"the pattern {pattern!r} has no part of a date in it",
            "write it as for strftime, such as %d/%m/%Y",
        )  # fmt: skip


def bad_type(scope: Scope, parameter: str, kind: str) -> Iterator[Problem]:
    """Yield a problem where `kind` is no type of DuckDB."""
    fault = type_fault(kind)
    if fault:
        yield problem(scope, parameter, "wrong_type", *fault)


def carried(parent: Relation, demand: Demand) -> tuple[OrderKey, ...]:
    """Return the order that a step which leaves rows in place takes over: its parent's, where it is needed."""
    return parent.order if demand else ()


def hidden_of(parent: Relation, order: Iterable[OrderKey]) -> tuple[str, ...]:
    """Return the parent's hidden columns that `order` needs."""
    return tuple(key.column for key in order if key.column in parent.hidden)


def kept(parent: Relation, order: Iterable[OrderKey], *, more: bool = False) -> shape.SqlColumns:
    """Return all visible columns of the parent, and the hidden ones that `order` needs; `more` columns lie below."""
    hidden = hidden_of(parent, order)
    return shape.keep([*parent.columns, *hidden], star=not more and len(hidden) == len(parent.hidden))


def moved(order: Iterable[OrderKey], stay: Iterable[str], prefix: str) -> tuple[tuple[OrderKey, ...], Cells]:
    """Return the order by columns that stay or by copies of those that don't, and the cells that make the copies."""
    kept = set(stay)
    keys: list[OrderKey] = []
    cells: Cells = []
    for key in order:
        if key.column not in kept:
            cells.append((f"{prefix}_{len(keys)}", column_name(key.column)))
            key = replace(key, column=cells[-1][0])
        keys.append(key)
    return tuple(keys), cells


def ordering(order: Iterable[OrderKey]) -> str:
    """Return the ORDER BY list of an order."""
    return ", ".join(
        column_name(key.column) + (" DESC" if key.descending else "") + (" NULLS FIRST" if key.nulls_first else "")
        for key in order
    )


def by_keys(keys: Iterable[Key]) -> list[str]:
    """Return keys as items of an ORDER BY list."""
    return [
        f"{key.expr}{'' if key.asc else ' DESC'}{' NULLS FIRST' if key.nulls == 'first' else ' NULLS LAST'}"
        for key in keys
    ]


def duplicates(names: Iterable[str]) -> list[tuple[str, str]]:
    """Return pairs of names that are one to SQL: equal but for case."""
    seen: dict[str, str] = {}
    pairs = []
    for name in names:
        if name.lower() in seen:
            pairs.append((seen[name.lower()], name))
        seen.setdefault(name.lower(), name)
    return pairs


__all__ = [
    "Cells",
    "Demand",
    "Field",
    "Key",
    "Lowered",
    "Model",
    "Named",
    "Operator",
    "Scope",
    "Text",
    "Word",
    "bad_pattern",
    "bad_type",
    "by_keys",
    "carried",
    "duplicates",
    "hidden_of",
    "kept",
    "lacking",
    "misfit",
    "missing",
    "moved",
    "ordering",
    "problem",
]

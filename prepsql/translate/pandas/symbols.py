"""Symbolic cells, rows and matches: what a traced function is given, and what its operations give."""

from __future__ import annotations

import dis
import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.forks import path, refuse, tracing
from prepsql.translate.pandas.meanwhile import meanwhile
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.scope import Scope, Table
from prepsql.workflow.pandas_text.value import (
    NUMERIC,
    TIMES,
    Accessor,
    Items,
    Parts,
    Thing,
    Value,
    constant,
    made,
)

PROGRAM = "<program>"
"""The file name of the program's own code."""
SCOPE = Scope(Table({}))


class Cell:
    """One cell of a column: its truth forks, and whatever isn't an operation of the program's own is refused."""

    def __init__(self, thing: Thing) -> None:
        self.thing = replace(thing, cell=True) if isinstance(thing, Value | Parts) else thing

    def __bool__(self) -> bool:
        return path().decide(truth(self))

    def __hash__(self) -> int:
        raise refuse("a cell as a key")

    def __iter__(self) -> Iterator[Any]:
        return iter(unpacked(self))

    def __len__(self) -> int:
        raise refuse("the length of a cell as a number")

    def __str__(self) -> str:
        raise refuse("the text of a cell outside the program")

    def __format__(self, spec: str) -> str:
        raise refuse("the text of a cell outside the program")

    def __float__(self) -> float:
        raise refuse("a cell as a number outside the program")

    def __int__(self) -> int:
        raise refuse("a cell as a number outside the program")

    def __index__(self) -> int:
        raise refuse("a cell as a place")

    def __round__(self, digits: Any = None) -> Any:
        raise refuse("a cell that is rounded outside the program")

    def __getitem__(self, key: Any) -> Any:
        raise refuse("a place of a cell outside the program")


def unpacking(above: int = 2) -> int | None:
    """Return how many things the program's own `a, b = it` takes, None where it does something else."""
    frame = sys._getframe(above)
    code = frame.f_code.co_code
    if frame.f_code.co_filename != PROGRAM or dis.opname[code[frame.f_lasti]] != "UNPACK_SEQUENCE":
        return None
    return code[frame.f_lasti + 1]


def unpacked(cell: Cell) -> list[Cell]:
    """Return the parts of a text as many as `a, b = parts` takes; any other loop over a cell is refused."""
    wanted = unpacking(3)
    if wanted is None:
        raise refuse("a loop over the pieces of a cell")
    if not isinstance(cell.thing, Parts):
        raise refuse("a loop over the pieces of a cell")
    if path().trying:
        count = made("len(x)", "integer", Value(cell.thing.sql, "list", False), x=cell.thing.sql)
        if not path().decide(made("x = n", "boolean", count, nullable=False, x=count.sql, n=str(wanted))):
            raise ValueError("not enough values to unpack")
    return [Cell(Value(cell.thing.part(at), "text", False)) for at in range(wanted)]


@dataclass(frozen=True, eq=False)
class Match:
    """What re gives for a pattern in a cell: nothing where it doesn't match."""

    found: Value
    cell: Value
    pattern: str

    def __bool__(self) -> bool:
        return path().decide(self.found)


class Record:
    """One row of a frame: its cells by label. A function may change its own."""

    def __init__(self, frame: FrameSymbol, cells: Mapping[Any, Any] | None = None) -> None:
        self.frame = frame
        self.cells: dict[Any, Any] = {**cells} if cells is not None else {}

    def cell(self, label: Any) -> Any:
        """Return the cell under a label."""
        if label in self.cells:
            return self.cells[label]
        if label not in self.frame.columns:
            raise KeyError(label)
        from prepsql.translate.pandas.cell_items import opened

        return opened(self.frame.columns[label])

    def labels(self) -> list[Any]:
        """Return the labels in order."""
        return list(dict.fromkeys([*self.frame.columns, *self.cells]))

    def fresh(self) -> Record:
        """Return a row that may be changed."""
        return Record(self.frame, self.cells)


@dataclass(frozen=True, eq=False)
class Fields:
    """A series that a function made of cells: by label."""

    values: tuple[Any, ...]
    labels: tuple[Any, ...]


_SYMBOLIC = (Cell, Match, Record, Fields, Symbolic)


def among(*things: Any) -> bool:
    """Return whether a symbol is among things, or in a list, tuple or dict of them."""
    return tracing() and any(symbolic(thing) for thing in things)


def symbolic(thing: Any) -> bool:
    """Return whether a thing is a symbol or holds one."""
    if isinstance(thing, _SYMBOLIC):
        return True
    if isinstance(thing, list | tuple | set) and len(thing) < 50:
        return any(symbolic(one) for one in thing)
    if isinstance(thing, slice):
        return symbolic((thing.start, thing.stop))
    return isinstance(thing, dict) and len(thing) < 50 and any(symbolic(one) for one in thing.values())


def is_own(function: Any) -> bool:
    """Return whether a function is the program's own."""
    if isinstance(function, functools.partial):
        return is_own(function.func)
    code = getattr(function, "__code__", None)
    return code is not None and code.co_filename == PROGRAM


def thing(value: Any) -> Thing:
    """Return a symbol or a plain object as a thing."""
    if isinstance(value, Cell):
        return value.thing
    if isinstance(value, list | tuple | set) and symbolic(value):
        return Items(tuple(thing(one) for one in value))
    if symbolic(value):
        raise refuse("a whole row where a value must stand")
    made_of = _grounded(value)
    if made_of is None:
        made_of = constant_thing(value)
    return replace(made_of, cell=True) if isinstance(made_of, Value) else made_of


_GROUND: list[Callable[[Any], Thing | None]] = []


def ground(beside: Callable[[Any], Thing | None]) -> AbstractContextManager[None]:
    """Let a function being traced see numbers that came of whole columns: `beside` puts them beside the rows."""
    return meanwhile(_GROUND, beside)


def _grounded(value: Any) -> Thing | None:
    return _GROUND[-1](value) if _GROUND and tracked.is_own(value) else None


def grounded(value: Any) -> Any:
    """Return a number that came of a whole column as a cell, another thing as it is."""
    found = _grounded(value)
    return Cell(found) if isinstance(found, Value) else value


def guarded(rule: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Return what a rule gives as a cell; what it doesn't know, or a fault of it, is refused."""
    try:
        result = rule(*given, **named)
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    except Exception as fault:
        raise refuse(f"a fault of the translator: {type(fault).__name__}: {fault}") from fault
    return Cell(result) if isinstance(result, Value | Parts | Accessor) else result


def value_thing(value: Any) -> Value:
    """Return what must be a value: a number, a text, a time."""
    found = thing(value)
    if isinstance(found, Parts):
        return Value(found.sql, "list", False, cell=True)
    if not isinstance(found, Value):
        raise refuse("a thing where a value must stand")
    return found


def truth(value: Any) -> Value:
    """Return the condition under which a value counts as true in Python: a NaN does, a None doesn't."""
    found = value_thing(value)
    if found.family == "null":
        return constant(False)
    nan = found.nullable and not found.none
    if found.family == "boolean":
        return made("x IS DISTINCT FROM FALSE", "boolean", found, nullable=False, x=found.sql) if (
            nan and not found.loose) else found  # fmt: skip
    if found.family in TIMES:
        return (
            constant(True) if not found.none else made("x IS NOT NULL", "boolean", found, nullable=False, x=found.sql)
        )
    nothing = {"text": "''", "list": ""}.get(found.family, "0" if found.family in NUMERIC else None)
    if nothing is None:
        raise refuse(f"the truth of {found.family}")
    if found.family == "list":
        return made("len(x) > 0", "boolean", found, nullable=False, x=found.sql)
    template = f"x IS DISTINCT FROM {nothing}" if nan else f"x <> {nothing}"
    return Value(made(template, "boolean", found, x=found.sql).sql, "boolean", found.none, cell=True, loose=found.none)


def fails_unless(condition: Value, error: type[Exception]) -> None:
    """Raise the error on the path where a condition doesn't hold, if the program takes errors here."""
    if path().trying and not path().decide(condition):
        raise error

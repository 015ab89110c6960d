"""What a name stands for in a loop over rows as it was before a row: unread, carried along, of the row before."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from prepsql.translate.pandas import cells, forks
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.fold_symbols import Builder, Spread
from prepsql.translate.pandas.rules import state_runs
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import value_thing
from prepsql.translate.pandas.things import operated
from prepsql.workflow.pandas_text.value import Value, constant, made

MARK = state_runs.MARK


class Unread(Symbolic):
    """A name as it was before a row, which nothing has asked for yet."""

    def __init__(self, name: str, asked: list[str]) -> None:
        self.name, self.asked_for = name, asked

    def _asked(self, *rest: Any, **named: Any) -> Any:
        self.asked_for.append(self.name)
        raise forks.refuse("a loop that carries state")

    __bool__ = __iter__ = __len__ = __str__ = __float__ = __index__ = _asked
    attribute = item = set_item = method = operate = called = joined = _asked


class Carried(cells.Cell):
    """A name as it was before a row, and what was added to it since."""

    def __init__(self, name: str, thing: Value, added: tuple[Value, ...] = ()) -> None:
        super().__init__(thing)
        self.name, self.added = name, added
        self.start: Any = None


class Before(cells.Cell):
    """The value that a name got in the row before; `first` is where there is none, and the name is None."""

    def __init__(self, thing: Value, first: Value) -> None:
        super().__init__(thing)
        self.first = first

    def __bool__(self) -> bool:
        return not forks.path().decide(self.first) and super().__bool__()

    def is_none(self, operator: str) -> cells.Cell:
        """Return whether the name is None, or isn't."""
        test = self.first if operator in ("Is", "Eq") else made("NOT x", "boolean", self.first, x=self.first.sql)
        return cells.Cell(test)


def plus(hooks: Any, operator: str, left: Any, right: Any) -> Any:
    """Do an operator on what is carried: a sum remembers what was added."""
    found = cells.binary(hooks, operator, left, right)
    carried, other = (left, right) if isinstance(left, Carried) else (right, left)
    if isinstance(other, Carried) or operator not in ("Add", "Sub") or (operator == "Sub" and carried is right):
        return found
    if not isinstance(found, cells.Cell) or not isinstance(found.thing, Value):
        return found
    step = value_thing(other)
    if step.family not in ("integer", "float") or found.thing.family not in ("integer", "float"):
        return found
    step = replace(step, cell=False)
    step = operated("USub", step) if operator == "Sub" else step
    total = Carried(carried.name, found.thing, (*carried.added, step))
    total.start = carried.start
    return total


def is_same(found: Any, name: str) -> bool:
    """Return whether a name is what it was before a row."""
    return isinstance(found, Carried) and found.name == name and not found.added


def if_new(found: Any, name: str) -> Any:
    """Return what a name is bound to, None where it is what it was before a row."""
    return None if is_same(found, name) else found


def is_filled(value: Value, way: Way) -> bool:
    """Return whether a value isn't null on a way."""
    plain = {(test.sql.replace("(", "").replace(")", ""), truth) for test, truth in way.decisions}
    return (f"{value.sql} IS NOT NULL", True) in plain or (f"{value.sql} IS NULL", False) in plain


def total_of(steps: Sequence[Value]) -> Value:
    """Return numbers added up, 0 for none."""
    total = steps[0] if steps else constant(0)
    for step in steps[1:]:
        total = operated("Add", total, step)
    return total


def cells_inside(thing: Any) -> list[cells.Cell]:
    """Return the cells in what is appended or stored, without the totals that are added to."""
    if isinstance(thing, Carried) and thing.added:
        return [cells.Cell(one) for one in thing.added]
    if isinstance(thing, cells.Cell):
        return [thing] if isinstance(thing.thing, Value) else []
    if isinstance(thing, Spread):
        return [cells.Cell(Value(thing.pieces.sql, "list", False)), *cells_inside(thing.pieces.element)]
    if isinstance(thing, Mapping):
        return cells_inside(list(thing.values()))
    if isinstance(thing, list | tuple):
        return [found for one in thing for found in cells_inside(one)]
    return [*cells_inside(thing.value)] if hasattr(thing, "value") and hasattr(thing, "key") else []


def in_lists(result: Any) -> list[Any]:
    """Return what a loop adds to lists of its own."""
    return [one.added for one in result if isinstance(one, Builder)] if isinstance(result, tuple) else []


def unread_among(things: Any) -> list[Unread]:
    """Return what nothing has asked for yet among things."""
    if isinstance(things, Unread):
        return [things]
    if isinstance(things, Mapping):
        return unread_among(list(things.values()))
    if isinstance(things, list | tuple):
        return [found for one in things for found in unread_among(one)]
    return []

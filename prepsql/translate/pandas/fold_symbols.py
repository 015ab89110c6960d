"""What names stand for in a loop over the pieces of a cell: what isn't read, lists and dicts that it fills."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prepsql.translate.pandas.cell_lists import Pieces
from prepsql.translate.pandas.forks import refuse
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, value_thing
from prepsql.workflow.pandas_text.value import Value, made


class Unread(Symbolic):
    """What a name stands for that isn't known here: it may be bound again, not read."""


UNBOUND = Unread()


class Builder(Symbolic):
    """A list or set that a loop adds to."""

    def __init__(self, name: str, grows: bool) -> None:
        self.name = name
        self.grows = grows
        self.added: list[Any] = []
        self.asked: Value | None = None

    def operate(self, operator: str, *operands: Any) -> Any:
        """Look for something in it: known once it is seen that it is what is added where it isn't there yet."""
        if operator not in ("In", "NotIn") or operands[1] is not self or self.added or self.asked:
            raise refuse("a loop over pieces that looks at the list it fills")
        self.asked = value_thing(operands[0])
        there = made(f"list_contains({self.name}, x)", "boolean", self.asked, nullable=False, x=self.asked.sql)
        return Cell(made("NOT x", "boolean", there, x=there.sql) if operator == "NotIn" else there)

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Add something."""
        if name == ("append" if self.grows else "add"):
            self.added.append(given[0])
        elif name == ("extend" if self.grows else "update"):
            self.added += given[0] if isinstance(given[0], list | tuple) else [Several(given[0])]
        else:
            raise refuse("a loop over pieces that looks at the list it fills")


@dataclass(frozen=True)
class Several:
    """A list in a cell all of whose items are added."""

    pieces: Any


class Filled(Symbolic):
    """An empty dict that a loop fills."""

    def __init__(self) -> None:
        self.added: list[Any] = []

    def set_item(self, key: Any, value: Any) -> None:
        """Put something under a key."""
        self.added.append((key, value))


@dataclass(frozen=True)
class Spread:
    """What a loop over pieces appends to a list from outside: one thing for each.

    What it stores in a dict from outside is of a `kind`, which makes such a thing of its parts.
    """

    pieces: Pieces
    kind: Any = None

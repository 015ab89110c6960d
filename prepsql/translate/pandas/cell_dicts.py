"""Dicts that are made of the pieces of a cell: the last of the same key counts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prepsql.translate.pandas.cell_lists import Pieces, equal
from prepsql.translate.pandas.cell_sets import once
from prepsql.translate.pandas.forks import path, refuse
from prepsql.translate.pandas.symbolic import Symbolic
from prepsql.translate.pandas.symbols import Cell, fails_unless
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Parts, Value, made


def _split(found: Pieces, parts: Parts) -> Pieces:
    """Return the pieces of which each is split in two."""
    if path().trying and not path().decide(
        made("x = 0", "boolean", found.length(), nullable=False,
             x=found.counted(Value(f"len({parts.sql}) <> 2", "boolean", False)).sql)
    ):  # fmt: skip
        raise ValueError
    key, value = (Cell(Value(parts.part(at), "text", False)) for at in (0, 1))
    return Pieces(found.sql, found.variable, (key, value))


class Keyed(Symbolic):
    """A dict: the pairs that were put in it, in order."""

    def __init__(self, pairs: Pieces) -> None:
        self.pairs = pairs.ordered()
        if isinstance(pairs.element, Cell) and isinstance(pairs.element.thing, Parts):
            self.pairs = _split(pairs, pairs.element.thing)
        elif not isinstance(pairs.element, tuple | list) or len(pairs.element) != 2:
            raise refuse("a dict of what isn't pairs")

    def _of(self, key: Any) -> Pieces:
        return self.pairs.kept(equal(self.pairs.element[0], key))

    def _there(self, found: Pieces) -> Value:
        return made("x > 0", "boolean", found.length(), nullable=False, x=found.length().sql)

    def __bool__(self) -> bool:
        return path().decide(self._there(self.pairs))

    def item(self, key: Any) -> Any:
        """Get what stands under a key."""
        found = self._of(key)
        fails_unless(self._there(found), KeyError)
        return found.at(bind("x[-1]", x=found.sql))[1]

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Look something up, or list the keys."""
        if name == "get" and given and not named:
            found = self._of(given[0])
            if not path().decide(self._there(found)):
                return given[1] if len(given) > 1 else None
            return found.at(bind("x[-1]", x=found.sql))[1]
        if name == "keys" and not given:
            return self._keys()
        raise refuse(f".{name}() of a dict of the pieces of a cell")

    def _keys(self) -> Pieces:
        return once(Pieces(self.pairs.sql, self.pairs.variable, self.pairs.element[0]))

    def operate(self, operator: str, *operands: Any) -> Any:
        """Look whether a key is there."""
        if operator == "Not":
            return not self
        if operator in ("In", "NotIn") and operands[1] is self:
            count = self._of(operands[0]).length()
            sign = ">" if operator == "In" else "="
            return Cell(made(f"x {sign} 0", "boolean", count, nullable=False, x=count.sql))
        raise refuse("an operator on a dict of the pieces of a cell")

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Count the keys, or list them."""
        if function is len:
            return Cell(self._keys().length())
        if function in (list, sorted, set, iter):
            from prepsql.translate.pandas.cell_list_functions import RULES

            return RULES[id(function)](self._keys(), **named)
        if function is dict and not named:
            return self
        if function is isinstance:
            return any(issubclass(dict, one) for one in (given[1] if isinstance(given[1], tuple) else (given[1],)))
        raise refuse(f"the function {getattr(function, '__name__', function)} of a dict of the pieces of a cell")

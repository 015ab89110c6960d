"""Lists that a helper fills item by item, each of which may be left out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.cell_lists import Pieces, over
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.forks import one_value
from prepsql.translate.pandas.symbols import Cell, Record, value_thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, constant


class Options(Pieces):
    """A list of texts, of which those that are null aren't in it."""

    def __init__(self, items: Sequence[Value]) -> None:
        self.items: list[Value] | None = list(items)
        listed = over("")
        super().__init__(self._filtered(listed.variable), listed.variable, listed.element)

    def _all(self) -> str:
        return f"[{', '.join(item.sql for item in self.items or ())}]"

    def _filtered(self, variable: str) -> str:
        return f"list_filter({self._all()}, lambda {variable}: {variable} IS NOT NULL)"

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Append something, or do what a list does."""
        if name == "append" and self.items is not None:
            self.items.append(_text(given[0]))
            self.sql = self._filtered(self.variable)
            return None
        if name in ("extend", "sort", "append"):
            self.items = None
        return super().method(name, given, named)

    def joined(self, separator: str) -> Any:
        """Return the texts as one: nulls are left out."""
        if self.items is None:
            return super().joined(separator)
        text = bind("array_to_string(x, y)", x=self._all(), y=constant(separator).sql)
        return Cell(Value(text, "text", False))


def copied(thing: Any) -> Any:
    """Return what a way through an `if` may append to."""
    if type(thing) in (list, dict):
        return thing.copy()
    if type(thing) is Record:
        return thing.fresh()
    if isinstance(thing, Options) and thing.items is not None:
        return Options(thing.items)
    if isinstance(thing, Pieces):
        raise NotTranslatable("a list in a cell that an if changes")
    return thing


def meeting(thing: Any, ways: Sequence[tuple[Way, Any]]) -> Any:
    """Return a list after an `if` that appends to it on some ways at most one thing."""
    before = _items(thing)
    added = []
    for way, after in ways:
        found = _items(after)
        if len(found) > len(before) + 1 or any(one is not old for one, old in zip(found, before, strict=False)):
            raise NotTranslatable("an if that does more to a list than append to it")
        added.append((way, found[len(before) :]))
    if not any(one for _, one in added):
        return thing
    nothing = Value("NULL", "null", True)
    item = one_value([(way, _text(one[0]) if one else nothing) for way, one in added])
    return Options([*map(_text, before), item])


def _items(thing: Any) -> list[Any]:
    if isinstance(thing, Options):
        return list(thing.items or ())
    if type(thing) is not list:
        raise NotTranslatable("an if that makes a list of something else")
    return thing


def _text(found: Any) -> Value:
    value = found if isinstance(found, Value) else value_thing(found)
    if value.family != "text" or (value.nullable and not isinstance(found, Value)):
        raise NotTranslatable("a list of other things than texts")
    return value

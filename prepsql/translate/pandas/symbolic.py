"""Symbols that say themselves what is done to them: the groups that a traced function is given."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.forks import refuse


class Symbolic:
    """A symbol that isn't a cell or a row; what it doesn't know is refused."""

    def _refused(self, *rest: Any) -> Any:
        raise refuse(f"a {type(self).__name__} used as a value")

    __bool__ = __iter__ = __len__ = __str__ = __float__ = __index__ = _refused

    def attribute(self, name: str) -> Any:
        """Get an attribute."""
        raise refuse(f".{name} of a group")

    def item(self, key: Any) -> Any:
        """Get self[key]."""
        raise refuse("a place in a group")

    def set_item(self, key: Any, value: Any) -> None:
        """Do self[key] = value."""
        raise refuse("a store in a group")

    def method(self, name: str, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a method."""
        raise refuse(f".{name}() of a group")

    def operate(self, operator: str, *operands: Any) -> Any:
        """Do an operator with this among the operands."""
        raise refuse("an operator on a group")

    def called(self, function: Any, given: Sequence[Any], named: Mapping[str, Any]) -> Any:
        """Call a function with this among the arguments."""
        raise refuse(f"the function {getattr(function, '__name__', function)} of a group")

    def joined(self, separator: str) -> Any:
        """Return the texts as one."""
        raise refuse("a join of a group")


def among_groups(*things: Any) -> Symbolic | None:
    """Return the first such symbol among things, None where there is none."""
    return next((thing for thing in things if isinstance(thing, Symbolic)), None)


def asked(rule: Callable[..., Any], *given: Any, **named: Any) -> Any:
    """Return what a rule of a symbol gives; what it doesn't know, or a fault of it, is refused."""
    try:
        return rule(*given, **named)
    except NotTranslatable as reason:
        raise refuse(str(reason)) from None
    except (TypeError, AttributeError, AssertionError) as fault:
        raise refuse(f"a fault of the translator: {type(fault).__name__}: {fault}") from fault

"""Hooks of calls, attributes, subscripts and operators: pandas does them, rules say what they mean."""

from __future__ import annotations

import ast
import copy
import operator as operators
import sys
from dataclasses import dataclass
from functools import partial
from types import GeneratorType
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import (
    cells,
    forks,
    tracked,
)
from prepsql.translate.pandas.groups import Extreme
from prepsql.translate.pandas.looping import Looping
from prepsql.translate.pandas.names import CHANGING
from prepsql.translate.pandas.points import TABLES
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol
from prepsql.translate.pandas.rules import (
    attribute_rule,
    call_rule,
    carrying,
    item_rule,
    keyed,
    lookups,
    loops,
    meetings,
    method_rule,
    numbers,
    operator_rule,
    row_places,
    sorting,
    store_rule,
    value_loops,
)
from prepsql.translate.pandas.symbolic import Symbolic, asked

_BY_LOOP = "a thing that a loop over rows made"


def _listed(function: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments with what a generator gives as a list, so that symbols in it are seen."""
    if not forks.tracing() or function in (any, all, next):
        return given
    return tuple(list(one) if isinstance(one, GeneratorType) else one for one in given)


@dataclass
class Operating(Looping):
    """Hooks of what a program does with things."""

    def call(self, line: int, function: Any, /, *given: Any, **named: Any) -> Any:
        """Call a function."""
        given = _listed(function, given)
        if not cells.is_own(function):
            self._reads(*given)
        if cells.among(function, *given, *named.values()):
            return cells.call(self, function, given, named)
        if cells.is_own(function):
            return self._returned(function, given, function(*given, **named))
        with self.silent():
            result = function(*given, **named)
        if any(map(tracked.is_marked, given)):
            self.why.setdefault(line, _BY_LOOP)
            return tracked.mark(result)
        if any(self.symbol(one) is not None for one in given):
            result = tracked.own(result)
        self._noted(line, result, lambda: call_rule(self, function, given, named, result))
        self.derived.take(self, result, *given, *named.values())
        return result

    def _returned(self, function: Any, given: tuple[Any, ...], result: Any) -> Any:
        """Return what a function of the program gives: what a loop over rows chooses is no constant."""
        if self.quiet or forks.tracing() or type(result) not in (str, int, float):
            return result
        if not any(self.symbol(one) is not None or tracked.is_marked(one) for one in given):
            return result
        node = self.program.functions.get(getattr(getattr(function, "__code__", None), "co_firstlineno", 0))
        loops_ = [] if node is None else [
            one for one in ast.walk(node)
            if isinstance(one, ast.While) or (isinstance(one, ast.For) and one.lineno in self.rowwise)
        ]  # fmt: skip
        chosen = any(
            isinstance(one, ast.Return) and one.value is not None and not isinstance(one.value, ast.Constant)
            for loop in loops_ for one in ast.walk(loop)
        )  # fmt: skip
        return tracked.mark(result) if chosen else result

    def unzipped(self, line: int, function: Any, rows: Any) -> Any:
        """Do zip(*rows): the parts of rows, of which each is a list."""
        loop = self._over(line, rows) if function is zip else None
        if type(loop) is not loops.LoopSymbol:
            return self.call(line, function, *rows)
        parts = list(zip(*rows, strict=False))
        try:
            element = loop.element()
        except NotTranslatable as reason:
            self.why.setdefault(line, str(reason))
            element = None
        if isinstance(element, tuple | list) and len(element) == len(parts):
            for at, part in enumerate(parts):
                symbol = loops.LoopSymbol(loop.frame, partial(operators.getitem, element, at), len(part))
                self._noted(line, part, partial(copy.copy, symbol))
        return iter(parts)

    def method(self, line: int, base: Any, name: str, /, *given: Any, **named: Any) -> Any:
        """Call a method."""
        if self._filled(base):
            return keyed.of_method(self.states, base, name, given)
        if name in CHANGING and self._keep(base, name, given):
            return None
        if name in CHANGING and isinstance(base, list | dict | set):
            self._remember(base)
            self._changes(base)
        given = _listed(name, given)
        self._reads(base, *given)
        if self._of_data(base) and name == "get":
            return lookups.looked_up(self, base, given[0], given[1] if len(given) > 1 else None)
        if name == "get" and isinstance(base, pd.Series) and cells.among(*given):
            found = asked(row_places.got, self, base, *given)
            if found is not row_places.NOT_ONE:
                return found
        if cells.among(base, *given, *named.values()):
            met = asked(meetings.met, self, base, *given, *named.values()) if isinstance(base, TABLES) else None
            return cells.method(self, base if met is None else met, name, given, named)
        if name == "pipe" and given and isinstance(base, TABLES) and cells.is_own(given[0]):
            return given[0](base, *given[1:], **named)
        function = getattr(base, name)
        if cells.is_own(function):
            return function(*given, **named)
        before = self.symbol(base)
        seen: dict[str, Any] = {}
        if name in ("query", "eval") and "local_dict" not in named:
            caller = sys._getframe(1)
            seen = {"local_dict": {**caller.f_globals, **caller.f_locals}}
        with self.silent():
            result = function(*given, **named, **seen)
        if tracked.is_marked(base):
            self.why.setdefault(line, _BY_LOOP)
            return tracked.mark(result)
        if before is not None:
            result = tracked.own(result)
        if name in CHANGING and isinstance(base, list | dict | set) and before is not None:
            self._noted(line, base, lambda: sorting.changed(self, before, base, name, given, named))
            return result if self.symbol(base) is not None else self._lost(base, result)
        self.base = base
        changed = base if named.get("inplace") is True or (name in ("insert", "pop", "update") and before) else result
        self._noted(line, changed, lambda: method_rule(self, before, base, name, given, named, result))
        self.derived.take(self, result, base, *given, *named.values())
        return result

    def attribute(self, line: int, base: Any, name: str) -> Any:
        """Get an attribute."""
        if cells.among(base):
            return cells.attribute(self, base, name)
        result = self._made(base, getattr(base, name))
        if self.symbol(base) is not None:
            result = self._measured(base, name, tracked.own(result))
            self._noted(line, result, lambda: attribute_rule(self, base, name, result))
        return result

    def item(self, line: int, base: Any, key: Any) -> Any:
        """Get base[key]."""
        if self._filled(base):
            return keyed.item(self.states, base, key)
        self._reads(base)
        mask = key[0] if isinstance(key, tuple) and key else key
        if isinstance(mask, value_loops.GroupMask | meetings.MetColumn):
            return asked(mask.of, base, key)
        if isinstance(mask, Extreme) and not isinstance(base, Symbolic):
            return asked(meetings.at_extreme, self, mask, base, key)
        if cells.among(key) and (found := asked(row_places.read, self, base, key)) is not row_places.NOT_ONE:
            return found
        if self._of_data(base):
            return lookups.looked_up(self, base, key, KeyError)
        if cells.among(base, key):
            return cells.item(self, base, key)
        result = self._made(base, base[key])
        if self.symbol(base) is not None:
            result = tracked.own(result)
            self._noted(line, result, lambda: item_rule(self, base, key, result))
        self.derived.take(self, result, base)
        return result

    def set_item(self, line: int, base: Any, key: Any, value: Any) -> None:
        """Do base[key] = value."""
        if self._filled(base):
            keyed.store(self.states, base, key, value)
            return
        if self._stores(base, key):
            base[key] = value
            return
        if row_places.is_store(self, base):
            asked(row_places.store, self, base, key, value)
            return
        self._keep(getattr(base, "obj", base), "", ())
        if isinstance(base, list | dict):
            self._remember(base)
        if cells.among(base, key, value) and not isinstance(base, dict | list):
            cells.set_item(self, base, key, value)
            return
        self._changes(base)
        owner = getattr(base, "obj", base)
        self.rows_before = len(owner) if isinstance(owner, TABLES) else 0
        first = self.symbol(value) if isinstance(base, pd.DataFrame) and base.shape == (0, 0) else None
        base[key] = value
        if self.symbol(base) is not None:
            self._noted(line, owner, lambda: store_rule(self, base, key, value))
        elif isinstance(first, SeriesSymbol):
            # a table without rows takes those of its first column
            self._noted(line, base, lambda: first.framed(key))

    def delete_item(self, line: int, base: Any, key: Any) -> None:
        """Do del base[key]."""
        self._keep(base, "", ())
        self._changes(base)
        before = self.symbol(base)
        del base[key]
        if before is not None:
            self._noted(line, base, lambda: method_rule(self, before, base, "drop", (), {"columns": [key]}, base))

    def set_attribute(self, line: int, base: Any, name: str, value: Any) -> None:
        """Do base.name = value."""
        self._keep(base, "", ())
        before = self.symbol(base)
        setattr(base, name, value)
        if before is not None:
            self._noted(line, base, lambda: store_rule(self, base, f".{name}", value))

    def binary(self, line: int, operator: str, left: Any, right: Any) -> Any:
        """Do left operator right."""
        self._reads(left, right)
        if isinstance(left, carrying.Carried) or isinstance(right, carrying.Carried):
            return carrying.plus(self, operator, left, right)
        if cells.among(left, right):
            met = asked(meetings.met, self, left, right)
            return (
                cells.binary(self, operator, left, right) if met is None else asked(met.operate, operator, left, right)
            )
        result = cells.BINARY[operator](left, right)
        if tracked.is_lost(left) or tracked.is_lost(right):
            result = tracked.own(result)
        if self.symbol(left) is not None or self.symbol(right) is not None:
            result = tracked.own(result)
            self._noted(line, result, lambda: operator_rule(self, operator, left, right, result=result))
        self.derived.take(self, result, left, right)
        return result

    def augmented(self, line: int, operator: str, left: Any, right: Any) -> Any:
        """Do left operator= right."""
        if isinstance(left, list) and self._keep(left, "extend", (right,)):
            return left
        if isinstance(left, list | set | dict):
            self._changes(left)
            self.bind(left, None)
            return cells.AUGMENTED[operator](left, right)
        return self.binary(line, operator, left, right)

    def unary(self, line: int, operator: str, value: Any) -> Any:
        """Do operator value."""
        if cells.among(value):
            return cells.unary(self, operator, value)
        result = cells.UNARY[operator](value)
        if self.symbol(value) is not None:
            result = tracked.own(result)
            self._noted(line, result, lambda: operator_rule(self, operator, value))
        return result

    def compare(self, line: int, operator: str, left: Any, right: Any) -> Any:
        """Compare."""
        if operator in ("In", "NotIn") and self._filled(right):
            return keyed.inside(self.states, operator, right, left)
        self._reads(left, right)
        if operator in ("In", "NotIn") and self._of_data(right):
            return lookups.inside(self, operator, left, right)
        for key, other in ((left, right), (right, left)):
            if (
                operator == "Eq"
                and isinstance(key, value_loops.KeyCell)
                and (mask := key.mask(self, other)) is not None
            ):
                return mask
        if isinstance(left, carrying.Before) and right is None and operator in ("Is", "IsNot", "Eq", "NotEq"):
            return left.is_none(operator)
        if cells.among(left, right):
            met = asked(meetings.met, self, left, right)
            return (
                cells.compare(self, operator, left, right) if met is None else asked(met.operate, operator, left, right)
            )
        result = cells.COMPARE[operator](left, right)
        if isinstance(result, TABLES) and (self.symbol(left) is not None or self.symbol(right) is not None):
            self._noted(line, result, lambda: operator_rule(self, operator, left, right, result=result))
        elif isinstance(self.symbol(left), ScalarSymbol) or isinstance(self.symbol(right), ScalarSymbol):
            self.assume(f"the same answer to the comparison of line {line}")
        return result

    def _measured(self, base: Any, name: str, result: Any) -> Any:
        """Return `empty` and `shape` of a table; what follows of them holds for these inputs."""
        symbol = self.symbol(base)
        if not isinstance(symbol, FrameSymbol | SeriesSymbol) or name not in ("empty", "shape", "size"):
            return result
        if name == "empty":
            self.assume(f"{'no rows' if result else 'rows'} at line {self.line}")
        if name != "shape":
            return result
        count = tracked.own(int(result[0]))
        self.bind(count, ScalarSymbol(symbol.rows, "size", None, "integer", False))
        return (count, *result[1:])

    def format(self, line: int, *parts: Any) -> Any:
        """Put an f-string together."""
        if any(isinstance(part, tuple) and cells.among(part[0]) for part in parts):
            return cells.format_parts(self, parts)
        text = "".join(part if isinstance(part, str) else cells.formatted(*part) for part in parts)
        if any(isinstance(part, tuple) and isinstance(self.symbol(part[0]), ScalarSymbol) for part in parts):
            self.assume(f"the same text at line {line}")
            text = tracked.own(text)
            self._noted(line, text, lambda: numbers.formatted(self, parts))
        return text

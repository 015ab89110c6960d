"""What the instrumented program calls: pandas itself runs, and beside it is kept what each object stands for."""

from __future__ import annotations

import ast
import sys
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import GeneratorType
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import (
    cell_dicts,
    cell_list_functions,
    cell_lists,
    cell_sets,
    cells,
    chains,
    fold_symbols,
    folds,
    forks,
    tracked,
)
from prepsql.translate.pandas.carried import categorical
from prepsql.translate.pandas.derived import Derived, assume_same, columns_of
from prepsql.translate.pandas.names import CHANGING, read, written
from prepsql.translate.pandas.points import TABLES, Points
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import (
    attribute_rule,
    call_rule,
    item_rule,
    keyed,
    lookups,
    loops,
    method_rule,
    operator_rule,
    sorting,
    states,
    store_rule,
    value_loops,
)
from prepsql.translate.pandas.scripts import Activation, Program, opaque
from prepsql.translate.pandas.symbolic import asked
from prepsql.translate.pandas.things import reconciled

UNKNOWN = object()
"""What a table stands for that nothing is known of."""
_BY_LOOP = "a thing that a loop over rows made"
_OF_CELLS = (SeriesSymbol, loops.LoopSymbol, loops.RowListSymbol, lookups.LookupSymbol)
_CONTAINERS = (list, dict, set, frozenset, np.ndarray)
_MOST_THINGS = 100_000


@dataclass(eq=False)
class Loop:
    """A loop that is begun: what it goes over, and the names and empty lists that there were."""

    iterable: Any
    over: loops.LoopSymbol | None = None
    names: dict[str, Any] = field(default_factory=dict)
    lists: dict[int, list[Any]] = field(default_factory=dict)
    dicts: dict[int, Any] = field(default_factory=dict)
    before: dict[int, tuple[Any, int]] | None = None


def _lists(things: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the lists among things, and those in dicts of lists."""
    for one in things:
        if isinstance(one, list):
            yield one
        elif type(one) is dict and one and all(isinstance(part, list) for part in one.values()):
            yield from one.values()


def _reachable(things: Iterable[Any]) -> dict[int, Any]:
    """Return by identity the containers among things and inside them."""
    found: dict[int, Any] = {}
    waiting = list(things)
    while waiting and len(found) < _MOST_THINGS:
        one = waiting.pop()
        if id(one) in found or not isinstance(one, list | dict | set | deque):
            continue
        found[id(one)] = one
        waiting += one.values() if isinstance(one, dict) else one
    return found


def _holds_tables(value: Any) -> bool:
    parts = value.values() if isinstance(value, dict) else value if isinstance(value, list | tuple) else ()
    return any(isinstance(one, TABLES) for one in parts)


def _listed(function: Any, given: tuple[Any, ...]) -> tuple[Any, ...]:
    """Return arguments with what a generator gives as a list, so that symbols in it are seen."""
    if not forks.tracing() or function in (any, all, next):
        return given
    return tuple(list(one) if isinstance(one, GeneratorType) else one for one in given)


@dataclass
class Hooks:
    """Symbols by the identity of objects, which are kept alive for it.

    `why` says for each line what wasn't understood there first, `faults` where a rule itself failed. While `quiet` is
    above 0 (pandas calls the program's own functions) nothing is written down.
    """

    program: Program
    avoid: frozenset[str] = frozenset()
    symbols: dict[int, tuple[Any, Symbol]] = field(default_factory=dict)
    activations: list[Activation] = field(default_factory=list)
    why: dict[int, str] = field(default_factory=dict)
    assumed: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    quiet: int = 0
    base: Any = None
    line: int = 0
    finished: tuple[Activation, int] | None = None
    folder: Path | None = None
    outside: dict[int, Any] = field(default_factory=dict)
    lists: dict[int, list[Any]] = field(default_factory=dict)
    rowwise: set[int] = field(default_factory=set)
    dicts: dict[int, Any] = field(default_factory=dict)
    states: Any = None
    members: dict[int, list[Any]] = field(default_factory=dict)
    following: list[Loop] = field(default_factory=list)
    derived: Derived = field(default_factory=Derived)
    rows_before: int = 0
    data_loops: list[Loop] = field(default_factory=list)

    def assume(self, what: str) -> None:
        """Write down what the workflow takes from these inputs' values."""
        if not self.quiet and what not in self.assumed:
            self.assumed.append(what)

    def symbol(self, thing: object) -> Symbol | None:
        """Return what an object stands for."""
        known = self.symbols.get(id(thing))
        return known[1] if known is not None and known[0] is thing else None

    def bind(self, thing: object, symbol: Any) -> None:
        """Say what an object stands for, or that nothing is known of it any more."""
        if symbol is None:
            if self.symbols.pop(id(thing), None) is not None and isinstance(thing, _CONTAINERS):
                tracked.mark(thing)
        elif isinstance(symbol, ScalarSymbol) and not tracked.is_own(thing):
            self.assume(f"the same {symbol.func or 'number'} at line {self.line}")
        else:
            tracked.unmark(thing)
            symbol = self._reconciled(thing, symbol)
            rows = getattr(symbol, "rows", None)
            if rows is not None and not rows.origin:
                rows.origin = f"line {self.line}"
            self.symbols[id(thing)] = (thing, symbol)
            for one in thing if isinstance(thing, list) else ():
                if isinstance(one, dict | list):
                    self.members.setdefault(id(one), []).append(thing)

    def _changes(self, base: Any) -> None:
        """Forget what the lists stand for in which a thing is that the program changes."""
        if forks.tracing() or not isinstance(base, dict | list):
            return
        for owner in self.members.pop(id(base), ()):
            self.bind(owner, None)

    def _reconciled(self, thing: object, symbol: Symbol) -> Symbol:
        if isinstance(symbol, FrameSymbol) and isinstance(thing, pd.DataFrame):
            if list(thing.columns) != list(symbol.columns):
                raise NotTranslatable(f"columns {list(symbol.columns)} where pandas has {list(thing.columns)}")
            pairs = zip(symbol.columns.items(), range(thing.shape[1]), strict=True)
            return symbol.with_columns({label: reconciled(thing.iloc[:, at], value) for (label, value), at in pairs})
        if isinstance(symbol, SeriesSymbol) and isinstance(thing, pd.Series):
            value = reconciled(thing, symbol.value)
            return SeriesSymbol(symbol.rows, value, thing.name, symbol.index, symbol.fresh)
        return symbol

    @property
    def unseen(self) -> bool:
        """Whether nothing is written down and no function is traced: the program's own functions run as they are."""
        return self.quiet > 0 and not forks.tracing()

    @contextmanager
    def silent(self) -> Iterator[None]:
        """Write nothing down meanwhile."""
        self.quiet += 1
        try:
            yield
        finally:
            self.quiet -= 1

    def run_on(self, function: Callable[..., Any], frame: FrameSymbol, table: pd.DataFrame) -> Any:
        """Return what a function of the program gives for a table as it was before a chain went on."""
        given = table.copy()
        self.bind(given, frame)
        return function(given)

    def _noted(self, line: int, result: object, rule: Callable[[], Any]) -> None:
        """Bind a result to what a rule says of it; where it says nothing, say why."""
        if self.quiet:
            return
        self.line = line
        try:
            if self._avoids(line):
                raise NotTranslatable("its translation gave something else")
            symbol = rule()
            if symbol is not None:
                self.bind(result, symbol)
        except NotTranslatable as reason:
            self.why.setdefault(line, str(reason))
            self.bind(result, None)
        except (Exception, forks.Untraceable) as fault:
            self._failed(line, fault)
            self.bind(result, None)

    def _avoids(self, line: int) -> bool:
        return line in self._avoided

    @cached_property
    def points(self) -> Points:
        """The tables on the program's way."""
        return Points(self.program)

    @cached_property
    def _avoided(self) -> frozenset[int]:
        """The lines of all statements that are to be avoided."""
        starts = [int(origin.split()[1]) for origin in self.avoid]
        return frozenset(line for start in starts for line in self.program.lines_of(start))

    def _failed(self, line: int, fault: BaseException) -> None:
        """Write down a fault of a rule of ours: not understood, but to be seen."""
        self.faults.append(f"line {line}: {type(fault).__name__}: {fault}\n{traceback.format_exc()}")
        self.why.setdefault(line, f"a fault of the translator: {type(fault).__name__}: {fault}")

    def call(self, line: int, function: Any, /, *given: Any, **named: Any) -> Any:
        """Call a function."""
        given = _listed(function, given)
        if not cells.is_own(function):
            self._reads(*given)
        if cells.among(function, *given, *named.values()):
            return cells.call(self, function, given, named)
        if cells.is_own(function):
            return function(*given, **named)
        with self.silent():
            result = function(*given, **named)
        if any(map(tracked.is_marked, given)):
            self.why.setdefault(line, _BY_LOOP)
            return tracked.mark(result)
        if any(self.symbol(one) is not None for one in given):
            result = tracked.own(result)
        self._noted(line, result, lambda: call_rule(self, function, given, named, result))
        if isinstance(result, _CONTAINERS) and self.symbol(result) is None and self._cells_among(given):
            tracked.mark(result)
        self.derived.take(self, result, *given, *named.values())
        return result

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
        if cells.among(base, *given, *named.values()):
            return cells.method(self, base, name, given, named)
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
        if isinstance(result, _CONTAINERS) and self.symbol(result) is None and self._cells_among((base,)):
            tracked.mark(result)
        self.derived.take(self, result, base, *given, *named.values())
        return result

    def attribute(self, line: int, base: Any, name: str) -> Any:
        """Get an attribute."""
        if cells.among(base):
            return cells.attribute(self, base, name)
        result = getattr(base, name)
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
        if isinstance(mask, value_loops.GroupMask):
            return mask.of(base, key)
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
        self._keep(getattr(base, "obj", base), "", ())
        if isinstance(base, list | dict):
            self._remember(base)
        if cells.among(base, key, value) and not isinstance(base, dict | list):
            cells.set_item(self, base, key, value)
            return
        self._changes(base)
        owner = getattr(base, "obj", base)
        self.rows_before = len(owner) if isinstance(owner, TABLES) else 0
        base[key] = value
        if self.symbol(base) is not None:
            self._noted(line, owner, lambda: store_rule(self, base, key, value))

    def _remember(self, base: Any) -> None:
        """Remember a list, dict or set that a loop over values of the data fills."""
        if self.data_loops and not self.quiet and not forks.tracing():
            tracked.mark(base)

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
        if isinstance(left, states.Carried) or isinstance(right, states.Carried):
            return states.plus(self, operator, left, right)
        if cells.among(left, right):
            return cells.binary(self, operator, left, right)
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
        if isinstance(left, states.Before) and right is None and operator in ("Is", "IsNot", "Eq", "NotEq"):
            return left.is_none(operator)
        if cells.among(left, right):
            return cells.compare(self, operator, left, right)
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
        if any(isinstance(part, tuple) and isinstance(self.symbol(part[0]), ScalarSymbol) for part in parts):
            self.assume(f"the same text at line {line}")
        return "".join(part if isinstance(part, str) else cells.formatted(*part) for part in parts)

    def _over(self, line: int, iterable: Any) -> loops.LoopSymbol | None:
        """Return the rows that something goes over, None where that isn't known."""
        if self.quiet or forks.tracing():
            return None
        try:
            return loops.groups_of(self, iterable) or loops.loop_of(self, iterable)
        except NotTranslatable as reason:
            self.why.setdefault(line, str(reason))
            return None

    def iterated(self, line: int, iterable: Any) -> Any:
        """Return what a loop goes over whose body isn't followed, and remember loops over rows."""
        if not self.quiet and not forks.tracing() and (self.symbol(iterable) or tracked.is_marked(iterable)):
            self.rowwise.add(line)
        return iterable

    def _constant(self, iterable: Any) -> None:
        """Refuse to go over rows while a row or a cell is followed: their values are no constants."""
        if forks.tracing() and (
            self.symbol(iterable) is not None or isinstance(iterable, TABLES) or tracked.is_marked(iterable)
        ):
            raise forks.refuse("a loop over rows inside one")

    def comprehension(self, line: int, iterable: Any, function: Callable[[Any], list[Any]]) -> Any:
        """Make a list of what a function makes of each element: a list of one thing, or of none."""
        found = self._pieces(iterable)
        if found is not None:
            return asked(cell_lists.mapped, found, function)
        self._constant(iterable)
        loop = self._over(line, iterable)
        result = self._made(iterable, [one for item in iterable for one in function(item)])
        if loop is not None:
            self._noted(line, result, lambda: loops.comprehended(self, loop, function, result))
        self.derived.take(self, result, iterable)
        return result

    def _pieces(self, iterable: Any) -> cell_lists.Pieces | None:
        """Return the list that a loop over a cell goes over, None where it is none."""
        if not forks.tracing() or not isinstance(iterable, cells.Cell | cells.Record | cell_lists.Pieces):
            return None
        found = None if isinstance(iterable, cells.Record) else cell_lists.pieces(iterable)
        if found is None:
            raise forks.refuse("a loop over the pieces of a cell")
        return found

    def generated(self, line: int, iterable: Any, function: Callable[[Any], list[Any]]) -> Any:
        """Make a generator of what a function makes of each element."""
        found = self._pieces(iterable)
        if found is not None:
            return asked(cell_lists.mapped, found, function, True)
        return (one for item in iterable for one in function(item))

    def flat(self, line: int, lists: Any, lazy: bool = False) -> Any:
        """Put lists that a comprehension of two loops made into one, which a generator gives one after another."""
        if isinstance(lists, cell_lists.Pieces):
            return asked(cell_list_functions.flattened, lists)
        if any(isinstance(each, cell_lists.Pieces) for each in lists):
            raise forks.refuse("lists in cells as one list")
        result = [one for each in lists for one in each]
        symbol: Any = self.symbol(lists)
        if isinstance(symbol, loops.RowListSymbol):
            self._noted(line, result, lambda: loops.flattened(symbol, len(result)))
        return iter(result) if lazy and not forks.tracing() else result

    def over(self, line: int, iterable: Any) -> Any:
        """Return what a loop goes over, the pieces of a cell as a list of them."""
        found = self._pieces(iterable)
        return iterable if found is None else found

    def is_pieces(self, line: int, iterable: Any) -> bool:
        """Return whether a loop goes over the pieces of a cell."""
        return isinstance(iterable, cell_lists.Pieces)

    def folded(
        self, line: int, iterable: Any, step: Callable[..., Any], names: Sequence[str], carried: Sequence[str],
        bound: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Run a loop over the pieces of a cell; of the names in it some are carried on."""
        before = [
            (name, bound.get(name, fold_symbols.UNBOUND) if name in carried else fold_symbols.UNBOUND) for name in names
        ]
        return asked(folds.folded, iterable, step, before)

    def named(self, line: int, name: str, value: Any) -> Any:
        """Give a name to what a helper makes."""
        return chains.named(name, value) if forks.chaining() else value

    def joined(
        self, line: int, test: Any, then: Callable[..., Any], other: Callable[..., Any], names: Sequence[str],
        bound: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Run an `if` that only binds names."""
        things = [bound.get(name, fold_symbols.UNBOUND) for name in names]
        # a list that has two names stays one thing
        lists = [thing for thing in things if isinstance(thing, list | cell_lists.Pieces)]
        if forks.chaining() and all(sum(one is thing for one in bound.values()) == 1 for thing in lists):
            return chains.joined(test, then, other, names, things)
        return then(*things) if test else other(*things)

    def either(self, line: int, test: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """Return one of two things."""
        if not forks.chaining():
            return then() if test else other()
        return chains.joined(test, lambda: (then(),), lambda: (other(),), ["value"], [])[0]

    def unbound(self, line: int, thing: Any) -> bool:
        """Return whether a name isn't bound after all."""
        return thing is fold_symbols.UNBOUND

    def pairs(self, line: int, kind: Any, iterable: Any, function: Callable[[Any], list[Any]]) -> Any:
        """Make a dict or set of what a function makes of each element: a list of one pair or thing, or of none."""
        found = self._pieces(iterable)
        if found is not None:
            if kind is dict:
                return asked(lambda: cell_dicts.Keyed(cell_lists.mapped(found, function)))
            return asked(lambda: cell_sets.distinct(cell_lists.mapped(found, function)))
        self._constant(iterable)
        loop = self._over(line, iterable)
        result = self._made(iterable, kind([one for item in iterable for one in function(item)]))
        if loop is not None:

            def rule() -> Any:
                rows = loops.comprehended(self, loop, function, list(result))
                return lookups.of_rows(rows, len(result), kind is dict)

            self._noted(line, result, rule)
        return result

    def loop(self, line: int, iterable: Any, names: dict[str, Any]) -> Loop:
        """Begin a loop."""
        self.iterated(line, iterable)
        self._constant(iterable)
        if self.quiet or forks.tracing():
            return Loop(iterable)
        lists = {id(one): one for one in _lists(names.values()) if not one}
        dicts = {id(one): one for one in names.values() if isinstance(one, dict | set) and not one}
        before = columns_of(self) if self.derived.of_data(self, iterable) else None
        # inside a loop that runs over rows, names stand for one of them
        over = None if self.following or self.data_loops else self._over(line, iterable)
        loop = Loop(iterable, over, dict(names), lists, dicts, before)
        if over is not None:
            self.following.append(loop)
        if before is not None:
            self.data_loops.append(loop)
        return loop

    def looped(self, line: int, loop: Loop, body: Callable[..., Any], names: Sequence[str]) -> None:
        """End a loop: bind the lists that it appended to."""
        if self.quiet or forks.tracing():
            return
        self.following = [one for one in self.following if one is not loop]
        if loop in self.data_loops:
            self.data_loops.remove(loop)
        if loop.over is None or self._avoids(line):
            if loop.before is not None:
                assume_same(self, loop.before, line)
            return
        self.line = line
        self.outside = _reachable(loop.names.values())
        self.lists = loop.lists
        self.dicts = loop.dicts
        try:
            more = (self.dicts,) if self.dicts else ()
            made = loops.looped(self, loop.over, body, loop.lists, names, loop.names, *more)
            for number, symbol in made.items():
                self.bind(loop.lists[number] if number in loop.lists else loop.dicts[number], symbol)
        except NotTranslatable as reason:
            self.why.setdefault(line, str(reason))
            if loop.before is not None:
                assume_same(self, loop.before, line)
        except Exception as fault:
            self._failed(line, fault)
        finally:
            self.outside, self.lists, self.dicts = {}, {}, {}

    def _lost(self, base: Any, result: Any) -> Any:
        """Return a result; what it came of is no constant, though nothing is known of it any more."""
        tracked.mark(base)
        return result

    def _cells_among(self, things: Iterable[Any]) -> bool:
        """Return whether the cells of a column, or what a loop made, are among things."""
        return any(isinstance(self.symbol(one), _OF_CELLS) for one in things)

    def _made(self, base: Any, result: Any) -> Any:
        """Return what was made of a thing, marked if that is."""
        return tracked.mark(result) if tracked.is_marked(base) else result

    def _goes_over_rows(self, node: ast.AST, names: dict[str, Any]) -> bool:
        """Return whether a statement is a loop over rows, or a while loop on what came of rows."""
        if isinstance(node, ast.While):
            given = [names[name] for name in read(node) & names.keys()]
            return any(self.symbol(one) is not None or tracked.is_marked(one) for one in given)
        return isinstance(node, ast.For) and node.lineno in self.rowwise

    def _unfollowed(self, activation: Activation, number: int, names: dict[str, Any]) -> None:
        """Mark what a statement with a loop over rows has made, but for what is followed."""
        function = self.program.functions[activation.line]
        statement, *later = function.body[number:]
        if not any(self._goes_over_rows(node, names) for node in ast.walk(statement)):
            return
        used = set().union(*map(read, later))
        for name in sorted(written(statement, self.program.changes) & names.keys()):
            value = names[name]
            if isinstance(value, TABLES) and self.symbol(value) is not None and name in used:
                self.assume(f"the same values in the loop at line {statement.lineno}")
            if isinstance(value, TABLES) or self.symbol(value) is not None:
                continue
            if isinstance(value, int | float | str) and name in used:
                self.assume(f"the same {name} after line {statement.lineno}")
            elif not isinstance(value, int | float | str) and not _holds_tables(value):
                tracked.mark(value)

    def _of_data(self, base: Any) -> bool:
        """Return whether a traced function looks something up in a list, dict or set that was made of a table."""
        return forks.tracing() and isinstance(base, _CONTAINERS) and self.symbol(base) is not None

    def _filled(self, base: Any) -> bool:
        """Return whether a thing is a dict or set that the loop that is traced fills."""
        return bool(self.dicts) and id(base) in self.dicts and forks.tracing()

    def _reads(self, *things: Any) -> None:
        """Refuse to read what the loop that is traced has filled."""
        if self.lists and forks.tracing() and any(id(one) in self.lists and one for one in things):
            raise forks.refuse("a loop that carries state")

    def _keep(self, base: Any, name: str, given: Sequence[Any]) -> bool:
        """Return whether an append to a list from outside was written down; refuse other changes of outside things."""
        if not self.outside or not forks.tracing():
            return False
        if (
            id(base) in self.lists
            and name in ("append", "extend")
            and (name == "append" or isinstance(given[0], list | tuple))
        ):
            forks.path().appended += [(id(base), one) for one in ([given[0]] if name == "append" else given[0])]
            return True
        if id(base) in self.outside or isinstance(base, TABLES):
            raise forks.refuse("a loop that carries state")
        return False

    @contextmanager
    def activation(self, line: int, name: str, given: dict[str, Any]) -> Iterator[None]:
        """Run the body of one of the program's functions."""
        parent = self.activations[-1] if self.activations else None
        self.activations.append(Activation(name, line, dict(given), parent=parent))
        try:
            yield
        finally:
            self.activations.pop()

    @contextmanager
    def trying(self, line: int) -> Iterator[None]:
        """Run the body of a try statement."""
        way = forks.path() if forks.tracing() else None
        if way:
            way.trying += 1
        try:
            yield
        finally:
            if way:
                way.trying -= 1

    def begin(self, line: int, number: int, names: dict[str, Any]) -> None:
        """Take over what names stand for before a statement of a function."""
        if self.quiet or forks.tracing() or not self.activations:
            return
        activation = self.activations[-1]
        activation.at = number
        activation.before[number] = {name: self._kept(value) for name, value in names.items()}

    def _kept(self, value: Any) -> Any:
        """Return the symbol of a table, a dict of tables with theirs, another thing as it is."""
        if isinstance(value, dict) and value and all(isinstance(one, pd.DataFrame) for one in value.values()):
            return {name: self.symbol(one) or UNKNOWN for name, one in value.items()}
        if not isinstance(value, TABLES):
            return value
        symbol = self.symbol(value)
        if symbol is None:
            return UNKNOWN
        if isinstance(symbol, FrameSymbol) and isinstance(value, pd.DataFrame):
            kinds = {label: kind for label, kind in value.dtypes.items() if isinstance(kind, pd.CategoricalDtype)}
            columns = {label: categorical(symbol.columns[label], kind) for label, kind in kinds.items()}
            return symbol.with_columns({**symbol.columns, **columns}) if kinds else symbol
        if isinstance(symbol, SeriesSymbol) and isinstance(value.dtype, pd.CategoricalDtype):
            return replace(symbol, value=categorical(symbol.value, value.dtype))
        return symbol

    def end(self, line: int, number: int, names: dict[str, Any]) -> None:
        """Give tables without a symbol that of the statements that made them."""
        if self.quiet or forks.tracing() or not self.activations:
            return
        activation = self.activations[-1]
        for name, value in names.items():
            if not isinstance(value, TABLES) or self.symbol(value) is not None or name.startswith("__"):
                continue
            if activation.given_up.get(name) is value and not self.program.writes(activation.line, number, name):
                continue
            self.bind(value, opaque(self, activation, name, value, number))
            activation.given_up[name] = value
        self._unfollowed(activation, number, names)
        self.finished = (activation, number)
        for place, table in self.points.after(activation, number, line, names):
            self.points.keep(place, self.symbol(table), table)

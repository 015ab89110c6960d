"""Hooks of loops and comprehensions: over rows, over groups, over the pieces of a cell."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

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
from prepsql.translate.pandas.derived import assume_same, columns_of
from prepsql.translate.pandas.groups import Group, GroupColumn
from prepsql.translate.pandas.known import Known
from prepsql.translate.pandas.names import read, written
from prepsql.translate.pandas.points import TABLES
from prepsql.translate.pandas.rows import FrameSymbol
from prepsql.translate.pandas.rules import (
    group_folds,
    lookups,
    loops,
    row_pairs,
    row_places,
)
from prepsql.translate.pandas.slices import Activation
from prepsql.translate.pandas.symbolic import asked

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
    tables: dict[int, tuple[Any, FrameSymbol]] = field(default_factory=dict)
    filled: dict[int, set[Any]] = field(default_factory=dict)
    assumed: int = 0


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


@dataclass
class Looping(Known):
    """Hooks of loops, which run a body once more on a row or piece that stands for all."""

    following: list[Loop] = field(default_factory=list)
    filled: dict[int, set[Any]] = field(default_factory=dict)
    data_loops: list[Loop] = field(default_factory=list)
    followed: dict[int, Any] = field(default_factory=dict)

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
        self._constant(iterable)
        if not self.quiet and not forks.tracing() and (self.symbol(iterable) or tracked.is_marked(iterable)):
            self.rowwise.add(line)
        return iterable

    def _constant(self, iterable: Any) -> None:
        """Refuse to go over rows while a row or a cell is followed: their values are no constants."""
        if forks.tracing() and (
            self.symbol(iterable) is not None or isinstance(iterable, TABLES) or tracked.is_marked(iterable)
        ):
            raise forks.refuse("a loop over rows inside one")

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

    def _stores(self, base: Any, key: Any) -> bool:
        """Return whether a loop that is followed stores in a table, which is looked at when it is over."""
        table = getattr(base, "obj", None)
        if not self.following or self.quiet or forks.tracing():
            return False
        loop = self.following[-1]
        if id(table) not in loop.tables or not isinstance(key, tuple) or len(key) != 2:
            return False
        labels = key[1] if isinstance(key[1], list) else [key[1]]
        if type(base).__name__ in ("_iLocIndexer", "_iAtIndexer"):
            labels = list(loop.tables[id(table)][0].columns)
        loop.filled.setdefault(id(table), set()).update(labels)
        self.bind(table, None)
        return True

    def _filled(self, base: Any) -> bool:
        """Return whether a thing is a dict or set that the loop that is traced fills."""
        return bool(self.dicts) and id(base) in self.dicts and forks.tracing()

    def _remember(self, base: Any) -> None:
        """Remember a list, dict or set that a loop over values of the data fills."""
        if self.data_loops and not self.quiet and not forks.tracing():
            tracked.mark(base)

    def comprehension(self, line: int, iterable: Any, function: Callable[[Any], list[Any]]) -> Any:
        """Make a list of what a function makes of each element: a list of one thing, or of none."""
        found = self._pieces(iterable)
        if found is not None:
            return asked(cell_lists.mapped, found, function)
        if forks.tracing() and (met := asked(self._pairs, iterable)) is not None:
            return asked(row_pairs.comprehended, met, function)
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
        if forks.tracing() and (met := asked(self._pairs, iterable)) is not None:
            return asked(row_pairs.comprehended, met, function)
        self._constant(iterable)
        generator = (one for item in iterable for one in function(item))
        of_data = self.symbol(iterable) is not None or tracked.is_marked(iterable)
        return tracked.mark(generator) if of_data and not self.quiet and not forks.tracing() else generator

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
        found: Any = self._pieces(iterable)
        if found is None and forks.tracing():
            if isinstance(iterable, GroupColumn) and type(iterable.part.group) is Group:
                found = group_folds.of_columns([iterable])
            else:
                found = asked(self._pairs, iterable)
        return iterable if found is None else found

    def _pairs(self, iterable: Any) -> row_pairs.RowPairs | None:
        """Return another table's rows as what goes over them for each row that is followed, None for other things."""
        if isinstance(iterable, row_pairs.RowPairs):
            return iterable
        symbol = self.symbol(iterable)
        if isinstance(symbol, FrameSymbol) or symbol is None:
            return None
        loop = loops.loop_of(self, iterable)
        return None if loop is None else row_pairs.pairs_of(self, loop)

    def is_pieces(self, line: int, iterable: Any) -> bool:
        """Return whether a loop goes over the pieces of a cell, or over another table's rows."""
        return isinstance(iterable, cell_lists.Pieces | row_pairs.RowPairs | group_folds.GroupRows)

    def folded(
        self, line: int, iterable: Any, step: Callable[..., Any], names: Sequence[str], carried: Sequence[str],
        bound: dict[str, Any],
    ) -> Any:  # fmt: skip
        """Run a loop over the pieces of a cell; of the names in it some are carried on."""
        before = [
            (name, bound.get(name, fold_symbols.UNBOUND) if name in carried else fold_symbols.UNBOUND) for name in names
        ]
        if isinstance(iterable, group_folds.GroupRows):
            return asked(group_folds.folded, self, iterable, step, before)
        return asked(
            row_pairs.folded if isinstance(iterable, row_pairs.RowPairs) else folds.folded, iterable, step, before
        )

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
        lists = [thing for thing in things if isinstance(thing, list | dict | cells.Record | cell_lists.Pieces)]
        if forks.chaining() and all(sum(one is thing for one in bound.values()) == 1 for thing in lists):
            return chains.joined(test, then, other, names, things)
        return then(*things) if test else other(*things)

    def either(self, line: int, test: Any, then: Callable[[], Any], other: Callable[[], Any]) -> Any:
        """Return one of two things."""
        if not forks.chaining():
            return then() if test else other()
        return chains.joined(test, lambda: (then(),), lambda: (other(),), ["value"], [])[0]

    def both(self, line: int, operator: str, *ways: Callable[[], Any]) -> Any:
        """Return what `and` or `or` gives."""
        value: Any = operator == "And"
        for at, way in enumerate(ways):
            value = way() if at == 0 or not forks.chaining() else chains.both(operator, value, way)
            if at < len(ways) - 1 and not forks.chaining() and bool(value) != (operator == "And"):
                return value
        return value

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
        tables = row_places.begun(self, names) if over is not None else {}
        loop = Loop(iterable, over, dict(names), lists, dicts, before, tables, assumed=len(self.assumed))
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
        self.filled = loop.filled
        tables = {number: loop.tables[number] for number in loop.filled}
        self.symbols |= tables
        known: dict[int, Any] = {number: table for number, (table, _) in tables.items()} | loop.lists | loop.dicts
        try:
            old = {number: symbol for number, (_, symbol) in tables.items()}
            made = loops.looped(self, loop.over, body, loop.lists, names, loop.names, loop.dicts, old)
            for number in tables:
                self.bind(known[number], None)
            for number, symbol in made.items():
                self.bind(known[number], symbol)
            self.followed |= {number: symbol for number, symbol in made.items() if number in tables}
            if not self.following:
                del self.assumed[loop.assumed :]  # what it took from values while it ran is said by its steps
        except NotTranslatable as reason:
            self.why.setdefault(line, str(reason))
            for table, _ in tables.values():
                self.bind(table, None)
            if loop.before is not None:
                assume_same(self, loop.before, line)
        except Exception as fault:
            self._failed(line, fault)
            for table, _ in tables.values():
                self.bind(table, None)
        finally:
            self.outside, self.lists, self.dicts, self.filled = {}, {}, {}, {}

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
            if id(value) in self.followed and isinstance(self.followed[id(value)], FrameSymbol):
                continue
            if isinstance(value, TABLES) and self.symbol(value) is not None and name in used:
                self.assume(f"the same values in the loop at line {statement.lineno}")
            if isinstance(value, TABLES) or self.symbol(value) is not None:
                continue
            if isinstance(value, int | float | str) and name in used:
                self.assume(f"the same {name} after line {statement.lineno}")
            elif not isinstance(value, int | float | str) and not _holds_tables(value):
                tracked.mark(value)
        self.followed = {}

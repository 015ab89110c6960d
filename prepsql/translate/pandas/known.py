"""What each object of a running program stands for: symbols by the identity of objects."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import (
    forks,
    tracked,
)
from prepsql.translate.pandas.derived import Derived
from prepsql.translate.pandas.rows import FrameSymbol, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.slices import Activation, Program
from prepsql.translate.pandas.things import reconciled

_CONTAINERS = (list, dict, set, frozenset, np.ndarray, pd.Index)


@dataclass
class Known:
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
    derived: Derived = field(default_factory=Derived)
    rows_before: int = 0
    meetings: dict[Any, Any] = field(default_factory=dict)
    texts: dict[int, tuple[Any, Path]] = field(default_factory=dict)

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
    def _avoided(self) -> frozenset[int]:
        """The lines of all statements that are to be avoided."""
        starts = [int(origin.split()[1]) for origin in self.avoid]
        return frozenset(line for start in starts for line in self.program.lines_of(start))

    def _failed(self, line: int, fault: BaseException) -> None:
        """Write down a fault of a rule of ours: not understood, but to be seen."""
        self.faults.append(f"line {line}: {type(fault).__name__}: {fault}\n{traceback.format_exc()}")
        self.why.setdefault(line, f"a fault of the translator: {type(fault).__name__}: {fault}")

    def _of_data(self, base: Any) -> bool:
        """Return whether a traced function looks something up in a list, dict or set that was made of a table."""
        return forks.tracing() and isinstance(base, _CONTAINERS) and self.symbol(base) is not None

    def _made(self, base: Any, result: Any) -> Any:
        """Return what was made of a thing, marked if that is, or the table whose places it is."""
        lost = tracked.is_marked(base) or tracked.is_marked(getattr(base, "obj", None))
        return tracked.mark(result) if lost else result

    def _lost(self, base: Any, result: Any) -> Any:
        """Return a result; what it came of is no constant, though nothing is known of it any more."""
        tracked.mark(base)
        return result

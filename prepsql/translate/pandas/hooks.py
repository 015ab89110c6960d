"""What the instrumented program calls: pandas itself runs, and beside it is kept what each object stands for."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import pandas as pd

from prepsql.translate.pandas import (
    forks,
)
from prepsql.translate.pandas.carried import categorical
from prepsql.translate.pandas.opaque import opaque
from prepsql.translate.pandas.operating import Operating
from prepsql.translate.pandas.points import TABLES, Points
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol
from prepsql.translate.pandas.slices import Activation

UNKNOWN = object()
"""What a table stands for that nothing is known of."""


@dataclass
class Hooks(Operating):
    """All hooks; those here are of functions and statements."""

    @cached_property
    def points(self) -> Points:
        """The tables on the program's way."""
        return Points(self.program)

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

"""Plain lists, dicts and arrays that came of tables, and what a program decides by them."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import GeneratorType
from typing import Any

import numpy as np
import pandas as pd

from prepsql.translate.pandas import tracked
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol

_PLAIN = (
    list, tuple, set, frozenset, dict, np.ndarray, pd.Index, range, zip, map, enumerate, reversed, GeneratorType,
)  # fmt: skip
_OF_TABLES = (SeriesSymbol, FrameSymbol, ScalarSymbol)
_KEPT = (*_PLAIN, pd.Series, pd.DataFrame, np.number, np.datetime64, np.timedelta64, pd.Timestamp, pd.Timedelta)


@dataclass
class Derived:
    """What is known of things that hold values of tables without being symbols; the categories that are written out."""

    categories: set[tuple[Any, ...]] = field(default_factory=set)

    def of_data(self, hooks: Any, thing: Any) -> bool:
        """Return whether a thing, or one in it, came of a table."""
        if tracked.is_marked(thing):
            return True
        if isinstance(thing, list | tuple) and len(thing) < 100 and any(hooks.symbol(one) is not None for one in thing):
            return True
        return isinstance(thing, _PLAIN) and hooks.symbol(thing) is not None

    def take(self, hooks: Any, result: Any, *sources: Any) -> None:
        """Remember a result that came of things of tables."""
        if not isinstance(result, _KEPT) or hooks.symbol(result) is not None:
            return
        if any(self.of_data(hooks, one) or isinstance(hooks.symbol(one), _OF_TABLES) for one in sources):
            tracked.mark(result)

    def write_down(self, hooks: Any, categories: Any) -> None:
        """Remember categories that the program has written out."""
        if isinstance(categories, list | tuple) and not self.of_data(hooks, categories):
            self.categories.add(tuple(categories))


def columns_of(hooks: Any) -> dict[int, tuple[Rows, int]]:
    """Return the rows of all tables, with how many columns were computed over each."""
    tables = [symbol for _, symbol in hooks.symbols.values() if isinstance(symbol, FrameSymbol | SeriesSymbol)]
    return {id(one.rows): (one.rows, len(one.rows.computed)) for one in tables}


def assume_same(hooks: Any, before: dict[int, tuple[Rows, int]], line: int) -> None:
    """Say of the tables that a loop over values of the data has made or changed that they hold for these values."""
    for number, (rows, count) in columns_of(hooks).items():
        if number not in before or before[number][1] < count:
            rows.assume(f"the same values in the loop of line {line}")

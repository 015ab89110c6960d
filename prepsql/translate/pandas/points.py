"""The tables that a program makes on its way: what a name stands for after each statement."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.as_written import as_written
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.slices import Activation, Program

TABLES = (pd.DataFrame, pd.Series)
_VALUE = "value"


class Points:
    """Places in the run of a program, `line 12 orders 1`: the line, the name, and how often the statement has ended.

    `symbols` has what stands there as it would be written.
    """

    def __init__(self, program: Program) -> None:
        self.symbols: dict[str, FrameSymbol] = {}
        self._program = program
        self._ended: Counter[str] = Counter()

    def after(
        self, activation: Activation, number: int, line: int, names: Mapping[str, Any]
    ) -> Iterator[tuple[str, pd.DataFrame | pd.Series[Any]]]:
        """Yield the places at the end of a statement with the tables that it has made or changed."""
        for name, value in names.items():
            if isinstance(value, TABLES) and self._program.writes(activation.line, number, name):
                place = f"line {line} {name}"
                self._ended[place] += 1
                yield f"{place} {self._ended[place]}", value

    def keep(self, place: str, symbol: Symbol | None, value: pd.DataFrame | pd.Series[Any]) -> None:
        """Keep what a table stands for, where it can be written."""
        table = framed(value)
        symbol = symbol.framed(_VALUE) if isinstance(symbol, SeriesSymbol) else symbol
        if isinstance(symbol, FrameSymbol) and len(symbol.columns) == table.shape[1]:
            try:
                self.symbols[place] = as_written(symbol, table)
            except NotTranslatable:
                return


def framed(value: pd.DataFrame | pd.Series[Any]) -> pd.DataFrame:
    """Return a table as a frame; a series is its only column."""
    return value.to_frame(_VALUE) if isinstance(value, pd.Series) else value

"""Tables out of files, and out of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cells
from prepsql.translate.pandas.decisions import Way
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import calendars, labelled, listing, numbers, stacking
from prepsql.translate.pandas.rules.aligning import levels
from prepsql.translate.pandas.rules.lookups import LookupSymbol, elements
from prepsql.translate.pandas.rules.loops import MISSING, LoopSymbol, RowListSymbol, frame_of
from prepsql.translate.pandas.rules.reading import read_csv, read_table
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.value import column


def data_frame(hooks: Any, result: Any, data: Any = None, index: Any = None, columns: Any = None) -> Symbol | None:
    """Make a table of columns of one table, or of a list of rows."""
    symbol = hooks.symbol(data)
    if data is None and columns is None and isinstance(index, pd.Index):
        return _bare(hooks.symbol(index))
    single = numbers.one_row(hooks, result, data) if index is None or len(result) == 1 else None
    if single is not None:
        return single
    if symbol is None and index is None and (rows := listing.listed(hooks, result, data)) is not None:
        return rows
    if isinstance(symbol, LookupSymbol) and symbol.source is not None and (loop := elements(hooks, data)) is not None:
        symbol = loop
    if isinstance(symbol, RowListSymbol):
        return _indexed(hooks, frame_of(symbol, data, result), index)
    if isinstance(symbol, LoopSymbol):
        return _indexed(hooks, stacking.table_of(symbol, data, result), index)
    if isinstance(symbol, FrameSymbol):
        return symbol.with_columns({label: symbol.column(label) for label in columns}) if columns else symbol
    if isinstance(data, Mapping) and data:
        if (beside := _lists(hooks, data)) is not None:
            return frame_of(beside, list(next(iter(data.values()))), result)
        if len(data) == 1 and index is None:
            [(label, values)] = data.items()
            if hooks.symbol(values) is None and not hooks.derived.of_data(hooks, values):
                if (days := calendars.written_out(label, values)) is not None:
                    return days
            elif (one := labelled.column_of(hooks, values)) is not None and not isinstance(values, pd.Series):
                return FrameSymbol(one.rows, {label: one.value}, (), True)
        base = next((s for s in map(hooks.symbol, data.values()) if isinstance(s, SeriesSymbol)), None)
        if base is None:
            return None
        made = {label: column(thing(hooks, value, base.rows)) for label, value in data.items()}
        return FrameSymbol(base.rows, made, base.index, base.fresh)
    if any(hooks.symbol(one) is not None for one in (data if isinstance(data, list) else [])):
        raise NotTranslatable("a table of rows")
    return None


def _bare(index: Symbol | None) -> FrameSymbol | None:
    """Return a table without columns of the rows whose index it is given."""
    if not isinstance(index, SeriesSymbol):
        return None
    frame = FrameSymbol(index.rows, {}, index.index, index.fresh)
    return frame if levels(frame)[0] == index.value else None


def _indexed(hooks: Any, frame: FrameSymbol, index: Any) -> FrameSymbol:
    """Return a table with the index that it is given, which must be that of the rows that it was made of."""
    if index is None:
        return frame
    known = hooks.symbol(index)
    if not isinstance(known, SeriesSymbol) or known.rows is not frame.rows:
        raise NotTranslatable("a table of rows with an index from elsewhere")
    return replace(frame, index=known.index, fresh=known.fresh)


def _lists(hooks: Any, data: Mapping[Any, Any]) -> RowListSymbol | None:
    """Return lists that one loop has made side by side as one list of rows, None where they are something else."""
    symbols: list[Any] = [hooks.symbol(one) for one in data.values()]
    if len(symbols) == 1 and isinstance(symbols[0], LookupSymbol) and symbols[0].source is not None:
        symbols = [elements(hooks, next(iter(data.values())))]
    if symbols and all(isinstance(one, LoopSymbol) for one in symbols) and all(
        len(made) == one.length and one.frame.rows is symbols[0].frame.rows and isinstance(one.element(), cells.Cell)
        for one, made in zip(symbols, data.values(), strict=True)
    ):  # fmt: skip
        entry = {label: one.element() for label, one in zip(data, symbols, strict=True)}
        return RowListSymbol(symbols[0].frame, [(Way.of(()), entry)], symbols[0].length)
    if not all(
        isinstance(one, RowListSymbol) and len(made) == one.length
        for one, made in zip(symbols, data.values(), strict=True)
    ):
        return None
    first = symbols[0]
    ways = [[test for test, _ in one.entries] for one in symbols]
    there = [[entry is MISSING for _, entry in one.entries] for one in symbols]
    if any(one.frame.rows is not first.frame.rows for one in symbols) or any(x != ways[0] for x in ways) or any(
        x != there[0] for x in there
    ):  # fmt: skip
        return None
    entries = [
        (test, MISSING if missing else {label: one.entries[at][1] for label, one in zip(data, symbols, strict=True)})
        for at, (test, missing) in enumerate(zip(ways[0], there[0], strict=True))
    ]
    return RowListSymbol(first.frame, entries, first.length)


def of_records(hooks: Any, result: Any, data: Any, index: Any = None, columns: Any = None) -> Symbol | None:
    """Make a table of a list of rows."""
    return data_frame(hooks, result, data, index, columns)


def from_dict(hooks: Any, result: Any, data: Any, orient: str = "columns") -> Symbol | None:
    """Make a table of a dict of columns."""
    if orient != "columns":
        raise NotTranslatable("a table of a dict of rows")
    return data_frame(hooks, result, data)


CALLS: dict[str, Callable[..., Symbol | None]] = {
    "pd.read_csv": read_csv, "pd.read_table": read_table, "pd.DataFrame": data_frame,
    "pd.from_records": of_records, "pd.from_dict": from_dict,
}  # fmt: skip

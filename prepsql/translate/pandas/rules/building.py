"""Tables out of files, and out of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import numbers
from prepsql.translate.pandas.rules.loops import RowListSymbol, frame_of
from prepsql.translate.pandas.rules.reading import read_csv, read_table
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.value import column


def data_frame(hooks: Any, result: Any, data: Any = None, index: Any = None, columns: Any = None) -> Symbol | None:
    """Make a table of columns of one table, or of a list of rows."""
    symbol = hooks.symbol(data)
    single = numbers.one_row(hooks, result, data) if index is None or len(result) == 1 else None
    if single is not None:
        return single
    if isinstance(symbol, RowListSymbol):
        return frame_of(symbol, data, result)
    if isinstance(symbol, FrameSymbol):
        return symbol.with_columns({label: symbol.column(label) for label in columns}) if columns else symbol
    if isinstance(data, Mapping) and data:
        base = next((s for s in map(hooks.symbol, data.values()) if isinstance(s, SeriesSymbol)), None)
        if base is None:
            return None
        made = {label: column(thing(hooks, value, base.rows)) for label, value in data.items()}
        return FrameSymbol(base.rows, made, base.index, base.fresh)
    if any(hooks.symbol(one) is not None for one in (data if isinstance(data, list) else [])):
        raise NotTranslatable("a table of rows")
    return None


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.read_csv": read_csv, "pd.read_table": read_table, "pd.DataFrame": data_frame}

"""Tables out of files, and out of columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.tables.names import unique_names
from prepsql.translate.pandas.rows import FrameSymbol, Rows, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import thing
from prepsql.translate.pandas.things import family_of
from prepsql.workflow.pandas_text.value import Family, Value, column
from prepsql.workflow.reserved import column_name

NULL_WORDS = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
]  # fmt: skip
_TYPES: Mapping[Family, str] = {"integer": "BIGINT", "float": "DOUBLE", "boolean": "BOOLEAN"}


def read_csv(
    hooks: Any, result: pd.DataFrame, filepath_or_buffer: Any, sep: Any = None, *, dtype: Any = None,
    keep_default_na: bool = True, na_values: Any = None, na_filter: bool = True, encoding: Any = None,
    delimiter: Any = None, skiprows: Any = None, header: Any = "infer", names: Any = None, usecols: Any = None,
    parse_dates: Any = None, engine: Any = None, skipinitialspace: bool = False, dayfirst: bool = False,
    low_memory: Any = None, thousands: Any = None, index_col: Any = None,
) -> FrameSymbol:  # fmt: skip
    """A file: all text, but for the null words and the types that pandas finds."""
    path = Path(filepath_or_buffer)
    if header not in ("infer", 0) or names is not None or skiprows or index_col is not None or thousands:
        raise NotTranslatable("a file whose header isn't its first line")
    if parse_dates is not None and parse_dates is not False or skipinitialspace:
        raise NotTranslatable("dates that are read with the file")
    words = [] if not na_filter else (list(NULL_WORDS) if keep_default_na else [])
    if na_values is not None:
        if isinstance(na_values, Mapping):
            raise NotTranslatable("null words by column")
        words += [na_values] if isinstance(na_values, str) else [str(word) for word in na_values]
    own = header_names(path, sep or delimiter, encoding)
    shown = list(result.columns)
    whole = own if usecols is None else [name for name in own if name in shown]
    if len(whole) != len(shown):
        raise NotTranslatable("a file whose columns pandas counts otherwise")
    return of_file(path.name, result, dict(zip(shown, whole, strict=True)), words, sep or delimiter, encoding)


def of_file(
    name: str, result: pd.DataFrame, names: Mapping[Any, str], words: list[str], delimiter: Any = None,
    encoding: Any = None,
) -> FrameSymbol:  # fmt: skip
    """Return the table of a file, `names` by label, typed as pandas has typed it."""
    types: dict[str, str] = {}
    columns: dict[str, Value] = {}
    for label, own in names.items():
        values = result[label]
        family = family_of(values)
        typed = _TYPES.get(family) if not pd.api.types.is_object_dtype(values.dtype) else None
        if typed:
            types[own] = typed
        nullable = family not in ("integer", "boolean") or typed is None
        null = bool(words) and nullable if typed is None else nullable
        columns[own] = Value(column_name(own), family if typed else "text", null)
    params: dict[str, Any] = {"path": name, "types": {n: types.get(n, "VARCHAR") for n in columns} if types else "text"}
    if words:
        params["null_words"] = words
    if delimiter and delimiter != ",":
        params["delimiter"] = delimiter
    rows = Rows("input", params, {}, columns, wanted=Path(name).stem)
    return FrameSymbol(rows, {label: columns[own] for label, own in names.items()}, (), True)


def header_names(path: Path, delimiter: Any, encoding: Any) -> list[str]:
    """Return the names that a workflow's input has for the columns of a file."""
    first = pd.read_csv(
        path, header=None, nrows=1, dtype=str, keep_default_na=False, sep=delimiter or ",", encoding=encoding
    )
    return unique_names([str(cell) for cell in first.iloc[0]])[0]


def data_frame(hooks: Any, result: Any, data: Any = None, index: Any = None, columns: Any = None) -> Symbol | None:
    """A table of columns of one table."""
    symbol = hooks.symbol(data)
    if isinstance(symbol, FrameSymbol):
        return symbol.with_columns({label: symbol.column(label) for label in columns}) if columns else symbol
    if isinstance(data, Mapping) and data:
        base = next((s for s in map(hooks.symbol, data.values()) if isinstance(s, SeriesSymbol)), None)
        if base is None:
            return _inline(result)
        made = {label: column(thing(hooks, value, base.rows)) for label, value in data.items()}
        return FrameSymbol(base.rows, made, base.index, base.fresh)
    if any(hooks.symbol(one) is not None for one in (data if isinstance(data, list) else [])):
        raise NotTranslatable("a table of rows")
    return None


def _inline(result: pd.DataFrame) -> None:
    return None


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.read_csv": read_csv, "pd.DataFrame": data_frame}

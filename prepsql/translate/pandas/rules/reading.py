"""Tables out of files: what pandas reads as the input steps read it, else the file's lines and a script."""

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.handover import returned
from prepsql.translate.pandas.rows import FrameSymbol, Rows
from prepsql.translate.pandas.rules.layouts import layout_of, own_names
from prepsql.translate.pandas.rules.typed import typed
from prepsql.translate.pandas.things import SQL_TYPES, family_of, is_plain
from prepsql.workflow.pandas_text.value import NUMERIC, Value
from prepsql.workflow.reserved import column_name

# options that don't matter for what is read
_IDLE = {"engine", "low_memory", "encoding_errors", "memory_map", "cache_dates", "dtype_backend", "on_bad_lines"}
_KNOWN = {
    "sep", "delimiter", "dtype", "keep_default_na", "na_values", "na_filter", "encoding", "skiprows", "header", "names",
    "usecols", "parse_dates", "dayfirst", "index_col", "date_format", "thousands", "decimal", "converters", "nrows",
    "skipfooter", "true_values", "false_values",
}  # fmt: skip


def read_csv(hooks: Any, result: pd.DataFrame, filepath_or_buffer: Any, sep: Any = None, **options: Any) -> FrameSymbol:
    """Read a file, typed as pandas has typed it; where the input steps read it otherwise, by a script of its lines."""
    if isinstance(filepath_or_buffer, io.TextIOWrapper) and isinstance(filepath_or_buffer.name, str | Path):
        opened, options = filepath_or_buffer, {"encoding": filepath_or_buffer.encoding, **options}
        filepath_or_buffer = opened.name
        parted = {} if sep is None else {"sep": sep}
        if not result.equals(pd.read_csv(filepath_or_buffer, **parted, **options)):
            raise NotTranslatable("a file that was begun to read")
    if not isinstance(filepath_or_buffer, str | Path) or hooks.folder is None:
        raise NotTranslatable("a table read of what is no file")
    path = Path(filepath_or_buffer)
    if not path.is_relative_to(hooks.folder) or not isinstance(result, pd.DataFrame):
        raise NotTranslatable("a file that isn't one of the inputs")
    if sep is not None:
        options["sep"] = sep
    options = {name: value for name, value in options.items() if name not in _IDLE}
    try:
        return _natively(hooks, path, result, options)
    except NotTranslatable as reason:
        return by_lines(path, result, options, str(reason))


def read_table(hooks: Any, result: Any, filepath_or_buffer: Any, sep: Any = "\t", **options: Any) -> FrameSymbol:
    """Read a file whose cells tabs part."""
    return read_csv(hooks, result, filepath_or_buffer, sep, **options)


def _natively(hooks: Any, path: Path, result: pd.DataFrame, options: Mapping[str, Any]) -> FrameSymbol:
    odd = sorted(set(options) - _KNOWN)
    if odd:
        raise NotTranslatable(f"read_csv with {odd[0]}")
    dated = options.get("parse_dates")
    if isinstance(dated, Mapping) or (isinstance(dated, list) and any(isinstance(one, list) for one in dated)):
        raise NotTranslatable("dates of several columns")
    layout = layout_of(path, options)
    if len(layout.taken()) != len(result):
        raise NotTranslatable("a file of which pandas takes some rows")
    return typed(hooks, layout, result, own_names(result, layout, options), options, path.stem)


def by_lines(path: Path, result: pd.DataFrame, options: Mapping[str, Any], reason: str) -> FrameSymbol:
    """Return the table that a script makes of a file's lines."""
    from prepsql.translate.pandas.scripts import symbol_of

    given = []
    for name, value in options.items():
        if isinstance(value, Mapping) and all(isinstance(one, type) for one in value.values()):
            written = "{" + ", ".join(f"{key!r}: {one.__name__}" for key, one in value.items()) + "}"
        elif isinstance(value, type):
            written = value.__name__
        elif is_plain(value) or isinstance(value, range):
            written = repr(value)
        else:
            raise NotTranslatable(f"{reason}; {name} isn't written out")
        if name not in ("encoding",):
            given.append(f"{name}={written}")
    lines = lines_of(path.name)
    shown = returned("df", result, False)
    arguments = ", ".join(["io.StringIO('\\n'.join(lines['raw']))", *given])
    code = "\n ".join(
        [
            "import io\ndef transform(lines, pd, np):",
            f"df = pd.read_csv({arguments})",
            *shown.lines,
            f"return {shown.expression}",
        ]
    )
    params = {"language": "python", "code": code, "columns": dict(shown.types)}
    rows = Rows("script", params, {"lines": lines}, wanted=path.stem, reason=reason)
    found = symbol_of(rows, shown, result)
    assert isinstance(found, FrameSymbol)
    return found


def lines_of(name: str) -> Rows:
    """Return the lines of a file."""
    columns = {"raw": Value("raw", "text", False), "line": Value(column_name("line"), "integer", False)}
    return Rows("input", {"path": name, "format": "lines"}, {}, columns, wanted=f"{Path(name).stem}_lines")


def of_table(name: str, frame: pd.DataFrame) -> FrameSymbol:
    """Return what a table that solve is given stands for: a file, safely typed or (raw_…) all text."""
    stem = name.removeprefix("raw_")
    columns: dict[str, Value] = {}
    for label in frame.columns:
        family = family_of(frame[label])
        plain = column_name(label)
        if name != stem:
            columns[label] = Value(plain, "text", False)
        elif family == "timestamp":
            columns[label] = Value(plain, "date", True)
        else:
            nullable = family not in ("integer", "boolean") or pd.api.types.is_object_dtype(frame[label].dtype)
            columns[label] = Value(plain, family, nullable)
    # a column of numbers stays one where all of its cells are empty
    numbers = {str(x): SQL_TYPES[value.family] for x, value in columns.items() if value.family in NUMERIC}
    types = "text" if name != stem else numbers
    params = {"path": f"{stem}.csv"} | ({"types": types} if types else {})
    rows = Rows("input", params, {}, columns, wanted=stem)
    return FrameSymbol(rows, dict(columns), (), True)

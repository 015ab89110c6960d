"""Tables out of files: what pandas reads as the input steps read it, else the file's lines and a script."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import duckdb
import pandas as pd

from prepsql.errors import NotTranslatable, PrepsqlError
from prepsql.sqltext import literal
from prepsql.tables import Table, read
from prepsql.translate.pandas.handover import returned
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows
from prepsql.translate.pandas.things import SQL_TYPES, family_of, is_plain
from prepsql.workflow.pandas_text.value import Family, Value
from prepsql.workflow.reserved import column_name

NULL_WORDS = [
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN", "<NA>", "N/A", "NA",
    "NULL", "NaN", "None", "n/a", "nan", "null",
]  # fmt: skip
# what pandas finds in text by itself
_FOUND: Sequence[Family] = ("integer", "float", "boolean")
# options that don't matter for what is read
_IDLE = {"engine", "low_memory", "encoding_errors", "memory_map", "cache_dates", "dtype_backend", "on_bad_lines"}
_KNOWN = {
    "sep", "delimiter", "dtype", "keep_default_na", "na_values", "na_filter", "encoding", "skiprows", "header", "names",
    "usecols", "parse_dates", "dayfirst", "index_col",
}  # fmt: skip


def read_csv(hooks: Any, result: pd.DataFrame, filepath_or_buffer: Any, sep: Any = None, **options: Any) -> FrameSymbol:
    """Read a file, typed as pandas has typed it; where the input steps read it otherwise, by a script of its lines."""
    if not isinstance(filepath_or_buffer, str | Path) or hooks.folder is None:
        raise NotTranslatable("a table read of what is no file")
    path = Path(filepath_or_buffer)
    if not path.is_relative_to(hooks.folder) or not isinstance(result, pd.DataFrame):
        raise NotTranslatable("a file that isn't one of the inputs")
    if sep is not None:
        options["sep"] = sep
    options = {name: value for name, value in options.items() if name not in _IDLE}
    try:
        return _natively(path, result, options)
    except NotTranslatable as reason:
        return by_lines(path, result, options, str(reason))


def _natively(path: Path, result: pd.DataFrame, options: Mapping[str, Any]) -> FrameSymbol:
    odd = sorted(set(options) - _KNOWN)
    if odd:
        raise NotTranslatable(f"read_csv with {odd[0]}")
    skipped, header, names = options.get("skiprows") or 0, options.get("header", "infer"), options.get("names")
    header = (0 if names is None else None) if header == "infer" else header
    if not isinstance(skipped, int) or not (header is None or isinstance(header, int)):
        raise NotTranslatable("lines left out by a list, or a header of several lines")
    delimiter, encoding = options.get("delimiter") or options.get("sep"), options.get("encoding")
    raw = _as_pandas(path, skipped, header, delimiter, encoding)
    table = _as_input(path, skipped, header, delimiter, encoding)
    if table.shape != raw.shape or not (table.to_numpy() == raw.to_numpy()).all():
        raise NotTranslatable("a file that pandas reads otherwise than an input step")
    if len(raw) != len(result):
        raise NotTranslatable("a file of which pandas takes some rows")
    params: dict[str, Any] = {"path": path.name}
    if delimiter and delimiter != ",":
        params["delimiter"] = delimiter
    if header is None:
        params["header"] = None
    elif header:
        params["header"] = header + 1
    if skipped:
        params["skip"] = skipped
    own = _own_names(result, raw, list(table.columns), options)
    words = _null_words(options)
    return _typed(params, result, own, list(table.columns), raw.set_axis(table.columns, axis=1), words, options)


def _as_pandas(path: Path, skipped: int, header: int | None, delimiter: Any, encoding: Any) -> pd.DataFrame:
    """Return all cells as pandas reads them as text."""
    return pd.read_csv(
        path, header=header, skiprows=skipped, sep=delimiter or ",", encoding=encoding, dtype=str, na_filter=False,
        index_col=False,
    )  # fmt: skip


def _as_input(path: Path, skipped: int, header: int | None, delimiter: Any, encoding: Any) -> pd.DataFrame:
    """Return all cells as an input step reads them as text."""
    try:
        con = duckdb.connect()
        line = 0 if header is None else header + 1 + skipped
        if header == 0 and not skipped:
            table: Table = read(path, con, "raw", delimiter=delimiter or None)
        else:
            table = read(path, con, "raw", delimiter=delimiter or None, header=line)
    except PrepsqlError as wrong:
        raise NotTranslatable(f"an input step can't read it: {wrong}") from None
    rows = table.relation.fetchall()
    return pd.DataFrame(rows[skipped if header is None else 0 :], columns=list(table.columns), dtype=object)


def _own_names(
    result: pd.DataFrame, raw: pd.DataFrame, names: list[str], options: Mapping[str, Any]
) -> list[tuple[Any, str]]:
    """Return each label of the table, the index's first, with the name that its column has in the input step."""
    labels = list(options["names"]) if options.get("names") is not None else list(raw.columns)
    if len(labels) != len(names):
        raise NotTranslatable("more or fewer names than columns")
    by_label = dict(zip(labels, names, strict=True))
    index = options.get("index_col")
    if index is False:
        index = None
    shown = list(result.columns)
    if index is not None:
        keys = index if isinstance(index, list) else [index]
        if options.get("usecols") is not None:
            raise NotTranslatable("an index among chosen columns")
        shown = [labels[key] if isinstance(key, int) and key not in by_label else key for key in keys] + shown
    if any(label not in by_label for label in shown):
        raise NotTranslatable("columns whose names pandas makes")
    return [(label, by_label[label]) for label in shown]


def _null_words(options: Mapping[str, Any]) -> list[str]:
    if options.get("na_filter") is False:
        return []
    words = list(NULL_WORDS) if options.get("keep_default_na", True) else []
    more = options.get("na_values")
    if isinstance(more, Mapping):
        raise NotTranslatable("null words by column")
    if more is not None:
        words += [str(word) for word in ([more] if isinstance(more, str | int | float) else more)]
    return list(dict.fromkeys(words))


def _typed(
    params: dict[str, Any], result: pd.DataFrame, own: list[tuple[Any, str]], names: list[str], raw: pd.DataFrame,
    words: list[str], options: Mapping[str, Any],
) -> FrameSymbol:  # fmt: skip
    """Return the table with the types that pandas found."""
    levels = len(own) - result.shape[1]
    values = [result.index.get_level_values(at).to_series() for at in range(levels)]
    values += [result.iloc[:, at] for at in range(result.shape[1])]
    families = [family_of(one) for one in values]
    stored = {name: SQL_TYPES[family] if family in _FOUND and not pd.api.types.is_object_dtype(one.dtype) else None
              for (_, name), family, one in zip(own, families, values, strict=True)}  # fmt: skip
    for (label, _), family in zip(own, families, strict=True):
        if family == "timestamp" or family == "span":
            raise NotTranslatable(f"{label!r} read as dates")
    columns: dict[str, Value] = {}
    rows = Rows("input", params, {}, columns, wanted=Path(params["path"]).stem)
    plain = "" in words and _same_words(raw, words)
    cells: list[Value] = []
    if plain or (not words and not any(stored.values())):
        for (_, name), family in zip(own, families, strict=True):
            typed = stored[name]
            nullable = plain and not (typed and family in ("integer", "boolean"))
            columns[name] = Value(column_name(name), family if typed else "text", nullable)
        cells = [columns[name] for _, name in own]
        taken = [name for _, name in own]
        if len(set(taken)) < len(taken):
            raise NotTranslatable("a column under two labels")
        if set(taken) != set(names):
            params["columns"] = taken
        params["types"] = {name: stored[name] or "VARCHAR" for name in columns} if plain else "text"
        if plain:
            params["null_words"] = words
    else:
        params["types"] = "text"
        columns |= {name: Value(column_name(name), "text", False) for name in names}
        for (label, name), family in zip(own, families, strict=True):
            cells.append(_cast(rows, label, name, family if stored[name] else "text", stored[name], words))
    index = tuple(IndexLevel(result.index.names[at], cells[at]) for at in range(levels))
    labels = dict(zip(result.columns, cells[levels:], strict=True))
    if len(labels) < result.shape[1]:
        raise NotTranslatable("two columns under one label")
    return FrameSymbol(rows, labels, index, not levels)


def _cast(rows: Rows, label: Any, name: str, family: Family, typed: str | None, words: list[str]) -> Value:
    text = column_name(name)
    if words:
        text = f"CASE WHEN {text} NOT IN ({', '.join(map(literal, words))}) THEN {text} END"
    if not words and not typed:
        return rows.columns[name]
    made = Value(f"CAST({text} AS {typed})" if typed else text, family, family not in ("integer", "boolean"))
    return rows.define(label, made)


def _same_words(raw: pd.DataFrame, words: list[str]) -> bool:
    """Return whether an input step, which minds neither case nor space, finds the null words that pandas finds."""
    exact, folded = set(words), {word.strip().lower() for word in words}
    return not any(cell not in exact and cell.strip().lower() in folded for cell in pd.unique(raw.to_numpy().ravel()))


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
    params = {"path": f"{stem}.csv"} | ({"types": "text"} if name != stem else {})
    rows = Rows("input", params, {}, columns, wanted=stem)
    return FrameSymbol(rows, dict(columns), (), True)

"""A gold folder's config.json: which columns of which file are compared, as what, and by which key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from prepsql.compare.words import cut, hint
from prepsql.errors import ConfigError, InputError

TYPE_NAMES = ("number", "text_exact", "text_norm", "boolean", "date", "datetime", "timestamp")
_ENTRIES = ("key", "columns", "ordered", "tolerance", "ignore_order")
_WORDS = {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}


@dataclass(frozen=True)
class TableConfig:
    """What is compared of one file: `columns` are (name, type), in order; every key column is among them.

    `ordered` adds the order of rows to what is checked; `tolerance` are (column, relative error) exceptions. `notes`
    say what in the entry is likely a slip: a type that isn't known, whose cells compare as raw text; an unknown word.
    """

    key: tuple[str, ...]
    columns: tuple[tuple[str, str], ...]
    ordered: bool = False
    tolerance: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()


def load_config(folder: Path) -> Mapping[str, TableConfig]:
    """Return the entries of `folder`/config.json by file name.

    One bad entry makes the whole config invalid: ConfigError. A missing file is an InputError.
    """
    path = folder / "config.json"
    if not path.is_file():
        raise InputError(f"{path}: no such file; a gold folder holds config.json beside its output_*.csv")
    try:
        content = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError) as wrong:
        raise ConfigError(f"{path}: not JSON: {wrong}") from wrong
    files = content.get("files") if isinstance(content, dict) else None
    if not isinstance(files, dict) or not files:
        raise ConfigError(f"{path}: wants an object 'files' that maps each gold file to key and columns")
    return {name: _entry(f"{path}: {name}", entry) for name, entry in files.items()}


def _entry(where: str, entry: object) -> TableConfig:
    if not isinstance(entry, dict):
        raise ConfigError(f"{where}: wants an object with 'key' and 'columns'")
    columns, key = entry.get("columns"), entry.get("key")
    if not isinstance(columns, dict) or not columns or not all(isinstance(t, str) for t in columns.values()):
        raise ConfigError(f"{where}: 'columns' must map at least one column to its type")
    if not isinstance(key, list) or not key or not all(isinstance(part, str) for part in key):
        raise ConfigError(f"{where}: 'key' must be a list of at least one column (has: {', '.join(columns)})")
    absent = [part for part in key if part not in columns]
    if absent:
        raise ConfigError(f"{where}: key column {absent[0]!r} isn't among 'columns' (has: {', '.join(columns)})")
    _flag(where, entry, "ignore_order", default=True)
    return TableConfig(
        tuple(dict.fromkeys(key)),
        tuple(columns.items()),
        _flag(where, entry, "ordered", default=False),
        _tolerance(where, entry.get("tolerance", {}), columns),
        _notes(entry, columns),
    )


def _notes(entry: Mapping[str, object], columns: Mapping[str, str]) -> tuple[str, ...]:
    notes = [
        f"config.json: entry {name!r} is not known{hint(name, _ENTRIES)}" for name in entry if name not in _ENTRIES
    ]
    known = ", ".join(TYPE_NAMES)
    notes += [
        f"column {column!r} is of type {type_!r} (types: {known}): compared as raw text"
        for column, type_ in columns.items()
        if type_ not in TYPE_NAMES
    ]
    return tuple(notes)


def _flag(where: str, entry: Mapping[str, object], name: str, *, default: bool) -> bool:
    value = entry.get(name, default)
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if not isinstance(value, str | int) or word not in _WORDS:
        raise ConfigError(f"{where}: {name!r} must be true or false, not {value!r}")
    return _WORDS[word]


def _tolerance(where: str, given: object, columns: Mapping[str, str]) -> tuple[tuple[str, float], ...]:
    if not isinstance(given, dict):
        raise ConfigError(f"{where}: 'tolerance' must map number columns to their largest relative error")
    for column, value in given.items():
        if columns.get(column) != "number":
            raise ConfigError(f"{where}: 'tolerance' names {column!r}, which isn't a number column")
        if not _is_tolerance(value):
            shown = cut(repr(value))
            raise ConfigError(f"{where}: the tolerance of {column!r} must be a number from 0 on, not {shown}")
    return tuple((column, float(value)) for column, value in given.items())


def _is_tolerance(value: object) -> bool:
    """Return whether a value is a finite number from 0 on; a whole number may be too large for a float."""
    try:
        return isinstance(value, int | float) and not isinstance(value, bool) and isfinite(value) and value >= 0
    except OverflowError:
        return False

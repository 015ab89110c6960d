"""How tables go into a script and come out of it: under names that a workflow can have, and back as they were."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import free_name
from prepsql.translate.pandas.carried import carried, is_carried, reading
from prepsql.translate.pandas.containers import CarrierSymbol
from prepsql.translate.pandas.rows import FrameSymbol, Rows, SeriesSymbol, Symbol, chosen, distinct
from prepsql.translate.pandas.slices import Slice
from prepsql.translate.pandas.things import SQL_TYPES, family_of
from prepsql.workflow.pandas_text.value import Family, Value

_OUT = "out_"


@dataclass(frozen=True)
class Handed:
    """A table that a script is given, and what makes of it the program's own table of that name."""

    symbol: Symbol | CarrierSymbol
    rows: Rows
    name: str
    changes: tuple[str, ...]

    def lines(self, table: str) -> list[str]:
        """Return the lines that make it of what an expression gives."""
        if isinstance(self.symbol, CarrierSymbol):
            return [f"{self.name} = {self.symbol.reading(table)}"]
        return [*([] if table == self.name else [f"{self.name} = {table}"]), *self.changes]


def handed(name: str, symbol: Symbol | CarrierSymbol) -> Handed:
    """Return how a script is given what a name stands for; raises NotTranslatable."""
    if isinstance(symbol, CarrierSymbol):
        return Handed(symbol, symbol.rows, name, ())
    if isinstance(symbol, SeriesSymbol):
        frame = symbol.framed("value")
    else:
        assert isinstance(symbol, FrameSymbol)
        frame = symbol
    levels = [(f"index {at}" if level.name is None else level.name, level) for at, level in enumerate(frame.index)]
    labels: list[tuple[Any, Value]] = [(label, level.value) for label, level in levels]
    labels += list(frame.columns.items())
    plain = unique(label for label, _ in labels)
    frame = distinct(frame)
    values = [*(level.value for level in frame.index), *frame.columns.values()]
    have = [frame.rows.name(label, value) for label, value in zip(plain, values, strict=True)]
    rows = frame.rows
    if have != plain or have != list(rows.columns):
        rows = chosen(rows, dict(zip(plain, have, strict=True)), f"{name}_given")
    given = [level.value for level in frame.index] + list(frame.columns.values())
    lines = _types(name, dict(zip(plain, given, strict=True)))
    if levels:
        lines.append(f"{name} = {name}.set_index({plain[: len(levels)]!r})")
        if [level.name for _, level in levels] != plain[: len(levels)]:
            lines.append(f"{name}.index.names = {[level.name for _, level in levels]!r}")
    if isinstance(symbol, SeriesSymbol):
        lines.append(f"{name} = {name}['value'].rename({symbol.name!r})")
    elif plain[len(levels) :] != list(frame.columns):
        lines.append(_labelled(name, list(symbol.columns)))
    return Handed(symbol, rows, name, tuple(lines))


def _types(name: str, columns: Mapping[str, Value]) -> list[str]:
    """Return the lines that give columns the types that a script's frames lose."""
    whole = [one for one, value in columns.items() if value.family == "integer" and value.nullable]
    lines = [f"{name}[{whole!r}] = {name}[{whole!r}].astype('Int64')"] if whole else []
    for one, value in columns.items():
        column = f"{name}[{one!r}]"
        if value.family == "date":
            lines.append(f"{column} = pd.to_datetime({column}).dt.date")
        elif value.family == "span":
            lines.append(f"{column} = pd.to_timedelta({column}, unit='us')")
        elif is_carried(value):
            lines.append(f"{column} = {reading(value).format(x=column)}")
    return lines


def _labelled(name: str, labels: list[Any]) -> str:
    if any(isinstance(label, tuple) for label in labels):
        return f"{name}.columns = pd.MultiIndex.from_tuples({labels!r})"
    plain = [label.item() if hasattr(label, "item") else label for label in labels]
    if not all(isinstance(label, str | int | float | bool) for label in plain):
        raise NotTranslatable("a table whose labels aren't plain as the input of a script")
    numbers = range(len(plain))
    return f"{name}.columns = {numbers if plain == list(numbers) else plain!r}"


def unique(labels: Iterable[Any]) -> list[str]:
    """Return labels as names that differ in more than case and aren't empty."""
    names: list[str] = []
    for label in labels:
        wanted = "_".join(map(str, label)) if isinstance(label, tuple) else str(label)
        names.append(free_name(wanted if wanted.strip() else "column", names))
    return names


@dataclass(frozen=True)
class Returned:
    """What a script returns for a table: lines and an expression, the table before them, its columns, its index."""

    expression: str
    shown: pd.DataFrame
    types: Mapping[str, str]
    families: Mapping[str, Family]
    levels: int
    lines: tuple[str, ...] = ()


def returned(name: str, value: Any, final: bool) -> Returned:
    """Return how a script gives a table; raises NotTranslatable where a workflow can't hold it.

    Where it is `final` nothing comes after it.
    """
    shown = value.to_frame("value") if isinstance(value, pd.Series) else value
    expression = name + (".to_frame('value')" if isinstance(value, pd.Series) else "")
    levels = value.index.nlevels if _has_index(value) and not final else 0
    if final:
        expression = f"{expression}.reset_index(drop=True)"
        shown = shown.reset_index(drop=True)
    labels = list(shown.columns)
    plain = unique([*(value.index.names[at] or f"index {at}" for at in range(levels)), *labels])
    if plain[levels:] != labels:
        expression = f"{expression}.set_axis({plain[levels:]!r}, axis=1)"
        shown = shown.set_axis(plain[levels:], axis=1)
    if levels:
        expression = f"{expression}.reset_index(names={plain[:levels]!r})"
        shown = shown.reset_index(names=plain[:levels])
    types: dict[str, str] = {}
    families: dict[str, Family] = {}
    lines = []
    for at, one in enumerate(plain):
        values = shown.iloc[:, at]
        families[one] = family_of(values)
        if families[one] in SQL_TYPES and not isinstance(values.dtype, pd.CategoricalDtype):
            types[one] = SQL_TYPES[families[one]]
        elif final:
            families[one], types[one] = "text", "VARCHAR"
            lines.append(f"{_OUT}[{one!r}] = {_OUT}[{one!r}].astype(object).map(str, na_action='ignore')")
        else:
            how = carried(values)
            families[one], types[one] = "span" if families[one] == "span" else how.family, how.type
            lines.append(f"{_OUT}[{one!r}] = {how.written.format(x=f'{_OUT}[{one!r}]')}")
    if lines:
        lines = [f"{_OUT} = {expression}", *lines]
        expression = _OUT
    return Returned(expression, shown, types, families, levels, tuple(lines))


def _has_index(value: Any) -> bool:
    index = value.index
    return index.nlevels > 1 or index.names[0] is not None or not pd.api.types.is_integer_dtype(index.dtype)


def given_files(files: Mapping[str, Rows], found: Slice, alone: bool, encoding: str) -> list[str]:
    """Return the lines that write files again as they were, and say where they are."""
    if not files:
        return []
    lines = ["import pathlib"]
    for stem, rows in files.items():
        table = stem if alone else f"tables[{stem!r}]"
        path = rows.params["path"]
        lines.append(f"pathlib.Path({path!r}).write_text('\\n'.join({table}['raw']) + '\\n', encoding={encoding!r})")
    return lines + [
        f"{name} = pathlib.Path({'' if path == '.' else repr(path)})" for name, path in found.folders.items()
    ]

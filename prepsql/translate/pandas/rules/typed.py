"""Columns of a file in the types that pandas gave them: by the input step itself, else cast from its text."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.sqltext import literal
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, Rows, SeriesSymbol
from prepsql.translate.pandas.rules import null_words
from prepsql.translate.pandas.rules.layouts import Layout
from prepsql.translate.pandas.things import SQL_TYPES, family_of
from prepsql.workflow.pandas_text import dates
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Family, Value, constant, made
from prepsql.workflow.reserved import column_name

# what pandas finds in text by itself
_FOUND: Sequence[Family] = ("integer", "float", "boolean")
# forms of dates that an input step reads as pandas does
_ISO = ("%Y-%m-%d", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M:%S")
_TRUE, _FALSE = ["True", "TRUE", "true"], ["False", "FALSE", "false"]


@dataclass(frozen=True)
class Column:
    """A column of a file: its label, its name in the input step, what pandas made of it, its text, its null words."""

    label: Any
    name: str
    values: pd.Series[Any]
    text: pd.Series[Any]
    words: Sequence[str]
    family: Family

    @property
    def found(self) -> bool:
        """Whether it is of a type that pandas finds by itself."""
        return self.family in _FOUND and not pd.api.types.is_object_dtype(self.values.dtype)

    @property
    def filled(self) -> list[str]:
        """Its cells as text without nulls."""
        words = set(self.words)
        return [one for one in self.text if one not in words]


def typed(
    hooks: Any, layout: Layout, result: pd.DataFrame, own: list[tuple[Any, str]], options: Mapping[str, Any], stem: str
) -> FrameSymbol:
    """Return the table with the types that pandas found."""
    columns = _columns(layout, result, own, options)
    names = [one.name for one in columns]
    if len(set(names)) < len(names):
        raise NotTranslatable("a column under two labels")
    makers = {one.name: maker for one in columns if (maker := _maker(hooks, one, options)) is not None}
    common = null_words.common(options)
    converted = options.get("converters") or {}
    plain = layout.whole and "" in common and not converted and null_words.as_input(layout.table, common)
    params = dict(layout.params)
    rows = Rows("input", params, {}, {}, wanted=stem)
    for what in layout.assumed:
        rows.assume(what)
    if plain:
        params |= _read_typed(rows, columns, makers, common, layout, options)
    else:
        params["types"] = "text"
        rows.columns = {name: Value(column_name(name), "text", False) for name in layout.table.columns}
        rows = _cut(rows, layout)
    cells = []
    for one in columns:
        value = rows.columns[one.name]
        words = null_words.without(layout.table, one.words, common if plain else None)
        if plain and one.name not in makers and not words:
            cells.append(value)
            continue
        if one.name not in makers and one.found and "" not in one.words:
            rows.assume(f"no empty cell in {one.label}")
        text = value if one.label in converted else _without(value, words)
        maker = makers.get(one.name) or _cast
        found = maker(rows, one, text)
        cells.append(value if found.sql == value.sql else rows.define(one.label, found))
    levels = len(own) - result.shape[1]
    index = tuple(IndexLevel(result.index.names[at], cells[at]) for at in range(levels))
    labels = dict(zip(result.columns, cells[levels:], strict=True))
    if len(labels) < result.shape[1]:
        raise NotTranslatable("two columns under one label")
    return FrameSymbol(rows, labels, index, not levels)


def _columns(
    layout: Layout, result: pd.DataFrame, own: list[tuple[Any, str]], options: Mapping[str, Any]
) -> list[Column]:
    levels = len(own) - result.shape[1]
    values = [result.index.get_level_values(at).to_series() for at in range(levels)]
    values += [result.iloc[:, at] for at in range(result.shape[1])]
    taken = layout.taken()
    return [
        Column(label, name, one, taken[name], null_words.of_column(options, label), family_of(one))
        for (label, name), one in zip(own, values, strict=True)
    ]


def _read_typed(
    rows: Rows, columns: Sequence[Column], makers: Mapping[str, Any], common: list[str], layout: Layout,
    options: Mapping[str, Any],
) -> dict[str, Any]:  # fmt: skip
    """Let the input step type what it can; return its parameters for that."""
    types: dict[str, str] = {}
    for one in columns:
        own = one.name not in makers and list(one.words) == common
        iso = one.family == "timestamp" and _form(one, options) in _ISO and list(one.words) == common
        typed = SQL_TYPES[one.family] if (own and one.found) or iso else None
        types[one.name] = typed or "VARCHAR"
        nullable = not (typed and one.family in ("integer", "boolean"))
        rows.columns[one.name] = Value(column_name(one.name), one.family if typed else "text", nullable)
    params: dict[str, Any] = {"columns": list(types)} if set(types) != set(layout.table.columns) else {}
    words = null_words.needed(layout.table, common, options)
    return {**params, "types": types, **({"null_words": words} if words else {})}


def _cut(rows: Rows, layout: Layout) -> Rows:
    """Return the rows that pandas takes."""
    from prepsql.translate.pandas.rules.locating import sliced
    from prepsql.translate.pandas.rules.places import kept

    if layout.whole:
        return rows
    if layout.left_out:
        place = rows.places()
        test = f"x <> {layout.left_out[0]}" if len(layout.left_out) == 1 else f"x NOT IN {layout.left_out}"
        rows = kept(FrameSymbol(rows, dict(rows.columns)), made(test, "boolean", place, x=place.sql)).rows
    if layout.first is not None or layout.last:
        columns = {name: rows.columns[name] for name in layout.table.columns}
        stop = -layout.last if layout.first is None else layout.first
        rows = sliced(FrameSymbol(rows, columns), slice(0, stop)).rows
    rows.numbers = None
    rows.assume("the lines that are left out where they are now")
    return rows


def _without(value: Value, words: Sequence[str]) -> Value:
    """Return text with null in the place of null words."""
    if not words:
        return value
    template = f"nullif(x, {literal(words[0])})" if len(words) == 1 else (
        f"CASE WHEN x NOT IN ({', '.join(map(literal, words))}) THEN x END")  # fmt: skip
    return made(template, "text", value, nullable=True, x=value.sql)


def _cast(rows: Rows, one: Column, text: Value) -> Value:
    if not one.found:
        return text
    nullable = one.family not in ("integer", "boolean")
    return made(f"x::{SQL_TYPES[one.family]}", one.family, text, nullable=nullable, x=text.sql)


def _maker(hooks: Any, one: Column, options: Mapping[str, Any]) -> Callable[[Rows, Column, Value], Value] | None:
    """Return what makes a column of its text where a plain cast doesn't."""
    converters = options.get("converters") or {}
    if one.label in converters:
        return lambda rows, column, text: _converted(hooks, rows, column, text, converters[one.label])
    if one.family == "timestamp":
        form = _form(one, options)
        if form in _ISO and list(one.words) == null_words.common(options):
            return None
        return lambda rows, column, text: _dated(rows, column, text, form)
    if one.family == "span":
        raise NotTranslatable(f"{one.label!r} read as lengths of time")
    marks = [options.get("thousands") or "", "" if options.get("decimal", ".") == "." else options["decimal"]]
    if one.family in ("integer", "float") and one.found and any(
        mark and any(mark in cell for cell in one.text) for mark in marks
    ):  # fmt: skip
        return lambda rows, column, text: _marked(column, text, *marks)
    true, false = list(options.get("true_values") or ()), list(options.get("false_values") or ())
    if one.family == "boolean" and not set(one.filled) <= {*_TRUE, *_FALSE}:
        return lambda rows, column, text: _of_words(column, text, true, false)
    return None


def _form(one: Column, options: Mapping[str, Any]) -> str:
    """Return the form of a column that was read as dates."""
    from prepsql.translate.pandas.rules.times import guessed

    form = options.get("date_format")
    form = form.get(one.label) if isinstance(form, Mapping) else form
    if form is None or form == "mixed":
        return guessed(one.filled, bool(options.get("dayfirst")), form == "mixed")
    if not isinstance(form, str) or form == "ISO8601":
        raise NotTranslatable("dates of this form")
    return form


def _dated(rows: Rows, one: Column, text: Value, form: str) -> Value:
    rows.assume(f"dates written as {form} in {one.label}")
    return dates.to_datetime(text, constant(form))


def _marked(one: Column, text: Value, thousands: str, decimal: str) -> Value:
    found = text.sql
    if thousands:
        found = bind(f"replace(x, {literal(thousands)}, '')", x=found)
    if decimal:
        found = bind(f"replace(x, {literal(decimal)}, '.')", x=found)
    nullable = one.family != "integer"
    return made(f"x::{SQL_TYPES[one.family]}", one.family, text, nullable=nullable, x=found)


def _of_words(one: Column, text: Value, true: list[str], false: list[str]) -> Value:
    true, false = [*true, *_TRUE], [*false, *_FALSE]
    inside = ", ".join(map(literal, true))
    if not set(one.filled) <= {*true, *false}:
        raise NotTranslatable("truth values of other words")
    nullable = pd.api.types.is_object_dtype(one.values.dtype)
    return made(f"x IN ({inside})", "boolean", text, nullable=nullable, x=text.sql)


def _converted(hooks: Any, rows: Rows, one: Column, text: Value, function: Any) -> Value:
    """Return what a converter makes of each cell, which is given as it stands in the file."""
    from prepsql.translate.pandas.rules.series import mapped

    symbol = SeriesSymbol(rows, text, one.label)
    found = mapped(hooks, one.values, symbol, function)
    if not isinstance(found, SeriesSymbol):
        raise NotTranslatable("a converter that isn't understood")
    return found.value

"""The program's own functions, applied to the cells of a column or the rows of a frame."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas import cell_items, cells, chains, forks, scalars
from prepsql.translate.pandas.forks import Ending
from prepsql.translate.pandas.rows import FrameSymbol, Rows, ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import attached
from prepsql.translate.pandas.symbols import ground
from prepsql.workflow.pandas_text.value import TOO_LONG, Value

# a CASE longer than this reads worse than the function itself
_LONGEST = 600
_LONGEST_CHAINED = 1_200

Scripted = Callable[[Any, str, str, str], Value]


def to_cells(
    hooks: Any, result: Any, symbol: SeriesSymbol, function: Any, args: Sequence[Any], named: Mapping[str, Any]
) -> Symbol:
    """Return what a function gives for each cell: a CASE, else a scalar script."""

    def scripted(values: pd.Series[Any], wanted: str, reason: str, part: str) -> Value:
        return scalars.of_cells(
            hooks, symbol.rows, symbol.value, function, args, named, values, wanted, reason, part
        )  # fmt: skip

    def once() -> Any:
        opened = cell_items.opened(symbol.value)
        if cells.is_own(function) or not cells.among(opened):
            return function(opened, *args, **named)
        return cells.call(None, function, [opened, *args], named)

    from prepsql.translate.pandas.rules import lookups

    if lookups.base_of(hooks, function) is not None and (args or named):
        raise NotTranslatable("a lookup with another answer")

    def traced() -> list[Ending]:
        base = lookups.base_of(hooks, function)
        with ground(beside(hooks, symbol.rows)), forks.over(symbol.rows):
            if base is not None:
                return lookups.gets(hooks, base, cells.Cell(symbol.value))
            if symbol.value.family == "struct":
                return forks.explore(once)
            return cells.traced(function, cells.Cell(symbol.value), *args, **named)

    return _given(result, symbol, symbol.name or "value", function, traced, scripted)


def beside(hooks: Any, rows: Rows) -> Callable[[Any], Value | None]:
    """Return what puts numbers of whole columns beside rows."""

    def found(value: Any) -> Value | None:
        known = hooks.symbol(value)
        return attached(rows, known) if isinstance(known, ScalarSymbol) else None

    return found


def to_rows(
    hooks: Any, result: Any, frame: FrameSymbol, function: Any, args: Sequence[Any], named: Mapping[str, Any]
) -> Symbol:
    """Return what a function gives for each row: a CASE, else a scalar script."""
    record = cells.Record(cells.as_numbers(frame))

    def scripted(values: pd.Series[Any], wanted: str, reason: str, part: str) -> Value:
        columns = record.frame.columns
        return scalars.of_rows(hooks, frame.rows, columns, function, args, named, values, wanted, reason, part)

    def traced() -> list[Ending]:
        with ground(beside(hooks, frame.rows)), forks.over(frame.rows):
            return cells.traced(function, record, *args, **named)

    return _given(result, frame, wanted_name(function), function, traced, scripted)


def _given(
    result: Any, base: SeriesSymbol | FrameSymbol, wanted: Any, function: Any, traced: Callable[[], list[Ending]],
    scripted: Scripted,
) -> Symbol:  # fmt: skip
    rows = base.rows
    reason = ""
    endings: list[Ending] = []
    try:
        endings = forks.again(traced)
    except NotTranslatable as refused:
        reason = str(refused)
    chained = partial(_chained, traced, [])
    if isinstance(result, pd.Series):
        value = _value(rows, endings, wanted, reason, result, scripted, "", lambda found: found, chained)
        return SeriesSymbol(rows, rows.short(wanted, value), result.name, base.index, base.fresh)
    if not isinstance(result, pd.DataFrame):
        raise NotTranslatable("a function that gives neither a column nor columns")
    made = {}
    for at, label in enumerate(result.columns):
        of_series = any(isinstance(ending.result, pd.Series | cells.Fields) for ending in endings) or not endings
        mark = (
            f"[{label!r}]"
            if isinstance(label, str)
            else f".iloc[{at}]"
            if of_series and "pd.Series" in _text(function)
            else f"[{at}]"
        )
        value = _value(rows, endings, label, reason, result.iloc[:, at], scripted, mark,
                       partial(_taken, at, label), chained)  # fmt: skip
        made[label] = rows.define(label if isinstance(label, str) else f"part_{label}", value)
    return FrameSymbol(rows, made, base.index, base.fresh)


def _text(function: Any) -> str:
    code = getattr(function, "__code__", None)
    return "pd.Series" if code is not None and "Series" in {*code.co_consts, *code.co_names} else ""


def _value(
    rows: Rows, endings: list[Ending], wanted: Any, reason: str, result: pd.Series[Any], scripted: Scripted, mark: str,
    take: Callable[[Any], Any], chained: Callable[[], list[Ending]],
) -> Value:  # fmt: skip
    if not reason:
        try:
            found = cells.value_of(endings, take)
        except NotTranslatable as refused:
            found, reason = None, str(refused)
        if found is not None:
            if len(found.sql) <= _LONGEST:
                return found
            short = _chain(rows, wanted, found, take, chained)
            if len(short.sql) <= _LONGEST_CHAINED:
                return short
            reason = f"an expression of {len(short.sql):,} characters"
            try:
                return scripted(result, str(wanted), reason, mark)
            except NotTranslatable:
                return short
    elif reason.startswith((forks.TOO_MANY, TOO_LONG)):
        with suppress(NotTranslatable):
            short = _chain(rows, wanted, None, take, chained)
            if len(short.sql) <= _LONGEST_CHAINED:
                return short
    try:
        return scripted(result, str(wanted), reason, mark)
    except NotTranslatable as refused:
        raise NotTranslatable(f"{reason}; {refused}") from None


def _chained(traced: Callable[[], list[Ending]], known: list[list[Ending]]) -> list[Ending]:
    """Return the endings of a function whose names are columns, traced once."""
    if not known:
        with forks.chain():
            known.append(traced())
    return known[0]


def _chain(
    rows: Rows, wanted: Any, found: Value | None, take: Callable[[Any], Any], chained: Callable[[], list[Ending]]
) -> Value:
    """Return a long expression as a chain of columns, the shorter of two ways to it."""
    name = str(wanted)
    parted = chains.shortened(rows, name, found) if found is not None else None
    if parted is not None and len(parted.sql) <= _LONGEST:
        return parted
    try:
        other = chains.shortened(rows, name, cells.value_of(chained(), take))
    except NotTranslatable:
        if parted is None:
            raise
        return parted
    return other if parted is None or len(other.sql) < len(parted.sql) else parted


def _taken(at: int, label: Any, found: Any) -> Any:
    return part(found, at, label)


def part(found: Any, at: int, label: Any) -> Any:
    """Return one of several things that a function returned."""
    if isinstance(found, Mapping | pd.Series):
        return found[label]
    if isinstance(found, cells.Record):
        return found.cell(label)
    if isinstance(found, cells.Fields):
        return found.values[at]
    return found[at]


def wanted_name(function: Any) -> str:
    """Return a column's name for what a function gives."""
    name = str(getattr(function, "__name__", "value")).strip("_")
    return "value" if name == "<lambda>" else name

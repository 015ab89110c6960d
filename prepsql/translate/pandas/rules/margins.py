"""Tables with totals: crosstab, and pivots with margins; shares of a crosstab."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules import widening
from prepsql.translate.pandas.rules.grouping import name_of
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.uniting import below
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, constant, made

Keys = Sequence[tuple[Any, Value]]
_FUNCTIONS = ("sum", "mean", "min", "max", "median", "count", "size")


def with_totals(
    frame: FrameSymbol, result: pd.DataFrame, keys: Keys, by: Keys, function: str, value: Value | None, fill: Any,
    name: str,
) -> FrameSymbol:  # fmt: skip
    """Return a pivot with a column and a row of totals."""
    labels: list[Any] = list(result.columns)
    *shown, last = labels
    parts = {label: list(label) if isinstance(label, tuple) else [label] for label in shown}
    if function not in _FUNCTIONS or any(len(one) != len(by) for one in parts.values()):
        raise NotTranslatable("a pivot with totals of these")
    if (last[0] if isinstance(last, tuple) else last) != name or any(
        one != one for part in parts.values() for one in part
    ):
        raise NotTranslatable("a pivot with totals of these")
    cells = {**{label: (function, value, part) for label, part in parts.items()}, last: (function, value, [])}
    above = widening.wide(frame, keys, by, cells, fill)
    tests = [bind("x IS NOT NULL", x=one.sql) for _, one in (*keys, *by) if one.nullable]
    tests += [bind("x IS NOT NULL", x=value.sql)] if value is not None and value.nullable else []
    held = {("by", at): one for at, (_, one) in enumerate(by)} | ({("value",): value} if value is not None else {})
    whole = frame.with_columns({**frame.columns, **held})
    if tests:
        whole = kept(whole, Value(" AND ".join(tests), "boolean", False))
    own = [(label, whole.rows.define("total", constant(name if at == 0 else ""))) for at, (label, _) in enumerate(keys)]
    mine = [(label, whole.columns["by", at]) for at, (label, _) in enumerate(by)]
    source = None if value is None else whole.columns[("value",)]
    sums = widening.wide(whole, own, mine, {x: (f, source, part) for x, (f, _, part) in cells.items()}, fill)
    levels = [("level", at) for at in range(len(keys))]
    tables = [
        FrameSymbol(one.rows, {**dict(zip(levels, (x.value for x in one.index), strict=True)), **one.columns}, (), True)
        for one in (above, sums)
    ]
    shown_as = pd.DataFrame(columns=pd.Index([*levels, *result.columns], tupleize_cols=False))
    found = below(shown_as, tables, True)
    index = tuple(IndexLevel(label, found.columns[level]) for (label, _), level in zip(keys, levels, strict=True))
    return FrameSymbol(found.rows, {x: found.columns[x] for x in result.columns}, index, False)


def crosstab(
    hooks: Any, result: Any, index: Any, columns: Any, values: Any = None, rownames: Any = None, colnames: Any = None,
    aggfunc: Any = None, margins: bool = False, margins_name: str = "All", dropna: bool = True, normalize: Any = False,
) -> FrameSymbol:  # fmt: skip
    """How often each combination comes up, or an aggregate of it; as shares; with totals."""
    sides = [list(one) if isinstance(one, list) else [one] for one in (index, columns)]
    first = hooks.symbol(sides[0][0])
    if not isinstance(first, SeriesSymbol) or dropna is not True or rownames is not None or colnames is not None:
        raise NotTranslatable("crosstab of these")
    frame = FrameSymbol(first.rows, {}, first.index, first.fresh)
    for one in (*sides[0], *sides[1]):
        if not isinstance(hooks.symbol(one), SeriesSymbol) or isinstance(one.dtype, pd.CategoricalDtype):
            raise NotTranslatable("crosstab of these")
    keys, by = ([(one.name, column(thing(hooks, one, frame))) for one in side] for side in sides)
    source = None if values is None else column(thing(hooks, values, frame))
    function = "size" if values is None else name_of(aggfunc)
    fill = 0 if values is None else None
    if margins:
        if normalize is not False or values is not None:
            raise NotTranslatable("crosstab with totals of shares")
        return with_totals(frame, result, keys, by, function, source, fill, margins_name)
    cells = {x: (function, source, list(x) if isinstance(x, tuple) else [x]) for x in result.columns}
    found = widening.wide(frame, keys, by, cells, fill)
    return found if normalize is False else _shares(found, normalize)


def _shares(frame: FrameSymbol, normalize: Any) -> FrameSymbol:
    rows = frame.rows
    cells = {label: rows.define(label, value) for label, value in frame.columns.items()}
    total = rows.define("row_total", Value(" + ".join(one.sql for one in cells.values()), "integer", False)).sql
    found = {}
    for label, value in cells.items():
        if normalize is True or normalize == "all":
            share = made("x / sum(t) OVER ()", "float", value, x=value.sql, t=total)
        elif normalize in ("index", 0):
            share = made("x / t", "float", value, x=value.sql, t=total)
        elif normalize in ("columns", 1):
            share = made("x / sum(x) OVER ()", "float", value, x=value.sql)
        else:
            raise NotTranslatable("crosstab as shares of these")
        found[label] = rows.define(label, share)
    return frame.with_columns(found)


CALLS: Mapping[str, Callable[..., Symbol | None]] = {"pd.crosstab": crosstab}

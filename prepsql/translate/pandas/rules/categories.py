"""Categories: columns of a few values in an order of their own, and numbers cut into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import series
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, made


def place(value: Value, categories: Sequence[Any]) -> Value:
    """Return the place of a value among categories, or the value itself where that has the same order."""
    texts = [str(one) if isinstance(one, pd.Interval) else one for one in categories]
    if texts == sorted(texts) and not any(isinstance(one, pd.Interval) for one in categories):
        return value
    whens = " ".join(
        bind("WHEN x THEN y", x=column(constant_thing(one)).sql, y=str(at)) for at, one in enumerate(texts)
    )
    return Value(bind(f"CASE x {whens} END", x=value.sql), "integer", value.nullable)


def among(value: Value, categories: Sequence[Any]) -> Value:
    """Return a value if it is one of the categories, else null."""
    listed = ", ".join(column(constant_thing(one)).sql for one in categories)
    if not listed:
        raise NotTranslatable("categories that aren't written out")
    return made(f"CASE WHEN x IN ({listed}) THEN x END", value.family, value, nullable=True, x=value.sql)


def categorical(
    hooks: Any, result: Any, values: Any, categories: Any = None, ordered: Any = None, dtype: Any = None
) -> Symbol | None:
    """pd.Categorical of a column."""
    symbol = hooks.symbol(values)
    if not isinstance(symbol, SeriesSymbol):
        return None
    return typed(hooks, result, symbol, dtype if dtype is not None else pd.CategoricalDtype(categories, bool(ordered)))


def typed(hooks: Any, result: Any, symbol: SeriesSymbol, dtype: Any) -> Symbol | None:
    """A column as categories: what isn't one of them becomes null."""
    value = symbol.value.exact()
    if dtype.categories is not None:
        value = among(value, list(dtype.categories))
    return series(hooks, symbol, result, value)


def codes(hooks: Any, result: Any, symbol: SeriesSymbol, categories: Sequence[Any]) -> Symbol | None:
    """The places of categories, -1 for null."""
    whens = " ".join(
        bind("WHEN x THEN y", x=column(constant_thing(one)).sql, y=str(at)) for at, one in enumerate(categories)
    )
    value = Value(bind(f"CASE x {whens} ELSE -1 END", x=symbol.value.sql), "integer", False)
    return series(hooks, symbol, result, value)


def cut(
    hooks: Any, result: Any, x: Any, bins: Any, right: bool = True, labels: Any = None, retbins: bool = False,
    precision: int = 3, include_lowest: bool = False, duplicates: str = "raise", ordered: bool = True,
) -> Symbol | None:  # fmt: skip
    """Numbers cut at edges that are written out."""
    symbol = hooks.symbol(x)
    if not isinstance(symbol, SeriesSymbol):
        return None
    if retbins or not isinstance(bins, list | tuple | np.ndarray | range) or duplicates != "raise":
        raise NotTranslatable("pd.cut without edges that are written out")
    value = number(symbol.value, "cut")
    edges = [column(constant_thing(one)) for one in list(bins)]
    if labels is False:
        names: list[Any] = list(range(len(edges) - 1))
    else:
        names = [str(one) if isinstance(one, pd.Interval) else one for one in pd.Series(result).cat.categories]
    if len(names) != len(edges) - 1:
        raise NotTranslatable("pd.cut with one label for several bins")
    whens = []
    for at, name in enumerate(names):
        low, high = (">", "<=") if right else (">=", "<")
        low = ">=" if at == 0 and include_lowest and right else low
        tests = [] if edges[at].constant == float("-inf") else [bind(f"x {low} y", x=value.sql, y=edges[at].sql)]
        tests += (
            [] if edges[at + 1].constant == float("inf") else [bind(f"x {high} y", x=value.sql, y=edges[at + 1].sql)]
        )
        test = " AND ".join(tests) or bind("x IS NOT NULL", x=value.sql)
        whens.append(f"WHEN {test} THEN {column(constant_thing(name)).sql}")
    family = column(constant_thing(names[0])).family
    return series(hooks, symbol, result, Value(f"CASE {' '.join(whens)} END", family, True))


CALLS: dict[str, Callable[..., Symbol | None]] = {"pd.Categorical": categorical, "pd.cut": cut}

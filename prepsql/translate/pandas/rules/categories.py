"""Categories: columns of a few values in an order of their own, and numbers cut into them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import ScalarSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.rules.values import series, thing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column, made


def listed(kind: pd.CategoricalDtype) -> list[Any]:
    """Return the categories of a type, ranges as their text."""
    return [str(one) if isinstance(one, pd.Interval) else one for one in kind.categories]


def of_group_key(hooks: Any, grouping: Any) -> list[Any] | None:
    """Return the categories of a key of groups, None where it isn't one; which they are may hang on the data."""
    kind = getattr(grouping.grouping_vector, "dtype", None)
    if not isinstance(kind, pd.CategoricalDtype):
        return None
    found = listed(kind)
    declared(hooks, found)
    return found


def may_lack(hooks: Any, values: Any) -> bool:
    """Return whether some of a column's categories may be without rows: they are written out, or one is."""
    kind = getattr(values, "dtype", None)
    if not isinstance(kind, pd.CategoricalDtype):
        return False
    used = int(pd.Series(values).nunique())
    return tuple(listed(kind)) in hooks.derived.categories or used < len(kind.categories)


def used_only(hooks: Any, grouping: Any, found: list[Any] | None) -> list[Any] | None:
    """Return the categories of one of several keys; None where they are just the values that there are, in order."""
    if found is None or tuple(found) in hooks.derived.categories or found != sorted(found, key=str):
        return found
    if not may_lack(hooks, grouping.grouping_vector):
        return None
    hooks.assume(f"the categories {', '.join(map(str, found[:5]))}{', …' if len(found) > 5 else ''}")
    return found


def declared(hooks: Any, categories: Sequence[Any]) -> None:
    """Say that categories hold for these inputs, unless the program has written them out or sorts them."""
    if categories == sorted(categories, key=str) or tuple(categories) in hooks.derived.categories:
        return
    hooks.assume(f"the categories {', '.join(map(str, categories[:5]))}{', …' if len(categories) > 5 else ''}")


def place(value: Value, categories: Sequence[Any]) -> Value:
    """Return the place of a value among categories, or the value itself where that has the same order."""
    texts = [str(one) if isinstance(one, pd.Interval) else one for one in categories]
    if texts == sorted(texts) and not any(isinstance(one, pd.Interval) for one in categories):
        return value
    return numbered(value, texts)


def numbered(value: Value, texts: Sequence[Any]) -> Value:
    """Return the place of a value among categories."""
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
    hooks.derived.write_down(hooks, categories if dtype is None else None)
    return typed(hooks, result, symbol, dtype if dtype is not None else pd.CategoricalDtype(categories, bool(ordered)))


def dtype_of(hooks: Any, result: Any, categories: Any = None, ordered: Any = False) -> None:
    """pd.CategoricalDtype, whose categories the program writes out."""
    hooks.derived.write_down(hooks, categories)


def typed(hooks: Any, result: Any, symbol: SeriesSymbol, dtype: Any) -> Symbol | None:
    """A column as categories: what isn't one of them becomes null."""
    value = symbol.value.exact()
    if dtype.categories is not None:
        if dtype.categories.size and not isinstance(dtype.categories, pd.IntervalIndex):
            declared(hooks, list(dtype.categories))
        value = among(value, list(dtype.categories))
    return series(hooks, symbol, result, value)


def changed(hooks: Any, result: Any, symbol: SeriesSymbol, name: str, given: Sequence[Any]) -> Symbol | None:
    """Return what a method of `.cat` gives: the values, or those of them that are still categories."""
    if name in ("set_categories", "remove_categories"):
        for one in given:
            hooks.derived.write_down(hooks, one)
        return typed(hooks, result, symbol, result.dtype)
    if name not in ("add_categories", "as_ordered", "as_unordered", "remove_unused_categories", "reorder_categories"):
        raise NotTranslatable(f".cat.{name}()")
    for one in given:
        hooks.derived.write_down(hooks, one)
    return series(hooks, symbol, result, symbol.value.exact())


def codes(hooks: Any, result: Any, symbol: SeriesSymbol, categories: Sequence[Any]) -> Symbol | None:
    """The places of categories, -1 for null."""
    if tuple(categories) not in hooks.derived.categories:
        hooks.assume(f"the categories {', '.join(map(str, categories[:5]))}{', …' if len(categories) > 5 else ''}")
    place_of = numbered(symbol.value, categories)
    return series(hooks, symbol, result, made("coalesce(x, -1)", "integer", place_of, nullable=False, x=place_of.sql))


def compared(hooks: Any, operator: str, operands: Sequence[Any], base: SeriesSymbol) -> list[Value] | None:
    """Return the places of operands that are categories, where an operator asks for their order."""
    kinds = [getattr(one, "dtype", None) for one in operands]
    known = [kind for kind in kinds if isinstance(kind, pd.CategoricalDtype)]
    if not known or operator not in ("Lt", "LtE", "Gt", "GtE"):
        return None
    found = listed(known[0])
    declared(hooks, found)
    return [
        numbered(column(thing(hooks, one, base)), found)
        if isinstance(one, pd.Series) else column(constant_thing(found.index(one)))
        for one in operands
    ]  # fmt: skip


def back(value: Value, categories: Sequence[Any]) -> Value:
    """Return the category at a place."""
    names = [column(constant_thing(one)) for one in categories]
    whens = " ".join(bind("WHEN n THEN y", n=str(at), y=one.sql) for at, one in enumerate(names))
    return Value(bind(f"CASE x {whens} END", x=value.sql), names[0].family, True)


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
    for given in (bins, labels):
        if hooks.derived.of_data(hooks, given) and not _of_scalars(hooks, given):
            hooks.assume(f"the same edges and labels at line {hooks.line}")
    if labels is None and _of_scalars(hooks, bins):
        raise NotTranslatable("pd.cut whose labels are numbers of the data")
    value = number(symbol.value, "cut")
    edges = [column(thing(hooks, one, symbol)) for one in list(bins)]
    if labels is False:
        names: list[Any] = list(range(len(edges) - 1))
    else:
        names = [str(one) if isinstance(one, pd.Interval) else one for one in pd.Series(result).cat.categories]
    if not hooks.derived.of_data(hooks, labels):
        hooks.derived.categories.add(tuple(names))
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


def _of_scalars(hooks: Any, given: Any) -> bool:
    """Return whether a list is written out but for numbers that are reductions of columns."""
    if not isinstance(given, list | tuple) or hooks.symbol(given) is not None:
        return False
    return any(isinstance(hooks.symbol(one), ScalarSymbol) for one in given)


CALLS: dict[str, Callable[..., Symbol | None]] = {
    "pd.Categorical": categorical, "pd.cut": cut, "pd.CategoricalDtype": dtype_of,
}  # fmt: skip

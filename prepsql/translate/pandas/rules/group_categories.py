"""Groups by categories: their order, and those without rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, IndexLevel, Rows, after, moved, settled
from prepsql.translate.pandas.rules import categories, group_products, reindexing
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import columns
from prepsql.workflow.pandas_text.value import Value

# what an aggregate gives for no rows; null where it isn't named
EMPTY: Mapping[str, Any] = {
    "sum": 0, "count": 0, "size": 0, "nunique": 0, "prod": 1, "any": False, "all": True,
}  # fmt: skip


def kind_of(groups: GroupsSymbol, label: Any) -> pd.CategoricalDtype | None:
    """Return the type of a column of groups whose values are categories, None for another column."""
    table = getattr(groups.real, "obj", None)
    values = table[label] if isinstance(table, pd.DataFrame) and label in table.columns else table
    kind = getattr(values, "dtype", None)
    return kind if isinstance(kind, pd.CategoricalDtype) else None


def ordered(groups: GroupsSymbol, grouped: Rows, made: Mapping[Any, Value]) -> tuple[Mapping[Any, Value], Rows]:
    """Return the rows of groups in the order of their keys' categories, where that isn't the order of the values."""
    if groups.unobserved:
        raise NotTranslatable("groups of categories, some of which have no rows")
    if all(one is None or one == sorted(one, key=str) for one in groups.categories):
        return made, grouped
    frame = settled(FrameSymbol(grouped, dict(enumerate(made.values()))))
    keys = [grouped.columns[name] for name in grouped.params["group_keys"]]
    by = [key if one is None else categories.place(key, one) for key, one in zip(keys, groups.categories, strict=True)]
    sort = after(grouped, "sort", {"order_by": [{"expr": key.sql} for key in by]}, wanted="in_order")
    found = moved(frame, sort)
    return dict(zip(made, found.columns.values(), strict=True)), found.rows


def filled(groups: GroupsSymbol, grouped: Rows, made: Mapping[Any, Value], functions: Mapping[Any, str]) -> FrameSymbol:
    """Return one row a category, or a step of a calendar, those without rows too."""
    if groups.calendar is not None:
        from prepsql.translate.pandas.rules import resampling

        return resampling.filled(groups, grouped, made, functions)
    if len(groups.categories) != 1:
        return group_products.filled(groups, grouped, made, functions)
    if groups.categories[0] is None:
        raise NotTranslatable("groups of categories, some of which have no rows")
    [name] = grouped.params["group_keys"]
    [(label, _)] = groups.keys
    rows, key = reindexing.listed(groups.categories[0])
    found = {}
    for one, value in made.items():
        there = rows.looked_up(one, [key], grouped, [grouped.columns[name]], value)
        empty = EMPTY.get(functions[one])
        found[one] = there if empty is None else rows.define(one, columns.fill_na(there, constant_thing(empty)))
    if groups.as_index:
        return FrameSymbol(rows, found, (IndexLevel(label, key),), False)
    return FrameSymbol(rows, {label: key, **found}, (), True)


def counted(hooks: Any, groups: GroupsSymbol, index: pd.Index) -> FrameSymbol:
    """Return how many rows each category has, in the order of the categories."""
    from prepsql.translate.pandas.rules import grouping

    kind = index.dtype
    assert isinstance(kind, pd.CategoricalDtype)
    found = categories.listed(kind)
    lacking = tuple(found) in hooks.derived.categories or len(index) < len(found)
    if not lacking:
        categories.declared(hooks, found)
    groups = replace(groups, categories=[found])
    if not lacking:
        return grouping.counted(groups)
    grouped = grouping.grouped_rows(groups)
    count = grouping.add(grouped, groups.frame.rows, "size", None, "count")
    return filled(groups, grouped, {"count": count}, {"count": "size"})

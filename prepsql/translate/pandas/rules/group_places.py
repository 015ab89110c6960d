"""Rows of groups by their places in an order, and what tells of groups at once: nlargest, describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, GroupsSymbol, IndexLevel, Symbol, after, moved, settled
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.grouping import add, grouped_rows, of_groups
from prepsql.translate.pandas.rules.places import kept
from prepsql.workflow.pandas_text import windows
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, Value


def largest(up: bool) -> Callable[..., Symbol]:
    """Return the rule of nlargest or nsmallest of a column of groups, group by group; nulls come last."""

    def rule(hooks: Any, result: Any, groups: GroupsSymbol, n: int = 5, keep: str = "first") -> Symbol:
        if groups.picked is None or not groups.one or not isinstance(n, int) or keep != "first":
            raise NotTranslatable("nlargest of groups with ties")
        groups.plain("nlargest")
        if not groups.sort or not groups.as_index:
            raise NotTranslatable("nlargest of groups as they come")
        frame, keys = groups.frame, groups.key_columns()
        rows = frame.rows
        x = rows.define(groups.picked[0], frame.column(groups.picked[0]))
        by = f"{x.sql}{'' if up else ' DESC'} NULLS LAST"
        number = windows.Window("", keys, False).over("row_number()", by=by, rows=True)
        number_of = rows.define("number", Value(number, "integer", False))
        own = frame.index or (IndexLevel(None, place(frame)),)
        levels = (*(IndexLevel(label, key) for (label, _), key in zip(groups.keys, keys, strict=True)), *own)
        columns: dict[Any, Value] = {
            **{("key", at): key for at, key in enumerate(keys)},
            "number": number_of,
            "value": x,
        }
        table = settled(FrameSymbol(rows, columns, levels, False))
        tests = [bind("x IS NOT NULL", x=key.sql) for key in keys if key.nullable and groups.dropna]
        tests.append(f"{number_of.sql} <= {n}")
        table = kept(table, Value(" AND ".join(tests), "boolean", False))
        order = [{"expr": one.sql} for label, one in table.columns.items() if label != "value"]
        table = moved(table, after(table.rows, "sort", {"order_by": order}, wanted="by_group"))
        if result.index.nlevels == len(own):
            table = FrameSymbol(table.rows, table.columns, table.index[len(keys) :], False)
        elif result.index.nlevels != len(levels):
            raise NotTranslatable("nlargest of groups with another index")
        return table.series("value", result.name)

    return rule


_SHARES = {"25%": 0.25, "50%": 0.5, "75%": 0.75}


def describe(hooks: Any, result: Any, groups: GroupsSymbol) -> Symbol:
    """Count, mean, spread, extremes and quarters of columns of numbers, one row a group."""
    groups.plain("describe")
    grouped = grouped_rows(groups)
    found: dict[Any, Value] = {}
    for label in result.columns:
        source, what = label if isinstance(label, tuple) else (groups.picked[0] if groups.picked else None, label)
        value = groups.frame.column(source)
        if value.family not in NUMERIC:
            raise NotTranslatable("describe of what aren't numbers")
        function = "quantile" if what in _SHARES else what
        made_of = add(grouped, groups.frame.rows, function, value, f"{what} of {source}")
        if function == "quantile":
            grouped.params["aggs"][-1]["q"] = _SHARES[what]
        if made_of.family != "float":
            made_of = Value(bind("x::DOUBLE", x=made_of.sql), "float", made_of.nullable)
        found[label] = made_of
    if not isinstance(result, pd.DataFrame) or not groups.as_index:
        raise NotTranslatable("describe of such groups")
    return of_groups(groups, grouped, found)


METHODS: Mapping[str, Callable[..., Symbol | None]] = {
    "nlargest": largest(False), "nsmallest": largest(True), "describe": describe,
}  # fmt: skip

"""Tables side by side whose indexes differ: rows of all labels, or of those that all have."""

from __future__ import annotations

from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, IndexLevel, after, moved
from prepsql.translate.pandas.rules import picking
from prepsql.translate.pandas.rules.aligning import aligned, levels
from prepsql.translate.pandas.rules.places import kept
from prepsql.translate.pandas.rules.uniting import below
from prepsql.workflow.pandas_text.value import Value


def _keyed(table: FrameSymbol) -> FrameSymbol:
    """Return the table with its index as a level."""
    name = table.index[0].name if table.index else None
    return FrameSymbol(table.rows, table.columns, (IndexLevel(name, levels(table)[0]),), False)


def outer(result: pd.DataFrame, tables: list[FrameSymbol]) -> FrameSymbol:
    """Return one row a label that any of the tables has, in the order in which they come up."""
    if any(len(table.index) > 1 for table in tables):
        raise NotTranslatable("tables side by side by several levels, none of which has all labels")
    tables = [_keyed(table) for table in tables]
    only = [FrameSymbol(table.rows, {_LEVEL: table.index[0].value}, (), True) for table in tables]
    united = below(pd.DataFrame(columns=pd.Index([_LEVEL], tupleize_cols=False)), only, True)
    united = picking.drop_duplicates(None, None, united)
    if result.index.is_monotonic_increasing and pd.api.types.is_integer_dtype(result.index.dtype):
        # numbers of rows are put in order
        sort = after(united.rows, "sort", {"order_by": [{"expr": united.columns[_LEVEL].sql}]}, wanted="in_order")
        united = moved(united, sort)
    base = FrameSymbol(united.rows, {}, (IndexLevel(result.index.names[0], united.columns[_LEVEL]),), False)
    found = [aligned(base, table.series(label)) for table in tables for label in table.columns]
    return FrameSymbol(base.rows, dict(zip(result.columns, found, strict=True)), base.index, False)


_LEVEL = ("level",)


def inner(result: Any, tables: list[FrameSymbol]) -> FrameSymbol:
    """Return the rows of the first table whose labels all others have."""
    if any(len(table.index) > 1 for table in tables):
        raise NotTranslatable("tables side by side by several levels, of which only shared rows stay")
    first, *rest = [_keyed(table) for table in tables]
    columns: dict[Any, Value] = {(0, label): value for label, value in first.columns.items()}
    marks = []
    for at, table in enumerate(rest, 1):
        there = table.rows.define("there", Value("TRUE", "boolean", False))
        mark = FrameSymbol(table.rows, {"there": there}, table.index, False).series("there")
        marks.append(first.rows.define("there", aligned(first, mark)).sql)
        for label in table.columns:
            found = aligned(first, table.series(label))
            columns[at, label] = Value(found.sql, found.family, table.columns[label].nullable)
    frame = kept(first.with_columns(columns), Value(" AND ".join(f"{x} IS NOT NULL" for x in marks), "boolean", False))
    return FrameSymbol(frame.rows, dict(zip(result.columns, frame.columns.values(), strict=True)), frame.index, False)

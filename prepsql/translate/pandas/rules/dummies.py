"""A column of truth for each value: pd.get_dummies."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import FrameSymbol, SeriesSymbol, Symbol
from prepsql.translate.pandas.things import constant_thing
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import Value, column


def get_dummies(
    hooks: Any, result: Any, data: Any, prefix: Any = None, prefix_sep: Any = "_", dummy_na: bool = False,
    columns: Any = None, drop_first: bool = False, dtype: Any = None, sparse: bool = False,
) -> Symbol | None:  # fmt: skip
    """Return a column for each value that there is."""
    symbol = hooks.symbol(data)
    if not isinstance(symbol, FrameSymbol | SeriesSymbol):
        return None
    if dummy_na or sparse or dtype not in (None, bool, int, float, "int", "int64", "float", "bool"):
        raise NotTranslatable("get_dummies of such columns")
    frame = symbol.framed("value") if isinstance(symbol, SeriesSymbol) else symbol
    if isinstance(symbol, SeriesSymbol):
        sources = [("value", data)]
        kept: dict[Any, Value] = {}
    else:
        labels = list(columns) if columns is not None else list(data.select_dtypes(["object", "string", "category"]))
        sources = [(label, data[label]) for label in labels]
        kept = {label: value for label, value in frame.columns.items() if label not in labels}
    made_of = list(kept.values())
    for label, values in sources:
        found = list(values.astype("category").cat.categories)[int(drop_first) :]
        made_of += [_flag(frame, label, one, dtype, result.columns[len(made_of) + at]) for at, one in enumerate(found)]
        if not isinstance(values.dtype, pd.CategoricalDtype) or tuple(found) not in hooks.derived.categories:
            frame.rows.assume(f"the same values of {'a column' if label == 'value' else label}")
    if len(made_of) != result.shape[1] or not result.columns.is_unique:
        raise NotTranslatable("get_dummies of such columns")
    return FrameSymbol(frame.rows, dict(zip(result.columns, made_of, strict=True)), frame.index, frame.fresh)


def _flag(frame: FrameSymbol, label: Any, value: Any, dtype: Any, wanted: Any) -> Value:
    source = frame.column(label)
    test = operators.named("eq", source, column(constant_thing(value))).exact()
    if source.nullable:
        test = Value(bind("coalesce(x, FALSE)", x=test.sql), "boolean", False)
    if dtype not in (None, bool, "bool"):
        kind, family = ("DOUBLE", "float") if dtype in (float, "float") else ("BIGINT", "integer")
        test = Value(bind(f"x::{kind}", x=test.sql), family, False)  # type: ignore[arg-type]
    return frame.rows.define(wanted, test)


CALLS: Mapping[str, Callable[..., Symbol | None]] = {"pd.get_dummies": get_dummies}

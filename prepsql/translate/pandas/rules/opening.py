"""`frame.groupby(…)`: the keys of groups."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.carried import known
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    GroupsSymbol,
    SeriesSymbol,
)
from prepsql.translate.pandas.rules import resampling
from prepsql.translate.pandas.rules.categories import may_lack, of_group_key, used_only
from prepsql.translate.pandas.rules.values import thing
from prepsql.workflow.pandas_text.value import Value, column


def groupby(
    hooks: Any, result: Any, frame: FrameSymbol, by: Any = None, *, as_index: bool = True, sort: bool = True,
    dropna: bool = True, observed: Any = None, group_keys: Any = True, level: Any = None, axis: Any = 0,
) -> GroupsSymbol:  # fmt: skip
    """Groups of rows."""
    keys: list[tuple[Any, Value]] = []
    step = None
    if level is not None:
        for one in level if isinstance(level, list | tuple) else [level]:
            keys.append(_level(frame, one))
    elif by is None or axis not in (0, "index"):
        raise NotTranslatable("groupby of columns")
    for key in [] if level is not None else (list(by) if isinstance(by, list | tuple) else [by]):
        symbol = hooks.symbol(key)
        if isinstance(key, pd.Grouper) and key.freq is not None:
            label = key.key if key.key is not None else frame.index[0].name if frame.index else None
            value, step = resampling.of_key(hooks, frame, key, label)
            keys.append((label, value))
        elif isinstance(symbol, SeriesSymbol):
            keys.append((key.name, column(thing(hooks, key, frame)).exact()))
        elif isinstance(key, Hashable) and key in frame.columns:
            keys.append((key, frame.columns[key]))
        else:
            keys.append(_level(frame, key))
    for _, value in keys:
        known(value, "groups")
    if step is not None and len(keys) == 1:
        return GroupsSymbol(frame, keys, None, False, as_index, sort, dropna, result, [None], True, step)
    groupings = result._grouper.groupings
    categories = [of_group_key(hooks, one) for one in groupings]
    unobserved = not observed and any(may_lack(hooks, one.grouping_vector) for one in groupings)
    if not any(categories):
        categories = []
    elif not observed and len(keys) > 1:
        unobserved = True
        categories = [used_only(hooks, one, found) for one, found in zip(groupings, categories, strict=True)]
    if categories and not sort:
        raise NotTranslatable("groups of categories in the order in which they come up")
    return GroupsSymbol(frame, keys, None, False, as_index, sort, dropna, result, categories, unobserved)


def _level(frame: FrameSymbol, wanted: Any) -> tuple[Any, Value]:
    """Return a level of the index by its name or place."""
    for at, level in enumerate(frame.index):
        if (wanted is not None and level.name == wanted) or (
            isinstance(wanted, int) and at == wanted % len(frame.index)
        ):
            return level.name, level.value
    raise NotTranslatable("groupby of what isn't a column")

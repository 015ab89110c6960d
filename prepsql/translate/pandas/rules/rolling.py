"""Windows that move along the rows: rolling and expanding, of a column, a table or by groups."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    AccessorSymbol,
    FrameSymbol,
    GroupsSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    after,
    moved,
    settled,
)
from prepsql.translate.pandas.rules.aligning import place
from prepsql.translate.pandas.rules.places import kept
from prepsql.workflow.pandas_text import windows
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import TIMES, Value, made

_FUNCTIONS: Mapping[str, tuple[str, int]] = {
    "sum": ("sum(x)", 1), "mean": ("avg(x)", 1), "min": ("min(x)", 1), "max": ("max(x)", 1), "count": ("count(x)", 0),
    "std": ("stddev_samp(x)", 2), "var": ("var_samp(x)", 2), "median": ("median(x)", 1),
}  # fmt: skip
_CLOSED = ("right", "left", "both", "neither")


@dataclass(frozen=True)
class Span:
    """The rows that a window takes: how many, how many values it needs, whether it lies around its row.

    Of a length of time `micro` has the microseconds, `on` the moments that it goes by. `closed` says which ends of it
    count, in pandas' words.
    """

    size: int | None
    needed: int
    centred: bool = False
    closed: str = "right"
    micro: int | None = None
    on: Value | None = None

    def frame(self) -> str:
        """Return the frame of a window."""
        if self.micro is not None:
            least = self.micro if self.closed in ("left", "both") else self.micro - 1
            without = " EXCLUDE CURRENT ROW" if self.closed in ("left", "neither") else ""
            return f"RANGE BETWEEN to_microseconds({least}) PRECEDING AND CURRENT ROW{without}"
        if self.size is None:
            return "ROWS UNBOUNDED PRECEDING"
        ahead = (self.size - 1) // 2 if self.centred else 0
        behind = self.size - 1 - ahead
        behind += self.closed in ("left", "both")
        ahead -= self.closed in ("left", "neither")
        start = f"{behind} PRECEDING" if behind else "CURRENT ROW"
        return f"ROWS BETWEEN {start} AND {_bound(ahead)}"

    def value(self, name: str, over: windows.Window, x: Value, *given: Any) -> Value:
        """Return a function of the window beside each row."""
        template, least = _function(name, given)
        x = number(x.exact(), name)
        if self.micro is None:
            by, rows = "", True
        else:
            assert self.on is not None
            by, rows = self.on.sql, False
        call = over.over(bind(template, x=x.sql), by, rows=rows, frame=self.frame())
        counted = "count(*)" if name == "count" else bind("count(x)", x=x.sql)
        count = over.over(counted, by, rows=rows, frame=self.frame())
        needed = max(self.needed, least)
        if name == "sum" and self.needed == 0:
            call, needed = f"coalesce({call}, 0)", 0
        # the numbers that pandas' windows give are floats
        sql = bind("CASE WHEN c >= n THEN y::DOUBLE END", c=count, y=call, n=str(needed))
        return Value(sql, "float", True)


def _bound(ahead: int) -> str:
    if ahead:
        return f"{abs(ahead)} {'FOLLOWING' if ahead > 0 else 'PRECEDING'}"
    return "CURRENT ROW"


def _function(name: str, given: Sequence[Any]) -> tuple[str, int]:
    if name == "quantile" and len(given) == 1 and isinstance(given[0], float | int):
        return f"quantile_cont(x, {float(given[0])})", 1
    if name not in _FUNCTIONS or given:
        raise NotTranslatable(f"rolling {name}")
    return _FUNCTIONS[name]


def span(
    window: Any = None, min_periods: Any = None, center: bool = False, *, closed: Any = None, on: Value | None = None
) -> Span:
    """Return what the arguments of rolling say; `on` are the moments of a window that is a length of time."""
    closed = "right" if closed is None else closed
    if closed not in _CLOSED:
        raise NotTranslatable(f"rolling with closed={closed!r}")
    if isinstance(window, int):
        if closed != "right" and (center or window < 2):
            raise NotTranslatable("a window around its row without an end")
        return Span(window, window if min_periods is None else int(min_periods), center, closed)
    try:
        length = (
            pd.Timedelta(window) if isinstance(window, str) else pd.Timedelta(pd.tseries.frequencies.to_offset(window))
        )
    except (ValueError, TypeError):
        raise NotTranslatable("a window of this length") from None
    if center or on is None or on.family not in TIMES:
        raise NotTranslatable("rolling by a length of time over what are no moments")
    return Span(None, 1 if min_periods is None else int(min_periods), False, closed, length.value // 1000, on)


def expanding_span(min_periods: int = 1) -> Span:
    """Return what the arguments of expanding say."""
    return Span(None, int(min_periods))


@dataclass(frozen=True, eq=False)
class Rolling(AccessorSymbol):
    """`.rolling(…)` or `.expanding(…)` of a column, a table or groups; `on` is the label that it goes by."""

    span: Span = Span(None, 1)
    on: Any = None


def rolling(
    hooks: Any, result: Any, symbol: Any, window: Any = None, min_periods: Any = None, center: bool = False, *,
    on: Any = None, closed: Any = None,
) -> Rolling:  # fmt: skip
    """A window that moves along."""
    moments = None if isinstance(window, int) else _moments(symbol, on, result)
    return Rolling(symbol, "rolling", span(window, min_periods, center, closed=closed, on=moments), on)


def _moments(symbol: Any, on: Any, result: Any) -> Value:
    """Return the moments that a window goes by, one a row; raises NotTranslatable where two rows share one."""
    frame = symbol.frame if isinstance(symbol, GroupsSymbol) else symbol
    if on is None and len(frame.index) != 1:
        raise NotTranslatable("rolling by a length of time without moments")
    value = frame.column(on) if on is not None else frame.index[0].value
    if value.family == "date":
        value = made("x::TIMESTAMP", "timestamp", value, x=value.sql)
    value = frame.rows.define("moment" if on is None else on, value)
    keys = symbol.key_columns() if isinstance(symbol, GroupsSymbol) else ()
    if not _once(frame.rows, [*keys, value]):
        table = result.obj if isinstance(result.obj, pd.DataFrame) else result.obj.to_frame()
        real = pd.DataFrame({"moment": list(table[on] if on is not None and on in table.columns else table.index)})
        groups = getattr(result, "_grouper", None)
        if groups is None:
            twice = bool(real["moment"].duplicated().any())
        else:
            twice = any(real["moment"].iloc[at].duplicated().any() for at in groups.indices.values())
        if twice:
            raise NotTranslatable("rolling by a length of time where rows share a moment")
        frame.rows.assume("no two rows of one moment")
    return value


def _once(rows: Rows | None, values: Sequence[Value]) -> bool:
    """Return whether rows are known to have no two with the same values: they are groups by those."""
    names = {name for value in values for name in (rows.named(value) if rows is not None else None,) if name}
    while rows is not None:
        if rows.kind == "aggregate":
            return {str(one) for one in rows.params.get("group_keys", ())} <= names
        if rows.kind == "dedup":
            return set(rows.params.get("keys", ())) <= names and rows.params.get("keep") != "all"
        rows = rows.passes
    return False


def expanding(hooks: Any, result: Any, symbol: Any, *given: Any, **named: Any) -> Rolling:
    """A window from the first row on."""
    return Rolling(symbol, "rolling", expanding_span(*given, **named))


def picked(symbol: Rolling, key: Any) -> Rolling:
    """Return the window over some columns of a table or of groups."""
    base = symbol.base
    one = not isinstance(key, list)
    if isinstance(base, GroupsSymbol):
        return replace(symbol, base=replace(base, picked=[key] if one else key, one=one))
    if not isinstance(base, FrameSymbol):
        raise NotTranslatable("a part of a window over a column")
    return replace(symbol, base=base.series(key) if one else base.with_columns({x: base.column(x) for x in key}))


def call(symbol: Rolling, name: str, given: Sequence[Any], named: Mapping[str, Any], result: Any) -> Symbol:
    """Return what a function of a moving window gives."""
    if name in ("agg", "aggregate") and len(given) == 1 and not named:
        return _several(symbol, given[0], result)
    if named:
        raise NotTranslatable(f"rolling {name} with arguments")
    return _called(symbol, name, given, result)


def _several(symbol: Rolling, wanted: Any, result: Any) -> Symbol:
    if isinstance(wanted, str):
        return _called(symbol, wanted, (), result)
    base = symbol.base
    if (
        not isinstance(base, SeriesSymbol)
        or not isinstance(wanted, list)
        or not all(isinstance(x, str) for x in wanted)
    ):
        raise NotTranslatable("several functions of a window")
    found = {label: _beside(base.rows, symbol.span, label, (), base.value, (), label) for label in wanted}
    return FrameSymbol(base.rows, found, base.index, base.fresh)


def _beside(
    rows: Rows, span: Span, name: str, given: Sequence[Any], value: Value, keys: tuple[Value, ...], wanted: Any
) -> Value:
    x = rows.short(name, value)
    return rows.define(wanted, span.value(name, windows.Window("", keys), x, *given))


def _called(symbol: Rolling, name: str, given: Sequence[Any], result: Any) -> Symbol:
    base = symbol.base
    if isinstance(base, SeriesSymbol):
        value = _beside(base.rows, symbol.span, name, given, base.value, (), name)
        return SeriesSymbol(base.rows, value, result.name, base.index, base.fresh)
    if isinstance(base, FrameSymbol):
        found = {
            x: value if x == symbol.on else _beside(base.rows, symbol.span, name, given, value, (), f"{name}_{x}")
            for x, value in base.columns.items()
        }
        return base.with_columns({label: found[label] for label in result.columns})
    if not isinstance(base, GroupsSymbol):
        raise NotTranslatable("rolling of this")
    return _of_groups(symbol, base, name, given, result)


def _of_groups(symbol: Rolling, groups: GroupsSymbol, name: str, given: Sequence[Any], result: Any) -> Symbol:
    """Return one value a row, group by group; the keys are levels before the index."""
    groups.plain("a moving window of groups")
    if not groups.sort:
        raise NotTranslatable("a moving window of groups as they come")
    frame = groups.frame
    rows = frame.rows
    labels = [result.name] if isinstance(result, pd.Series) else list(result.columns)
    if groups.picked is not None and groups.one:
        labels = list(groups.picked)
    keys = groups.key_columns()
    span = symbol.span
    values = {x: _beside(rows, span, name, given, rows.define(x, frame.column(x)), keys, f"{name}_{x}") for x in labels}
    own = frame.index or (IndexLevel(None, place(frame)),)
    if symbol.on is not None and groups.picked is not None:
        own = (IndexLevel(symbol.on, frame.column(symbol.on)),)
    levels = [IndexLevel(label, key) for (label, _), key in zip(groups.keys, keys, strict=True)]
    if result.index.names != [level.name for level in (*levels, *own)]:
        raise NotTranslatable("a moving window of groups with another index")
    table = settled(FrameSymbol(rows, values, (*levels, *own), False))
    tests = [bind("x IS NOT NULL", x=key.sql) for key in keys if key.nullable and groups.dropna]
    if tests:
        table = kept(table, Value(" AND ".join(tests), "boolean", False))
    order = [{"expr": level.value.sql} for level in table.index[: len(keys)]]
    table = moved(table, after(table.rows, "sort", {"order_by": order}, wanted="by_group"))
    if isinstance(result, pd.Series):
        return table.series(labels[0], result.name)
    return table


METHODS: Mapping[str, Callable[..., Any]] = {"rolling": rolling, "expanding": expanding}

"""What looks at other rows: shift, cumulated sums, ranks, totals of a column or of its group."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from prepsql.errors import NotTranslatable
from prepsql.workflow.pandas_text.operators import number
from prepsql.workflow.pandas_text.sql import bind, has_window
from prepsql.workflow.pandas_text.value import (
    TIMES,
    Family,
    Thing,
    Value,
    column,
    flag_of,
    is_null,
    text_of,
    whole_of,
)

_UP_TO_HERE = "ROWS UNBOUNDED PRECEDING"
_ALL = "ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"
_FROM_HERE = "ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING"

# reductions: the aggregate, the value where there is nothing to reduce, the family (None: the column's own)
REDUCTIONS: dict[str, tuple[str, str | None, Family | None]] = {
    "sum": ("sum(x)", "0", None),
    "mean": ("avg(x)", None, "float"),
    "median": ("median(x)", None, "float"),
    "min": ("min(x)", None, None),
    "max": ("max(x)", None, None),
    "count": ("count(x)", None, "integer"),
    "size": ("count(*)", None, "integer"),
    "nunique": ("count(DISTINCT x)", None, "integer"),
    "std": ("stddev_samp(x)", None, "float"),
    "var": ("var_samp(x)", None, "float"),
    "any": ("bool_or(x)", "FALSE", "boolean"),
    "all": ("bool_and(x)", "TRUE", "boolean"),
}
_OF_NUMBERS = ("sum", "mean", "median", "std", "var")


@dataclass(frozen=True)
class Window:
    """The rows that a function sees: all, or those of the same keys.

    `order` is the SQL of the rows' own order, empty where the workflow adds it.
    """

    order: str = ""
    keys: tuple[Value, ...] = ()
    dropna: bool = True

    def over(self, call: str, by: str = "", *, rows: bool = False, frame: str = "", also: str = "") -> str:
        """Return the call over this window, ordered by `by`; `rows`: then, or only, in the rows' own order."""
        keys = [key.sql for key in self.keys] + ([also] if also else [])
        if any(map(has_window, [call, *keys, by])):
            raise NotTranslatable("a function of other rows inside another: compute the inner one as a column first")
        order = [part for part in (by, self.order if rows else "") if part]
        parts = [f"PARTITION BY {', '.join(keys)}"] if keys else []
        parts += [f"ORDER BY {', '.join(order)}"] if order else []
        return f"{call} OVER ({' '.join([*parts, *([frame] if frame else [])])})"

    def keep(self, value: Value) -> Value:
        """Return null for rows with a null key, which pandas leaves out."""
        tests = [bind("x IS NOT NULL", x=key.sql) for key in self.keys if key.nullable]
        if not self.dropna or not tests:
            return value
        sql = bind(f"CASE WHEN {' AND '.join(tests)} THEN y END", y=value.sql)
        return Value(sql, value.family, True)


def reduce(name: str, window: Window, x: Value, aggregate: bool = False) -> Value:
    """Return a reduction of the whole window, beside every row or (aggregate) instead of the rows."""
    if name in ("first", "last"):
        if aggregate:
            raise NotTranslatable(f"{name}() of a group")
        call = bind(f"{name}_value(x IGNORE NULLS)", x=x.sql)
        return window.keep(Value(window.over(call, rows=True, frame=_ALL), x.family))
    template, empty, family = REDUCTIONS[name]
    x = number(x, name) if name in _OF_NUMBERS else x.exact()
    if name in ("any", "all") and x.family != "boolean":
        raise NotTranslatable(f"{name} of {x.family}")
    call = bind(template, x=x.sql)
    sql = call if aggregate else window.over(call)
    if empty is not None:
        sql = f"coalesce({sql}, {empty})"
    total = Value(sql, family or x.family, empty is None and family != "integer")
    return total if aggregate else window.keep(total)


def shift(window: Window, x: Value, periods: object = 1, fill_value: object = None) -> Value:
    """Return the value some rows before (or after: negative)."""
    n = whole_of(periods, "periods")
    given = "" if is_null(fill_value) else f", {column(fill_value).sql}"  # type: ignore[arg-type]
    call = bind(f"{'lag' if n >= 0 else 'lead'}(x, {abs(n)}{given})", x=x.exact().sql)
    if given:
        # a null key's rows take the fill value too
        whole = replace(window, dropna=False)
        tests = [bind("x IS NOT NULL", x=key.sql) for key in window.keys if key.nullable and window.dropna]
        shifted = whole.over(call, rows=True)
        if tests:
            shifted = bind(f"CASE WHEN {' AND '.join(tests)} THEN y ELSE z END", y=shifted, z=given[2:])
        return Value(shifted, x.family, x.nullable)
    return window.keep(Value(window.over(call, rows=True), x.family))


def diff(window: Window, x: Value, periods: object = 1) -> Value:
    """Return the difference to the value some rows before."""
    times = x.family in TIMES
    x = x if times else number(x, "diff")
    n = whole_of(periods, "periods")
    before = window.over(bind(f"{'lag' if n >= 0 else 'lead'}(x, {abs(n)})", x=x.sql), rows=True)
    if times:
        return window.keep(Value(bind("epoch_us(x) - epoch_us(y)", x=x.sql, y=before), "span"))
    return window.keep(Value(bind("x - y", x=x.sql, y=before), x.family))


def pct_change(window: Window, x: Value, periods: object = 1, fill_method: object = None) -> Value:
    """Return the change to the value some rows before, as a share of it."""
    x = number(x, "pct_change")
    if x.nullable and fill_method is None:
        raise NotTranslatable("pct_change where there may be nulls: pandas fills them first")
    n = whole_of(periods, "periods")
    before = window.over(bind(f"{'lag' if n >= 0 else 'lead'}(x, {abs(n)})", x=x.sql), rows=True)
    return window.keep(Value(bind("nullif(x / y, 'nan'::DOUBLE) - 1", x=x.sql, y=before), "float"))


def cumulate(function: str) -> Callable[..., Value]:
    """Return the rule of cumsum and its kin: nulls stay null and are skipped."""

    def rule(window: Window, x: Value) -> Value:
        x = number(x, function) if function in ("sum", "product") else x
        total = window.over(bind(f"{function}(x)", x=x.sql), rows=True, frame=_UP_TO_HERE)
        # whole numbers without nulls may have some in other inputs
        there = not x.nullable and x.family != "integer"
        sql = total if there else bind("CASE WHEN x IS NOT NULL THEN y END", x=x.sql, y=total)
        return window.keep(Value(sql, x.family, x.nullable))

    return rule


def fill(function: str, frame: str) -> Callable[..., Value]:
    """Return the rule of ffill or bfill, which with a limit look only so many rows back or ahead."""

    def rule(window: Window, x: Value, limit: object = None) -> Value:
        call = bind(f"{function}(x IGNORE NULLS)", x=x.sql)
        rows = frame
        if not is_null(limit):
            n = whole_of(limit, "limit")
            ahead = f"BETWEEN CURRENT ROW AND {n} FOLLOWING"
            rows = f"ROWS {ahead if frame == _FROM_HERE else f'BETWEEN {n} PRECEDING AND CURRENT ROW'}"
        return window.keep(Value(window.over(call, rows=True, frame=rows), x.family))

    return rule


def rank(
    window: Window, x: Value, method: object = "average", ascending: object = True, pct: object = False,
    na_option: object = "keep",
) -> Value:  # fmt: skip
    """Return the rank of a value; a null has none, or is ranked before or after all."""
    how = text_of(method, "method")
    nulls = text_of(na_option, "na_option")
    if x.family not in ("integer", "float", "number", "date", "timestamp", "text", "unknown"):
        raise NotTranslatable(f"rank of {x.family}")
    direction = "" if flag_of(ascending, "ascending") else " DESC"
    by = f"{x.sql}{direction} NULLS {'FIRST' if nulls == 'top' else 'LAST'}"
    ties = window.over("count(*)", also=x.sql)
    ranks = {
        "min": lambda: window.over("rank()", by=by),
        "dense": lambda: window.over("dense_rank()", by=by),
        "first": lambda: window.over("row_number()", by=by, rows=True),
        "max": lambda: f"{window.over('rank()', by=by)} + {ties} - 1",
        "average": lambda: f"{window.over('rank()', by=by)} + ({ties} - 1) / 2",
    }
    if how not in ranks or (flag_of(pct, "pct") and how == "dense"):
        raise NotTranslatable(f"rank with method={how!r}")
    sql = ranks[how]()
    if flag_of(pct, "pct"):
        count = bind("count(x)", x=x.sql) if nulls == "keep" else "count(*)"
        sql = f"({sql}) / {window.over(count)}"
    elif how != "average":
        sql = bind("x::DOUBLE", x=sql)
    if (x.nullable or x.family == "integer") and nulls == "keep":
        sql = bind("CASE WHEN x IS NOT NULL THEN y END", x=x.sql, y=sql)
    return window.keep(Value(sql, "float", x.nullable and nulls == "keep"))


def cumcount(window: Window, ascending: object = True) -> Value:
    """Return the number of a row within its group, from 0."""
    number = window.over("row_number()", rows=True)
    sql = f"{number} - 1" if flag_of(ascending, "ascending") else f"{window.over('count(*)')} - {number}"
    return window.keep(Value(sql, "integer", False))


def duplicated(window: Window, x: Value, keep: Thing | str = "first") -> Value:
    """Return whether a value came before (or comes again: keep='last'; or is there twice: keep=False)."""
    if isinstance(keep, Value) and keep.constant is False:
        return Value(f"{window.over('count(*)', also=x.sql)} > 1", "boolean", False)
    number = window.over("row_number()", rows=True, also=x.sql)
    if text_of(keep, "keep") == "last":
        return Value(f"{number} < {window.over('count(*)', also=x.sql)}", "boolean", False)
    return Value(f"{number} > 1", "boolean", False)


# of a column, whole or by group
RULES: dict[str, Callable[..., Value]] = {
    "shift": shift,
    "diff": diff,
    "pct_change": pct_change,
    "cumsum": cumulate("sum"),
    "cumprod": cumulate("product"),
    "cummax": cumulate("max"),
    "cummin": cumulate("min"),
    "ffill": fill("last_value", _UP_TO_HERE),
    "bfill": fill("first_value", _FROM_HERE),
    "rank": rank,
    "duplicated": duplicated,
}

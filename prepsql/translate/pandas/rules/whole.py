"""What is done to every column of a table alike, and reductions of a table by rows or by columns."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pandas as pd

from prepsql.errors import NotTranslatable
from prepsql.translate.pandas.rows import (
    FrameSymbol,
    IndexLevel,
    Rows,
    SeriesSymbol,
    Symbol,
    chosen,
)
from prepsql.translate.pandas.rules import by_labels
from prepsql.translate.pandas.rules import values as of_values
from prepsql.translate.pandas.rules.grouping import add
from prepsql.workflow.pandas_text import columns as column_rules
from prepsql.workflow.pandas_text import operators
from prepsql.workflow.pandas_text.sql import bind
from prepsql.workflow.pandas_text.value import NUMERIC, Value, column, common_family, constant, made
from prepsql.workflow.reserved import column_name

_EACH = (
    "round", "abs", "clip", "where", "mask", "shift", "diff", "ffill", "bfill", "cumsum", "cumprod", "cummax", "cummin",
    "add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge", "notna",
    "notnull", "isin", "subtract", "multiply", "divide", "rank", "pct_change",
)  # fmt: skip


_ALONG = ("shift", "diff", "cumsum", "cumprod", "cummax", "cummin", "rank", "pct_change", "ffill", "bfill")
_OPERATORS = (
    "add", "sub", "mul", "div", "truediv", "floordiv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge", "subtract",
    "multiply", "divide",
)  # fmt: skip
_SHORT = {"subtract": "sub", "multiply": "mul", "divide": "div"}


def along_rows(name: str, frame: FrameSymbol, given: Any, named: Any) -> FrameSymbol:
    """Return a table in which each cell looks at the cells before it in its row (bfill: after it)."""
    if given or named or name not in ("ffill", "bfill", "diff", "shift", "cumsum"):
        raise NotTranslatable(f"{name} along rows")
    labels = list(frame.columns)
    values = [frame.rows.short(label, frame.columns[label].exact()) for label in labels]
    family = common_family(values, f"{name} along rows")
    if name in ("diff", "cumsum") and family not in NUMERIC:
        raise NotTranslatable(f"{name} of what aren't numbers")
    found = {}
    for at, label in enumerate(labels):
        mine = values[at]
        if name in ("ffill", "bfill"):
            others = values[: at + 1][::-1] if name == "ffill" else values[at:]
            inside = ", ".join(one.sql for one in others)
            mine = Value(f"coalesce({inside})", family, all(one.nullable for one in others)) if others[1:] else mine
        elif name == "cumsum":
            total = _sum(values[: at + 1]) if at else mine
            mine = made("CASE WHEN x IS NOT NULL THEN t END", family, mine, x=mine.sql, t=total.sql)
        elif at == 0:
            mine = Value("NULL::DOUBLE", "float") if family in NUMERIC else Value("NULL", family)
        elif name == "shift":
            mine = values[at - 1]
        else:
            before = values[at - 1]
            mine = made("(x - y)::DOUBLE", "float", mine, before, x=mine.sql, y=before.sql)
        found[label] = frame.rows.define(label, mine)
    return frame.with_columns(found)


def each(name: str) -> Callable[..., Symbol]:
    """Return the rule of a method that is done to every column."""

    def rule(hooks: Any, result: Any, frame: FrameSymbol, *given: Any, **named: Any) -> Symbol:
        axis = named.pop("axis", None)
        if axis in (1, "columns") and name in _ALONG:
            return along_rows(name, frame, given, named)
        by_label = name in _OPERATORS and axis in (None, 1, "columns")
        found = {}
        for label, value in frame.columns.items():
            mine = list(given)
            if by_label and mine and isinstance(mine[0], pd.Series | pd.DataFrame):
                if named or list(result.columns) != list(frame.columns) or not result.index.equals(hooks.base.index):
                    raise NotTranslatable(f"{name} of tables whose labels differ")
                met = column(by_labels.operand(hooks, mine[0], frame, label))
                found[label] = frame.rows.short(label, operators.named(_SHORT.get(name, name), value, met))
                continue
            if name == "clip" and any(isinstance(one, pd.Series) for one in (*mine, *named.values())):
                if axis not in (1, "columns"):
                    raise NotTranslatable("clip by a column")
                bounds = [column(by_labels.operand(hooks, one, frame, label)) for one in mine]
                more = {key: column(by_labels.operand(hooks, one, frame, label)) for key, one in named.items()}
                found[label] = frame.rows.short(label, column_rules.clip(value, *bounds, **more))
                continue
            if name == "round" and value.family not in NUMERIC:
                found[label] = value
                continue
            if name == "round" and given and isinstance(given[0], Mapping):
                if label not in given[0]:
                    found[label] = value
                    continue
                mine = [given[0][label]]
            made_of = of_values.method(hooks, frame.series(label), name, mine, named, result[label])
            assert isinstance(made_of, SeriesSymbol)
            found[label] = made_of.value
        return frame.with_columns(found)

    return rule


def where(keep: bool) -> Callable[..., Symbol]:
    """Return the rule of where or mask with a table of truth values."""

    def rule(hooks: Any, result: Any, frame: FrameSymbol, cond: Any, other: Any = None) -> Symbol:
        test = hooks.symbol(cond)
        empty = constant(None) if other is None or other != other else of_values.thing(hooks, other, frame)
        if isinstance(test, SeriesSymbol):
            conditions = dict.fromkeys(frame.columns, of_values.thing(hooks, cond, frame))
        elif isinstance(test, FrameSymbol) and test.rows is frame.rows:
            conditions = dict(test.columns)
        else:
            raise NotTranslatable("where by a table of other rows")
        rule_of = column_rules.where if keep else column_rules.mask
        return frame.with_columns({x: rule_of(value, conditions[x], empty) for x, value in frame.columns.items()})

    return rule


def _numbers(cells: list[Value]) -> list[Value]:
    made_of = [
        made("CASE WHEN x THEN 1 ELSE 0 END", "integer", nullable=False, x=one.sql) if one.family == "boolean" else one
        for one in cells
    ]
    if any(one.family not in NUMERIC for one in made_of):
        raise NotTranslatable("a sum of what aren't numbers")
    return made_of


def _sum(cells: list[Value]) -> Value:
    cells = _numbers([one.exact() for one in cells])
    parts = [
        bind("coalesce(x, 0)", x=one.sql) if one.nullable else bind("x +", x=one.sql).removesuffix(" +")
        for one in cells
    ]
    family = "float" if any(one.family == "float" for one in cells) else common_family(cells, "a sum of a row")
    return Value(" + ".join(parts), family, False)


def _count(cells: list[Value]) -> Value:
    parts = [bind("(x IS NOT NULL)::INTEGER", x=one.sql) for one in cells]
    return Value(" + ".join(parts), "integer", False)


def _mean(cells: list[Value]) -> Value:
    cells = _numbers([one.exact() for one in cells])
    total = _sum(cells)
    if not any(one.nullable for one in cells):
        return Value(bind("x / n", x=total.sql, n=str(len(cells))), "float", False)
    return Value(bind("x / nullif(y, 0)", x=total.sql, y=_count(cells).sql), "float", True)


def _extreme(function: str) -> Callable[[list[Value]], Value]:
    def rule(cells: list[Value]) -> Value:
        family = common_family(cells, f"the {function} of a row")
        inside = ", ".join(one.exact().sql for one in cells)
        return Value(f"{function}({inside})", family, all(one.nullable for one in cells))

    return rule


def _truth(word: str) -> Callable[[list[Value]], Value]:
    def rule(cells: list[Value]) -> Value:
        if any(one.family != "boolean" for one in cells):
            raise NotTranslatable("any or all of what aren't truth values")
        parts = [bind("x AND", x=one.exact().sql).removesuffix(" AND") for one in cells]
        return Value(f" {word} ".join(parts), "boolean", any(one.nullable for one in cells))

    return rule


def _listed(function: str) -> Callable[[list[Value]], Value]:
    def rule(cells: list[Value]) -> Value:
        inside = ", ".join(bind("x::DOUBLE", x=one.sql) for one in _numbers([one.exact() for one in cells]))
        return Value(f"list_aggregate([{inside}], '{function}')", "float", True)

    return rule


_BY_ROWS: Mapping[str, Callable[[list[Value]], Value]] = {
    "sum": _sum, "mean": _mean, "count": _count, "min": _extreme("least"), "max": _extreme("greatest"),
    "any": _truth("OR"), "all": _truth("AND"), "median": _listed("median"), "std": _listed("stddev_samp"),
    "var": _listed("var_samp"),
}  # fmt: skip


def reduction(name: str) -> Callable[..., Symbol]:
    """Return the rule of a reduction: axis=1 gives a cell a row, else a cell a column."""

    def rule(
        hooks: Any, result: Any, frame: FrameSymbol, axis: Any = 0, skipna: bool = True, numeric_only: bool = False
    ) -> Symbol:
        if skipna is not True:
            raise NotTranslatable("a reduction in which nulls count")
        labels = list(frame.columns)
        if numeric_only:
            labels = [x for x in labels if frame.columns[x].family in (*NUMERIC, "boolean")]
        if axis in (1, "columns"):
            cells = [frame.rows.short(x, frame.columns[x]) for x in labels]
            value = frame.rows.define(name, _BY_ROWS[name](cells))
            return SeriesSymbol(frame.rows, value, None, frame.index, frame.fresh)
        return by_columns(frame, {label: (name, frame.columns[label]) for label in labels})

    return rule


def by_columns(frame: FrameSymbol, wanted: Mapping[Any, tuple[str, Value]]) -> SeriesSymbol:
    """Return one row a column with its reduction; the labels are the index."""
    one = Rows("aggregate", {"aggs": []}, {"in": frame.rows}, {}, wanted="totals")
    found: dict[str, Value] = {}
    for label, (function, value) in wanted.items():
        if value.family == "boolean" and function in ("sum", "mean"):
            value = made("x::INTEGER", "integer", value, x=value.exact().sql)
        plain = add(one, frame.rows, function, value, str(label))
        if function in ("sum", "any", "all"):
            empty = {"sum": "0", "any": "FALSE", "all": "TRUE"}[function]
            plain = made(f"coalesce(x, {empty})", plain.family, plain, nullable=False, x=plain.sql)
        found[str(label)] = one.define(f"{label} in all", plain)
    return totals(one, found, dict(zip(found, wanted, strict=True)))


def totals(one: Rows, found: dict[str, Value], labels: Mapping[str, Any]) -> SeriesSymbol:
    """Return a table of one row as one row a column; the labels are the index, what they are in pandas is told."""
    family = common_family(list(found.values()), "totals of columns")
    names = {one.name(label, value): label for label, value in found.items()}
    flat = chosen(one, {label: name for name, label in names.items()}, "totals_named")
    if family == "float":
        cast = [{"as": x, "expr": bind("x::DOUBLE", x=column_name(x))} for x in found]
        flat.params = {**flat.params, "compute": cast}
    pivoted = {"mode": "longer", "value_vars": list(found), "id_cols": [], "names_to": "label", "values_to": "value"}
    nullable = any(value.nullable for value in found.values())
    longer = Rows("pivot", pivoted, {"in": flat},
                  {"label": Value("label", "text", False), "value": Value(column_name("value"), family, nullable)},
                  wanted="totals_by_column")  # fmt: skip
    longer.totals = one, {labels[label]: value for label, value in found.items()}
    return SeriesSymbol(longer, longer.columns["value"], None, (IndexLevel(None, longer.columns["label"]),), False)


def idx_by_rows(greatest: bool) -> Callable[..., Symbol]:
    """Return the rule of idxmax or idxmin with axis=1: the first label with the greatest or least cell."""

    def rule(hooks: Any, result: Any, frame: FrameSymbol, axis: Any = 0) -> Symbol:
        if axis not in (1, "columns") or any(not isinstance(label, str) for label in frame.columns):
            raise NotTranslatable("idxmax of each column")
        cells = [frame.rows.short(label, value) for label, value in frame.columns.items()]
        top = frame.rows.define("top", _BY_ROWS["max" if greatest else "min"](cells))
        whens = " ".join(
            bind("WHEN x = y THEN z", x=cell.sql, y=top.sql, z=constant(label).sql)
            for label, cell in zip(frame.columns, cells, strict=True)
        )
        value = frame.rows.define("label", Value(f"CASE {whens} END", "text", top.nullable))
        return SeriesSymbol(frame.rows, value, None, frame.index, frame.fresh)

    return rule


def relabelled(hooks: Any, result: Any, frame: FrameSymbol, *given: Any, **named: Any) -> FrameSymbol:
    """Other labels of all columns, as pandas has them."""
    return frame.with_columns(dict(zip(result.columns, frame.columns.values(), strict=True)))


def rename_axis(hooks: Any, result: Any, symbol: Any, *given: Any, **named: Any) -> Any:
    """Other names of the index' levels."""
    names = result.index.names
    if not symbol.index:
        return symbol
    return replace(symbol, index=tuple(IndexLevel(name, level.value)
                                       for name, level in zip(names, symbol.index, strict=True)))  # fmt: skip


def value_counts(
    hooks: Any, result: Any, frame: FrameSymbol, subset: Any = None, normalize: bool = False, sort: bool = True,
    ascending: bool = False, dropna: bool = True,
) -> Symbol:  # fmt: skip
    """How often each combination is there, the most frequent first."""
    from prepsql.translate.pandas.rows import GroupsSymbol
    from prepsql.translate.pandas.rules import grouping, picking

    labels = [subset] if isinstance(subset, str) else list(subset if subset is not None else frame.columns)
    groups = GroupsSymbol(frame, [(label, frame.column(label)) for label in labels], dropna=dropna)
    counted = grouping.counted(groups)
    if sort:
        counted = picking.sort_values(hooks, result, counted, ["count"], ascending=bool(ascending))
    value = counted.columns["count"]
    if normalize:
        value = counted.rows.define("proportion", made("x / sum(x) OVER ()", "float", value, x=value.sql))
    return SeriesSymbol(counted.rows, value, result.name, counted.index, False)


METHODS: dict[str, Callable[..., Symbol | None]] = {
    **{name: each(name) for name in _EACH},
    **{name: reduction(name) for name in _BY_ROWS}, "nunique": reduction("nunique"), "prod": reduction("prod"),
    "where": where(True), "mask": where(False), "idxmax": idx_by_rows(True), "idxmin": idx_by_rows(False),
    "add_prefix": relabelled, "add_suffix": relabelled, "set_axis": relabelled,
    "rename_axis": rename_axis, "value_counts": value_counts,
}  # fmt: skip

"""aggregate: one row a group."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from prepsql.sqltext import literal
from prepsql.workflow import shape
from prepsql.workflow.expression import column_of
from prepsql.workflow.families import is_float
from prepsql.workflow.operators.base import (
    Demand,
    Key,
    Lowered,
    Model,
    Named,
    Operator,
    Scope,
    Text,
    by_keys,
    lacking,
    misfit,
    ordering,
    problem,
)
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, OrderKey
from prepsql.workflow.reserved import column_name

Function = Literal[
    "sum", "count", "min", "max", "avg", "count_distinct", "prod", "median", "mode", "first", "last", "stddev", "var",
    "quantile", "string_agg", "any", "all", "list",
]  # fmt: skip
_BY_ROWS = ("first", "last", "string_agg", "list")
_NAMES = {
    "prod": "product", "stddev": "stddev_samp", "var": "var_samp", "quantile": "quantile_cont", "any": "bool_or",
    "all": "bool_and",
}  # fmt: skip
_BY_VALUES = ("prod", "stddev", "var", "mode")


class Measure(Model):
    """One aggregate: `func` of `expr` (of rows, for count without one) as a column.

    Nulls don't count, except for first, last and list. `distinct` takes each value once, `filter` the rows for which it
    is true. `order_by` is for first, last, string_agg and list; without it they go by the order of the rows. `q` is
    the share for quantile (0.25), `separator` what string_agg puts between.
    """

    as_: str = Field(alias="as")
    func: Function
    expr: str | None = None
    distinct: bool = False
    filter: str | None = None
    order_by: list[Key] = Field(default_factory=list)
    q: float | None = Field(default=None, ge=0, le=1, strict=False)
    separator: str = ", "

    @model_validator(mode="after")
    def _complete(self) -> Measure:
        if self.expr is None and self.func != "count":
            raise lacking("expr", f"{self.func} needs an expr", "give expr, such as a column's name")
        if self.q is None and self.func == "quantile":
            raise lacking("q", "quantile needs q, the share of rows below it", "give q, such as 0.25")
        if self.q is not None and self.func != "quantile":
            raise misfit("q", f"q is for quantile, not for {self.func}", "leave q out")
        if self.order_by and self.func not in _BY_ROWS:
            raise misfit("order_by", f"order_by is for {', '.join(_BY_ROWS)}, not for {self.func}", "leave it out")
        return self

    @property
    def by_rows(self) -> bool:
        """Whether its value depends on the order of rows."""
        return self.func in _BY_ROWS and not self.order_by

    def sql(self, order: tuple[OrderKey, ...], kind: str, *, exact: bool, condition: str | None = None) -> str:
        """Return it as SQL. `order` breaks ties; `kind` is the type of its expression.

        Sums of floating-point numbers are compensated, products and deviations go by the order of values: the result
        is the same whatever order the threads come in, unless terms cancel to less than a part in 1e13 of their size.
        """
        by: list[str] = []
        if self.expr is None:
            text = "count(*)"
        else:
            name, value = _NAMES.get(self.func, self.func), self.expr
            if self.func in ("any", "all"):
                value = f"CAST({value} AS BOOLEAN)"
            if self.func == "count_distinct":
                name, value = "count", f"DISTINCT {value}"
            elif self.distinct:
                value = f"DISTINCT {value}"
            if exact and is_float(kind) and self.func in ("sum", "avg"):
                name = f"f{name}"
            if self.func == "quantile":
                value += f", {self.q}"
            if self.func == "string_agg":
                value = f"{'DISTINCT ' if self.distinct else ''}CAST({self.expr} AS VARCHAR), {literal(self.separator)}"
            by = [*by_keys(self.order_by), *filter(None, [ordering(order)])] if self.func in _BY_ROWS else []
            if self.func in _BY_ROWS and self.distinct:
                by = by_keys(self.order_by) or [self.expr]
            if exact and self.func in _BY_VALUES:
                by = [self.expr]
            text = f"{name}({value}{' ORDER BY ' + ', '.join(by) if by else ''})"
        conditions = [f"({c})" for c in (self.filter, condition) if c]
        if exact and self.func == "string_agg" and self.distinct:
            # string_agg itself takes no order by values that it turns into text
            known = " AND ".join([*conditions, f"({self.expr}) IS NOT NULL"])
            values = f"list(DISTINCT {self.expr} ORDER BY {', '.join(by)}) FILTER (WHERE {known})"
            return f"array_to_string({values}, {literal(self.separator)})"
        return f"{text} FILTER (WHERE {' AND '.join(conditions)})" if conditions else text


class Aggregate(Operator):
    """Give one row a combination of `group_keys`, with `aggs`; without keys one row in all. Ordered by the keys.

    Null is a group of its own (`null_group: keep`), or such rows are left out (`drop`). `having` is a condition on the
    columns of the result.
    """

    kind: ClassVar[str] = "aggregate"
    purpose: ClassVar[str] = "gives one row a group, with sums and the like"

    group_keys: list[str] = Field(default_factory=list)
    aggs: list[Measure] = Field(default_factory=list)
    having: str | None = None
    null_group: Literal["keep", "drop"] = "keep"

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield the keys."""
        for position, name in enumerate(self.group_keys):
            yield Named(f"group_keys[{position}]", name)

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield every expression; `having` sees the result."""
        for position, agg in enumerate(self.aggs):
            if agg.expr is not None:
                yield Text(f"aggs[{position}].expr", agg.expr)
            if agg.filter:
                yield Text(f"aggs[{position}].filter", agg.filter, "predicate")
            for place, key in enumerate(agg.order_by):
                yield Text(f"aggs[{position}].order_by[{place}].expr", key.expr)
        if self.having:
            yield Text("having", self.having, "predicate", dict(self.outline(scope) or ()))

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield an aggregate of nothing."""
        if not self.group_keys and not self.aggs:
            yield problem(
                scope, "aggs", "missing_parameter", "there are neither group_keys nor aggs",
                "give at least one of them; for distinct rows use dedup",
            )  # fmt: skip

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return keys and aggregates."""
        parent = scope.parent
        named = [parent.named(name) or name for name in self.group_keys]
        keys = [(name, parent.columns.get(name, UNKNOWN)) for name in named]
        return keys + [(agg.as_, "BIGINT" if agg.func.startswith("count") else UNKNOWN) for agg in self.aggs]

    def before(self, parameter: str) -> Aggregate | None:
        """Return the aggregate itself for `having`, which sees the result."""
        return self.model_copy(update={"having": None}) if parameter == "having" else None

    def gone(self, column: str) -> str:
        """Return what `having` sees."""
        return "having sees the result, group_keys and aggs; filter rows in a step before"

    def calls(self, scope: Scope) -> Iterator[Text]:
        """Yield each aggregate."""
        for position, agg in enumerate(self.aggs):
            yield Text(f"aggs[{position}]", agg.sql((), UNKNOWN, exact=False))

    @property
    def names_all(self) -> bool:
        """Whether the parameters name every column: keys and aggregates do."""
        return True

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Only first, last, string_agg and list go by the order of rows."""
        depends = any(agg.by_rows or (exact and agg.func in _BY_ROWS) for agg in self.aggs)
        return Demand.ROWS if depends else Demand.NONE

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT … GROUP BY."""
        parent = scope.parent
        keys = [parent.named(name) or name for name in self.group_keys]
        rows = shape.table(parent.name)
        if self.null_group == "drop" and keys:
            rows = shape.where(rows, " AND ".join(f"{column_name(key)} IS NOT NULL" for key in keys))
        metrics = {
            agg.as_: agg.sql(parent.order, self._kind(agg, scope), exact=scope.exact and scope.dialect == "duckdb")
            for agg in self.aggs
        }
        rows = shape.group(rows, keys, metrics)
        if self.having:
            rows = shape.where(rows, self.having)
        return Lowered(rows, tuple(map(OrderKey, keys)) if scope.demand == Demand.ROWS else ())

    def _kind(self, agg: Measure, scope: Scope) -> str:
        """Return the type of what is aggregated, asked for only where it matters."""
        if agg.expr is None or agg.func not in ("sum", "avg"):
            return UNKNOWN
        column = scope.parent.named(column_of(agg.expr) or "")
        return scope.parent.columns[column] if column else scope.type_of(agg.expr)

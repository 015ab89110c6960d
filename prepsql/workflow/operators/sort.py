"""sort: rows in an order, perhaps only the first of them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from pydantic import Field

from prepsql.workflow import shape
from prepsql.workflow.expression import column_of
from prepsql.workflow.operators.base import (
    Demand,
    Key,
    Lowered,
    Named,
    Operator,
    Scope,
    Text,
    by_keys,
    carried,
    hidden_of,
    kept,
    ordering,
    problem,
)
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import OrderKey
from prepsql.workflow.reserved import column_name


class Sort(Operator):
    """Put rows in the order of `order_by`; ties stay in the order that they had, nulls come last unless said.

    `limit` keeps the first rows; `limit_per_group` the first of each combination of `partition_by`.
    """

    kind: ClassVar[str] = "sort"
    purpose: ClassVar[str] = "puts rows in order, and keeps the first of them"
    keeps_columns: ClassVar[bool] = True

    order_by: list[Key] = Field(min_length=1)
    limit: int | None = Field(default=None, ge=0)
    partition_by: list[str] | None = Field(default=None, min_length=1)
    limit_per_group: int | None = Field(default=None, ge=1)

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield the grouping columns."""
        for position, name in enumerate(self.partition_by or ()):
            yield Named(f"partition_by[{position}]", name)

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield the keys."""
        for position, key in enumerate(self.order_by):
            yield Text(f"order_by[{position}].expr", key.expr)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield a problem where only one of partition_by and limit_per_group is there."""
        if (self.partition_by is None) != (self.limit_per_group is None):
            missing = "limit_per_group" if self.limit_per_group is None else "partition_by"
            yield problem(
                scope, missing, "missing_parameter", "partition_by and limit_per_group go together",
                f"give {missing} too, or neither",
            )  # fmt: skip

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Ask for the order that rows had, which breaks ties."""
        cuts = self.limit is not None or self.limit_per_group is not None
        return Demand.ROWS if wanted == Demand.ROWS or (cuts and exact) else Demand.NONE

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT …, with the keys that are no columns hidden beside; ORDER BY only where rows are cut off."""
        parent = scope.parent
        before = carried(parent, self.demand(scope.demand, scope.exact))
        columns = [parent.named(column_of(key.expr) or "") for key in self.order_by]
        made = [
            (f"{scope.hidden}_{i}", key.expr)
            for i, (key, column) in enumerate(zip(self.order_by, columns, strict=True))
            if column is None
        ]
        keys = tuple(
            OrderKey(column or f"{scope.hidden}_{i}", not key.asc, key.nulls == "first")
            for i, (key, column) in enumerate(zip(self.order_by, columns, strict=True))
        )
        order = (*keys, *before) if scope.demand else ()
        items: list[shape.SqlColumns | tuple[str, str]] = [
            kept(parent, before if scope.demand else (), more=self.partition_by is not None)
        ]
        if scope.demand:
            items += made
        hidden = (*hidden_of(parent, before), *(name for name, _ in made)) if scope.demand else ()
        rows = shape.table(parent.name)
        if self.partition_by and self.limit_per_group:
            place = f"{scope.hidden}_place"
            groups = ", ".join(column_name(parent.named(name) or name) for name in self.partition_by)
            inside = ", ".join([*by_keys(self.order_by), *filter(None, [ordering(before)])])
            number = f"row_number() OVER (PARTITION BY {groups} ORDER BY {inside})"
            rows = shape.project(rows, [shape.keep((), star=True), (place, number)])
            rows = shape.where(rows, f"{column_name(place)} <= {self.limit_per_group}")
        if self.limit is not None:
            texts = [(key.expr, not key.asc, key.nulls == "first") for key in self.order_by]
            rows = shape.limit(shape.sort(rows, [*texts, *before]), self.limit)
        return Lowered(shape.project(rows, items), order, hidden)

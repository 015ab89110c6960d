"""dedup: one row of several that are the same."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template
from typing import ClassVar, Literal

from pydantic import Field

from prepsql.workflow import shape
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

_TIES = Template("""SELECT count(*) FROM (
  SELECT 1 FROM (SELECT $groups, rank() OVER (PARTITION BY $groups ORDER BY $by) AS _row_place FROM $table)
  WHERE _row_place = 1 GROUP BY $groups HAVING count(*) > 1)""")


class Dedup(Operator):
    """Keep one row of those that share `keys` (all columns by default); nulls are one value. Rows stay in place.

    `keep: first` or `last` in the order of `order_by`, without it in the order that the rows have; ties go to the row
    that comes first (last, for `last`). `none` keeps only rows that are alone; `all` every row that ties for first by
    `order_by`.
    """

    kind: ClassVar[str] = "dedup"
    purpose: ClassVar[str] = "keeps one row of those that share a key"
    keeps_columns: ClassVar[bool] = True

    keys: list[str] | None = Field(default=None, min_length=1)
    keep: Literal["first", "last", "none", "all"] = "first"
    order_by: list[Key] = Field(default_factory=list)

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield the keys."""
        for position, name in enumerate(self.keys or ()):
            yield Named(f"keys[{position}]", name)

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield the keys of the order."""
        for position, key in enumerate(self.order_by):
            yield Text(f"order_by[{position}].expr", key.expr)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield an order that decides nothing, or one that is missing."""
        if self.keep == "none" and self.order_by:
            yield problem(
                scope, "order_by", "bad_value", "with keep 'none' no order decides", "leave order_by out",
            )  # fmt: skip
        if self.keep == "all" and not self.order_by:
            yield problem(
                scope, "order_by", "missing_parameter", "keep 'all' keeps what ties for first, and needs an order",
                "give order_by, or keep: first",
            )  # fmt: skip

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Without an order of its own it goes by that of the rows; with one, that breaks ties."""
        if self.keep in ("first", "last") and not self._all_equal and (exact or not self.order_by):
            return Demand.ROWS
        return wanted

    @property
    def _all_equal(self) -> bool:
        """Whether the rows of a group are the same in every column, so that it doesn't matter which one stays."""
        return self.keys is None and not self.order_by

    def lower(self, scope: Scope) -> Lowered:
        """Return the rows with number one in their group, or DISTINCT where rows have no order to keep."""
        parent = scope.parent
        before = carried(parent, self.demand(scope.demand, scope.exact))
        order = before if scope.demand else ()
        rows = shape.table(parent.name)
        hidden = hidden_of(parent, order)
        if self.keep in ("first", "last") and self._all_equal and not before:
            return Lowered(shape.distinct(shape.project(rows, [kept(parent, order)])))
        number = self._number(before, [parent.named(k) or k for k in self.keys or parent.columns])
        name = f"{scope.hidden}_number"
        rows = shape.project(rows, [shape.keep((), star=True), (name, number)])
        rows = shape.where(rows, f"{column_name(name)} = 1")
        return Lowered(shape.project(rows, [kept(parent, order, more=True)]), order, hidden)

    def _number(self, before: tuple[OrderKey, ...], keys: list[str]) -> str:
        """Return the window that is 1 for the rows that stay."""
        groups = ", ".join(map(column_name, keys))
        if self.keep == "none":
            return f"count(*) OVER (PARTITION BY {groups})"
        if self.keep == "all":
            return f"rank() OVER (PARTITION BY {groups} ORDER BY {', '.join(by_keys(self.order_by))})"
        ties = before
        if self.keep == "last":
            ties = tuple(OrderKey(k.column, not k.descending, not k.nulls_first) for k in ties)
        by = ", ".join([*by_keys(self._own()), *filter(None, [ordering(ties)])])
        return f"row_number() OVER (PARTITION BY {groups}{' ORDER BY ' + by if by else ''})"

    def ties(self, scope: Scope) -> str | None:
        """Return the query that counts the groups in which `order_by` leaves more than one row first."""
        if self.keep not in ("first", "last"):
            return None
        parent = scope.parent
        groups = ", ".join(column_name(parent.named(name) or name) for name in self.keys or parent.columns)
        own = by_keys(self._own())
        return _TIES.substitute(groups=groups, by=", ".join(own), table=column_name(parent.name))

    def _own(self) -> list[Key]:
        """Return the keys of the order, turned round for `last`."""
        if self.keep == "first":
            return self.order_by
        turned = {"first": "last", "last": "first"}
        return [Key.model_validate({"expr": k.expr, "asc": not k.asc, "nulls": turned[k.nulls]}) for k in self.order_by]

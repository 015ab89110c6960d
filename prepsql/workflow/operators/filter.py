"""filter: rows for which a condition holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

from prepsql.workflow import shape
from prepsql.workflow.operators.base import Demand, Lowered, Operator, Scope, Text, carried, hidden_of, kept


class Filter(Operator):
    """Keep the rows for which `predicate` is true; order and columns stay.

    A row for which it is null goes, as in SQL. With `null_as_false: false` such a row ends the run instead, so that
    nothing is dropped because a value was missing.
    """

    kind: ClassVar[str] = "filter"
    purpose: ClassVar[str] = "keeps the rows for which a condition holds"
    keeps_columns: ClassVar[bool] = True

    predicate: str
    null_as_false: bool = True

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield the condition."""
        yield Text("predicate", self.predicate, "predicate")

    def calls(self, scope: Scope) -> Iterator[Text]:
        """Yield the condition as it runs."""
        yield Text("predicate", self._sql())

    def _sql(self) -> str:
        if self.null_as_false:
            return self.predicate
        return f"CASE WHEN ({self.predicate}) IS NULL THEN error('the predicate is null') ELSE ({self.predicate}) END"

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Rows stay in place."""
        return wanted

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT … WHERE."""
        order = carried(scope.parent, scope.demand)
        rows = shape.where(shape.table(scope.parent.name), self._sql())
        hidden = hidden_of(scope.parent, order)
        if len(hidden) < len(scope.parent.hidden):
            rows = shape.project(rows, [kept(scope.parent, order)])
        return Lowered(rows, order, hidden)

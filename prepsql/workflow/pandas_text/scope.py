"""What an expression may speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from prepsql.sqltext import quote
from prepsql.workflow.pandas_text.value import Value


@dataclass(frozen=True)
class Scope:
    """Columns by name, SQL of the rows' order, whether reductions stand for a group, names of the table."""

    columns: Mapping[str, Value]
    order: str
    aggregate: bool
    frames: frozenset[str]

    def column(self, name: str, cell: bool = False) -> Value:
        """Return a column, of unknown type where nothing is known of it."""
        known = self.columns.get(name) or Value(quote(name), "unknown")
        return Value(known.sql, known.family, known.nullable, cell=cell)

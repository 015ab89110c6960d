"""What an expression may speak of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from prepsql.workflow.pandas_text.value import Value
from prepsql.workflow.reserved import column_name


@dataclass(frozen=True)
class Table:
    """The columns of a table that are known; `name` is put before a column's name where two tables meet."""

    columns: Mapping[str, Value]
    name: str = ""

    def column(self, name: str, cell: bool = False) -> Value:
        """Return a column, of unknown type where nothing is known of it."""
        known = self.columns.get(name) or Value(column_name(name), "unknown")
        sql = f"{column_name(self.name)}.{known.sql}" if self.name else known.sql
        return Value(sql, known.family, known.nullable, cell=cell)


@dataclass(frozen=True)
class Scope:
    """The table df, the SQL of its rows' order, whether reductions stand for a group, and other tables by name."""

    table: Table
    order: str = ""
    aggregate: bool = False
    others: Mapping[str, Table] = field(default_factory=dict)

    @property
    def columns(self) -> Mapping[str, Value]:
        """The known columns of df."""
        return self.table.columns

    def column(self, name: str, cell: bool = False) -> Value:
        """Return a column of df."""
        return self.table.column(name, cell)

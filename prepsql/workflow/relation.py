"""What a step gives: columns with types, and the order of its rows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import IntEnum

UNKNOWN = "?"
"""The type of a column whose expression is at fault."""

HIDDEN = "_row_"
"""What the names of hidden columns begin with; they carry the order of rows where a later step depends on it."""


class Demand(IntEnum):
    """How much of the order of a step's rows a later step needs."""

    NONE = 0
    SORTED = 1
    """what sort steps say"""
    ROWS = 2
    """all of it, down to the rows of the files"""


@dataclass(frozen=True)
class OrderKey:
    """One column that orders rows: a hidden or a visible one."""

    column: str
    descending: bool = False
    nulls_first: bool = False


@dataclass(frozen=True)
class Relation:
    """The result of a step, or a table that a workflow reads.

    `columns` maps each visible column, in order, to its DuckDB type. `order` says how its rows are ordered in full, by
    visible or `hidden` columns; it is empty where nobody asks for it. An `open` relation may have more columns than
    are known: what makes them hasn't run. `notes` are what a reader of a file noticed.
    """

    name: str
    columns: Mapping[str, str]
    order: tuple[OrderKey, ...] = ()
    hidden: Mapping[str, str] = field(default_factory=dict)
    open: bool = False
    notes: tuple[str, ...] = ()

    def named(self, name: str) -> str | None:
        """Return the column that `name` means, in any case, None where there is none."""
        return self._folded.get(name.lower())

    @property
    def certain(self) -> bool:
        """Whether every column and its type are known."""
        return not self.open and UNKNOWN not in self.columns.values()

    @property
    def all_columns(self) -> dict[str, str]:
        """Visible and hidden columns with their types, as the SQL has them."""
        return {**self.columns, **self.hidden}

    def renamed(self, name: str) -> Relation:
        """Return the same relation under another name."""
        return replace(self, name=name)

    @property
    def _folded(self) -> Mapping[str, str]:
        return {column.lower(): column for column in self.columns}

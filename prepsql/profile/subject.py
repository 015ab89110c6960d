"""What is profiled as one: a table, or several tables of one shape stacked into one."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, field

import duckdb

from prepsql.profile.finding import EXAMPLES, Example
from prepsql.profile.result import Column, Spelling
from prepsql.sqltext import quote
from prepsql.tables import Table


def helper(of: str, what: str) -> str:
    """Return the name of a table that the profile makes for itself from the table `of`.

    A slash stands in it, which no file's name can have: no input's table is ever called so.
    """
    return f"{of}/{what}"


@dataclass(frozen=True)
class Subject:
    """A text table `name` of `con`, a row a record; the rows of its `parts` follow one another from `offsets` on.

    `columns` are the names as the first part has them, `fields` the names in the table `name` (they differ where a
    column is called rowid: the table's own rowid, which counts its rows from 0, must stay at hand).
    """

    con: duckdb.DuckDBPyConnection = field(repr=False, compare=False)
    name: str
    columns: tuple[str, ...]
    fields: tuple[str, ...]
    rows: int
    parts: tuple[Table, ...]
    offsets: tuple[int, ...]

    def field(self, at: int) -> str:
        """Return the column at a position, from 0, as a quoted name in the table `name`."""
        return quote(self.fields[at])

    @property
    def table(self) -> str:
        """The name of the first table, as findings give it."""
        return self.parts[0].name

    @property
    def tables(self) -> tuple[str, ...]:
        """The names of all tables."""
        return tuple(part.name for part in self.parts)

    def place(self, row: int) -> tuple[str, int]:
        """Return the table and the line of its file where `row` of the subject starts."""
        at = bisect_right(self.offsets, row) - 1
        return self.parts[at].name, self.parts[at].line(row - self.offsets[at])

    def examples(self, found: Iterable[tuple[str, int]]) -> tuple[Example, ...]:
        """Return the first few of `found`, pairs of a value and its row, as examples."""
        return tuple(Example(value, *self.place(row)) for value, row in list(found)[:EXAMPLES])


def positions(columns: Iterable[Column]) -> str:
    """Return where columns stand, for an IN of SQL: -1, where none does, if there are none."""
    return ", ".join(str(column.position) for column in columns) or "-1"


@dataclass(frozen=True)
class SparseRows:
    """The rows of a subject with at most one filled cell.

    `blank` counts those without one, of which `blank_rows` are the first few; `single` those with one; `last` is the
    last row with more, None where none has.
    """

    blank: int = 0
    blank_rows: tuple[int, ...] = ()
    single: int = 0
    last: int | None = None


@dataclass(frozen=True)
class Scan:
    """A subject after the pass over its cells: its columns' facts, and the view of its cells to ask for more.

    `values` is a table with those rows of `cells` whose columns are grouped, which is read faster.

    `cells` is a view (position, value, n, first, plain, tidy, kind, form): a row a distinct value of a column,
    `position` the column's from 0, `n` how many cells have it, `first` the first row that has. A column of mostly
    distinct values in a long table (its `distinct` is approximate) has a row a cell instead, with n = 1. NULL is ''.
    `plain` says that a value is printable ASCII with single blanks between words; `tidy` is the value in small letters
    without spare white space, `kind` its kind, one of CELL_KINDS, `form` as in Shape. `spellings` are the groups of
    values that are likely one. `known` keeps what one rule asked and another needs.
    """

    subject: Subject
    columns: tuple[Column, ...]
    cells: str
    values: str
    spellings: tuple[Spelling, ...] = ()
    known: dict[str, SparseRows] = field(default_factory=dict, repr=False, compare=False)

    def cells_of(self, columns: Iterable[Column]) -> str:
        """Return the quoted name of what has the cells of some columns: the table where all of them are grouped."""
        return quote(self.values if all(column.exact for column in columns) else self.cells)

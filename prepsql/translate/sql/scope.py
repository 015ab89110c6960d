"""What a SELECT can name: columns of the tables in its FROM, and where they stand in the step so far."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

from prepsql.translate.sql.lens import mark
from prepsql.translate.sql.unsayable import Unsayable


@dataclass(frozen=True)
class Column:
    """A column as SQL names it: under its `table`'s alias; `at` is its name in the step.

    `aside`: only its qualified name means it, and no star brings it, as with the right side's key of USING.
    """

    name: str
    table: str
    at: str
    aside: bool = False


@dataclass(frozen=True)
class Rows:
    """A step with the columns that SQL can name over it, in the order of a star.

    `numbers` maps aliases to the column that holds their tables' row numbers from 0. Columns of the step that aren't
    listed are left over: SQL can't name them.
    """

    step: str
    columns: tuple[Column, ...]
    numbers: dict[str, str] = field(default_factory=dict)

    def moved(self, step: str, names: dict[str, str] | None = None) -> Rows:
        """Return the same columns in another step, with their names there."""
        names = names or {}
        columns = tuple(replace(c, at=names.get(c.at, c.at)) for c in self.columns)
        return Rows(step, columns, {alias: names.get(at, at) for alias, at in self.numbers.items()})

    def under(self, alias: str, names: Sequence[str] = ()) -> Rows:
        """Return all columns under one alias, the first of them with other names."""
        visible = [c for c in self.columns if not c.aside]
        columns = tuple(Column(names[i] if i < len(names) else c.name, alias, c.at) for i, c in enumerate(visible))
        numbers = list(self.numbers.values())
        return Rows(self.step, columns, {alias: numbers[0]} if numbers else {})

    @property
    def visible(self) -> list[Column]:
        """The columns that a star brings."""
        return [c for c in self.columns if not c.aside]

    @property
    def tables(self) -> set[str]:
        """The aliases, in lower case."""
        return {c.table.lower() for c in self.columns} | {alias.lower() for alias in self.numbers}

    def find(self, parts: Sequence[str]) -> str | None:
        """Return the expression that a reference's parts mean, None where they mean no column here.

        Raises Unsayable where they could mean several, or a whole row.
        """
        low = [part.lower() for part in parts]
        if len(low) > 1 and low[0] in self.tables:
            for c in self.columns:
                if (c.table.lower(), c.name.lower()) == (low[0], low[1]):
                    return _with_fields(mark(c.at), parts[2:])
            at = next((at for alias, at in self.numbers.items() if alias.lower() == low[0]), None)
            if at is not None and low[1] == "rowid":
                return mark(at)
        named = [c for c in self.columns if c.name.lower() == low[0] and not c.aside]
        if len({c.at for c in named}) > 1:
            raise Unsayable(f"the name {parts[0]} could mean several columns")
        if named:
            return _with_fields(mark(named[0].at), parts[1:])
        if low == ["rowid"] and len(self.numbers) == 1:
            return mark(next(iter(self.numbers.values())))
        if len(low) == 1 and low[0] in self.tables and low[0]:
            raise Unsayable(f"{parts[0]} as a whole row")
        return None


def _with_fields(expr: str, fields: Iterable[str]) -> str:
    from prepsql.workflow.reserved import column_name

    return ".".join([expr, *map(column_name, fields)])


@dataclass(frozen=True)
class Table:
    """A table of the script, or a common table: its rows, and whether rows have numbers (`rowid`)."""

    rows: Rows
    numbered: bool

"""union: tables one below the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, ClassVar, Literal

from prepsql.sqltext import literal
from prepsql.workflow import shape
from prepsql.workflow.families import family, widest
from prepsql.workflow.operators.base import (
    Demand,
    Lowered,
    Operator,
    Ports,
    Scope,
    Word,
    ordering,
    problem,
)
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import UNKNOWN, OrderKey, Relation
from prepsql.workflow.reserved import column_name


class Union(Operator):
    """Put the rows of all items one below the other, columns by name (in any case), in the first item's order.

    A column that an item lacks is an error, or null with `fill_missing: null`. `distinct` keeps equal rows once, the
    first. `source_column` names a column that says which step each row came from.
    """

    kind: ClassVar[str] = "union"
    purpose: ClassVar[str] = "puts tables one below the other"
    ports: ClassVar[Ports] = "items"

    distinct: bool = False
    fill_missing: Annotated[Literal["null", "error"], Word] = "error"
    source_column: str | None = None

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield columns that an item lacks, and those whose types don't go together."""
        whole = dict(self._columns(scope))
        for item in scope.inputs.values():
            missing = [name for name in whole if item.named(name) is None and name != self.source_column]
            if missing and self.fill_missing == "error" and not item.open:
                yield problem(
                    scope, "fill_missing", "missing_column",
                    f"'{item.name}' has no column {listing([repr(m) for m in missing])} (has: "
                    f"{listing(list(item.columns))})",
                    "rename columns so that they match, or set fill_missing: null",
                )  # fmt: skip
        for name, kind in whole.items():
            if kind == "mixed":
                given = ", ".join(
                    f"{item.name}: {item.columns[column]}"
                    for item in scope.inputs.values()
                    if (column := item.named(name))
                )
                yield problem(
                    scope, "items", "wrong_type", f"column '{name}' has types that don't go together ({given})",
                    f"cast it in a project step before: {{\"col\": \"{name}\", \"type\": \"VARCHAR\"}}",
                )  # fmt: skip
        if self.source_column and self.source_column in [n for n, _ in self._columns(scope)][:-1]:
            yield problem(
                scope, "source_column", "duplicate_column", f"there is a column '{self.source_column}' already",
                "give source_column another name",
            )  # fmt: skip

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the columns of all items."""
        return [(name, UNKNOWN if kind == "mixed" else kind) for name, kind in self._columns(scope)]

    def _columns(self, scope: Scope) -> list[tuple[str, str]]:
        kinds: dict[str, list[str]] = {}
        names: dict[str, str] = {}
        for item in scope.inputs.values():
            for name, kind in item.columns.items():
                names.setdefault(name.lower(), name)
                kinds.setdefault(name.lower(), []).append(kind)
        found = [(name, _common(kinds[low])) for low, name in names.items()]
        return found + ([(self.source_column, "VARCHAR")] if self.source_column else [])

    def lower(self, scope: Scope) -> Lowered:
        """Return UNION ALL of the items, each with its number and its rows' numbers where order is needed."""
        columns = dict(self._columns(scope))
        ordered = scope.demand == Demand.ROWS
        number, row = f"{scope.hidden}_item", f"{scope.hidden}_row"
        items = []
        # a column that an item lacks has a cell of its own in every item, so that all have the same shape
        alike = all(
            item.named(name) for item in scope.inputs.values() for name in columns if name != self.source_column
        )
        for position, item in enumerate(scope.inputs.values()):
            cells: list[shape.SqlColumns | tuple[str, str]] = []
            for name, kind in columns.items():
                column = item.named(name)
                if name == self.source_column and column is None:
                    cells.append((name, literal(item.name)))
                elif column is None:
                    cells.append((name, f"CAST(NULL AS {kind})" if kind != UNKNOWN else "NULL"))
                else:
                    cells.append(shape.keep([(column, name)]))
            if ordered:
                cells += [(number, str(position)), (row, _row_number(item))]
            items.append(shape.project(shape.table(item.name), _together(cells) if alike else cells))
        whole = shape.union(items)
        order = (OrderKey(number), OrderKey(row)) if ordered else ()
        if not self.distinct:
            return Lowered(whole, order, (number, row) if ordered else ())
        if not ordered:
            return Lowered(shape.distinct(shape.project(whole, [shape.keep(columns, star=True)])))
        place = f"{scope.hidden}_number"
        groups = ", ".join(map(column_name, columns))
        first = f"row_number() OVER (PARTITION BY {groups} ORDER BY {ordering(order)})"
        whole = shape.project(whole, [shape.keep((), star=True), (place, first)])
        whole = shape.where(whole, f"{column_name(place)} = 1")
        return Lowered(shape.project(whole, [shape.keep([*columns, number, row])]), order, (number, row))


def _row_number(item: Relation) -> str:
    """Return the expression for a row's place in an item."""
    if len(item.order) == 1 and item.order[0].column in item.hidden and not item.order[0].descending:
        return column_name(item.order[0].column)
    return f"row_number() OVER (ORDER BY {ordering(item.order)})" if item.order else "row_number() OVER ()"


def _common(kinds: list[str]) -> str:
    known = [kind for kind in dict.fromkeys(kinds) if kind not in (UNKNOWN, '"NULL"')]
    if len(known) < 2:
        return known[0] if known and UNKNOWN not in kinds else UNKNOWN if UNKNOWN in kinds else "INTEGER"
    if len({family(kind) for kind in known}) > 1:
        return "mixed"
    return widest(known)


def _together(cells: list[shape.SqlColumns | tuple[str, str]]) -> list[shape.SqlColumns | tuple[str, str]]:
    """Return the cells with neighbouring blocks of columns as one."""
    out: list[shape.SqlColumns | tuple[str, str]] = []
    for cell in cells:
        last = out[-1] if out else None
        if isinstance(cell, shape.SqlColumns) and isinstance(last, shape.SqlColumns):
            out[-1] = shape.keep([*last.pairs, *cell.pairs])
        else:
            out.append(cell)
    return out

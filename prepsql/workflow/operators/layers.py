"""The layers of SELECT that a project step is, as few as its parameters allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby, takewhile

from pydantic import Field

from prepsql.workflow import shape
from prepsql.workflow.expression import parse
from prepsql.workflow.operators.base import Demand, Lowered, Model, Scope, carried, hidden_of, ordering
from prepsql.workflow.operators.fill import Fill
from prepsql.workflow.relation import HIDDEN, OrderKey
from prepsql.workflow.reserved import column_name
from prepsql.workflow.windows import ordered_window


class Explode(Model):
    """A column of lists becomes a row an element, `as` its name; `position` names a column with its place from 1.

    A row whose list is null or empty stays, with null.
    """

    col: str
    as_: str | None = Field(default=None, alias="as")
    position: str | None = None


class Layers:
    """Layers of SELECT over the parent, as few as the parameters allow.

    `cells` is the select list in the making: each visible column's name and its expression, None where it is the column
    `sources[name]` of the layer below. `order` holds for the rows of the layer in the making, `order_below` for the
    one below: that is what its expressions can name.
    """

    def __init__(self, scope: Scope, demand: Demand) -> None:
        parent = scope.parent
        self.scope = scope
        self.rows = shape.table(parent.name)
        self.below = [*parent.columns, *parent.hidden]
        self.cells: dict[str, str | None] = dict.fromkeys(parent.columns)
        self.sources = {name: name for name in parent.columns}
        self.order = self.order_below = carried(parent, demand)
        self.hidden: dict[str, str | None] = dict.fromkeys(hidden_of(parent, self.order))

    def name(self, name: str) -> str:
        """Return the column that `name` means."""
        return next((n for n in self.cells if n.lower() == name.lower()), name)

    def choose(self, select: list[str] | None, drop: list[str], rename: dict[str, str]) -> None:
        """Take, leave out and rename columns."""
        gone = {self.name(n) for n in drop}
        names = [n for n in (map(self.name, select) if select is not None else self.cells) if n not in gone]
        new = {self.name(old): name for old, name in rename.items()}
        self._move_order({n: new.get(n, n) for n in names})
        self.sources = {new.get(n, n): self.sources[n] for n in names}
        self.cells = dict.fromkeys(self.sources)

    def compute(self, name: str, expr: str) -> None:
        """Add or replace a column."""
        name = self.name(name)
        parsed = parse(expr)
        # `step.name` names the column just as `name` does
        named = {part.lower() for parts, _, _ in parsed.columns for part in parts[:2]}
        if named & self._new_here():
            self.close()
        self._move_order({n: n for n in self.cells if n != name})
        exact = self.scope.exact and self.scope.dialect == "duckdb"
        rows = None if self._bare else self.rows
        type_of = partial(self.scope.type_of, rows=rows)
        self.cells[name] = ordered_window(parsed, self.order_below, exact, type_of)
        self.sources.pop(name, None)

    def promote(self, row: int, names: list[str]) -> None:
        """Name the columns by a row, and drop the rows up to it."""
        place = f"{self.scope.hidden}_place"
        by = ordering(self.order_below)
        self._move_order({})
        self.close([(place, f"row_number() OVER ({'ORDER BY ' + by if by else ''})")])
        self.rows = shape.where(self.rows, f"{column_name(place)} > {row}")
        self.sources = dict(zip(names, self.cells, strict=True))
        self.cells = dict.fromkeys(names)

    def explode(self, explode: Explode) -> None:
        """Make a row an element; one with null where there is none."""
        self.close()
        column = self.name(explode.col)
        name = explode.as_ or column
        self._move_order({n: n for n in self.cells if n != column})
        elements = "CASE WHEN len({0}) > 0 THEN {1} ELSE [NULL] END"
        places = f"range(1, len({column_name(column)}) + 1)"
        self.cells = {(name if n == column else n): cell for n, cell in self.cells.items()}
        self.sources.pop(column)
        self.cells[name] = f"unnest({elements.format(column_name(column), column_name(column))})"
        if explode.position:
            self.cells[explode.position] = f"unnest({elements.format(column_name(column), places)})"
        if self.order:
            hidden = f"{self.scope.hidden}_element"
            self.hidden[hidden] = f"unnest({elements.format(column_name(column), places)})"
            self.order = (*self.order, OrderKey(hidden))
        self.close()

    def fill(self, fill: Fill, kind: str) -> None:
        """Add rows for what is missing; `kind` is the type of a range's column."""
        self.close()
        columns = [*self.cells, *self.hidden]
        self.rows, keys = fill.lower(self.rows, columns, self.name, self.scope.hidden, kind)
        self.order = self.order_below = (*keys, *self.order)
        self.below = columns

    def close(self, extra: Sequence[tuple[str, str]] = ()) -> None:
        """Make the layer that is in the making the one below."""
        if self._changed() or extra:
            self.rows = shape.project(self.rows, [*self._items(self.hidden), *extra])
            self.below = [*self.cells, *self.hidden, *(name for name, _ in extra)]
            self.cells = dict.fromkeys(self.cells)
            self.sources = {name: name for name in self.cells}
            self.hidden = dict.fromkeys(self.hidden)
        self.order_below = self.order

    def done(self) -> Lowered:
        """Return the layers."""
        order = self.order if self.scope.demand else ()
        needed = {key.column for key in order}
        hidden = {name: cell for name, cell in self.hidden.items() if name in needed}
        if self._changed() or [*self.cells, *hidden] != self.below or self._bare:
            self.rows = shape.project(self.rows, self._items(hidden))
        return Lowered(self.rows, order, tuple(hidden))

    @property
    def _bare(self) -> bool:
        """Whether there is no SELECT yet."""
        return type(self.rows).__name__ == "UnboundTable"

    def _new_here(self) -> set[str]:
        """Return the names, in lower case, that mean something else in the layer below, or nothing."""
        computed = {n.lower() for n, cell in self.cells.items() if cell is not None}
        return computed | {n.lower() for n, source in self.sources.items() if n != source}

    def _changed(self) -> bool:
        cells = [*self.cells.values(), *self.hidden.values()]
        renamed = any(n != source for n, source in self.sources.items())
        return renamed or [*self.cells, *self.hidden] != self.below or any(cell is not None for cell in cells)

    def _items(self, hidden: dict[str, str | None]) -> list[shape.SqlColumns | tuple[str, str]]:
        """Return the select list: runs of untouched columns as one block, `*` where they are all of the layer below."""
        replacing = self._replacing(hidden)
        if replacing:
            return replacing
        visible = [(name, cell, self.sources.get(name, name)) for name, cell in self.cells.items()]
        kept = list(takewhile(lambda entry: entry[1] is None, visible))
        # hidden columns before computed ones: a star takes both
        listed = [*kept, *((name, cell, name) for name, cell in hidden.items()), *visible[len(kept) :]]
        items: list[shape.SqlColumns | tuple[str, str]] = []
        for computed, group in groupby(listed, key=lambda entry: entry[1] is not None):
            entries = list(group)
            if computed:
                items += [(name, cell or "") for name, cell, _ in entries]
            else:
                pairs = [(source, name) for name, _, source in entries]
                star = self._is_all(pairs)
                items.append(shape.keep(pairs, star=star))
        return items

    def _replacing(self, hidden: dict[str, str | None]) -> list[shape.SqlColumns | tuple[str, str]]:
        """Return `* REPLACE (…)` and what is new, where every column of the layer below keeps its name and place."""
        old = [(name, name) for name in [*self.cells, *hidden] if name in self.below]
        replaced = tuple((name, cell) for name, _ in old if (cell := {**self.cells, **hidden}[name]) is not None)
        moved = any(name != source for name, source in self.sources.items())
        if self.scope.dialect != "duckdb" or not replaced or moved or not self._is_all(old):
            return []
        new = [(name, cell or "") for name, cell in [*self.cells.items(), *hidden.items()] if name not in self.below]
        return [shape.SqlColumns(tuple(old), True, "", replaced), *new]

    def _is_all(self, pairs: Sequence[tuple[str, str]]) -> bool:
        """Return whether a run of columns is the whole layer below, in its order; that of hidden ones doesn't count."""
        names = [new for _, new in pairs]
        order = [name for name in self.below if not name.startswith(HIDDEN)]
        whole = sorted(names) == sorted(self.below) and [n for n in names if not n.startswith(HIDDEN)] == order
        return whole and all(old == new for old, new in pairs)

    def _move_order(self, stay: Mapping[str, str]) -> None:
        """Let the order go by new names, and by hidden copies of what changes or goes; `stay` maps old to new names."""
        moved = []
        for key in self.order:
            if key.column in self.hidden or key.column not in self.cells:
                moved.append(key)
            elif key.column in stay:
                moved.append(replace(key, column=stay[key.column]))
            else:
                copy = f"{self.scope.hidden}_{len(self.hidden)}"
                cell = self.cells[key.column]
                self.hidden[copy] = column_name(self.sources[key.column]) if cell is None else cell
                moved.append(replace(key, column=copy))
        self.order = tuple(moved)

"""What every rule gets: the statement's text, the steps so far, the tables that can be named, and a word for names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from prepsql.translate.sql.lens import Lens
from prepsql.translate.sql.scope import Rows, Table
from prepsql.translate.sql.steps import Steps
from prepsql.translate.sql.tree import Node
from prepsql.translate.sql.unsayable import Unsayable

Source = Callable[[], Table]
"""Gives a table; a common table's steps are made when it is first asked for."""


@dataclass(frozen=True)
class Context:
    """`tables` are by their names in lower case; `wanted` is the name that the query's last step should have.

    `outer` are the rows of the query around, whose columns a correlated subquery may name. `inputs` is the folder of
    the files, for what only the data tell. `names` are those that the query's columns must have, where they are known;
    `final` says that they must have those that the query gives them, as a table's must.
    """

    text: str
    steps: Steps
    tables: Mapping[str, Source]
    wanted: str = ""
    outer: Rows | None = None
    inputs: Path | None = None
    names: tuple[str, ...] = ()
    final: bool = False
    _query: Callable[[Context, Node], Rows] | None = None

    def query(self, node: Node) -> Rows:
        """Add the steps of a query; return its rows."""
        assert self._query is not None
        return self._query(self, node)

    def named(self, wanted: str) -> Context:
        """Return the same for a query whose last step should have this name."""
        return replace(self, wanted=wanted, names=(), final=False)

    def table(self, name: str) -> Table:
        """Return the table of this name."""
        if name.lower() not in self.tables:
            raise Unsayable(f"the table {name}, which the script doesn't make")
        return self.tables[name.lower()]()

    def lens(self, rows: Rows, replaced: Mapping[int, str] | None = None) -> Lens:
        """Return what writes expressions over these rows."""
        return Lens(self.text, lambda node: column(rows, node), replaced)


def column(rows: Rows, node: Node) -> str:
    """Return the expression for a column reference; raises Unsayable where there's no such column."""
    found = rows.find(node["column_names"])
    if found is None:
        raise Unsayable(f"the name {'.'.join(node['column_names'])}, which is no column here")
    return found


def number_rows(ctx: Context, rows: Rows, name: str = "row_number") -> tuple[Rows, str]:
    """Add a column that numbers the rows from 1; return the rows with it, and its name."""
    there = {c.lower() for c in ctx.steps.columns(rows.step)}
    free, number = name, 2
    while free.lower() in there:
        free, number = f"{name}_{number}", number + 1
    compute = [{"as": free, "expr": "row_number() OVER ()"}]
    step = ctx.steps.add("project", {"compute": compute}, {"in": rows.step}, f"numbered_{ctx.steps.subject(rows.step)}")
    return rows.moved(step), free

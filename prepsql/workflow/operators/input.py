"""input: a file, or rows given in the workflow itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar, Literal

from pydantic import Field

from prepsql.workflow import shape
from prepsql.workflow.operators.base import Demand, Lowered, Operator, Scope, problem
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import OrderKey

FORMATS = ("csv", "lines", "parquet", "json", "xlsx")


class Input(Operator):
    """Read the file `path`, or take the rows of `data`; rows in the file's order.

    A column gets a type other than text only where every cell allows it (`types: safe`); `types: text` leaves all as
    text, '' for an empty cell; a mapping of column to DuckDB type casts those columns, and the run ends at a cell
    that doesn't fit. `null_words` are null before that, in any case. `columns` takes these columns only, in this
    order. `header` is the row that holds the names (1 is the first after `skip` lines), null where there is none, or
    a list of rows whose cells together make the names; `find` looks for it. A column without a name is called
    `column_3` by its place, a name that comes again `name_2`. `format: lines` gives one column `raw`, and `line`.
    """

    kind: ClassVar[str] = "input"
    purpose: ClassVar[str] = "reads a table from a file"
    ports: ClassVar[Any] = "none"

    path: str | None = None
    format: Literal["csv", "lines", "parquet", "json", "xlsx"] | None = None
    delimiter: str | None = None
    encoding: str | None = None
    header: Literal["find"] | int | list[int] | None = "find"
    skip: int = Field(default=0, ge=0)
    sheet: str | None = None
    types: Literal["safe", "text"] | dict[str, str] = "safe"
    null_words: list[str] = Field(default_factory=list)
    columns: list[str] | None = None
    data: list[dict[str, Any]] | None = None

    @property
    def has_header(self) -> bool:
        """Whether a row of the file holds the names."""
        return self.header is not None

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield a problem where there is no source, or two."""
        if self.path is None and self.data is None:
            yield problem(
                scope, "path", "missing_parameter", "an input has either a path or data",
                "give path: the file's name, or data: a list of rows",
            )  # fmt: skip
        if self.path is not None and self.data is not None:
            yield problem(scope, "data", "bad_value", "an input has a path or data, not both", "leave one of them out")
        where, fitting = ("data", {"data"}) if self.data is not None else ("lines", {"path", "format", "encoding"})
        if self.data is not None or self.format == "lines":
            for name in sorted(self.given - fitting - {"path"}):
                mend = "leave it out, or say it by a project step after"
                yield problem(scope, name, "bad_value", f"{name} isn't for {where}", mend)

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the table's columns."""
        return list(scope.parent.columns.items())

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Nothing comes before it."""
        return Demand.NONE

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT * FROM the table, with the row's number where a later step needs it."""
        source = scope.parent
        rows = shape.table(source.name)
        ordinal = next(iter(source.hidden), "rowid")
        star = shape.keep(source.columns, star=ordinal == "rowid")
        if scope.demand < Demand.ROWS:
            return Lowered(shape.project(rows, [star]))
        items: list[shape.SqlColumns | tuple[str, str]] = [star, (scope.hidden, ordinal)]
        return Lowered(shape.project(rows, items), (OrderKey(scope.hidden),), (scope.hidden,))

"""output: a table is written to a file."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from pydantic import Field

from prepsql.sqltext import literal
from prepsql.workflow import shape
from prepsql.workflow.describe import type_fault
from prepsql.workflow.operators.base import (
    Demand,
    Lowered,
    Named,
    Operator,
    Scope,
    Text,
    bad_pattern,
    bad_type,
    carried,
    problem,
)
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN
from prepsql.workflow.reserved import column_name

_NUMBER = re.compile(r"TINYINT|SMALLINT|INTEGER|BIGINT|HUGEINT|U\w+INT\w*|FLOAT|DOUBLE|DECIMAL.*")
_PATH = re.compile(r"[^/\\\x00-\x1f]+\.csv")
_LONGEST_NAME = 200  # bytes; a file system takes 255, of which a draft's name needs some
_TIME = re.compile(r"DATE|TIMESTAMP.*|TIME")


class Output(Operator):
    """Write the file `path`: `columns` in this order (all by default), rows in the order that they have.

    `types` casts a column; `formats` writes one as text: a date or time by a strftime pattern (`%d/%m/%Y`), a number
    with so many decimals (`2`).
    """

    kind: ClassVar[str] = "output"
    purpose: ClassVar[str] = "writes a table to a file"

    path: str
    columns: list[str] | None = Field(default=None, min_length=1)
    formats: dict[str, str | int] = Field(default_factory=dict)
    types: dict[str, str] = Field(default_factory=dict)

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield the columns that are written, formatted or cast."""
        for position, name in enumerate(self.columns or ()):
            yield Named(f"columns[{position}]", name)
        for parameter, mapping in (("formats", self.formats), ("types", self.types)):
            for name in mapping:
                yield Named(f"{parameter}.{name}", name)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield formats that don't fit their column, and paths that lead elsewhere."""
        if not _PATH.fullmatch(self.path) or len(self.path.encode(errors="replace")) > _LONGEST_NAME:
            yield problem(
                scope, "path", "bad_value", f"{self.path[:80]!r} isn't the name of a CSV file",
                "give a name such as output_01.csv; the folder is the run's",
            )  # fmt: skip
        for name, kind in self.types.items():
            yield from bad_type(scope, f"types.{name}", kind)
        for name, pattern in self.formats.items():
            column = scope.parent.named(name)
            kind = self._given(self.types, name) or (scope.parent.columns[column] if column else UNKNOWN)
            if isinstance(pattern, str):
                yield from bad_pattern(scope, f"formats.{name}", pattern)
            wanted = _NUMBER if isinstance(pattern, int) else _TIME
            if kind != UNKNOWN and type_fault(kind) is None and not wanted.fullmatch(kind.upper()):
                what = "decimals are for numbers" if isinstance(pattern, int) else "a pattern is for dates and times"
                decimals = isinstance(pattern, str) and _NUMBER.fullmatch(kind.upper())
                yield problem(
                    scope, f"formats.{name}", "wrong_type", f"column '{name}' is {kind}; {what}",
                    "for a number give its decimals, such as 2" if decimals
                    else "cast it first (types), or leave the format out",
                )  # fmt: skip

    def calls(self, scope: Scope) -> Iterator[Text]:
        """Yield the cells that are cast or formatted."""
        for parameter, mapping in (("types", self.types), ("formats", self.formats)):
            for name in mapping:
                yield Text(f"{parameter}.{name}", self._cell(scope.parent.named(name) or name, name))

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the columns that are written."""
        if self.columns is None:
            return list(scope.parent.columns.items())
        return [(name, scope.parent.columns.get(scope.parent.named(name) or "", UNKNOWN)) for name in self.columns]

    @property
    def names_all(self) -> bool:
        """Whether the parameters name every column: `columns` does."""
        return self.columns is not None

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Ask for all of it: a file has an order."""
        return Demand.ROWS if exact else Demand.SORTED

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECT … ORDER BY."""
        parent = scope.parent
        order = carried(parent, self.demand(scope.demand, scope.exact))
        items: list[shape.SqlColumns | tuple[str, str]] = []
        names = self.columns or list(parent.columns)
        plain = [(parent.named(name) or name, name) for name in names]
        if not self.formats and not self.types:
            star = names == list(parent.columns) and not parent.hidden
            items = [shape.keep(plain, star=star)]
        else:
            touched = {given.lower() for given in (*self.formats, *self.types)}
            items = [
                (name, self._cell(column, name)) if column.lower() in touched
                else shape.keep([(column, name)])
                for column, name in plain
            ]  # fmt: skip
        rows = shape.table(parent.name)
        if order:
            rows = shape.sort(rows, order)
        return Lowered(shape.project(rows, items), order)

    def _given(self, mapping: Mapping[str, Any], name: str) -> Any:
        """Return what a mapping says of a column, whose name it may have in any case."""
        return next((value for given, value in mapping.items() if given.lower() == name.lower()), None)

    def _cell(self, column: str, name: str) -> str:
        cell = column_name(column)
        kind = self._given(self.types, name)
        if kind:
            cell = f"CAST({cell} AS {kind})"
        pattern = self._given(self.formats, name)
        if isinstance(pattern, int):
            return f"CAST(CAST({cell} AS DECIMAL(38, {pattern})) AS VARCHAR)"
        return f"strftime({cell}, {literal(pattern)})" if pattern else cell

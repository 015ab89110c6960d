"""project: which columns there are, and what is in them."""

from __future__ import annotations

from collections.abc import Iterator
from string import Template
from typing import Annotated, ClassVar, Literal

from pydantic import Field, model_validator

from prepsql.sqltext import literal
from prepsql.tables.names import unique_names
from prepsql.workflow.expression import parse
from prepsql.workflow.families import family
from prepsql.workflow.operators.base import (
    Demand,
    Lowered,
    Model,
    Named,
    Operator,
    Scope,
    Text,
    Word,
    bad_pattern,
    bad_type,
    lacking,
    missing,
    ordering,
    problem,
)
from prepsql.workflow.operators.fill import Fill
from prepsql.workflow.operators.layers import Explode, Layers
from prepsql.workflow.problem import Problem
from prepsql.workflow.relation import UNKNOWN, Relation
from prepsql.workflow.reserved import column_name
from prepsql.workflow.windows import reads_rows

_HEADER = Template("SELECT $cells FROM $table$order LIMIT 1 OFFSET $before")


class Computed(Model):
    """One column that is computed: its name and its expression."""

    as_: str = Field(alias="as")
    expr: str


class Cast(Model):
    """One column's new type. A value that doesn't fit ends the run (`errors: raise`) or becomes null.

    `formats` are strptime patterns for text that becomes a date or timestamp; the first that fits counts.
    """

    col: str
    type: str
    errors: Annotated[Literal["raise", "null"], Word] = "raise"
    formats: list[str] = Field(default_factory=list)

    def sql(self, cell: str) -> str:
        """Return the cast of a cell."""
        if not self.formats:
            return f"{'TRY_CAST' if self.errors == 'null' else 'CAST'}({cell} AS {self.type})"
        function = "try_strptime" if self.errors == "null" else "strptime"
        patterns = ", ".join(map(literal, self.formats))
        return f"CAST({function}({cell}, [{patterns}]) AS {self.type})"


class Project(Operator):
    """Choose, name, compute, cast columns, in this order; rows stay as they are, but for explode and fill.

    `promote_header` makes the cells of that row (from 1) the names, and drops the rows up to it. `select` takes these
    columns in this order, `drop` leaves some out, `rename` maps old names to new ones. `compute` entries see those
    before them; an entry with the name of a column takes its place. A window without ORDER BY goes by the rows' own
    order: `last_value(name IGNORE NULLS) OVER (ROWS UNBOUNDED PRECEDING)` carries names down. Then come `cast`,
    `explode` and `fill`. What is computed can't be in `select`, which comes first.
    """

    kind: ClassVar[str] = "project"
    purpose: ClassVar[str] = "chooses, renames, computes and casts columns"

    asks: ClassVar[tuple[str, str]] = ("promote_header", "mend that step")

    promote_header: int | None = Field(default=None, ge=1)
    select: list[str] | None = Field(default=None, min_length=1)
    drop: list[str] = Field(default_factory=list)
    rename: dict[str, str] = Field(default_factory=dict)
    compute: list[Computed] = Field(default_factory=list)
    cast: list[Cast] = Field(default_factory=list)
    explode: Explode | None = None
    fill: Fill | None = None

    @model_validator(mode="after")
    def _something(self) -> Project:
        if not self.model_fields_set:
            raise lacking("", "there is nothing to do", "give select, drop, rename, compute, cast, explode or fill")
        return self

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield what select, drop and rename name; the others may name what is computed, see `faults`."""
        if self.promote_header:
            return
        for parameter, names in (("select", self.select or ()), ("drop", self.drop)):
            for position, name in enumerate(names):
                yield Named(f"{parameter}[{position}]", name)
        for name in self.rename:
            yield Named(f"rename.{name}", name)

    def expressions(self, scope: Scope) -> Iterator[Text]:
        """Yield what is computed; each sees the chosen columns and those computed before it."""
        columns = self._chosen(scope)
        for position, entry in enumerate(self.compute):
            yield Text(f"compute[{position}].expr", entry.expr, "window", dict(columns or ()))
            columns = _put(columns or [], entry.as_, UNKNOWN)
        for position, cast in enumerate(self.cast):
            yield Text(f"cast[{position}].col", cast.sql(column_name(cast.col)), columns=dict(columns or ()))

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield columns that explode and fill don't find, and types that explode can't take."""
        chosen = self._chosen(scope)
        columns = dict(chosen or ())
        if chosen == [] and not self.compute and scope.parent.columns:
            yield problem(scope, "drop", "bad_value", "no column is left", "leave one out of drop")
        folded = {name.lower(): name for name in [*columns, *(entry.as_ for entry in self.compute)]}
        wanted = [("explode.col", self.explode.col)] if self.explode else []
        have = list(folded.values())
        exploded = [self.explode.as_ or self.explode.col, self.explode.position or ""] if self.explode else []
        wanted += [(f"fill.{where}", name) for where, name in self.fill.named()] if self.fill else []
        for parameter, name in wanted:
            known = name.lower() in folded or (parameter.startswith("fill") and name in exploded)
            if not known and not scope.parent.open and not self.promote_header:
                yield missing(scope, parameter, name, have)
        for position, cast in enumerate(self.cast):
            yield from bad_type(scope, f"cast[{position}].type", cast.type)
            for place, pattern in enumerate(cast.formats):
                yield from bad_pattern(scope, f"cast[{position}].formats[{place}]", pattern)
        if self.explode:
            kind = self._kind(self.explode.col, scope)
            if kind != UNKNOWN and not kind.endswith("]"):
                yield problem(
                    scope, "explode.col", "wrong_type", f"column '{self.explode.col}' is {kind}, not a list",
                    "compute one first, such as string_split(col, ',')" if family(kind) == "text" else "",
                )  # fmt: skip

        span = self.fill.range if self.fill else None
        if span:
            yield from span.faults(scope)
        if span and isinstance(span.step, str) and span.col.lower() in folded and scope.parent.certain:
            kind = self._kind(span.col, scope)
            if family(kind) != "time":
                yield problem(
                    scope, "fill.range.step", "wrong_type",
                    f"a step such as '{span.step}' is for dates and timestamps; '{span.col}' is "
                    f"{kind if kind != UNKNOWN else 'of a type that is known after this step only'}",
                    "give a number" if family(kind) == "number" else "cast it in a project step before",
                )  # fmt: skip

    def _kind(self, name: str, scope: Scope) -> str:
        """Return the type that a column has when it is exploded or filled."""
        name = name.lower()
        kinds = {column.lower(): kind for column, kind in self._chosen(scope) or ()}
        kinds |= {entry.as_.lower(): scope.type_of(entry.expr) for entry in self.compute if entry.as_.lower() == name}
        kinds |= {cast.col.lower(): cast.type.upper() for cast in self.cast}
        return kinds.get(name, UNKNOWN)

    def _chosen(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the columns after promote_header, select, drop and rename, with their types."""
        parent = scope.parent
        columns = list(parent.columns.items())
        if self.promote_header:
            if scope.answer is None:
                return None
            columns = [(name, kind) for (_, kind), name in zip(columns, self._promoted(scope), strict=True)]
            parent = Relation(parent.name, dict(columns))
        if self.select is not None:
            columns = [(parent.named(n) or n, parent.columns.get(parent.named(n) or "", UNKNOWN)) for n in self.select]
        gone = {name.lower() for name in self.drop}
        new = {old.lower(): name for old, name in self.rename.items()}
        chosen = [(new.get(name.lower(), name), kind) for name, kind in columns if name.lower() not in gone]
        # a column that is missing is a fault of its own; what comes after may use its new name
        have = {name.lower() for name, _ in columns}
        return chosen + [(name, UNKNOWN) for old, name in self.rename.items() if old.lower() not in have]

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the chosen columns, then the computed ones."""
        columns = self._chosen(scope)
        if columns is None:
            return None
        for entry in self.compute:
            columns = _put(columns, entry.as_, UNKNOWN)
        for cast in self.cast:
            columns = [(n, cast.type.upper() if n.lower() == cast.col.lower() else kind) for n, kind in columns]
        if self.explode:
            name = self.explode.as_ or self.explode.col
            columns = [(name, UNKNOWN) if n.lower() == self.explode.col.lower() else (n, k) for n, k in columns]
            columns += [(self.explode.position, "BIGINT")] if self.explode.position else []
        return columns

    def before(self, parameter: str) -> Project:
        """Return the project with what comes before an entry of compute or cast."""
        part, _, rest = parameter.partition("[")
        place = int(rest.partition("]")[0] or 0)
        compute = self.compute[:place] if part == "compute" else self.compute
        cast = self.cast[:place] if part == "cast" else []
        return self.model_copy(update={"compute": compute, "cast": cast, "explode": None, "fill": None})

    def gone(self, column: str) -> str:
        """Return which parameter took the column away: they come before compute."""
        new = next((new for old, new in self.rename.items() if old.lower() == column.lower()), "")
        if new:
            return f"did you mean '{new}'? rename comes before"
        return "drop and select come before: drop it in a step after, or select it too"

    @property
    def names_all(self) -> bool:
        """Whether the parameters name every column: `select` does."""
        return self.select is not None and self.promote_header is None

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Windows may go by the order of rows, and so does the row that holds the header."""
        if self.promote_header:
            return Demand.ROWS
        need = max((reads_rows(parse(entry.expr), exact) for entry in self.compute), default=Demand.NONE)
        return max(wanted, need)

    def question(self, scope: Scope) -> str | None:
        """Ask for the row that becomes the header."""
        if self.promote_header is None:
            return None
        cells = ", ".join(f"CAST({column_name(name)} AS VARCHAR)" for name in scope.parent.columns)
        order = f" ORDER BY {ordering(scope.parent.order)}" if scope.parent.order else ""
        table, before = column_name(scope.parent.name), self.promote_header - 1
        return _HEADER.substitute(cells=cells, table=table, order=order, before=before)

    def _promoted(self, scope: Scope) -> list[str]:
        row = scope.answer[0] if scope.answer else ("",) * len(scope.parent.columns)
        return unique_names([str(cell or "").strip() for cell in row])[0]

    def lower(self, scope: Scope) -> Lowered:
        """Return SELECTs, one inside another where an entry sees one before it."""
        builder = Layers(scope, self.demand(scope.demand, scope.exact))
        if self.promote_header:
            builder.promote(self.promote_header, self._promoted(scope))
        if self.select is not None or self.drop or self.rename:
            builder.choose(self.select, self.drop, self.rename)
        for entry in self.compute:
            builder.compute(entry.as_, entry.expr)
        for cast in self.cast:
            builder.compute(builder.name(cast.col), cast.sql(column_name(builder.name(cast.col))))
        if self.explode:
            builder.explode(self.explode)
        if self.fill:
            builder.fill(self.fill, self._kind(self.fill.range.col if self.fill.range else "", scope))
        return builder.done()


def _put(columns: list[tuple[str, str]], name: str, kind: str) -> list[tuple[str, str]]:
    """Return the columns with one more, or one replaced."""
    if any(n.lower() == name.lower() for n, _ in columns):
        return [(n, kind if n.lower() == name.lower() else k) for n, k in columns]
    return [*columns, (name, kind)]

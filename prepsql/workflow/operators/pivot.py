"""pivot: columns become rows, or rows become columns."""

from __future__ import annotations

import re
from collections.abc import Iterator
from string import Template
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from prepsql.sqltext import literal
from prepsql.workflow import shape
from prepsql.workflow.families import family, widest
from prepsql.workflow.operators.aggregate import Function, Measure
from prepsql.workflow.operators.base import (
    Demand,
    Lowered,
    Named,
    Operator,
    Scope,
    Text,
    carried,
    duplicates,
    hidden_of,
    lacking,
    misfit,
    moved,
    problem,
)
from prepsql.workflow.problem import Problem, listing
from prepsql.workflow.relation import UNKNOWN, OrderKey
from prepsql.workflow.reserved import column_name

_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
NULL_LABEL = "null"
"""The name of the column that pivot makes of the category null."""

_CATEGORIES = Template("SELECT $cells FROM (SELECT DISTINCT $keys FROM $table) ORDER BY $keys")
_ESCAPE = "write \\\\( for a parenthesis in a name"
VALUE = ".value"
"""In names_to: this part of a column's name is the name of the column that its values go to."""


class Pivot(Operator):
    """Turn columns into rows (`mode: longer`) or rows into columns (`wider`).

    longer: each row becomes one a value column (`value_vars`, or the columns whose whole name `pattern` matches, by
    default all but `id_cols`), in the columns' order; `names_to` gets the name, `values_to` the value, nulls included.
    With a pattern of several groups `names_to` is a list, a name a group; the name `.value` stands for a group that
    names the column its values go to. Types must go together.

    wider: one row a combination of `index`, ordered by it, and a column a value of `columns`, in order, with `agg` of
    `values`; several `columns` make names joined by `_`, several `values` begin the names. A null category is called
    `null`; a cell without rows is null (0 for count) or `fill_value`. `column_values` fixes the columns; without it
    the data are asked before the run.
    """

    kind: ClassVar[str] = "pivot"
    purpose: ClassVar[str] = "turns columns into rows, or rows into columns"

    asks: ClassVar[tuple[str, str]] = ("columns", "mend that step, or name the columns in column_values")

    mode: Literal["longer", "wider"]
    id_cols: list[str] | None = None
    value_vars: list[str] | None = Field(default=None, min_length=1)
    pattern: str | None = None
    names_to: str | list[str] = "name"
    values_to: str = "value"
    index: list[str] | None = None
    columns: str | list[str] | None = None
    values: str | list[str] | None = None
    agg: Function | None = None
    fill_value: int | float | str | None = None
    column_values: list[str | int | float | bool | list[str | int | float | bool | None] | None] | None = None

    @model_validator(mode="after")
    def _mode(self) -> Pivot:
        longer = {"id_cols", "value_vars", "pattern", "names_to", "values_to"}
        wider = {"index", "columns", "values", "agg", "fill_value", "column_values"}
        names = sorted(self.given & (wider if self.mode == "longer" else longer))
        if names:
            other = "wider" if self.mode == "longer" else "longer"
            raise misfit(names[0], f"mode {self.mode} has no {', '.join(names)}", f"leave it out, or use mode: {other}")
        if self.mode == "longer" and self.value_vars and self.pattern:
            raise misfit("pattern", "value_vars and pattern both say which columns", "give one of them")
        if self.mode == "longer":
            self._check_pattern()
        if self.mode == "wider":
            absent = [n for n in ("index", "columns", "agg") if getattr(self, n) is None]
            absent += ["values"] if self.values is None and self.agg != "count" else []
            if absent:
                raise lacking(absent[0], f"mode wider needs {', '.join(absent)}", f"give {', '.join(absent)}")
        return self

    def _check_pattern(self) -> None:
        """Raise for a pattern that is none, or that has other than one group a name."""
        try:
            groups = re.compile(self.pattern or "").groups or 1
        except re.error as wrong:
            raise misfit("pattern", f"{self.pattern!r} isn't a regular expression: {wrong}", _ESCAPE) from wrong
        names = len(_many(self.names_to) or ())
        if names != groups:
            raise misfit(
                "names_to", f"{names} name{'s' if names != 1 else ''} for {groups} parts of a column's name",
                "give pattern one group (…) for each name in names_to",
            )  # fmt: skip

    def columns_named(self, scope: Scope) -> Iterator[Named]:
        """Yield every column by its parameter."""
        lists = {
            "id_cols": self.id_cols, "value_vars": self.value_vars, "index": self.index,
            "columns": _many(self.columns), "values": _many(self.values),
        }  # fmt: skip
        for parameter, names in lists.items():
            for position, name in enumerate(names or ()):
                single = parameter in ("columns", "values") and isinstance(getattr(self, parameter), str)
                yield Named(parameter if single else f"{parameter}[{position}]", name)

    def faults(self, scope: Scope) -> Iterator[Problem]:
        """Yield what can't be matched, told apart or put together."""
        yield from self._faults_longer(scope) if self.mode == "longer" else self._faults_wider(scope)

    def _faults_longer(self, scope: Scope) -> Iterator[Problem]:
        if not self._values(scope):
            if scope.parent.open:
                return
            yield problem(
                scope, "pattern" if self.pattern else "value_vars", "missing_column",
                f"no column becomes rows (has: {listing(list(scope.parent.columns))})",
                "name value_vars, or a pattern that matches some columns",
            )  # fmt: skip
            return
        for target, sources in self._targets(scope).items():
            kinds = [scope.parent.columns[s] for s in sources if s and s in scope.parent.columns]
            known = [kind for kind in kinds if kind != UNKNOWN]
            if len({family(kind) for kind in known}) > 1:
                given = ", ".join(f"{s} {scope.parent.columns[s]}" for s in sources[:6] if s)
                yield problem(
                    scope, "value_vars", "wrong_type", f"values for '{target}' have types that don't go together "
                    f"({given})", "cast them to one type in a project step before",
                )  # fmt: skip

    def _faults_wider(self, scope: Scope) -> Iterator[Problem]:
        made = self._made(scope)
        if made is None:
            return
        if not made and not self.index:
            yield problem(
                scope, "columns", "unknown_columns", "there are no rows, so no categories, and there is no index",
                "name column_values, or an index",
            )  # fmt: skip
        names = [*(self.index or ()), *(name for name, _, _ in made)]
        where = "columns" if self.column_values is None else "column_values"
        for low in dict.fromkeys(a.lower() for a, _ in duplicates(names)):
            same = ", ".join(f"'{name}'" for name in names if name.lower() == low)
            first = column_name((_many(self.columns) or [""])[0])
            yield problem(
                scope, where, "duplicate_column", f"columns would have one name in SQL: {same}",
                f"bring them to one spelling in a project step before: lower({first}), or to names that differ",
            )  # fmt: skip
        if "" in [name for name, _, _ in made]:
            yield problem(
                scope, "columns", "bad_name", "a category is empty text, which can't name a column",
                "replace it in a project step before",
            )  # fmt: skip

    def calls(self, scope: Scope) -> Iterator[Text]:
        """Yield the aggregate of each value column."""
        for value in (_many(self.values) or ()) if self.agg else ():
            agg = Measure.model_validate({"as": value, "func": self.agg, "expr": column_name(value)})
            yield Text("agg", agg.sql((), UNKNOWN, exact=False))

    def outline(self, scope: Scope) -> list[tuple[str, str]] | None:
        """Return the columns; for wider None where the data weren't asked."""
        parent = scope.parent
        if self.mode == "longer":
            columns = [(name, parent.columns.get(name, UNKNOWN)) for name in self._ids(scope)]
            columns += [(name, "VARCHAR") for name in _many(self.names_to) or () if name != VALUE]
            return columns + [(name, UNKNOWN) for name in self._targets(scope)]
        made = self._made(scope)
        named = [parent.named(name) or name for name in self.index or ()]
        index = [(name, parent.columns.get(name, UNKNOWN)) for name in named]
        return None if made is None else index + [(name, UNKNOWN) for name, _, _ in made]

    def demand(self, wanted: Demand, exact: bool) -> Demand:
        """Longer leaves rows in place; wider gives groups, in which first and the like go by the order of rows."""
        if self.mode == "longer":
            return wanted
        return Demand.ROWS if self.agg in ("first", "last", "string_agg", "list") else Demand.NONE

    # longer

    def _values(self, scope: Scope) -> list[str]:
        """Return the columns that become rows."""
        parent = scope.parent
        if self.value_vars is not None:
            return [parent.named(name) or name for name in self.value_vars]
        ids = {(parent.named(name) or name) for name in self.id_cols or ()}
        pattern = re.compile(self.pattern or ".*", re.DOTALL)
        return [name for name in parent.columns if name not in ids and pattern.fullmatch(name)]

    def _ids(self, scope: Scope) -> list[str]:
        parent = scope.parent
        if self.id_cols is not None:
            return [parent.named(name) or name for name in self.id_cols]
        values = set(self._values(scope))
        return [name for name in parent.columns if name not in values]

    def _parts(self, column: str) -> tuple[str, ...]:
        """Return what goes into the columns of names_to for a value column."""
        match = re.compile(self.pattern or "(.*)", re.DOTALL).fullmatch(column)
        if self.pattern is None or match is None:
            return (column,)
        return tuple(part or "" for part in match.groups()) or (column,)

    def _labels(self, scope: Scope) -> dict[tuple[str, ...], dict[str, str]]:
        """Return, for each row that a row becomes, its labels and which column each target takes its value from."""
        names = _many(self.names_to) or []
        rows: dict[tuple[str, ...], dict[str, str]] = {}
        for column in self._values(scope):
            parts = dict(zip(names, self._parts(column), strict=True))
            target = parts.pop(VALUE, self.values_to)
            rows.setdefault(tuple(parts.values()), {})[target] = column
        return rows

    def _targets(self, scope: Scope) -> dict[str, list[str]]:
        """Return each target column with its source column a label, '' where a label lacks it."""
        labels = self._labels(scope)
        targets = dict.fromkeys(target for row in labels.values() for target in row)
        return {target: [row.get(target, "") for row in labels.values()] for target in targets}

    def _lower_longer(self, scope: Scope) -> Lowered:
        parent = scope.parent
        order = carried(parent, scope.demand)
        labels = list(self._labels(scope))
        names = [name for name in _many(self.names_to) or () if name != VALUE]
        targets = self._targets(scope)
        place = f"{scope.hidden}_place"
        ids = self._ids(scope)
        keys, copies = moved(order, [*ids, *parent.hidden], scope.hidden)
        lists = [(name, [literal(label[i]) for label in labels]) for i, name in enumerate(names)]
        lists += [(target, self._cells(scope, sources)) for target, sources in targets.items()]
        if order:
            lists.append((place, [str(i) for i in range(len(labels))]))
            keys = (*keys, OrderKey(place))
        block = [*ids, *hidden_of(parent, order)]
        items: list[shape.SqlColumns | tuple[str, str]] = [shape.keep(block)] if block else []
        items += copies
        hidden = (*hidden_of(parent, order), *(name for name, _ in copies), *([place] if order else []))
        source = shape.table(parent.name)
        if scope.dialect == "duckdb":
            items += [(name, f"unnest([{', '.join(cells)}])") for name, cells in lists]
            return Lowered(shape.project(source, items), keys, hidden)
        parts = [
            shape.project(source, [*items, *((name, cells[i]) for name, cells in lists)]) for i in range(len(labels))
        ]
        return Lowered(shape.union(parts), keys, hidden)

    def _cells(self, scope: Scope, sources: list[str]) -> list[str]:
        kinds = [scope.parent.columns.get(source, UNKNOWN) for source in sources if source]
        same = len(set(kinds)) == 1 or UNKNOWN in kinds
        kind = kinds[0] if same else widest(kinds)
        return [
            f"CAST(NULL AS {kind})" if not s else column_name(s) if same else f"CAST({column_name(s)} AS {kind})"
            for s in sources
        ]

    # wider

    def question(self, scope: Scope) -> str | None:
        """Ask which categories there are."""
        if self.mode == "longer" or self.column_values is not None:
            return None
        named = [scope.parent.named(name) or name for name in _many(self.columns) or ()]
        cells = ", ".join(f"CAST({column_name(name)} AS VARCHAR)" for name in named)
        keys = ", ".join(map(column_name, named))
        return _CATEGORIES.substitute(cells=cells, keys=keys, table=column_name(scope.parent.name))

    def _categories(self, scope: Scope) -> list[tuple[str | None, ...]] | None:
        if self.column_values is None:
            if scope.answer is None:
                return None
            columns = scope.parent.columns
            numbers = [family(columns[scope.parent.named(n) or n]) == "number" for n in _many(self.columns) or ()]
            # either zero may stand for both
            return [
                tuple("0.0" if cell == "-0.0" and number else cell for cell, number in zip(row, numbers, strict=True))
                for row in scope.answer
            ]
        rows = [value if isinstance(value, list) else [value] for value in self.column_values]
        return [
            tuple(None if v is None else str(v).lower() if isinstance(v, bool) else str(v) for v in r) for r in rows
        ]

    def _made(self, scope: Scope) -> list[tuple[str, str, tuple[str | None, ...]]] | None:
        """Return the columns that are made: name, value column, category; None where they aren't known."""
        categories = self._categories(scope)
        if categories is None:
            return None
        values = _many(self.values) or [""]
        return [
            ("_".join([*([value] if len(values) > 1 else []), *(NULL_LABEL if c is None else c for c in category)]),
             value, category)
            for value in values
            for category in categories
        ]  # fmt: skip

    def _lower_wider(self, scope: Scope) -> Lowered:
        parent = scope.parent
        assert self.agg is not None
        index = [parent.named(name) or name for name in self.index or ()]
        keys = [parent.named(name) or name for name in _many(self.columns) or ()]
        exact = scope.exact and scope.dialect == "duckdb"
        metrics = {}
        for name, value, category in self._made(scope) or ():
            conditions = [_is(column_name(key), parent.columns[key], c) for key, c in zip(keys, category, strict=True)]
            source = parent.named(value) if value else None
            agg = Measure.model_validate(
                {"as": name, "func": self.agg, "expr": column_name(source) if source else None}
            )
            kind = parent.columns[source] if source else UNKNOWN
            cell = agg.sql(parent.order, kind, exact=exact, condition=" AND ".join(conditions))
            if self.fill_value is not None:
                cell = f"coalesce({cell}, {_literal(self.fill_value)})"
            metrics[name] = cell
        rows = shape.group(shape.table(parent.name), index, metrics)
        return Lowered(rows, tuple(map(OrderKey, index)) if scope.demand == Demand.ROWS else ())

    def lower(self, scope: Scope) -> Lowered:
        """Return unnested lists (UNION ALL where a dialect has none), or aggregates with a filter each."""
        return self._lower_longer(scope) if self.mode == "longer" else self._lower_wider(scope)


def _many(names: str | list[str] | None) -> list[str] | None:
    return [names] if isinstance(names, str) else names


def _is(cell: str, kind: str, category: str | None) -> str:
    if category is None:
        return f"{cell} IS NULL"
    if family(kind) == "number" and _NUMBER.fullmatch(category):
        # by value: 1 is 1.0, and 0.0 is -0.0
        return f"{cell} = {category}"
    return f"{cell if kind == 'VARCHAR' else f'CAST({cell} AS VARCHAR)'} = {literal(category)}"


def _literal(value: int | float | str) -> str:
    return literal(value) if isinstance(value, str) else repr(value)

"""Translations in their places: every text in a step's tree, by the columns that it can see there."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import Template
from typing import Any

import sqlglot.expressions as sge

from prepsql.sqltext import literal
from prepsql.workflow import describe
from prepsql.workflow.dialects.dialect import Dialect, NotPortable
from prepsql.workflow.dialects.translate import translate
from prepsql.workflow.expression import node_of
from prepsql.workflow.quoted import hold
from prepsql.workflow.relation import Relation

TEXT = "text"
"""The mark of a node that holds a text in DuckDB's SQL; its value says whether that is a condition."""

_PROBE = Template("SELECT ($text\n) AS x FROM $tables")


def mark(text: str, *, condition: bool) -> Any:
    """Return a node that stands for a text in DuckDB's SQL until it is translated."""
    node = sge.Var(this=text)
    node.meta[TEXT] = condition
    return node


def place(tree: Any, dialect: Dialect, relations: Mapping[str, Relation]) -> None:
    """Translate every text in a step's tree; `relations` are the tables that it reads. Raises NotPortable."""
    _Placer(dialect, relations).query(tree, ())
    for name in tree.find_all(sge.Identifier):
        name.set("this", spelled(name.this, dialect))


def rows_of(data: Sequence[Mapping[str, Any]], relation: Relation, dialect: Dialect) -> str:
    """Return the query for rows that stand in the workflow. Raises NotPortable."""
    nothing = Sight((), dialect)
    rows = []
    for row in data:
        cells = []
        for column, kind in relation.columns.items():
            cell = f"CAST({_literal(row.get(column))} AS {kind})"
            if dialect.name != "duckdb":
                cell = translate(cell, dialect, nothing)
            name = sge.to_identifier(spelled(column, dialect), quoted=True).sql(dialect=dialect.sqlglot)
            cells.append(f"{cell} AS {name}")
        rows.append(f"SELECT {', '.join(cells)}")
    return "\nUNION ALL\n".join(rows)


def _literal(value: object) -> str:
    if value is None:
        return "NULL"
    if isinstance(value, bool):
        return str(value).lower()
    return repr(value) if isinstance(value, int | float) else literal(str(value))


def spelled(name: str, dialect: Dialect) -> str:
    """Return a column's name as the dialect can have it.

    >>> from prepsql.workflow.dialects import dialect_of
    >>> spelled('a "b"', dialect_of("bigquery"))
    'a _b_'
    """
    made = "".join("_" if char in dialect.names.without else char for char in name)
    most = dialect.names.bytes
    return made.encode()[:most].decode(errors="ignore") if most else made


@dataclass(frozen=True)
class Source:
    """A table or a subquery in FROM: its name there, and its columns with their types."""

    name: str
    columns: Mapping[str, str]


class Sight:
    """The columns that the expressions of one SELECT may name."""

    def __init__(self, sources: Sequence[Source], dialect: Dialect) -> None:
        self.sources, self.dialect = sources, dialect
        self._relations = [Relation(source.name, source.columns) for source in sources]

    def column(self, parts: Sequence[str]) -> tuple[str, str]:
        """Return a column as SQL, and its type."""
        for source, relation in zip(self.sources, self._relations, strict=True):
            column = relation.named(parts[-1])
            if column and (len(parts) == 1 or parts[0].lower() == source.name.lower()):
                table = source.name if len(parts) > 1 else None
                return self._sql(column, table), source.columns[column]
        raise NotPortable(f"{'.'.join(parts)} isn't a column but part of one", "take it out in a step before")

    def type_of(self, text: str) -> str:
        """Return the type of an expression."""
        if not self.sources:
            return describe.type_of(text, Relation("nothing", {"x": "INTEGER"}))
        tables = ", ".join('"' + source.name.replace('"', '""') + '"' for source in self.sources)
        return describe.describe(_PROBE.substitute(text=text, tables=tables), self._relations)["x"]

    def constant(self, text: str) -> str:
        """Return the value of an expression without columns, as text."""
        return describe.constant(text)

    def _sql(self, column: str, table: str | None) -> str:
        node = sge.column(spelled(column, self.dialect), table=table, quoted=True)
        text: str = node.sql(dialect=self.dialect.sqlglot)
        return text


class _Placer:
    def __init__(self, dialect: Dialect, relations: Mapping[str, Relation]) -> None:
        self.dialect, self.relations = dialect, relations

    def query(self, node: Any, outer: Sequence[Source]) -> dict[str, str]:
        """Translate what is in a query, and return its columns with their types."""
        if isinstance(node, sge.Subquery):
            return self.query(node.this, outer)
        if isinstance(node, sge.SetOperation):
            self.query(node.expression, outer)
            return self.query(node.this, outer)
        sources = [self._source(part.this, outer) for part in _parts(node)]
        sight = Sight([*sources, *outer], self.dialect)
        made = self._columns(node, sources, sight)
        self._joins(node)
        for inner in [q for q in node.find_all(sge.Exists) if q.parent_select is node]:
            self.query(inner.this, [*sources, *outer])
        self._text_keys(node, sight)
        for text in [n for n in node.find_all(sge.Var) if TEXT in n.meta and n.parent_select is node]:
            text.replace(sge.Var(this=hold(self._translated(text, sight))))
        return made

    def _source(self, node: Any, outer: Sequence[Source]) -> Source:
        if isinstance(node, sge.Table):
            # Ibis' own aliases t0, t1, … go; an author's expressions name the step
            named = node.alias if node.alias and not re.fullmatch(r"t\d+", node.alias) else node.name
            return Source(named, self.relations[node.name].all_columns)
        return Source(node.alias, self.query(node.this, outer))

    def _columns(self, select: Any, sources: Sequence[Source], sight: Sight) -> dict[str, str]:
        made: dict[str, str] = {}
        for item in select.expressions:
            inner = item.this if isinstance(item, sge.Alias) else item
            for cell in inner.expressions if isinstance(inner, sge.Tuple) else [inner]:
                name = item.alias if isinstance(item, sge.Alias) and cell is inner else cell.alias_or_name
                made |= self._cell(cell, name, sources, sight)
        return made

    def _cell(self, cell: Any, name: str, sources: Sequence[Source], sight: Sight) -> dict[str, str]:
        inner = cell.this if isinstance(cell, sge.Alias) else cell
        if isinstance(inner, sge.Star):
            return {column: kind for source in sources for column, kind in source.columns.items()}
        if isinstance(inner, sge.Column) and isinstance(inner.this, sge.Star):
            names = {inner.table}
            return next(dict(s.columns) for s in sources if s.name in names) if len(sources) > 1 else dict(
                sources[0].columns
            )  # fmt: skip
        if isinstance(inner, sge.Column):
            parts = [inner.table, inner.name] if inner.table in [s.name for s in sources] else [inner.name]
            return {name: sight.column(parts)[1]}
        if TEXT in inner.meta:
            return {name: sight.type_of(inner.this)}
        return {}

    def _joins(self, select: Any) -> None:
        """Refuse outer joins that go by more than equality where the dialect has none."""
        for join in select.args.get("joins") or ():
            on = join.args.get("on")
            if join.side.upper() in self.dialect.by_equality and on is not None and TEXT in on.meta:
                node = node_of(on.this)
                parts = node["children"] if node["type"] == "CONJUNCTION_AND" else [node]
                if any(part["type"] != "COMPARE_EQUAL" for part in parts):
                    raise NotPortable(
                        f"a {join.side.lower()} join by more than equal keys", "match by equal keys that aren't null"
                    )

    def _translated(self, node: Any, sight: Sight) -> str:
        return translate(node.this, self.dialect, sight, condition=node.meta[TEXT])

    def _text_keys(self, select: Any, sight: Sight) -> None:
        """Order text columns byte by byte, as DuckDB does."""
        order = select.args.get("order")
        if order is None or self.dialect.text_order == "{0}":
            return
        for key in order.expressions:
            node = key.this
            if isinstance(node, sge.Column):
                sql, kind = sight.column([node.name])
            elif TEXT in node.meta:
                sql, kind = self._translated(node, sight), sight.type_of(node.this)
            else:
                continue
            if kind == "VARCHAR":
                key.set("this", sge.Var(this=self.dialect.text_order.replace("{0}", sql)))


def _parts(select: Any) -> list[Any]:
    source = select.args.get("from_")
    return [part for part in (source, *(select.args.get("joins") or ())) if part is not None]

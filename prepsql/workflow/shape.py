"""The bridge to Ibis: Ibis carries the shape of a step's SELECT, SQL text its expressions.

A step is an Ibis relation over one or two unbound tables. Ibis' own columns cost a quarter of a millisecond each and
list every name, so a step's untouched columns are one node (`SqlColumns`) and an expression is one node (`SqlText`).
The compiler of the target puts them in their places (docs/design/0005-ibis-carries-the-shape.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import ibis.expr.datashape as ds
import ibis.expr.datatypes as dt
import ibis.expr.operations as ops
import ibis.expr.schema as sch
from ibis.backends.sql.compilers.base import SQLGlotCompiler

from prepsql.workflow.relation import OrderKey

BLOCK = "\0"
"""What the names begin with under which Ibis knows blocks of untouched columns."""

_ONE_COLUMN = sch.Schema({"x": dt.string})


class SqlText(ops.Impure):  # type: ignore[misc]
    """An expression as the author's SQL text. Impure, so that Ibis never merges or moves it."""

    text: str
    dtype = dt.string
    shape = ds.columnar


class SqlPredicate(ops.Impure):  # type: ignore[misc]
    """A condition as SQL text."""

    text: str
    dtype = dt.boolean
    shape = ds.columnar


class SqlAggregate(ops.Reduction):  # type: ignore[misc]
    """An aggregate as SQL text."""

    text: str
    dtype = dt.string


class SqlColumns(ops.Impure):  # type: ignore[misc]
    """Columns as they are, each under a name; `star` where they are all that the relation has, in its order.

    With a star, `replaced` are columns (name and expression) whose place another value takes.
    """

    pairs: tuple[tuple[str, str], ...]
    star: bool = False
    table: str = ""
    replaced: tuple[tuple[str, str], ...] = ()
    dtype = dt.string
    shape = ds.columnar


# what fills each node in is the compiler's, by the target: see `prepsql/workflow/render.py`
NODES = (SqlText, SqlPredicate, SqlAggregate, SqlColumns)


def table(name: str) -> Any:
    """Return the relation of a table or of an earlier step."""
    return ops.UnboundTable(name=name, schema=_ONE_COLUMN)


def project(parent: Any, items: Sequence[SqlColumns | tuple[str, str]]) -> Any:
    """Return SELECT items FROM parent; an item is a block of columns, or a name and an expression's text."""
    return ops.Project(parent, dict(_named(items)))


def keep(pairs: Iterable[tuple[str, str]] | Iterable[str], star: bool = False, of: str = "") -> SqlColumns:
    """Return a block of untouched columns: names, or pairs of name and new name; of the table `of`, in a join."""
    return SqlColumns(tuple((p, p) if isinstance(p, str) else p for p in pairs), star, of)


def where(parent: Any, predicate: str) -> Any:
    """Return the rows of `parent` for which `predicate` is true."""
    return ops.Filter(parent, (SqlPredicate(predicate),))


def distinct(parent: Any) -> Any:
    """Return the rows of `parent`, equal ones once."""
    return ops.Distinct(parent)


def group(parent: Any, keys: Sequence[str], metrics: Mapping[str, str]) -> Any:
    """Return a row a combination of `keys`, with `metrics` as name and aggregate text."""
    return ops.Aggregate(
        parent,
        groups={key: SqlColumns(((key, key),)) for key in keys},
        metrics={name: SqlAggregate(text) for name, text in metrics.items()},
    )


def join(left: Any, right: Any, how: str, predicate: str, items: Sequence[SqlColumns | tuple[str, str]]) -> Any:
    """Return the join of two relations; `items` is its select list."""
    on = [] if how == "cross" else [SqlPredicate(predicate).to_expr()]
    joined = left.to_expr().join(right.to_expr(), on, how="outer" if how == "full" else how)
    return joined.select(*(value.to_expr().name(name) for name, value in _named(items))).op()


def union(items: Sequence[Any], *, distinct_rows: bool = False) -> Any:
    """Return the rows of all items, one after the other."""
    if len({tuple(item.schema) for item in items}) > 1:
        # one shape to Ibis, however their cells fall into blocks
        items = [project(item, [keep((), star=True)]) for item in items]
    whole, *others = items
    for item in others:
        whole = ops.Union(whole, item, distinct=distinct_rows)
    return whole


def sort(parent: Any, keys: Iterable[OrderKey | tuple[str, bool, bool]]) -> Any:
    """Return `parent` in the order of keys: columns, or (text, descending, nulls first)."""
    return ops.Sort(parent, tuple(_sort_key(key) for key in keys))


def limit(parent: Any, rows: int) -> Any:
    """Return the first rows."""
    return ops.Limit(parent, n=rows, offset=0)


def _named(items: Sequence[SqlColumns | tuple[str, str]]) -> Iterator[tuple[str, Any]]:
    for position, item in enumerate(items):
        if isinstance(item, SqlColumns) and len(item.pairs) == 1 and not item.star:
            yield item.pairs[0][1], item
        elif isinstance(item, SqlColumns):
            yield f"{BLOCK}{position}", item
        else:
            yield item[0], SqlText(item[1])


def _sort_key(key: OrderKey | tuple[str, bool, bool]) -> Any:
    if isinstance(key, OrderKey):
        return ops.SortKey(
            SqlColumns(((key.column, key.column),)), ascending=not key.descending, nulls_first=key.nulls_first
        )
    text, descending, nulls_first = key
    return ops.SortKey(SqlText(text), ascending=not descending, nulls_first=nulls_first)


def bind(render: Any) -> None:
    """Teach Ibis' compilers the nodes above: `render(compiler, node)` returns a tree of sqlglot."""
    for node in NODES:
        setattr(SQLGlotCompiler, f"visit_{node.__name__}", lambda self, op, **_: render(self, op))

"""The few statements that several modules of this room send."""

from __future__ import annotations

from sqlglot import exp

from prepsql.sqltext import call, ident, quote, render


def table_of(name: str) -> exp.Table:
    """Return a reference to the table `name`."""
    return exp.Table(this=ident(name))


def select_all(name: str) -> str:
    """Return the query for all columns of `name`."""
    return render(exp.select("*").from_(table_of(name)))


def create_as(name: str, query: str) -> str:
    """Return the statement that makes the table `name` of a query, replacing one of that name."""
    return f"CREATE OR REPLACE TABLE {quote(name)} AS\n{query}"


def drop(name: str) -> str:
    """Return the statement that drops the table `name` if there is one."""
    return f"DROP TABLE IF EXISTS {quote(name)}"


def strlen_difference(cell: exp.Expr, text: str) -> exp.Expr:
    """Return the number of bytes that `cell` loses without `text`."""
    without = call("replace", cell.copy(), text, "")
    return exp.Sub(this=call("strlen", cell.copy()), expression=call("strlen", without))

"""SQL text: the one place where names and values are quoted.

SQL that code builds is a sqlglot tree; SQL that a person reads lives in `macros/`. Both use DuckDB's dialect.
"""

from __future__ import annotations

from sqlglot import exp

DIALECT = "duckdb"


def ident(name: str) -> exp.Identifier:
    """Return `name` as a quoted identifier, whatever characters it holds."""
    return exp.to_identifier(name, quoted=True)


def column(name: str, table: str | None = None) -> exp.Column:
    """Return a quoted column reference."""
    return exp.column(ident(name), table=ident(table) if table else None)


def lit(value: str | int | float | bool | None) -> exp.Expr:
    """Return `value` as a SQL literal."""
    return exp.convert(value)


def call(name: str, *args: exp.Expr | str | int | float | bool | None) -> exp.Anonymous:
    """Return a call of a DuckDB function or macro, its name written as given; plain values become literals."""
    return exp.Anonymous(this=name, expressions=[a if isinstance(a, exp.Expr) else lit(a) for a in args])


def quote(name: str) -> str:
    """Return `name` quoted for DuckDB.

    >>> quote("order id")
    '"order id"'
    """
    return ident(name).sql(dialect=DIALECT)


def render(tree: exp.Expr, *, pretty: bool = True) -> str:
    """Return the DuckDB text of a tree."""
    return tree.sql(dialect=DIALECT, pretty=pretty, normalize_functions=False)

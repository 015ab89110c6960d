"""What the rules about columns share: how a finding of a column and the SELECT that mends it are written."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from string import Template

from prepsql.macros import library
from prepsql.profile.finding import Finding
from prepsql.profile.result import Column
from prepsql.profile.subject import Scan, positions
from prepsql.sqltext import fill, free_name, named, quote, select

_REPLACED = Template("SELECT * REPLACE ($cell AS $name)\nFROM $table")
_PARTED = Template("SELECT * REPLACE ($cell AS $name),\n  $parts\nFROM $table")
_SPLIT = Template("SELECT * EXCLUDE ($name),\n  $parts\nFROM $table")
_KEPT = Template("SELECT *\nFROM $table\nWHERE $condition")
# macros that a mend calls to tell cells apart, not to write them
_TESTS = {"is_blank", "cell_kind", "cell_number_form", "cell_date_form"}
_CELLS_THAT = Template("""SELECT position, sum(n)::BIGINT, arg_min(value, first, 5), min(first, 5)
FROM $cells WHERE position IN ($positions) AND $condition
GROUP BY position ORDER BY position""")


def column_finding(
    scan: Scan,
    kind: str,
    column: Column,
    count: int,
    detail: str,
    found: Iterable[tuple[str, int]],
    mend: str = "",
    macro: str | None = None,
) -> Finding:
    """Return a finding of cells of a column, of all its rows; `found` are values with a row, the most telling first.

    `macro` is for a mend that no macro of the library does, or one that `macro_of` doesn't name.
    """
    subject = scan.subject
    return Finding(
        kind,
        subject.table,
        column.name,
        count,
        column.rows,
        detail,
        subject.examples(found),
        mend,
        macro_of(mend) if macro is None else macro,
        subject.tables,
    )


def replaced(scan: Scan, column: Column, expression: str, **parts: str) -> str:
    """Return the SELECT that puts an expression of `cell`, and of `parts` that are SQL, in the place of a column."""
    return _REPLACED.substitute(_names(scan, column), cell=of_cell(column, expression, **parts))


def parted(scan: Scan, column: Column, expression: str, more: Mapping[str, str], **parts: str) -> str:
    """Return the SELECT of `replaced` with more columns, each of the column's name and a word, for its expression."""
    cells = (
        named(of_cell(column, one, **parts), free_name(f"{column.name} {word}", scan.subject.columns))
        for word, one in more.items()
    )
    names = _names(scan, column)
    return _PARTED.substitute(names, cell=of_cell(column, expression, **parts), parts=",\n  ".join(cells))


def split(scan: Scan, column: Column, expressions: Iterable[str], **parts: str) -> str:
    """Return the SELECT with a numbered column for each of the expressions instead of the column."""
    cells = (
        Template("$cell AS $name").substitute(cell=of_cell(column, one, **parts), name=quote(f"{column.name} {at}"))
        for at, one in enumerate(expressions, 1)
    )
    return _SPLIT.substitute(_names(scan, column), parts=",\n  ".join(cells))


def in_place(scan: Scan, column: Column, parts: Sequence[tuple[str, str]]) -> str:
    """Return the SELECT with expressions and their names in the place of a column."""
    subject, cells = scan.subject, []
    for name in subject.columns:
        cells += [named(*part) for part in parts] if name == column.name else [quote(name)]
    return select(cells, subject.table)


def kept(scan: Scan, column: Column, condition: str, **parts: str) -> str:
    """Return the SELECT of the rows for which a condition on `cell` holds."""
    return _KEPT.substitute(_names(scan, column), condition=of_cell(column, condition, **parts))


def dropped(scan: Scan, column: Column) -> str:
    """Return the SELECT without the column."""
    return Template("SELECT * EXCLUDE ($name)\nFROM $table").substitute(_names(scan, column))


def of_cell(column: Column, expression: str, **parts: str) -> str:
    """Return an expression of `cell` about the column."""
    return fill(expression, cell=quote(column.name), **parts)


def listed(counts: Iterable[tuple[str, int]], most: int = 4) -> str:
    """Return values with their counts for a detail, the first few."""
    pairs = list(counts)
    shown = [f"{shortened(value)!r} {cells:,}" for value, cells in pairs[:most]]
    return ", ".join(shown) + (f" and {len(pairs) - most:,} more" if len(pairs) > most else "")


def shortened(value: str, most: int = 40) -> str:
    """Return a value for a detail: on one line, its end left out where it is long."""
    line = " ".join(value.split())
    return line if len(line) <= most else line[: most - 1] + "…"


def cells_of(scan: Scan, columns: Iterable[Column]) -> dict[str, str]:
    """Return the parts `cells` and `positions` of a query over the cells of some columns.

    Columns that are grouped stand in a table, which is read faster than the view of all.
    """
    some = list(columns)
    return {"cells": scan.cells_of(some), "positions": positions(some)}


def cells_that(
    scan: Scan, columns: Iterable[Column], condition: str
) -> Iterator[tuple[Column, int, list[tuple[str, int]]]]:
    """Yield the columns some of whose cells fit a condition, with how many do, and the first values with their rows."""
    some = list(columns)
    if not some:
        return
    query = _CELLS_THAT.substitute(cells_of(scan, some), condition=condition)
    for position, cells, values, rows in scan.subject.con.execute(query).fetchall():
        yield scan.columns[position], cells, list(zip(values, rows, strict=True))


def macro_of(mend: str) -> str:
    """Return the first macro of the library that a mend calls to write a cell, '' where it calls none."""
    return next((name for name in re.findall(r"(\w+)\(", mend) if name in library() and name not in _TESTS), "")


def _names(scan: Scan, column: Column) -> dict[str, str]:
    return {"name": quote(column.name), "table": quote(scan.subject.table)}

"""Tables -> subjects: tables of one shape are stacked and profiled as one.

Of one shape are tables of two columns or more with the same names, in any order, but for case, white space and marks;
or where most names are the same in the same place, and each other name is near the one in its place, or has texts of
its column.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import accumulate
from string import Template

import duckdb

from prepsql.profile.names import fold_name, is_placeholder
from prepsql.profile.subject import Subject, helper
from prepsql.sqltext import create_as, named, quote, select
from prepsql.tables import Table

# so many names of a table are the same where others drift
_SAME = 0.6
_LEAST_SAME = 2
# so many texts of the smaller set are shared by two columns that mean the same
_SHARED = 0.3
_SAMPLE = 1000
_TEXTS = Template("""SELECT DISTINCT lower(trim($column)) AS text FROM (FROM $table LIMIT $sample)
  WHERE regexp_matches($column, '\\p{L}')""")
_SHARE = Template("""SELECT count(*) FILTER (l.text = r.text) / least(count(l.text), count(r.text))
FROM ($left) AS l FULL JOIN ($right) AS r ON l.text = r.text""")


def stack(con: duckdb.DuckDBPyConnection, tables: Sequence[Table]) -> list[Subject]:
    """Return the subjects of `tables`, in the order of their first tables; each table is in one."""
    groups: list[list[tuple[Table, tuple[int, ...]]]] = []
    for table in tables:
        for group in groups:
            order = _order(con, group[0][0], table)
            if order is not None:
                group.append((table, order))
                break
        else:
            groups.append([(table, tuple(range(len(table.columns))))])
    return [_subject(con, group) for group in groups]


def unstacked(con: duckdb.DuckDBPyConnection, tables: Sequence[Table]) -> list[Subject]:
    """Return a subject a table, in their order."""
    return [_subject(con, [(table, tuple(range(len(table.columns))))]) for table in tables]


def same_columns(first: Table, other: Table) -> tuple[int, ...]:
    """Return where the columns of `first` stand in `other`, which is of its shape: by name, else in the same place."""
    names, others = _folded(first), _folded(other)
    by_name = sorted(names) == sorted(others) and len(set(names)) == len(names)
    return tuple(map(others.index, names)) if by_name else tuple(range(len(names)))


def near_names(con: duckdb.DuckDBPyConnection, one: str, other: str) -> bool:
    """Return whether one folded name begins or ends with the other, or is an edit away (two from nine letters on)."""
    short, long = sorted((one, other), key=len)
    if len(short) < 4 or any(map(str.isdigit, short + long)):
        return False
    if long.startswith(short) or long.endswith(short):
        return True
    edits = con.execute("SELECT damerau_levenshtein(?, ?)", [short, long]).fetchall()[0][0]
    return bool(edits <= (1 if len(short) < 9 else 2))


def union(parts: Sequence[Table]) -> str:
    """Return the query for all rows of tables of one shape, with the columns of the first."""
    first = parts[0]
    orders = [same_columns(first, part) for part in parts]
    if len(parts) == 1:
        return select(["*"], first.name)
    return "\nUNION ALL\n".join(
        select((named(quote(part.columns[at]), name) for at, name in zip(order, first.columns, strict=True)), part.name)
        for part, order in zip(parts, orders, strict=True)
    )


def _folded(table: Table) -> list[str]:
    return [fold_name(column) for column in table.columns]


def _order(con: duckdb.DuckDBPyConnection, first: Table, other: Table) -> tuple[int, ...] | None:
    """Return where the columns of `first` stand in `other`, None where they aren't of one shape."""
    names, others = _folded(first), _folded(other)
    if len(names) != len(others) or len(names) < _LEAST_SAME:
        return None
    if sorted(names) == sorted(others):
        return same_columns(first, other)
    drifted = [at for at, name in enumerate(names) if name != others[at]]
    same = sum(name == others[at] and not is_placeholder(name) for at, name in enumerate(names))
    if same < max(_LEAST_SAME, _SAME * len(names)) or any(names[at] in others or others[at] in names for at in drifted):
        return None
    if all(near_names(con, names[at], others[at]) or _share(con, first, other, at) for at in drifted):
        return tuple(range(len(names)))
    return None


def _share(con: duckdb.DuckDBPyConnection, first: Table, other: Table, at: int) -> bool:
    """Return whether the first rows of two columns share texts."""
    left, right = (
        _TEXTS.substitute(column=quote(table.columns[at]), table=quote(table.name), sample=_SAMPLE)
        for table in (first, other)
    )
    query = _SHARE.substitute(left=left, right=right)
    return bool((con.execute(query).fetchall()[0][0] or 0) >= _SHARED)


def _subject(con: duckdb.DuckDBPyConnection, group: Sequence[tuple[Table, tuple[int, ...]]]) -> Subject:
    parts = tuple(table for table, _ in group)
    columns = parts[0].columns
    rows = [table.rows for table in parts]
    offsets = tuple(accumulate(rows[:-1], initial=0))
    fields = tuple(_field(column, columns) for column in columns)
    if len(parts) == 1 and fields == columns:
        return Subject(con, parts[0].name, columns, columns, rows[0], parts, offsets)
    # a view has no rowid
    name = helper(parts[0].name, "stacked")
    selects = (
        select((named(quote(part.columns[at]), field) for at, field in zip(order, fields, strict=True)), part.name)
        for part, order in group
    )
    con.execute(create_as(name, "\nUNION ALL\n".join(selects))).fetchall()
    return Subject(con, name, columns, fields, sum(rows), parts, offsets)


def _field(column: str, columns: Iterable[str]) -> str:
    """Return the name of a column that doesn't hide the table's own rowid."""
    return _free("row id", {other.lower() for other in columns}) if column.lower() == "rowid" else column


def _free(name: str, taken: set[str]) -> str:
    while name.lower() in taken:
        name += " _"
    return name

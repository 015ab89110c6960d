"""The distinct values of every column with their counts: what all facts of cells are asked of.

Values are grouped first and looked at then, since a look costs far more than a group and most columns repeat their
values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from string import Template

import duckdb

from prepsql.profile.attempts import words_of
from prepsql.profile.subject import Subject, helper
from prepsql.sqltext import create_as, drop, quote
from prepsql.tables import first_types

# to plan a query a column costs more than to take the columns apart by `unnest` in a table of few cells
_FEW_CELLS = 1_000_000
# from so many rows on a column of mostly distinct values isn't grouped: that would copy it
_LONG = 1_000_000
_MOSTLY_DISTINCT = 0.7
_LONG_TEXT = 24
_FIRST_ROWS = 2_000
_EACH = Template("SELECT $cells FROM $source")
_DISTINCT = Template("approx_count_distinct($name)")
_LENGTH = Template("coalesce(avg(length($name)), 0)")

_UNNESTED = Template("""SELECT position, coalesce(value, '') AS value, count(*) AS n, min(first) AS first
FROM (SELECT rowid AS first, unnest([$columns]::VARCHAR[]) AS value, unnest([$positions]::INTEGER[]) AS position
  FROM $table)
GROUP BY ALL""")
_GROUPED = Template("""SELECT $position AS position, coalesce($column, '') AS value, count(*) AS n, min(rowid) AS first
FROM $table GROUP BY 2""")
_APART = Template("""SELECT position, coalesce(value, '') AS value, 1 AS n, first
FROM (SELECT rowid AS first, unnest([$columns]) AS value, unnest([$positions]) AS position FROM $table)""")
_VIEW = Template("CREATE OR REPLACE VIEW $name AS\n$query")
# a look at a value, each thing once: what it is without spare white space and case, its kind where that is soon told,
# else the skeleton of a date and the dress of a number (plain words with single blanks need no search for white space)
_LOOK = Template("""SELECT position, value, n, first, plain, tidy,
  coalesce(quick, split_part(dated, ' ', 1), if(dressed IS NULL, 'text', 'number')) AS kind,
  CASE WHEN quick = 'date' THEN 'yyyy-n-n' WHEN quick = 'timestamp' THEN 'yyyy-n-n time' WHEN quick IS NOT NULL THEN ''
    ELSE coalesce(substr(dated, strpos(dated, ' ') + 1), dressed, '') END AS form
FROM (
  SELECT *, CASE WHEN quick IS NULL AND dated IS NULL AND may_be_number(tidy) THEN number_form_of(tidy) END AS dressed
  FROM (
    SELECT *, date_form_of(skeleton) AS dated
    FROM (
      SELECT *, CASE WHEN quick IS NULL AND may_be_date(tidy) THEN date_skeleton(tidy) END AS skeleton
      FROM (
        SELECT *, CASE WHEN likely IS NOT NULL THEN likely WHEN value = '' THEN 'empty' WHEN tidy = '' THEN 'blank'
          ELSE quick_kind(tidy) END AS quick
        FROM (
          SELECT *, CASE WHEN likely IS NOT NULL THEN value WHEN plain THEN lower(value)
            ELSE lower(squeeze_space(value)) END AS tidy
          FROM (
            SELECT *, likely IS NOT NULL OR regexp_full_match(value, '[!-~]+(?: [!-~]+)*') AS plain
            FROM (SELECT *, $likely AS likely FROM $cells)))))))""")
# where the first rows of a column are of a type, one test tells most others
_LIKELY = Template("WHEN position IN ($positions) THEN CASE WHEN regexp_full_match(value, '$pattern') THEN '$kind' END")
_PATTERNS = {
    "BIGINT": ("integer", "-?(?:0|[1-9][0-9]{0,17})"),
    "DOUBLE": ("decimal", "-?[0-9]+[.][0-9]+"),
    "DATE": ("date", "[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])"),
    "TIMESTAMP": (
        "timestamp",
        "[12][0-9]{3}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01]) [0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:[.][0-9]+)?)?",
    ),
}


def mostly_distinct(subject: Subject, types: Sequence[str | None]) -> dict[int, int]:
    """Return the positions of the columns that aren't grouped, each with its approximate count of distinct values.

    Those are the mostly distinct ones of a long table that are plainly typed, as `types` say of their first rows, or of
    long texts: what is asked of them is soon told by each cell, while codes and numbers with signs are asked more.
    """
    if subject.rows < _LONG:
        return {}
    counts, lengths = (
        subject.con.execute(
            _EACH.substitute(cells=", ".join(map(call.substitute, _names(subject))), source=source)
        ).fetchall()[0]
        for call, source in (
            (_DISTINCT, quote(subject.name)),
            (_LENGTH, Template("(FROM $table LIMIT $rows)").substitute(table=quote(subject.name), rows=_FIRST_ROWS)),
        )
    )
    return {
        at: min(count, subject.rows)
        for at, count in enumerate(counts)
        if count >= _MOSTLY_DISTINCT * subject.rows and (types[at] != "VARCHAR" or lengths[at] > _LONG_TEXT)
    }


def _names(subject: Subject) -> list[dict[str, str]]:
    return [{"name": quote(name)} for name in subject.fields]


def column_types(subject: Subject) -> list[str | None]:
    """Return the type that the first rows of each column show; nothing of a table of few cells, where it saves none."""
    if subject.rows * len(subject.columns) <= _FEW_CELLS:
        return [None] * len(subject.columns)
    return list(first_types(subject.con, subject.name, subject.fields).values())


def make_cells(subject: Subject, apart: Collection[int], types: Sequence[str | None]) -> dict[int, str]:
    """Make the view of the subject's cells; the columns at `apart` are not grouped.

    Returns the errors of those columns, by position, whose cells can't be had: they are not in it.
    """
    every = range(len(subject.columns))
    errors: dict[int, str] = {}
    try:
        _make(subject, cells_sql(subject, apart, types, every))
    except duckdb.Error:
        for at in every:
            try:
                _make(subject, cells_sql(subject, apart, types, [at]))
            except duckdb.Error as bad:
                errors[at] = words_of(bad)
        _make(subject, cells_sql(subject, apart, types, [at for at in every if at not in errors]))
    return errors


def _make(subject: Subject, statements: Iterable[str]) -> None:
    for statement in statements:
        subject.con.execute(statement).fetchall()


def cells_sql(
    subject: Subject, apart: Collection[int], types: Sequence[str | None], positions: Sequence[int]
) -> list[str]:
    """Return the statements that make the view of the cells of some columns; those at `apart` are not grouped.

    What looks at values reads one table: every branch of a UNION would prepare all its patterns anew.
    """
    together, alone = ([at for at in positions if (at in apart) == is_apart] for is_apart in (False, True))
    if subject.rows * len(together) <= _FEW_CELLS:
        grouped = _unnested(_UNNESTED, subject, together)
    else:
        grouped = "\nUNION ALL\n".join(
            _GROUPED.substitute(position=at, column=subject.field(at), table=quote(subject.name)) for at in together
        )
    distinct, values = helper(subject.name, "distinct"), values_name(subject)
    query = f"FROM {quote(values)}"
    if alone:
        look = _LOOK.substitute(cells=f"({_unnested(_APART, subject, alone)})", likely=_likely(types))
        query += f"\nUNION ALL\n({look})"
    return [
        create_as(distinct, grouped),
        create_as(values, _LOOK.substitute(cells=quote(distinct), likely=_likely(types))),
        drop(distinct),
        _VIEW.substitute(name=quote(cells_name(subject)), query=query),
    ]


def cells_name(subject: Subject) -> str:
    """Return the name of the view of a subject's cells; see `Scan`."""
    return helper(subject.name, "cells")


def values_name(subject: Subject) -> str:
    """Return the name of the table of a subject's grouped cells; see `Scan`."""
    return helper(subject.name, "values")


def _likely(types: Sequence[str | None]) -> str:
    """Return the expression for the kind of a cell that is of its column's type, NULL for others."""
    tests = []
    for type_, (kind, pattern) in _PATTERNS.items():
        positions = ", ".join(str(at) for at, first in enumerate(types) if first == type_)
        if positions:
            tests.append(_LIKELY.substitute(positions=positions, pattern=pattern, kind=kind))
    return f"CASE {' '.join(tests)} END" if tests else "NULL::VARCHAR"


def _unnested(template: Template, subject: Subject, positions: Sequence[int]) -> str:
    columns = ", ".join(subject.field(at) for at in positions)
    return template.substitute(columns=columns, positions=", ".join(map(str, positions)), table=quote(subject.name))

"""The distinct values of every column with their counts: what all facts of cells are asked of.

Values are grouped first and looked at then, since a look costs far more than a group and most columns repeat their
values.
"""

from __future__ import annotations

from collections.abc import Collection
from string import Template

from prepsql.profile.subject import Subject
from prepsql.sqltext import create_as, quote

# to plan a query a column costs more than to take the columns apart by `unnest` in a table of few cells
_FEW_CELLS = 1_000_000
# from so many rows on a column of mostly distinct values isn't grouped: that would copy it
_LONG = 100_000
_MOSTLY_DISTINCT = 0.7

_UNNESTED = Template("""SELECT position, coalesce(value, '') AS value, count(*) AS n, min(first) AS first
FROM (SELECT rowid AS first, unnest([$columns]) AS value, unnest(range($count)) AS position FROM $table)
GROUP BY ALL""")
_GROUPED = Template("""SELECT $position AS position, coalesce($column, '') AS value, count(*) AS n, min(rowid) AS first
FROM $table GROUP BY 2""")
_VIEW = Template("CREATE OR REPLACE VIEW $name AS\n$query")
_APART = Template("""SELECT $position AS position, coalesce($column, '') AS value, 1 AS n, rowid AS first
FROM $table""")
# a look at a value: what it is without spare white space and case, its kind, and how it is written or dressed
# (plain words with single blanks, which are most values, need no search for white space)
_LOOK = Template("""SELECT *, coalesce(CASE WHEN kind = 'number' THEN number_form_of(tidy)
    WHEN kind IN ('date', 'timestamp', 'month') THEN substr(date_form_of(date_skeleton(tidy)), length(kind) + 2)
    END, '') AS form
FROM (
  SELECT *, CASE WHEN value = '' THEN 'empty' WHEN tidy = '' THEN 'blank' ELSE cell_kind_of(tidy) END AS kind
  FROM (
    SELECT *, CASE WHEN regexp_full_match(value, '[!-~]+(?: [!-~]+)*') THEN lower(value)
      ELSE lower(squeeze_space(value)) END AS tidy
    FROM ($cells)))""")


def distinct_sql(subject: Subject) -> str:
    """Return the query for the approximate count of distinct values of each column: one row, a column a column."""
    counts = ", ".join(f"approx_count_distinct({quote(name)})" for name in subject.fields)
    return Template("SELECT $counts FROM $table").substitute(counts=counts, table=quote(subject.name))


def mostly_distinct(subject: Subject) -> dict[int, int]:
    """Return the positions of the columns that aren't grouped, each with its approximate count of distinct values."""
    if subject.rows < _LONG:
        return {}
    counts = subject.con.execute(distinct_sql(subject)).fetchall()[0]
    return {at: min(count, subject.rows) for at, count in enumerate(counts) if count >= _MOSTLY_DISTINCT * subject.rows}


def cells_sql(subject: Subject, apart: Collection[int] = ()) -> list[str]:
    """Return the statements that make `cells_name(subject)`; the columns at `apart` are not grouped."""
    table = quote(subject.name)
    together = [at for at in range(len(subject.columns)) if at not in apart]
    values = quote(f"{subject.name} values")
    if not apart and subject.rows * len(subject.columns) <= _FEW_CELLS:
        columns = ", ".join(map(quote, subject.fields))
        grouped = _UNNESTED.substitute(columns=columns, count=len(subject.columns), table=table)
    else:
        grouped = "\nUNION ALL\n".join(_one(_GROUPED, subject, at) for at in together) or _nothing()
    statements = [create_as(f"{subject.name} values", _LOOK.substitute(cells=grouped))]
    query = f"FROM {values}"
    if apart:
        ungrouped = "\nUNION ALL\n".join(_one(_APART, subject, at) for at in sorted(apart))
        query = f"{query}\nUNION ALL\n({_LOOK.substitute(cells=ungrouped)})"
    return [*statements, _VIEW.substitute(name=quote(cells_name(subject)), query=query)]


def cells_name(subject: Subject) -> str:
    """Return the name of the view of a subject's cells; see `Scan`."""
    return f"{subject.name} cells"


def _one(template: Template, subject: Subject, at: int) -> str:
    return template.substitute(position=at, column=subject.field(at), table=quote(subject.name))


def _nothing() -> str:
    return "SELECT 0 AS position, '' AS value, 0 AS n, 0 AS first WHERE false"

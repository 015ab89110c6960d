"""Rows and cells of a subject that fulfil a condition: how many, and the first of them as examples."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from string import Template

from prepsql.profile.finding import EXAMPLES, Example, Finding
from prepsql.profile.subject import Scan, SparseRows, Subject
from prepsql.sqltext import free_name, quote

# how long the text of a row is as an example, in characters
_SHOWN = 80
_COUNT = Template("SELECT count(*), min(rowid, $kept) FROM $table WHERE $condition")
# a row a column with such cells: of what is grouped by its values, and else of the table
_GROUPED = Template("""SELECT position, sum(n)::BIGINT, min(struct_pack(first, value), $kept)
FROM $cells WHERE position IN ($positions) AND $condition
GROUP BY position ORDER BY position""")
_APART = Template("""SELECT $position, count(*), min(struct_pack(first := rowid, value := $column), $kept)
FROM (SELECT rowid, $column FROM $table) WHERE $condition""")
_ANY = Template("SELECT $counts FROM $table")
_ANY_CELL = Template("count_if($condition)")
_TEXTS = Template("""SELECT rowid, concat_ws(' | ', $cells)
FROM $table WHERE rowid IN ($rows) ORDER BY rowid""")
_FILLED_CELL = Template("nullif(strip_space($column), '')")
_NUMBERED = Template("(SELECT *, row_number() OVER () - 1 AS $number FROM $table)")
_SPARSE = Template("""SELECT count(*) FILTER (filled = 0), min(row, $kept) FILTER (filled = 0),
  count(*) FILTER (filled = 1), max(row) FILTER (filled > 1)
FROM (SELECT rowid AS row, $filled AS filled FROM $table)""")
_WITHOUT = Template("SELECT * FROM $table\nWHERE NOT coalesce($condition, false)")


def count_where(subject: Subject, condition: str) -> tuple[int, list[int]]:
    """Return how many rows fulfil a condition, and the first few of them; one pass."""
    query = _COUNT.substitute(kept=EXAMPLES, table=quote(subject.name), condition=condition)
    count, rows = subject.con.execute(query).fetchall()[0]
    return count, rows or []


def cells_where(
    scan: Scan, positions: Collection[int], condition: Template, kept: int = EXAMPLES
) -> Iterator[tuple[int, int, list[tuple[str, int]]]]:
    """Yield for each column, of those at `positions`, that has cells under a condition on `$value`: where, how many.

    The third part are the first `kept` of the distinct values, each with its row; of a column that isn't grouped, of
    the cells.
    """
    subject, table = scan.subject, quote(scan.subject.name)
    queries = []
    if grouped := [str(at) for at in positions if scan.columns[at].exact]:
        parts = {"cells": quote(scan.values), "positions": ", ".join(grouped)}
        queries.append(_GROUPED.substitute(parts, condition=condition.substitute(value="value"), kept=kept))
    if apart := {at: condition.substitute(value=subject.field(at)) for at in positions if not scan.columns[at].exact}:
        counts = ", ".join(_ANY_CELL.substitute(condition=test) for test in apart.values())
        counted = subject.con.execute(_ANY.substitute(counts=counts, table=table)).fetchall()[0]
        for (at, test), count in zip(apart.items(), counted, strict=True):
            if count:
                parts = {"position": str(at), "column": subject.field(at), "table": table}
                queries.append(_APART.substitute(parts, condition=test, kept=kept))
    for query in queries:
        for position, count, first in subject.con.execute(query).fetchall():
            yield position, count, [(found["value"], found["first"]) for found in first]


def row_examples(subject: Subject, rows: Sequence[int]) -> tuple[Example, ...]:
    """Return the first few of `rows` as examples: their filled cells in order."""
    if not rows:
        return ()
    cells = ", ".join(_FILLED_CELL.substitute(column=subject.field(at)) for at in range(len(subject.columns)))
    shown = ", ".join(map(str, rows[:EXAMPLES]))
    query = _TEXTS.substitute(cells=cells, table=quote(subject.name), rows=shown)
    return subject.examples((text[:_SHOWN], row) for row, text in subject.con.execute(query).fetchall())


def row_finding(
    subject: Subject, kind: str, count: int, rows: Sequence[int], detail: str, mend: str, macro: str = ""
) -> Finding:
    """Return a finding of rows, of all the subject's; `rows` are the first of them."""
    return Finding(
        kind,
        subject.table,
        None,
        count,
        subject.rows,
        detail,
        row_examples(subject, rows),
        mend,
        macro,
        subject.tables,
    )


def sparse_rows(scan: Scan) -> SparseRows:
    """Return the rows with at most one filled cell; asked once, and not at all where two columns are always filled."""
    if "sparse rows" not in scan.known:
        always = sum(not column.error and not column.unfilled for column in scan.columns)
        found = SparseRows()
        if always < 2 and scan.subject.rows:
            query = _SPARSE.substitute(kept=EXAMPLES, filled=filled_count(scan), table=quote(scan.subject.name))
            blank, rows, single, last = scan.subject.con.execute(query).fetchall()[0]
            found = SparseRows(blank, tuple(rows or ()), single, last)
        scan.known["sparse rows"] = found
    return scan.known["sparse rows"]


def filled_count(scan: Scan) -> str:
    """Return the expression for the number of filled cells of a row, which looks only at columns that have others."""
    always, terms = 0, []
    for column in scan.columns:
        field = scan.subject.field(column.position)
        if not column.error and not column.unfilled:
            always += 1
        elif column.error or column.cells("blank"):
            terms.append(f"(NOT is_blank({field}))::INTEGER")
        else:
            terms.append(f"(coalesce({field}, '') <> '')::INTEGER")
    return added([str(always), *terms])


def added(terms: Sequence[str]) -> str:
    """Return the sum of expressions, in groups: DuckDB takes no expression that is nested a thousand deep."""
    groups = [" + ".join(terms[at : at + 100]) for at in range(0, len(terms), 100)]
    return groups[0] if len(groups) == 1 else " + ".join(f"({group})" for group in groups)


def without(subject: Subject, condition: str) -> str:
    """Return the query for the table without the rows that fulfil a condition."""
    return _WITHOUT.substitute(table=quote(subject.table), condition=condition)


def numbered(subject: Subject) -> dict[str, str]:
    """Return the parts of a query that counts rows from 0: `row`, their number, `table` that has it, `all` without it.

    A column called rowid hides the number that a table's rows have by themselves.
    """
    if not any(name.lower() == "rowid" for name in subject.columns):
        return {"row": "rowid", "table": quote(subject.table), "all": "*"}
    number = quote(free_name("row number", subject.columns))
    table = _NUMBERED.substitute(number=number, table=quote(subject.table))
    return {"row": number, "table": table, "all": Template("* EXCLUDE ($number)").substitute(number=number)}


def names_list(subject: Subject) -> str:
    """Return the list of all cells of a row, for a person to read."""
    return f"[{', '.join(map(quote, subject.columns))}]"

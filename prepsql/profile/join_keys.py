"""The values of columns that may be joined, hashed once a normalisation: the table that joins are found in."""

from __future__ import annotations

from collections.abc import Sequence
from string import Template

from prepsql.profile.date_order import order_of
from prepsql.profile.join_score import JoinSide
from prepsql.profile.names import fold_name
from prepsql.profile.result import MISSING, Column
from prepsql.profile.subject import Scan, helper, positions
from prepsql.sqltext import literal, quote

TABLE = helper("", "join keys")
# columns of a subject that are looked at, and those of so many values that they are only compared as they stand
_COLUMNS = 40
_LONG_COLUMNS = 4
_LONG = 100_000
_LONGEST_MEAN = 60

_CREATE = Template("""CREATE OR REPLACE TABLE $table
(side INTEGER, position INTEGER, norm VARCHAR, key UBIGINT, n BIGINT, value VARCHAR)""")
_INSERT = Template("INSERT INTO $table $query")
_PLAIN = Template("""SELECT $side, position, '', hash('', value), sum(n), value
FROM $cells WHERE position IN ($positions) AND kind NOT IN ($missing) GROUP BY ALL""")
# a row a value and a normalisation of it; a part has the key that the whole of another column has
_NORMALISED = Template("""WITH cells AS (FROM $cells WHERE position IN ($positions) AND kind NOT IN ($missing))
SELECT $side, position, norm, hash(norm, text), n, value
FROM (
  SELECT position, value, n, unnest([
      {'norm': '', 'text': value},
      {'norm': 'strip_space', 'text': strip_space(value)},
      {'norm': 'lower', 'text': lower(strip_space(value))},
      {'norm': 'match_key', 'text': match_key(tidy)},
      {'norm': 'parse_number', 'text': CASE WHEN kind IN ('integer', 'decimal', 'number', 'digits')
        THEN CAST(coalesce(TRY_CAST(tidy AS DOUBLE), parse_number(tidy)) AS VARCHAR) END},
      {'norm': 'parse_any_date', 'text': CASE WHEN kind IN ('date', 'timestamp')
        THEN CAST(parse_any_date(tidy, CASE position $orders ELSE 'ymd' END) AS VARCHAR) END},
      {'norm': 'keep_digits', 'text': CASE WHEN kind IN ('integer', 'digits', 'number', 'text')
        AND length(keep_digits(tidy)) >= 3 THEN keep_digits(tidy) END}], recursive := true)
  FROM cells)
WHERE text <> ''
UNION ALL
SELECT DISTINCT $side, position, 'part', hash('match_key', match_key(part)), n, value
FROM (
  SELECT position, value, n, unnest(regexp_split_to_array(tidy, $marks)) AS part
  FROM cells WHERE kind = 'text' AND regexp_matches(tidy, $marks))
WHERE match_key(part) <> ''""")
# what parts the parts of a value
MARKS = "//|[-\u2013\u2014,;/|()]"


def load_keys(scans: Sequence[Scan]) -> dict[tuple[int, int], JoinSide]:
    """Make the table of keys; return the columns in it by number of the subject and position.

    A row of the table is a value of a column in one normalisation (a row a part in the normalisation 'part'), `n` how
    many cells have the value. Columns of very many values have only the normalisation ''.
    """
    con = scans[0].subject.con
    con.execute(_CREATE.substitute(table=quote(TABLE))).fetchall()
    names = [{fold_name(column.name) for column in scan.columns} for scan in scans]
    sides: dict[tuple[int, int], JoinSide] = {}
    for number, scan in enumerate(scans):
        others = {name for at, known in enumerate(names) if at != number for name in known}
        columns = sorted(
            (column for column in scan.columns if _may_join(column, others)),
            key=lambda column: (fold_name(column.name) not in others, column.type == "integer", column.position),
        )
        short = [column for column in columns if _is_short(column)][:_COLUMNS]
        long = [column for column in columns if not _is_short(column)][:_LONG_COLUMNS]
        for template, chosen in ((_NORMALISED, short), (_PLAIN, long)):
            if chosen:
                con.execute(_insert(template, number, scan, chosen)).fetchall()
        sides |= {(number, c.position): JoinSide(number, scan.subject.table, c) for c in (*short, *long)}
    return sides


def _may_join(column: Column, others: set[str]) -> bool:
    if column.error or not column.said or column.type in ("empty", "boolean", "time"):
        return False
    if column.type == "decimal" and fold_name(column.name) not in others:
        return False
    return column.mean_length <= _LONGEST_MEAN


def _is_short(column: Column) -> bool:
    return column.exact and column.distinct <= _LONG


def _insert(template: Template, number: int, scan: Scan, columns: Sequence[Column]) -> str:
    orders = (f"WHEN {column.position} THEN {literal(order_of(column).parts)}" for column in columns)
    query = template.substitute(
        side=number,
        cells=scan.cells_of(columns),
        positions=positions(columns),
        missing=", ".join(map(literal, MISSING)),
        orders=" ".join(orders),
        marks=literal(MARKS),
    )
    return _INSERT.substitute(table=quote(TABLE), query=query)

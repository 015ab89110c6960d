"""How the cells of a kind are written: their notations, counted, and which expression reads them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Template

from prepsql.profile.result import Column, Shape
from prepsql.profile.rules.writing import cells_of, of_cell, parted
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill, literal, literals

# the notation of a time: 9 for digits, a for letters, without fractions of a second
_COUNTED = Template("""SELECT position, kind, notation, sum(n)::BIGINT AS cells, arg_min(value, first), min(first)
FROM (
  SELECT *, CASE kind WHEN 'time' THEN regexp_replace(regexp_replace(regexp_replace(
        translate(tidy, '012345678', '999999999'),
        '9+', '9', 'g'),
        '(:9:9)[.]9', '\\1'),
        ' ?[a-z.]*[a-z][a-z.]*', 'a', 'g')
    ELSE form END AS notation
  FROM $cells WHERE position IN ($positions) AND kind IN (SELECT unnest($kinds)))
GROUP BY ALL""")
_READ = Template("""SELECT position, bool_and(($expression) IS NOT NULL)
FROM (SELECT unnest($positions) AS position, unnest($values) AS cell)
GROUP BY position""")

_READABLE = Template("""SELECT position, cell
FROM (SELECT unnest($positions) AS position, unnest($values) AS cell)
WHERE ($expression) IS NOT NULL""")

_UNREAD = "cell_kind(cell) IN (kinds) AND (reading) IS NULL"


@dataclass(frozen=True)
class Form:
    """Cells of a column that are written alike: of one kind and notation.

    `cells` counts rows; `example` is the first value, `row` its row.
    """

    kind: str
    notation: str
    cells: int
    example: str
    row: int


def forms(scan: Scan, kinds: Sequence[str], columns: Iterable[Column]) -> dict[int, list[Form]]:
    """Return the forms of the cells of some kinds by the column's position, the most frequent first."""
    found: dict[int, list[Form]] = {}
    unsure = []
    for column in columns:
        shapes = [shape for shape in column.shapes if shape.kind in kinds]
        if sum(shape.cells for shape in shapes) == column.cells(*kinds):
            found[column.position] = _sorted(_of_shapes(shapes))
        else:
            unsure.append(column)
    if unsure:
        query = _COUNTED.substitute(cells_of(scan, unsure), kinds=literals(kinds))
        counted = defaultdict(list)
        for position, *facts in scan.subject.con.execute(query).fetchall():
            counted[position].append(Form(*facts))
        found |= {position: _sorted(one) for position, one in counted.items()}
    return found


def _of_shapes(shapes: Iterable[Shape]) -> list[Form]:
    counted: dict[tuple[str, str], Form] = {}
    for shape in shapes:
        key = (shape.kind, _clock_notation(shape.example) if shape.kind == "time" else shape.form)
        known = counted.get(key)
        if known:
            first = min((known.row, known.example), (shape.row, shape.example))
            counted[key] = Form(*key, known.cells + shape.cells, first[1], first[0])
        else:
            counted[key] = Form(*key, shape.cells, shape.example, shape.row)
    return list(counted.values())


def _clock_notation(value: str) -> str:
    digits = re.sub("[0-9]+", "9", " ".join(value.lower().split()))
    return re.sub(" ?[a-z.]*[a-z][a-z.]*", "a", re.sub("(:9:9)[.]9", r"\1", digits))


def _sorted(found: Iterable[Form]) -> list[Form]:
    return sorted(found, key=lambda form: (-form.cells, form.row))


def first_reading(scan: Scan, values: Mapping[int, Sequence[str]], expressions: Sequence[str]) -> dict[int, str]:
    """Return by position the first of `expressions` of `cell` that is not null for any of the column's values."""
    if not values:
        return {}
    chosen: dict[int, str] = {}
    # one after the other: to plan one costs more than to ask it about some values, and the first mostly reads them
    for expression in expressions:
        pairs = [(at, value) for at, some in values.items() if at not in chosen for value in some]
        if not pairs:
            break
        query = _READ.substitute(
            expression=expression, positions=str([at for at, _ in pairs]), values=literals(value for _, value in pairs)
        )
        chosen |= {at: expression for at, reads in scan.subject.con.execute(query).fetchall() if reads}
    return chosen


def readable(scan: Scan, values: Mapping[int, Sequence[str]], expressions: Sequence[str]) -> dict[int, list[str]]:
    """Return by position those of the column's values that one of `expressions` of `cell` reads, if any."""
    found: dict[int, list[str]] = {}
    for expression in expressions:
        pairs = [(at, value) for at, some in values.items() for value in some if value not in found.get(at, ())]
        if not pairs:
            break
        query = _READABLE.substitute(
            expression=expression,
            positions=f"{[at for at, _ in pairs]}::INTEGER[]",
            values=f"{literals(value for _, value in pairs)}::VARCHAR[]",
        )
        for at, value in scan.subject.con.execute(query).fetchall():
            found.setdefault(at, []).append(value)
    return found


def unread_apart(scan: Scan, column: Column, expression: str, kinds: Sequence[str]) -> str:
    """Return the SELECT with what an expression reads; cells of `kinds` that it doesn't get a column of their own."""
    unread = fill(_UNREAD, kinds=", ".join(map(literal, kinds)), reading=expression)
    return parted(
        scan,
        column,
        "CASE WHEN unread THEN NULL ELSE coalesce((reading)::VARCHAR, cell) END",
        {"text": "CASE WHEN unread THEN cell END"},
        unread=of_cell(column, unread),
        reading=of_cell(column, expression),
    )


def or_as_it_is(column: Column, expression: str, read: int) -> str:
    """Return the expression, and where it reads only `read` cells of the column, what it doesn't read as it is."""
    if read == column.said:
        return expression
    return fill("coalesce((reading)::VARCHAR, cell)", reading=expression)

"""Values of one column that are likely spellings of one another, in groups. Shown, never merged."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import fields
from string import Template

from prepsql.profile.groups import Group, Twin, Value, find_groups
from prepsql.profile.result import Column, Spelling, Variant
from prepsql.profile.slips import FEW, Slip, find_slips
from prepsql.profile.subject import Scan, Subject, helper, positions
from prepsql.sqltext import create_as, literals, quote

# a column of categories: few values, or values that repeat
_FEW, _REPEATED = 200, 1.5
# more values aren't compared: of one column, of one table (columns of fewer values come first)
_MOST_VALUES, _MOST_IN_ALL = 30_000, 100_000
# a longer value is no name of a category
_LONGEST = 120
# a row a value; those of one id differ in case, accents, white space or punctuation alone; markup has none
_VALUES = Template("""SELECT (hash(position, key, digits) >> 1)::BIGINT AS id, position AS place, key, digits, kind,
  value, n, first, string_split(coalesce(match_key(tidy), ''), ' ') AS words
FROM (
  SELECT *, spelling_key(tidy) AS key, array_to_string(regexp_extract_all(tidy, '(?:^-)?[0-9]+'), ' ') AS digits
  FROM $cells
  WHERE position IN ($positions) AND kind IN ('text', 'boolean', 'number') AND length(value) <= $longest
    AND NOT starts_with(tidy, '<'))
WHERE length(key) > 2 * length(regexp_replace(key, '[^0-9]', '', 'g'))""")
# a row a slip in a value: the id of what the value is without it, null where no value of the column is
_TWINS = Template("""SELECT v.place, s.kind, v.id, t.id, v.value, s.word, s.meant, s.ratio
FROM (
  SELECT unnest($place::INTEGER[]) AS place, unnest($kind::VARCHAR[]) AS kind, unnest($word::VARCHAR[]) AS word,
    unnest($meant::VARCHAR[]) AS meant, unnest($ratio::DOUBLE[]) AS ratio) AS s
JOIN $values AS v ON v.place = s.place AND list_contains(v.words, s.word)
LEFT JOIN (SELECT DISTINCT id, place, words FROM $values) AS t
  ON t.place = v.place AND t.words = list_transform(v.words, lambda w: if(w = s.word, s.meant, w))
ORDER BY ALL""")
_MEMBERS = Template("""SELECT place, id, value, n, first
FROM $values
WHERE id IN (SELECT id FROM $values GROUP BY id HAVING count(*) > 1) OR id IN (SELECT unnest($ids::BIGINT[]))
ORDER BY place, first, value""")


def values_name(subject: Subject) -> str:
    """Return the name of the table of values that `find_spellings` makes: a row a text value of a column of categories.

    Its columns: id (the same for values of a column that are equal after folding), place (the column's position),
    key (the value folded), digits, kind, value, n, first, words.
    """
    return helper(subject.name, "categories")


def find_spellings(scan: Scan) -> tuple[Spelling, ...]:
    """Return the groups of values of each column that are likely one value, in the order of columns.

    Asked are the texts in columns of categories: at most _FEW distinct values, or at least _REPEATED cells each.
    """
    subject, columns = scan.subject, _looked_at(scan.columns)
    made = _VALUES.substitute(cells=scan.cells_of(columns), positions=positions(columns), longest=_LONGEST)
    subject.con.execute(create_as(values_name(subject), made)).fetchall()
    if not columns:
        return ()
    repeated = [column for column in columns if column.said >= _REPEATED * column.distinct]
    slips = find_slips(subject.con, values_name(subject), repeated) if repeated else []
    values = quote(values_name(subject))
    slipped = {field.name: literals(getattr(slip, field.name) for slip in slips) for field in fields(Slip)}
    twins = [Twin(*row) for row in subject.con.execute(_TWINS.substitute(values=values, **slipped)).fetchall()]
    ids = [id_ for twin in twins for id_ in (twin.id, twin.twin) if id_ is not None]
    members: dict[int, dict[int, list[Value]]] = defaultdict(lambda: defaultdict(list))
    for place, id_, *value in subject.con.execute(_MEMBERS.substitute(values=values, ids=literals(ids))).fetchall():
        members[place][id_].append(Value(*value))
    return tuple(
        _spelling(subject, column, group)
        for column in columns
        for group in find_groups(
            members[column.position], [t for t in twins if t.place == column.position], column.distinct <= FEW
        )
    )


def _spelling(subject: Subject, column: Column, group: Group) -> Spelling:
    variants = (Variant(value, kind, cells, *subject.place(row)) for (value, cells, row), kind in group.variants)
    return Spelling(subject.table, column.name, group.canonical, group.cells, tuple(variants))


def _looked_at(columns: Iterable[Column]) -> list[Column]:
    """Return the columns of categories, those of fewer values first as far as there is room, in their order."""
    room, looked_at = _MOST_IN_ALL, []
    for column in sorted(columns, key=lambda column: column.distinct):
        category = column.distinct <= _FEW or column.said >= _REPEATED * column.distinct
        if column.exact and category and column.cells("text", "boolean") and column.distinct <= min(room, _MOST_VALUES):
            looked_at.append(column)
            room -= column.distinct
    return sorted(looked_at, key=lambda column: column.position)

"""Columns whose sets of values are nearly equal, and the values of one that are likely values of the other."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate, combinations
from string import Template
from typing import NamedTuple

import duckdb

from prepsql.profile.groups import Value, is_clean, likeliness
from prepsql.profile.names import about_same, fold_name, is_placeholder
from prepsql.profile.near import near_sql
from prepsql.profile.slips import NEAR, Slip, is_likely
from prepsql.profile.spelling import values_name
from prepsql.profile.subject import Scan, helper, positions
from prepsql.sqltext import create_as, literals, quote

# columns are compared that have a name in common and few values each, or this share of the smaller one's values
_FEW, _SHARED, _FEWEST_SHARED = 200, 0.4, 2
# a value that more columns share than these tells none of them apart; of more pairs the most alike are compared
_COMMON, _MOST_PAIRS = 50, 300
# columns of more values are no categories; of all pairs no more values than these are compared
_LARGEST, _MOST_VALUES = 2_000, 50_000
# words a letter apart are likely one word from so many letters on, where no counts tell the right one
_WORD_SIZE = 5

# a row a value of a column of any table, but for case, accents, white space and punctuation
_KEYS = Template("""SELECT row_number() OVER (ORDER BY scan, place, id) AS id, scan, place, key, digits,
  count(*) OVER (PARTITION BY key, digits) AS columns, max(sum(n)) OVER (PARTITION BY scan, place) = 1 AS listed,
  sum(n)::BIGINT AS cells, min(words) AS words,
  array_agg({'value': value, 'cells': n, 'row': first} ORDER BY first, value) AS spelled
FROM ($values)
WHERE kind = 'text'
GROUP BY scan, place, id, key, digits""")
_VALUES = Template("SELECT $scan AS scan, * FROM $values WHERE place IN ($places)")
_SIZES = Template("SELECT scan, place, count(*) FROM $keys GROUP BY ALL")
_SHARED_KEYS = Template("""SELECT l.scan, l.place, r.scan, r.place, count(*)
FROM $keys AS l JOIN $keys AS r USING (key, digits)
WHERE l.columns <= $common AND (l.scan, l.place) < (r.scan, r.place)
GROUP BY ALL""")
_PAIRS = Template("""SELECT unnest(range($count)) AS pair, unnest($l_scan) AS l_scan, unnest($l_place) AS l_place,
  unnest($r_scan) AS r_scan, unnest($r_place) AS r_place""")
_SAME = Template("""SELECT l.id, r.id
FROM $pairs JOIN $keys AS l ON l.scan = l_scan AND l.place = l_place
JOIN $keys AS r ON r.scan = r_scan AND r.place = r_place AND r.key = l.key AND r.digits = l.digits
WHERE NOT list_has_any([s.value FOR s IN l.spelled], [s.value FOR s IN r.spelled])
ORDER BY ALL""")
# what only one of two columns has
_ALONE = Template("""SELECT row_number() OVER () AS id, pair AS place, key AS word, k.id AS key_id, side, digits, words
FROM (
  SELECT pair, unnest(['l', 'r']) AS side, unnest([l_scan, r_scan]) AS scan, unnest([l_place, r_place]) AS place
  FROM $pairs)
JOIN $keys AS k USING (scan, place)
QUALIFY count(*) OVER (PARTITION BY pair, key, digits) = 1""")
_NEAR = Template("""SELECT l.key_id, r.key_id, l.words, r.words
FROM ($near) JOIN $alone AS l ON l.id = a JOIN $alone AS r ON r.id = b
WHERE l.side <> r.side AND l.digits = r.digits AND edits = 1
ORDER BY ALL""")
_SPELLED = Template(
    "SELECT id, scan, place, columns, listed, cells, spelled FROM $keys WHERE id IN (SELECT unnest($ids::BIGINT[]))"
)


class _Key(NamedTuple):
    """A value of a column, but for spelling; `columns` of all tables have it, `cells` of this one.

    `listed` says that the column has each of its values once: it is a list of what there is.
    """

    id: int
    scan: int
    place: int
    columns: int
    listed: bool
    cells: int
    spelled: tuple[Value, ...]

    @property
    def likeliest(self) -> Value:
        return min(self.spelled, key=likeliness)


class Alike(NamedTuple):
    """A value of one column, and the value of the column `place` of the scan `scan` that is likely meant."""

    value: Value
    meant: Value
    scan: int
    place: int


Found = dict[tuple[str, int, int], list[Alike]]


def find_alike(scans: Sequence[Scan]) -> Found:
    """Return the values of each column (kind of finding, scan, place) that are likely values of another column.

    Looked at are the texts in columns of categories; see `find_spellings`, which must have run for each of the scans.
    """
    if not scans:
        return {}
    con, names = scans[0].subject.con, [helper("", f"alike {what}") for what in ("keys", "pairs", "alone")]
    keys, pairs, alone = map(quote, names)
    tables = (_values(at, one) for at, one in enumerate(scans))
    con.execute(create_as(names[0], _KEYS.substitute(values="\nUNION ALL\n".join(tables)))).fetchall()
    columns = _column_pairs(con, keys, scans)
    if not columns:
        return {}
    sides = zip(("l_scan", "l_place", "r_scan", "r_place"), zip(*columns, strict=True), strict=True)
    made = {"count": str(len(columns)), **{side: literals(numbers) for side, numbers in sides}}
    con.execute(create_as(names[1], _PAIRS.substitute(made))).fetchall()
    same = con.execute(_SAME.substitute(keys=keys, pairs=pairs)).fetchall()
    con.execute(create_as(names[2], _ALONE.substitute(keys=keys, pairs=pairs))).fetchall()
    near = con.execute(_NEAR.substitute(near=near_sql(alone), alone=alone)).fetchall()
    slips = [(a, b) for a, b, left, right in near if _is_slip(left, right)]
    ids = sorted({id_ for pair in (*same, *slips) for id_ in pair})
    rows = con.execute(_SPELLED.substitute(keys=keys, ids=literals(ids))).fetchall()
    known = {row[0]: _Key._make((*row[:-1], tuple(Value(**value) for value in row[-1]))) for row in rows}
    known_variants = {(at, v.value) for at, one in enumerate(scans) for s in one.spellings for v in s.variants}
    slips = [
        (a, b) for a, b in slips if not known_variants & {(known[x].scan, known[x].likeliest.value) for x in (a, b)}
    ]
    return {
        **_towards("same after folding across tables", same, known, _properness),
        **_towards("near across tables", slips, known, _commonness),
    }


def _values(number: int, scan: Scan) -> str:
    places = positions(column for column in scan.columns if 0 < column.distinct <= _LARGEST)
    return _VALUES.substitute(scan=number, values=quote(values_name(scan.subject)), places=places)


def _column_pairs(con: duckdb.DuckDBPyConnection, keys: str, scans: Sequence[Scan]) -> list[tuple[int, int, int, int]]:
    """Return the pairs of columns to compare, each as scan and place twice, the most alike if too many."""
    sizes = {(scan, place): size for scan, place, size in con.execute(_SIZES.substitute(keys=keys)).fetchall()}
    shared: dict[tuple[int, int, int, int], int] = {
        (*left, *right): 0
        for left, right in combinations(sorted(sizes), 2)
        if max(sizes[left], sizes[right]) <= _FEW and _are_called_alike(scans, left, right)
    }
    for *pair, count in con.execute(_SHARED_KEYS.substitute(keys=keys, common=_COMMON)).fetchall():
        left, right = tuple(pair[:2]), tuple(pair[2:])
        if (*left, *right) in shared or (count >= _FEWEST_SHARED and count >= _SHARED * min(sizes[left], sizes[right])):
            shared[*left, *right] = count
    best = sorted(shared, key=lambda pair: -shared[pair])[:_MOST_PAIRS]
    upto = accumulate(sizes[pair[:2]] + sizes[pair[2:]] for pair in best)
    return sorted(pair for pair, values in zip(best, upto, strict=True) if values <= _MOST_VALUES)


def _are_called_alike(scans: Sequence[Scan], left: tuple[int, int], right: tuple[int, int]) -> bool:
    (table, one), (other_table, other) = (
        (scans[at].subject.table, scans[at].columns[place].name) for at, place in (left, right)
    )
    alike = not is_placeholder(one) and fold_name(one) == fold_name(other)
    # of one table, columns of one name are of one thing
    return alike and (left[0] == right[0] or about_same(table, one, other_table, other) is not False)


def _is_slip(left: Sequence[str], right: Sequence[str]) -> bool:
    """Return whether two values differ in one word, and there as by a slip."""
    differing = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1]]
    if len(left) != len(right) or len(differing) != 1:
        return False
    [(a, b)] = differing
    return min(len(a), len(b)) >= _WORD_SIZE and (a + b).isalpha() and is_likely(Slip(0, NEAR, a, b, 1), 1, True)


def _towards(
    kind: str, pairs: Sequence[tuple[int, int]], known: Mapping[int, _Key], rank: Callable[[_Key], tuple[object, ...]]
) -> Found:
    """Return the lower key of each pair with the highest that it is paired with, by kind and column."""
    meant: dict[int, _Key] = {}
    for pair in pairs:
        low, high = sorted((known[id_] for id_ in pair), key=rank)
        meant[low.id] = max(meant.get(low.id, high), high, key=rank)
    found: Found = defaultdict(list)
    for id_, high in meant.items():
        low = known[id_]
        found[kind, low.scan, low.place] += [Alike(v, high.likeliest, high.scan, high.place) for v in low.spelled]
    return {place: sorted(values, key=lambda alike: alike.value.row) for place, values in sorted(found.items())}


def _properness(key: _Key) -> tuple[bool, bool, int, int]:
    likeliest = key.likeliest
    return is_clean(likeliest.value), likeliest.value.istitle(), likeliest.cells, key.id


def _commonness(key: _Key) -> tuple[int, bool, int, int]:
    return key.columns, key.listed, key.cells, key.id

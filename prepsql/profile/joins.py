"""Candidate joins between subjects: columns that share values, as they stand or normalised."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from string import Template

from prepsql.profile.date_order import order_of
from prepsql.profile.join_keys import MARKS, TABLE, load_keys
from prepsql.profile.join_score import JoinSide, may_be_chance, name_likeness, score
from prepsql.profile.result import Join
from prepsql.profile.subject import Scan
from prepsql.sqltext import drop, literal, quote

# what each side is made, the plainest first; 'part' compares parts of the one side with the whole of the other
NORMALISATIONS = (
    "", "strip_space", "lower", "match_key", "parse_number", "parse_any_date", "keep_digits", "part",
)  # fmt: skip
# a pair is kept with so much of the smaller set shared, or so much where the names are the same
_SHARED = 0.5
_SHARED_NAMED = 0.1
_LEAST_SCORE = 1.4
# a normalisation less plain must share so much more
_RAISED = 0.02
_KEPT_OF_TWO = 4
_KEPT = 40
_UNMATCHED = 3

# values that a normalisation makes nothing of count as they stand
_SIZES = Template("""SELECT side, position, norm, made + max(given) OVER (PARTITION BY side, position) - given
FROM (
  SELECT side, position, norm, count(DISTINCT key) AS made, count(DISTINCT value) AS given FROM $table GROUP BY ALL)""")
_OVERLAPS = Template("""WITH keys AS (SELECT DISTINCT side, position, norm, key FROM $table)
SELECT l.side, l.position, l.norm, r.side, r.position, r.norm, count(*)
FROM keys AS l JOIN keys AS r ON l.key = r.key AND l.side < r.side AND NOT (l.norm = 'part' AND r.norm = 'part')
GROUP BY ALL""")
# a row a pair of columns: the cells of the one that have a partner in the other, and values that have none
_MATCHED = Template("""WITH pairs(pair, side, position, norm, other_side, other_position, other_norm) AS (
  VALUES $pairs),
here AS (SELECT pair, key, n, value FROM pairs JOIN $table USING (side, position, norm)),
there AS (SELECT DISTINCT pair, t.key FROM pairs AS p JOIN $table AS t
  ON t.side = p.other_side AND t.position = p.other_position AND t.norm = p.other_norm),
told AS (SELECT pair, value, any_value(n) AS n, bool_or(t.key IS NOT NULL) AS matched
  FROM here LEFT JOIN there AS t USING (pair, key) GROUP BY ALL)
SELECT pair, coalesce(sum(n) FILTER (matched), 0)::BIGINT,
  list(value ORDER BY n DESC, value) FILTER (NOT matched)[:$kept]
FROM told GROUP BY pair""")
_PAIR = Template("($number, $side, $position, $norm, $other_side, $other_position, $other_norm)")
_SQL = Template("SELECT *\nFROM $left AS l JOIN $right AS r ON $condition")


@dataclass(frozen=True)
class _Pair:
    """Two columns, what each is made, how many values they then share and of the smaller set what part."""

    left: JoinSide
    left_norm: str
    right: JoinSide
    right_norm: str
    overlap: int
    share: float
    score: float

    @property
    def norm(self) -> str:
        return "part" if "part" in (self.left_norm, self.right_norm) else self.left_norm


def joins(scans: Sequence[Scan]) -> tuple[Join, ...]:
    """Return the pairs of columns of two subjects that can be joined, the best first; at most 4 of two subjects.

    Of the normalisations the plainest is taken that shares most. Decimals, long texts and times of day aren't joined.
    """
    if len(scans) < 2:
        return ()
    con = scans[0].subject.con
    sides = load_keys(scans)
    pairs = _best(_overlaps(scans, sides))
    found = [
        ((p.left, p.left_norm, p.right, p.right_norm), (p.right, p.right_norm, p.left, p.left_norm)) for p in pairs
    ]
    plain = [((p.left, "", p.right, ""), (p.right, "", p.left, "")) for p in pairs]
    matched = _matched(scans, [way for both in (*found, *plain) for way in both])
    con.execute(drop(TABLE)).fetchall()
    return tuple(
        _join(pair, *matched[2 * at : 2 * at + 2], *matched[2 * (at + len(pairs)) : 2 * (at + len(pairs)) + 2])
        for at, pair in enumerate(pairs)
    )


def _overlaps(scans: Sequence[Scan], sides: Mapping[tuple[int, int], JoinSide]) -> Iterable[_Pair]:
    """Return every two columns that share values, and not by chance, once a normalisation."""
    con = scans[0].subject.con
    sizes = {tuple(at): size for *at, size in con.execute(_SIZES.substitute(table=quote(TABLE))).fetchall()}
    for *ends, overlap in con.execute(_OVERLAPS.substitute(table=quote(TABLE))).fetchall():
        one, other = tuple(ends[:3]), tuple(ends[3:])
        left, right = sides[one[:2]], sides[other[:2]]
        norm = "part" if "part" in (one[2], other[2]) else one[2]
        # parts are more than values, but it is the whole values that must be found among them
        both = (sizes[one], sizes[other])
        if norm == "part":
            whole = 0 if other[2] == "part" else 1
            both = (both[whole], max(both[whole], both[1 - whole]))
        share = overlap / min(both)
        if not may_be_chance(left, right, norm, overlap, both):
            yield _Pair(left, one[2], right, other[2], overlap, share, score(left, right, norm, overlap, both))


def _best(pairs: Iterable[_Pair]) -> list[_Pair]:
    """Return the pairs to keep: of two columns one, of two subjects and of all the best."""
    by_columns = defaultdict(list)
    for pair in pairs:
        by_columns[pair.left.side, pair.left.column.position, pair.right.side, pair.right.column.position].append(pair)
    candidates = []
    for alike in by_columns.values():
        alike.sort(key=lambda pair: NORMALISATIONS.index(pair.norm))
        best = alike[0]
        for pair in alike[1:]:
            if pair.share > best.share + _RAISED and pair.score > best.score:
                best = pair
        same_name = name_likeness(best.left, best.right) == 1
        enough = best.share >= _SHARED_NAMED if same_name else best.share >= _SHARED and best.overlap > 1
        if enough and best.score >= _LEAST_SCORE:
            candidates.append(best)
    candidates.sort(
        key=lambda p: (-p.score, p.left.side, p.left.column.position, p.right.side, p.right.column.position)
    )
    kept: dict[tuple[int, int], list[_Pair]] = defaultdict(list)
    for pair in candidates:
        kept[pair.left.side, pair.right.side].append(pair)
    chosen = [pair for pair in candidates if pair in kept[pair.left.side, pair.right.side][:_KEPT_OF_TWO]]
    return chosen[:_KEPT]


def _matched(
    scans: Sequence[Scan], ways: Sequence[tuple[JoinSide, str, JoinSide, str]]
) -> list[tuple[float, tuple[str, ...]]]:
    """Return of each way the share of the first column's cells that have a partner, and some values that have none."""
    if not ways:
        return []
    values = (
        _PAIR.substitute(
            number=number,
            side=one.side,
            position=one.column.position,
            norm=literal(norm),
            other_side=other.side,
            other_position=other.column.position,
            other_norm=literal(other_norm),
        )
        for number, (one, norm, other, other_norm) in enumerate(ways)
    )
    query = _MATCHED.substitute(pairs=", ".join(values), table=quote(TABLE), kept=_UNMATCHED)
    facts = {number: facts for number, *facts in scans[0].subject.con.execute(query).fetchall()}
    nothing: tuple[int, None] = (0, None)
    told = [(*facts.get(number, nothing), way[0].column.said) for number, way in enumerate(ways)]
    return [(cells / said, tuple(unmatched or ())) for cells, unmatched, said in told]


_Told = tuple[float, tuple[str, ...]]


def _join(pair: _Pair, left: _Told, right: _Told, plain_left: _Told, plain_right: _Told) -> Join:
    return Join(
        pair.left.table,
        pair.left.column.name,
        pair.right.table,
        pair.right.column.name,
        pair.norm,
        pair.overlap,
        left[0],
        right[0],
        plain_left[0],
        plain_right[0],
        round(pair.score, 3),
        left[1],
        right[1],
        _join_sql(pair),
    )


def _join_sql(pair: _Pair) -> str:
    left, right = _cell("l", pair.left, pair.left_norm), _cell("r", pair.right, pair.right_norm)
    if pair.left_norm == "part":
        condition = f"list_contains({left}, {right})"
    elif pair.right_norm == "part":
        condition = f"list_contains({right}, {left})"
    else:
        condition = f"{left} = {right}"
    return _SQL.substitute(left=quote(pair.left.table), right=quote(pair.right.table), condition=condition)


def _cell(alias: str, end: JoinSide, norm: str) -> str:
    """Return one end of a join's condition: a column's cell as the normalisation makes it."""
    cell = f"{alias}.{quote(end.column.name)}"
    if norm == "":
        return cell
    if norm == "lower":
        return f"lower(strip_space({cell}))"
    if norm == "parse_any_date":
        return f"parse_any_date({cell}, {literal(order_of(end.column).parts)})"
    if norm == "part":
        return f"list_transform(regexp_split_to_array({cell}, {literal(MARKS)}), lambda part: match_key(part))"
    return f"{norm}({cell})"

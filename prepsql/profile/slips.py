"""Words of a column that are likely slips for more frequent words: by edits, or by digits that look like letters."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from string import Template

import duckdb

from prepsql.profile.near import SHORTEST, near_sql
from prepsql.profile.result import Column
from prepsql.profile.subject import helper
from prepsql.sqltext import create_as, quote

NEAR, DIGITS = "near values", "digits for letters"
# a column of few values: each is a category, and one edit is enough of a sign
FEW = 60
# how much more frequent the right word is: always in a longer column; in a short one where two letters differ, where
# one of only four does, and where the first does, since slips seldom are there
_LONG_RATIO, _TWO_EDITS_RATIO, _FIRST_LETTER_RATIO = 10, 5, 3
_FIRST_LETTER_SIZE = 6
# in a longer column more words than this share with neighbours are names, which are near one another by nature
_NAMES = 0.05
_ROMAN = re.compile("[ivxlcdm]+")

# a row a word of a column; `everywhere` counts the cells of all columns that hold it
_WORDS = Template("""SELECT hash(place, word) AS id, place, word, sum(n)::BIGINT AS cells,
  sum(sum(n)) OVER (PARTITION BY word)::BIGINT AS everywhere
FROM (SELECT place, n, unnest(list_distinct(words)) AS word FROM $values WHERE list_contains($places, place))
GROUP BY place, word""")
_LETTERS = Template("SELECT * FROM $words WHERE regexp_full_match(word, '[\\p{L}\\p{M}]+')")
_COUNTS = Template("SELECT place, count(*) FROM $letters GROUP BY place")
_PAIRS = Template("""SELECT l.place, edits, l.word, l.everywhere, r.word, r.everywhere
FROM ($near) JOIN $letters AS l ON l.id = a JOIN $letters AS r ON r.id = b
ORDER BY ALL""")
# 1 looks like i or like l
_DIGITS = Template("""SELECT DISTINCT l.place, l.word, r.word
FROM (
  SELECT *, unnest([translate(word, '013457', 'oieast'), translate(word, '013457', 'oleast')]) AS read
  FROM $words
  WHERE regexp_matches(word, '[a-z][013457]|[013457][a-z]') AND length(word) >= $shortest
    AND length(regexp_replace(word, '[^0-9]', '', 'g')) * 2 < length(word)) AS l
JOIN $letters AS r ON l.place = r.place AND l.read = r.word
ORDER BY ALL""")


@dataclass(frozen=True)
class Slip:
    """In the column at `place`, `word` likely stands for `meant`; `ratio` is how much more frequent that is."""

    place: int
    kind: str
    word: str
    meant: str
    ratio: float


def find_slips(con: duckdb.DuckDBPyConnection, values: str, columns: Sequence[Column]) -> list[Slip]:
    """Return the likely slips in `columns`, in order of column and word.

    `values` is a table (place, words, n) of distinct values: the column's position, the value's words in small letters
    without accents, and how many cells have it.
    """
    words, letters = (quote(helper(values, what)) for what in ("words", "letters"))
    places = [column.position for column in columns]
    made = _WORDS.substitute(values=quote(values), places=str(places))
    con.execute(create_as(helper(values, "words"), made)).fetchall()
    con.execute(create_as(helper(values, "letters"), _LETTERS.substitute(words=words))).fetchall()
    counts = dict(con.execute(_COUNTS.substitute(letters=letters)).fetchall())
    pairs = con.execute(_PAIRS.substitute(near=near_sql(letters), letters=letters)).fetchall()
    digits = con.execute(_DIGITS.substitute(words=words, letters=letters, shortest=SHORTEST)).fetchall()
    short = {column.position for column in columns if column.distinct <= FEW}
    neighbours: dict[int, set[str]] = defaultdict(set)
    for place, _, a, _, b, _ in pairs:
        neighbours[place] |= {a, b}
    slips = [Slip(place, DIGITS, word, meant, 1) for place, word, meant in digits]
    for place, edits, a, a_cells, b, b_cells in pairs:
        if place in short or len(neighbours[place]) <= _NAMES * counts[place]:
            rare, common = sorted(((a_cells, a), (b_cells, b)))
            slip = Slip(place, NEAR, rare[1], common[1], common[0] / rare[0])
            if is_likely(slip, edits, place in short):
                slips.append(slip)
    return slips


def is_likely(slip: Slip, edits: int, short: bool) -> bool:
    """Return whether two words `edits` apart look like a slip, not like two words; `short` columns have few values."""
    a, b = sorted((slip.word, slip.meant), key=len)
    if b in (f"{a}s", f"{a}es") or (_ROMAN.fullmatch(a) and _ROMAN.fullmatch(b)):
        return False
    same_start = a[0] == b[0] or a[:2] == b[1::-1]
    if not short:
        return same_start and slip.ratio >= _LONG_RATIO
    if edits > 1:
        return same_start and slip.ratio >= _TWO_EDITS_RATIO
    if not same_start:
        return len(a) >= _FIRST_LETTER_SIZE and slip.ratio >= _FIRST_LETTER_RATIO
    other_letter = len(a) == len(b) and sorted(a) != sorted(b)
    return len(a) > SHORTEST or not other_letter or slip.ratio >= _TWO_EDITS_RATIO

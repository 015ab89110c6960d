"""Pairs of words an edit or two apart, by deletion neighbourhoods: no word is compared with all others.

Two words within n edits become equal once at most n letters are dropped from each. So every word is filed under what is
left of it after each such cut, and only words that meet there are compared. An edit is a letter more, less or other, or
two neighbours swapped.
"""

from __future__ import annotations

from string import Template

# words are compared from so many letters on, with two edits from so many on, and up to so many: cuts grow as the square
SHORTEST, TWO_EDITS, LONGEST = 4, 8, 30
# a cut that more words than these share comes from codes that differ by a letter, not from slips of the pen
_CROWD = 64

_NEAR = Template("""WITH words AS (
  SELECT id, place, word, length(word) AS size FROM $words WHERE length(word) BETWEEN $shortest AND $longest
), one AS (
  SELECT id, place, size, cut, concat(substr(word, 1, cut - 1), substr(word, cut + 1)) AS rest
  FROM (SELECT *, unnest(range(1, size + 1)) AS cut FROM words)
), two AS (
  SELECT id, place, concat(substr(rest, 1, cut - 1), substr(rest, cut + 1)) AS rest
  FROM (SELECT id, place, rest, unnest(range(cut, size)) AS cut FROM one WHERE size >= $two)
), cuts AS (
  SELECT DISTINCT id, hash(place, rest) AS cut
  FROM (SELECT id, place, word AS rest FROM words
    UNION ALL SELECT id, place, rest FROM one
    UNION ALL SELECT id, place, rest FROM two)
), shared AS MATERIALIZED (
  SELECT id, cut FROM cuts QUALIFY count(*) OVER (PARTITION BY cut) BETWEEN 2 AND $crowd
), met AS MATERIALIZED (
  SELECT DISTINCT a.id AS a, b.id AS b FROM shared AS a JOIN shared AS b USING (cut) WHERE a.id < b.id
)
SELECT a, b, edits
FROM (
  SELECT a, b, damerau_levenshtein(l.word, r.word) AS edits, least(l.size, r.size) AS size
  FROM met JOIN words AS l ON l.id = a JOIN words AS r ON r.id = b
  WHERE l.place = r.place)
WHERE edits <= if(size >= $two, 2, 1)""")


def near_sql(words: str) -> str:
    """Return the query for the pairs of near words of one place: rows (a, b, edits), a < b, in no order.

    `words` is a table (id, place, word), as SQL names it; each word stands once a place. Near are words one edit apart
    from SHORTEST letters on, two where both have TWO_EDITS or more; words of more than LONGEST aren't compared, nor
    words that meet in a crowd.
    """
    return _NEAR.substitute(words=words, shortest=SHORTEST, two=TWO_EDITS, longest=LONGEST, crowd=_CROWD)

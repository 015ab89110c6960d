"""Near words by deletion neighbourhoods, against all pairs compared by a model."""

import string
from itertools import combinations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql.profile.near import LONGEST, near_sql


@pytest.fixture(scope="module")
def con():
    with duckdb.connect() as con:
        yield con


def damerau(a, b):
    """The true distance of Damerau and Levenshtein, as Lowrance and Wagner compute it."""
    last, far = {}, len(a) + len(b)
    rows = [[far] * (len(b) + 2) for _ in range(len(a) + 2)]
    for i in range(len(a) + 1):
        rows[i + 1][1] = i
    for j in range(len(b) + 1):
        rows[1][j + 1] = j
    for i, left in enumerate(a, 1):
        same = 0
        for j, right in enumerate(b, 1):
            row, column = last.get(right, 0), same
            if left == right:
                same = j
            rows[i + 1][j + 1] = min(
                rows[i][j] + (left != right),
                rows[i + 1][j] + 1,
                rows[i][j + 1] + 1,
                rows[row][column] + (i - row - 1) + 1 + (j - column - 1),
            )
        last[left] = i
    return rows[-1][-1]


def near(con, words):
    """The near pairs of (place, word), each with its edits, as the query finds them."""
    con.execute("CREATE OR REPLACE TABLE words (id BIGINT, place INTEGER, word VARCHAR)")
    places, texts = zip(*words, strict=True) if words else ((), ())
    con.execute(
        "INSERT INTO words SELECT unnest(range(?)), unnest(?::INTEGER[]), unnest(?::VARCHAR[])",
        [len(words), list(places), list(texts)],
    )
    found = con.execute(near_sql("words")).fetchall()
    return sorted((words[a], words[b], edits) for a, b, edits in found)


def by_model(words):
    pairs = []
    for a, b in combinations(words, 2):
        size = min(len(a[1]), len(b[1]))
        allowed = 0 if size < 4 or max(len(a[1]), len(b[1])) > LONGEST else 2 if size >= 8 else 1
        if a[0] == b[0] and damerau(a[1], b[1]) <= allowed:
            pairs.append((a, b, damerau(a[1], b[1])))
    return sorted(pairs)


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 1), st.text("abé", min_size=1, max_size=11)),
        max_size=30,
        unique=True,
    )
)
def test_the_pairs_are_those_of_the_model(con, words):
    assert near(con, words) == by_model(words)


@settings(max_examples=40)
@given(st.data())
def test_a_word_is_near_itself_after_as_many_edits_as_are_allowed(con, data):
    word = data.draw(st.text("abcdefgh", min_size=4, max_size=LONGEST - 2))
    other = word
    for _ in range(2 if len(word) >= 10 else 1):
        at = data.draw(st.integers(0, len(other) - 1))
        edited = [
            other[:at] + other[at + 1 :],
            other[:at] + "z" + other[at:],
            other[:at] + "z" + other[at + 1 :],
            other[:at] + other[at : at + 2][::-1] + other[at + 2 :],
        ]
        other = data.draw(st.sampled_from(edited))
    expected = other != word and min(len(word), len(other)) >= 4
    assert bool(near(con, [(0, word), (0, other)] if other != word else [(0, word)])) == expected


def test_words_beyond_the_bounds_are_not_compared(con):
    assert near(con, [(0, "abc"), (0, "abd"), (0, "x" * 31), (0, "x" * 30)]) == []
    assert near(con, []) == []


def test_a_crowd_of_codes_is_no_all_against_all(con):
    """Codes that differ in the last two letters are all two edits apart; only those that share a letter meet."""
    codes = [(0, f"commonprefix{a}{b}") for a in string.ascii_lowercase for b in string.ascii_lowercase]
    found = near(con, [*codes, (0, "entirely"), (0, "entierly")])
    assert ((0, "entirely"), (0, "entierly"), 1) in found
    assert len(found) < len(codes) ** 2 / 10

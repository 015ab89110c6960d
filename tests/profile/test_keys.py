"""Keys against a model that counts in Python."""

from itertools import combinations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepsql.profile.keys import keys

FEW = settings(max_examples=15, suppress_health_check=[HealthCheck.function_scoped_fixture])
WORDS = st.sampled_from(["", "ax", "bo", "cy", "7", "08"])


def model(rows, width):
    """The unique columns, else the narrowest unique sets of two or three."""
    for size in (1, 2, 3):
        found = [
            chosen
            for chosen in combinations(range(width), size)
            if len({tuple(row[at] for at in chosen) for row in rows}) == len(rows)
        ]
        if found:
            return found
    return []


@FEW
@given(rows=st.lists(st.lists(WORDS, min_size=4, max_size=4), min_size=2, max_size=9))
def test_small_tables_have_the_keys_of_the_model(tabled, scanned, rows):
    rows = [*rows, ["ax", "bo", "cy", "ax"]]  # no column is all empty
    [scan] = scanned(tabled(list("pqrs"), rows))
    found = [tuple("pqrs".index(name) for name in key.columns) for key in keys(scan) if not key.repeated]
    expected = model(rows, 4)
    if expected and len(expected[0]) == 1:
        assert found == expected
    else:
        # of sets at most three are kept
        assert len(found) == min(3, len(expected))
        assert set(found) <= set(expected)


def test_a_near_key_tells_how_many_rows_repeat(tabled, scanned):
    rows = [[f"k{at}", str(at % 5)] for at in range(98)] + [["k3", "3"], ["k4", "4"]]
    [scan] = scanned(tabled(["code", "group"], rows))
    assert [(key.columns, key.repeated) for key in keys(scan)] == [(("code",), 2)]


def test_two_columns_together_in_a_table_longer_than_the_sample(con, tabled, scanned):
    rows = [[f"s{at % 150}", f"d{at // 150}", f"x{at % 7}"] for at in range(15_000)]
    [scan] = scanned(tabled(["store", "day", "other"], rows))
    assert [key.columns for key in keys(scan)] == [("store", "day")]
    # unique in the sample, not in all rows
    [scan] = scanned(tabled(["store", "day", "other"], [*rows, rows[0]]))
    assert keys(scan) == ()


@pytest.mark.parametrize("rows", [[], [["a", "b"]], [["", ""], ["", ""]], [["a", "b"], ["a", "b"]]])
def test_a_table_without_two_different_rows_has_no_key(tabled, scanned, rows):
    assert [key for scan in scanned(tabled(["a", "b"], rows)) for key in keys(scan)] == []


def test_decimals_and_long_texts_are_no_keys(tabled, scanned):
    rows = [[f"{at}.5", f"said {at} " * 12, f"{at % 2}"] for at in range(9)]
    [scan] = scanned(tabled(["price", "comment", "flag"], rows))
    assert keys(scan) == ()

"""Candidate joins against a model that looks values up in Python."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepsql.profile.joins import joins

FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
CODES = st.sampled_from(["", "ab1", "cd2", "ef3", "gh4", "ij5", "n/a"])


@FEW
@given(left=st.lists(CODES, min_size=1, max_size=12), right=st.lists(CODES, min_size=1, max_size=12))
def test_rates_and_overlap_are_those_of_the_model(tabled, scanned, left, right):
    scans = scanned(tabled(["code", "x"], [[v, "1.5"] for v in left]), tabled(["Code"], [[v] for v in right]))
    lefts, rights = ([value for value in side if value not in ("", "n/a")] for side in (left, right))
    both = set(lefts) & set(rights)
    found = joins(scans)
    if not both or len(both) < 0.1 * min(len(set(lefts)), len(set(rights))):
        assert found == ()
        return
    [one] = found
    assert (one.left_column, one.right_column, one.normalisation, one.overlap) == ("code", "Code", "", len(both))
    assert one.left_rate == one.plain_left_rate == pytest.approx(sum(v in both for v in lefts) / len(lefts))
    assert one.right_rate == one.plain_right_rate == pytest.approx(sum(v in both for v in rights) / len(rights))
    assert set(one.left_unmatched) <= set(lefts) - both
    assert len(one.left_unmatched) == min(3, len(set(lefts) - both))
    assert len(one.right_unmatched) == min(3, len(set(rights) - both))


@pytest.mark.parametrize(
    ("left", "right", "normalisation"),
    [
        (["Oslo", "Rome", "Lima"], ["Oslo", "Rome", "Lima"], ""),
        ([" Oslo", "Rome ", "Lima"], ["Oslo", "Rome", "Lima"], "strip_space"),
        (["OSLO", "ROME", "LIMA"], ["Oslo", "Rome", "Lima"], "lower"),
        (["S. Paulo", "Malmö!", "Lima"], ["s paulo", "malmo", "lima"], "match_key"),
        (["$1,000", "$2,500", "$7"], ["1000", "2500", "7"], "parse_number"),
        (["5 March 2024", "6 March 2024", "7 May 2024"], ["2024-03-05", "2024-03-06", "2024-05-07"], "parse_any_date"),
        (["EAST18141", "EAST18142", "EAST18143"], ["18141-WEST", "18142-WEST", "18143-WEST"], "keep_digits"),
        (["Oslo/NO", "Rome/IT", "Lima/PE"], ["Oslo", "Rome", "Lima"], "part"),
        (["Oslo", "Rome", "Lima"], ["NO; Oslo", "IT; Rome", "PE; Lima"], "part"),
    ],
)
def test_the_plainest_normalisation_that_raises_is_named_and_the_sql_joins_by_it(
    con, tabled, scanned, left, right, normalisation
):
    one, other = tabled(["id key", "a"], [[v, "x"] for v in left]), tabled(["ID key"], [[v] for v in right])
    [found] = joins(scanned(one, other))
    assert found.normalisation == normalisation
    assert (found.overlap, found.left_rate, found.right_rate) == (3, 1.0, 1.0)
    assert (found.plain_left_rate == 1.0) == (normalisation == "")
    assert sorted(row[0] for row in con.sql(found.sql).fetchall()) == sorted(left)


def test_the_named_and_unique_pair_stands_before_one_of_small_numbers(tabled, scanned):
    orders = tabled(["order", "customer id", "quantity"], [[f"o{at}", f"c{at % 20}", str(at % 9)] for at in range(90)])
    customers = tabled(["customer id", "visits"], [[f"c{at}", str(at % 9)] for at in range(20)])
    found = joins(scanned(orders, customers))
    assert [(join.left_column, join.right_column) for join in found] == [("customer id", "customer id")]
    assert found[0].score == 3.5


def test_one_table_or_tables_without_cells_have_no_join(tabled, scanned):
    assert joins(scanned(tabled(["a"], [["x"]]))) == ()
    assert joins(scanned(tabled(["a"], []), tabled(["a"], [["x"]]), tabled(["b"], [["y"], [""]]))) == ()

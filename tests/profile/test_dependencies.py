"""Functional dependencies against a model that counts in Python."""

from collections import Counter, defaultdict

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from prepsql.profile.dependencies import dependencies

FEW = settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
CITIES = {"Oslo": "NO", "Bergen": "NO", "Rome": "IT", "Milan": "IT", "Lima": "PE"}


def exceptions(rows, determinant, dependent):
    """Rows with both filled, and of them those with another partner than their value's most frequent."""
    partners = defaultdict(Counter)
    for row in rows:
        if row[determinant] and row[dependent]:
            partners[row[determinant]][row[dependent]] += 1
    total = sum(sum(counter.values()) for counter in partners.values())
    return total, total - sum(max(counter.values()) for counter in partners.values())


def told(scan):
    return {(d.determinant, d.dependent): d for d in dependencies(scan)}


@FEW
@given(
    cities=st.lists(st.sampled_from(sorted(CITIES)), max_size=40),
    wrong=st.integers(0, 1),
    empty=st.sets(st.integers(0, 105), max_size=20),
)
def test_exceptions_are_counted_and_the_first_is_shown(tabled, scanned, cities, wrong, empty):
    cities = [*sorted(CITIES) * 30, *cities]
    rows = [[city, "" if at in empty else CITIES[city], f"n{at}"] for at, city in enumerate(cities)]
    for at in range(wrong):
        rows[at + 110][1] = "XX"
    table = tabled(["city", "country", "row"], rows)
    [scan] = scanned(table)
    found = told(scan)
    assert set(found) == {("city", "country")}
    one = found["city", "country"]
    assert (one.rows, one.exceptions) == exceptions(rows, 0, 1)
    assert not one.one_to_one
    assert [(e.value, e.table, e.line) for e in one.examples] == [(rows[110][0], table.name, 112)] * wrong


def test_one_to_one_is_said_once_and_nothing_that_follows(tabled, scanned):
    places = [("a", "Alpha", "N"), ("b", "Beta", "N"), ("c", "Gamma", "S"), ("d", "Delta", "S")]
    rows = [[*places[at % 4], "all", {"N": "1", "S": "2"}[places[at % 4][2]]] for at in range(80)]
    [scan] = scanned(tabled(["code", "name", "region", "constant", "number"], rows))
    assert {pair: d.one_to_one for pair, d in told(scan).items()} == {
        ("code", "name"): True,
        ("code", "region"): False,
        ("region", "number"): True,
    }


def test_agreement_that_may_be_chance_is_not_said(tabled, scanned):
    rows = [[f"v{at % 4}", "yes" if at % 4 else "no"] for at in range(8)]
    assert not told(scanned(tabled(["a", "b"], rows))[0])
    rare = [[f"v{at % 9}", "other" if at == 5 else "most"] for at in range(300)]
    assert not told(scanned(tabled(["a", "b"], rare))[0])


def test_a_number_with_exceptions_says_nothing(tabled, scanned):
    rows = [[str(at % 20), f"g{at % 20 // 5}"] for at in range(200)]
    assert set(told(scanned(tabled(["n", "g"], rows))[0])) == {("n", "g")}
    rows[7][1] = "g3"
    assert not told(scanned(tabled(["n", "g"], rows))[0])


def test_short_tables_and_single_columns_have_none(tabled, scanned):
    for header, rows in ((["a", "b"], []), (["a"], [["x"], ["x"], ["y"]]), (["a", "b"], [["", ""], ["", ""]])):
        assert dependencies(scanned(tabled(header, rows))[0]) == ()


def test_dependencies_of_a_table_longer_than_the_sample(tabled, scanned):
    rows = [[f"c{at // 100}", f"r{at // 1000}", f"x{at * 7919 % 30}"] for at in range(12_000)]
    rows[11_999][1] = "r3"
    found = told(scanned(tabled(["city", "region", "other"], rows))[0])
    assert {pair: d.exceptions for pair, d in found.items()} == {("city", "region"): 1}

"""Values that are likely one: injected variants are found with their exact counts, and the mend removes them."""

import csv
import random
from dataclasses import replace

import pytest

from prepsql.profile.columns import scan
from prepsql.profile.rules import padded, padded_headers, spellings, spellings_across
from prepsql.profile.spelling import find_spellings
from prepsql.profile.stack import stack
from prepsql.tables import read

CITIES = ("London", "Manchester", "Birmingham", "Liverpool", "York")


@pytest.fixture
def look(con, tmp_path):
    """Write tables (name -> columns), and return the findings of the rules for spellings and the groups."""

    def look(**tables):
        read_tables = []
        for name, columns in tables.items():
            path = tmp_path / f"{name}.csv"
            with path.open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([list(columns), *zip(*columns.values(), strict=True)])
            read_tables.append(read(path, con, name))
        scans = [scan(subject) for subject in stack(con, read_tables)]
        scans = [replace(one, spellings=find_spellings(one)) for one in scans]
        rules = (spellings.find, padded.find, padded_headers.find)
        found = [finding for one in scans for rule in rules for finding in rule(one)]
        return found + list(spellings_across.find(scans)), [group for one in scans for group in one.spellings]

    return look


@pytest.fixture
def mended(con, look):
    """Return the findings after a finding's mend; its columns come from the table that was looked at last."""

    def mended(finding, **tables):
        relation = con.sql(finding.mend)
        rows = relation.fetchall()
        columns = dict(zip(relation.columns, map(list, zip(*rows, strict=True)), strict=True))
        return look(**{**tables, finding.table: columns})[0]

    return mended


def kinds(found):
    return {(finding.kind, finding.column): finding.count for finding in found}


def column(*counts, seed=0):
    """Values as often as they say, in an order of chance."""
    values = [value for value, count in counts for _ in range(count)]
    random.Random(seed).shuffle(values)
    return values


DIRTY = column(
    *((city, 20) for city in CITIES),
    ("LONDON", 3), ("london ", 2), ("Lon-don", 1), ("Manchster", 2), ("Birmingahm", 4), ("L1verpool", 1), ("Y0rk", 2),
)  # fmt: skip


def test_each_kind_counts_the_values_that_are_not_the_likeliest(look):
    found, groups = look(t={"city": DIRTY, "n": range(len(DIRTY))})
    assert kinds(found) == {
        ("same after folding", "city"): 3,
        ("near values", "city"): 2,
        ("digits for letters", "city"): 2,
        ("padded values", "city"): 2,
    }
    assert {group.canonical: {v.value: v.cells for v in group.variants} for group in groups} == {
        "London": {"LONDON": 3, "london ": 2, "Lon-don": 1},
        "Manchester": {"Manchster": 2},
        "Birmingham": {"Birmingahm": 4},
        "Liverpool": {"L1verpool": 1},
        "York": {"Y0rk": 2},
    }
    assert all(group.cells == 20 for group in groups)


def test_examples_are_variants_with_the_line_of_the_first(look):
    found, _ = look(t={"city": DIRTY, "n": range(len(DIRTY))})
    for finding in found:
        for example in finding.examples:
            assert DIRTY[example.line - 2] == example.value
            assert example.value not in DIRTY[: example.line - 2]


@pytest.mark.parametrize("kind", ["same after folding", "near values", "digits for letters", "padded values"])
def test_the_mend_removes_the_finding_and_no_other(look, mended, kind):
    found, _ = look(t={"city": DIRTY, "n": range(len(DIRTY))})
    [finding] = [finding for finding in found if finding.kind == kind]
    left = kinds(mended(finding))
    assert (kind, "city") not in left
    assert set(left) >= {key for key in kinds(found) if key[0] not in (kind, "padded values")}


ON_PURPOSE = [
    [("North", 9), ("South", 9), ("East", 9), ("West", 9)],
    [("Product", 9), ("Products", 2)],
    [("Class XII", 9), ("Class XIII", 3)],
    [("Group A", 9), ("Group B", 2)],
    [("Week 11", 9), ("Week 12", 2)],
    [("1.5 litres", 9), ("15 litres", 2)],
    [("AB+", 9), ("AB-", 2)],
    [("Southeast", 9), ("Southwest", 8)],
    [("Softball", 90), ("Football", 500)],
    [("male", 50), ("female", 3)],
    [("max temperature", 9), ("min temperature", 9)],
    [("Iran", 9), ("Iraq", 8)],
    [("UNEP", 3), ("UNDP", 2)],
    [("# sold", 9), ("% sold", 2)],
    [("♀ fox", 9), ("♂ fox", 2)],
]


def test_what_differs_on_purpose_is_no_variant(look):
    columns = {str(at): column(*counts) for at, counts in enumerate(ON_PURPOSE)}
    longest = max(map(len, columns.values()))
    assert look(t={name: [*values, *[""] * (longest - len(values))] for name, values in columns.items()}) == ([], [])


def test_names_are_near_one_another_by_nature(look):
    """In a column of many names, most of which have neighbours, none is a slip."""
    names = [
        f"{first}{rest}" for first in "BCDFGHJKLM" for rest in ("arlan", "arlon", "arlen", "orlan", "orlen", "irlan")
    ]
    names += ["Zebulon", "Quentin", "Xavier", "Ottilie"]
    values = column(*((name, 1 + 20 * (at % 2)) for at, name in enumerate(names)))
    assert look(t={"a": values, "n": range(len(values))})[0] == []


def test_a_word_is_mended_in_values_that_no_other_confirms(look, mended):
    values = column(("York - Mountain", 9), ("Leeds - Mountain", 9), ("Ripon - Mountian", 2), ("Ripon - Road", 9))
    found, [group] = look(t={"a": values, "n": range(len(values))})
    assert kinds(found) == {("near words", "a"): 1}
    assert (group.canonical, group.cells, group.variants[0].cells) == ("Ripon - Mountain", 0, 2)
    assert mended(found[0]) == []


def test_white_space_in_most_cells_is_the_way_they_are_written(look):
    found, _ = look(t={"a": [f"{word} " for word in "ghijkl"], "b": ["x  y", *"bcdef"], " c": list("123456")})
    assert kinds(found) == {("inner blanks", "b"): 1, ("padded headers", None): 1}


@pytest.mark.parametrize("kind", ["inner blanks", "padded headers"])
def test_the_mend_of_white_space_removes_it(look, mended, kind):
    found, _ = look(t={"b": ["x  y", *"bcdef"], " c": list("123456")})
    [finding] = [finding for finding in found if finding.kind == kind]
    assert kind not in {other.kind for other in mended(finding)}


def test_headers_that_would_be_there_twice_are_numbered(con, look):
    [finding], _ = look(t={"a ": ["1", "2"], "a": ["3", "4"]})
    assert (finding.kind, con.sql(finding.mend).columns) == ("padded headers", ["a_2", "a"])


ORDERS = {"City": column(("Lodnon", 5), ("YORK", 3), *((city, 4) for city in CITIES[1:4])), "n": range(20)}
SHOPS = {"city": CITIES, "manager": list("abcde")}


def test_columns_of_near_equal_values_are_compared(look, mended):
    found, _ = look(orders=ORDERS, shops=SHOPS)
    assert {(f.table, f.kind, f.count) for f in found} == {
        ("orders", "near across tables", 1),
        ("orders", "same after folding across tables", 1),
    }
    for finding in found:
        assert finding.kind not in {other.kind for other in mended(finding, shops=SHOPS)}
        assert [ORDERS["City"][e.line - 2] for e in finding.examples] == [e.value for e in finding.examples]


def test_columns_of_other_values_and_names_are_not_compared(look):
    assert look(orders={"a": ORDERS["City"][:4], "n": range(4)}, shops={"b": ["x", "y"], "c": ["1", "2"]})[0] == []


def test_a_table_without_rows_or_text_has_no_variants(look):
    assert look(t={"a": [], "b": []}) == ([], [])
    assert look(t={"a": [1, 2, 3], "b": [4, 5, 6]}) == ([], [])

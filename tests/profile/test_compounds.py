"""What marks part and what they don't: labels, markup, names of files, words for nothing known."""

import pytest

from prepsql.profile.rules import compounds, empties


@pytest.mark.parametrize(
    ("cell", "parted"),
    [
        (lambda n: f"<b>color:</b> red{n}", False),
        (lambda n: f"Color: red {n}", False),
        (lambda n: f"Town {n % 7}: Hall {n}", True),
        (lambda n: f"report-2024-{n % 12 + 1:02}-{n % 28 + 1:02}.csv", False),
        (lambda n: "n/a", False),
        (lambda n: f"north{n}-south{n}", True),
    ],
)
def test_only_what_parts_values_is_told(tabled, scanned, cell, parted):
    [scan] = scanned(tabled(["row", "x"], [[row, cell(row)] for row in range(60)]))
    assert [finding.column for finding in compounds.find(scan)] == ["x"] * parted


def test_columns_of_one_word_or_nothing_do_not_complement_each_other(tabled, scanned):
    rows = [[row, ("Machine learning", "")[row % 2], ("", "Embedded systems")[row % 2]] for row in range(60)]
    [scan] = scanned(tabled(["row", "one", "other"], rows))
    assert {finding.kind for finding in empties.find(scan)} == {"empty cells"}

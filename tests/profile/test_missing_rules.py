import pytest

from tests.profile.irregular import WORDS, of_columns, written


def test_a_finding_names_the_macro_that_mends_and_none_that_only_tells_cells_apart(con, tmp_path):
    rows = range(60)
    columns = {
        "station": [f"Station {row}" if row % 6 == 0 else "" for row in rows],
        "row": [f"r {row}" for row in rows],
        "comment": [WORDS[row % 6] if row % 5 else "" for row in rows],
        "amount": [f"{row}" if row % 7 else "" for row in rows],
        "reading": [f"{row}.5" if row > 3 else f"probe {row} was lost" for row in rows],
        "note": ["n/a" if row % 9 == 0 else WORDS[row % 6] for row in rows],
        "checked": ["x" if row % 4 == 0 else "" for row in rows],
    }
    found = of_columns(con, written(columns, tmp_path))
    assert {key: finding.macro for key, finding in found.items()} == {
        ("fill down", "station"): "",
        ("empty cells", "comment"): "",
        ("empty cells", "amount"): "filter",
        ("text in a typed column", "reading"): "",
        ("null words", "note"): "missing_to_null",
        ("flag by presence", "checked"): "is_blank",
    }


def test_a_table_without_irregularities_has_no_findings(con, tmp_path):
    columns = {
        "id": [f"{row + 1}" for row in range(200)],
        "first name": [{50: "Nat", 90: "Nil"}.get(row, f"Name{row}") for row in range(200)],
        "day": [f"2024-0{row % 9 + 1}-11" for row in range(200)],
        "change": [f"{row % 9 - 4}" for row in range(200)],
        "active": [["true", "false"][row % 2] for row in range(200)],
        "town": [WORDS[row % 6] for row in range(200)],
    }
    found = of_columns(con, written(columns, tmp_path))
    assert {key: finding.detail for key, finding in found.items()} == {}


@pytest.mark.parametrize(
    "cells",
    [
        ["9223372036854775807", "-9223372036854775808"] * 9,
        ["1"] * 18,
        [""] * 18,
        ["1234567890123456789012345678901234"] * 9 + ["0.1234567890123456789012345678901234"] * 9,
        ["1e300", "-1e300", "1e-300"] * 6,
        ["1", "one", "2", "two", "", "n/a"] * 3,
        ["'", '"', "\\", "$x", "{{", "%"] * 3,
    ],
)
def test_hard_columns_are_gone_through(con, tmp_path, cells):
    path = written({'it\'s a "cell"': cells, "b": [f"{row}" for row in range(18)]}, tmp_path)
    for finding in of_columns(con, path).values():
        assert finding.count <= finding.total
        if finding.mend:
            con.execute(finding.mend).fetchall()


def test_cells_of_rows_that_are_no_records_are_not_missing(con, tmp_path):
    rows = range(40)
    columns = {
        "site": [
            f"Site {row}" if row < 38 else "********" if row < 39 else "Source: the harbour office" for row in rows
        ],
        "wind": ["NE" if row < 38 else "" for row in rows],
        "swell": [["SW", "W", ""][row % 3] if row < 38 else "" for row in rows],
    }
    found = of_columns(con, written(columns, tmp_path))
    assert ("note rows", None) in found
    assert ("empty cells", "wind") not in found
    assert found["empty cells", "swell"].count == 14

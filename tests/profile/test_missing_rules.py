from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.profile.irregular import WORDS, Irregularity, check_gone, column, findings, written

IRREGULARITIES = {
    "words": Irregularity("null words", lambda n: WORDS[n % 6], lambda n: ["n/a", "unknown", "-"][n % 3]),
    "mixed": Irregularity("null words", lambda n: WORDS[n % 6] if n % 3 else "", lambda n: "N/A"),
    "counts": Irregularity("null words in a typed column", lambda n: f"{n}", lambda n: "n/a"),
    "readings": Irregularity("null words in a typed column", lambda n: f"{n}.5", lambda n: "err"),
    "ends": Irregularity("null words in a typed column", lambda n: f"2024-05-{n % 28 + 1:02}", lambda n: "open"),
    "times": Irregularity("null words in a typed column", lambda n: f"{n % 24:02}:30", lambda n: "xx"),
    "minus": Irregularity("sentinels", lambda n: f"{n % 50}", lambda n: "-999"),
    "minus one": Irregularity("sentinels", lambda n: f"{n % 50 + 1}", lambda n: "-1"),
    "nines": Irregularity("sentinels", lambda n: f"{n % 50}.5", lambda n: "99999"),
    "born": Irregularity("sentinels", lambda n: f"{n % 40 + 1960}-03-{n % 28 + 1:02}", lambda n: "1900-01-01"),
    "expires": Irregularity("sentinels", lambda n: f"2024-03-{n % 28 + 1:02}", lambda n: "9999-12-31"),
    "nothing": Irregularity("only null words", None, lambda n: "NA"),
    "checked": Irregularity("flag by presence", lambda n: "x" if n % 4 == 0 else "", lambda n: ""),
    "comment": Irregularity("empty cells", lambda n: WORDS[n % 6], lambda n: ""),
    "price": Irregularity("empty cells", lambda n: f"{n}.5", lambda n: ""),
    "spaces": Irregularity("blank cells", lambda n: WORDS[n % 6], lambda n: " " * (n % 3 + 1)),
    "unused": Irregularity("empty column", None, lambda n: ""),
    "above": Irregularity("fill down", lambda n: WORDS[n % 6], lambda n: '"'),
}
WHOLE = ("nothing", "unused")


@settings(max_examples=4)
@given(rows=st.integers(60, 130), seed=st.integers(0, 2**32))
def test_each_irregularity_is_counted_exactly_and_mended(con, tmp_path_factory, rows, seed):
    folder, random = tmp_path_factory.mktemp("missing"), Random(seed)
    cells, bad = {}, {}
    for name, irregularity in IRREGULARITIES.items():
        cells[name], bad[name] = column(irregularity, rows, random)
    cells["above"][0], bad["above"] = "Weir", [row for row in bad["above"] if row]
    if len(bad["above"]) < 2:
        cells["above"][-2:], bad["above"] = ['"', '"'], sorted({*bad["above"], rows - 2, rows - 1})
    bad["checked"] = [row for row in range(rows) if not cells["checked"][row]]
    found = findings(con, written(cells, folder))
    for name, irregularity in IRREGULARITIES.items():
        finding = found[irregularity.kind, name]
        assert (finding.count, finding.total) == (len(bad[name]), rows), name
        if name != "unused":
            assert bad[name][0] + 2 in [example.line for example in finding.examples], name
        assert all(cells[name][example.line - 2] == example.value for example in finding.examples)
        assert finding.mend, name
    assert "empty" in found["null words", "mixed"].detail
    check_gone(con, folder, [found[one.kind, name] for name, one in IRREGULARITIES.items()])


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
    found = findings(con, written(columns, tmp_path))
    assert {key: finding.macro for key, finding in found.items()} == {
        ("fill down", "station"): "",
        ("empty cells", "comment"): "",
        ("empty cells", "amount"): "filter",
        ("text in a typed column", "reading"): "",
        ("null words", "note"): "missing_to_null",
        ("flag by presence", "checked"): "is_blank",
    }


@settings(max_examples=3)
@given(groups=st.integers(4, 9), size=st.integers(4, 9))
def test_values_above_the_cells_they_are_meant_for_are_filled_down(con, tmp_path_factory, groups, size):
    rows = groups * size
    columns = {
        "station": [f"Station {row}" if row % size == 0 else "" for row in range(rows)],
        "sensor": [f"S{row}" if row % size in (0, 2) else "" for row in range(rows)],
        "value": [f"{row}.5" for row in range(rows)],
        "unit": [f"{row % 3}" for row in range(rows)],
    }
    folder = tmp_path_factory.mktemp("groups")
    found = findings(con, written(columns, folder))
    above, inner = found["fill down", "station"], found["fill down", "sensor"]
    assert (above.count, inner.count) == (rows - groups, rows - 2 * groups)
    filled = [row[0] for row in con.execute(above.mend).fetchall()]
    assert filled == [f"Station {row - row % size}" for row in range(rows)]
    check_gone(con, folder, [above, inner])


@settings(max_examples=3)
@given(seed=st.integers(0, 2**32))
def test_columns_that_fill_each_other_are_told_together(con, tmp_path_factory, seed):
    random, rows = Random(seed), 90
    which = [random.choice("abc") for _ in range(rows)]
    columns = {
        "row": [f"r {row}" for row in range(rows)],
        "mobile": [f"m{row}" if one in "ac" else "" for row, one in enumerate(which)],
        "landline": [f"l{row}" if one in "bc" else "" for row, one in enumerate(which)],
        "sparse": ["" if random.random() < 0.3 else f"s{row}" for row in range(rows)],
    }
    folder = tmp_path_factory.mktemp("complements")
    found = findings(con, written(columns, folder))
    mobile, landline = found["complementary columns", "mobile"], found["complementary columns", "landline"]
    assert (mobile.count, landline.count) == (which.count("b"), which.count("a"))
    assert "landline" in mobile.mend
    assert ("empty cells", "sparse") in found
    check_gone(con, folder, [mobile, landline])


def test_a_table_without_irregularities_has_no_findings(con, tmp_path):
    columns = {
        "id": [f"{row + 1}" for row in range(200)],
        "first name": [{50: "Nat", 90: "Nil"}.get(row, f"Name{row}") for row in range(200)],
        "day": [f"2024-0{row % 9 + 1}-11" for row in range(200)],
        "change": [f"{row % 9 - 4}" for row in range(200)],
        "active": [["true", "false"][row % 2] for row in range(200)],
        "town": [WORDS[row % 6] for row in range(200)],
    }
    found = findings(con, written(columns, tmp_path))
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
    for finding in findings(con, path).values():
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
    found = findings(con, written(columns, tmp_path))
    assert ("note rows", None) in found
    assert ("empty cells", "wind") not in found
    assert found["empty cells", "swell"].count == 14

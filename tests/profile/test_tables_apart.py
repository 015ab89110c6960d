"""Columns of one name that two tables write differently."""

import pytest

from prepsql.profile.rules import tables_apart


def column(values, name="key"):
    return [name, "other"], [[value, f"{at} words"] for at, value in enumerate(values)]


@pytest.mark.parametrize(
    ("left", "right", "kind", "flagged"),
    [
        (["1/2/2024", "3/14/2024"], ["2024-01-02", "2024-03-14"], "formats across tables", 0),
        (["2024-01-02", "2024-03-14"], ["2 Jan 2024", "14 Mar 2024"], "formats across tables", 1),
        (["£33,000", "£8,000"], ["33000", "8000"], "formats across tables", 0),
        (["EAST181", "EAST182"], ["181-WEST", "182-WEST"], "formats across tables", 1),
        (["1", "2"], ["Online", "In person"], "codes against words", 1),
        (["A", "B"], ["1", "2"], "codes against words", 0),
        (["12", "3.5"], ["7", "8"], "", 0),
        (["Oslo", "Rome"], ["LIMA", "Bonn"], "", 0),
    ],
)
@pytest.mark.parametrize("stacked", [True, False])
def test_each_way_of_writing_is_told_once(con, tabled, scanned, left, right, kind, flagged, stacked):
    header, rows = column(left)
    tables = [tabled(header, rows)]
    header, rows = column(right, "Key")
    tables.append(tabled(header, rows) if stacked else tabled([*header, "more"], [[*row, "z"] for row in rows]))
    scans = scanned(*tables)
    assert len(scans) == (1 if stacked else 2)
    found = list(tables_apart.find(scans))
    assert [(one.kind, one.table, one.count, one.total) for one in found] == (
        [(kind, tables[flagged].name, 2, 2)] if kind else []
    )
    for one in found:
        assert [(example.table, example.line) for example in one.examples] == [
            (tables[flagged].name, 2),
            (tables[1 - flagged].name, 2),
        ]
        assert bool(one.mend) == (kind == "formats across tables")
        if one.mend:
            con.sql(one.mend).fetchall()


def test_a_mended_table_is_written_as_the_plain_one(con, tabled, scanned):
    header, rows = column(["1/2/2024", "3/14/2024"])
    plain = tabled(*column(["2024-01-02", "2024-03-14"]))
    [found] = tables_apart.find(scanned(tabled(header, rows), plain))
    mended = tabled(header, con.sql(found.mend).fetchall())
    assert not list(tables_apart.find(scanned(mended, plain)))


def test_columns_of_no_name_and_empty_ones_are_left_alone(tabled, scanned):
    tables = tabled(["", "a"], [["1", "x"], ["2", "x"]]), tabled(["", "b"], [["Oslo", ""], ["Rome", ""]])
    assert not list(tables_apart.find(scanned(*tables)))

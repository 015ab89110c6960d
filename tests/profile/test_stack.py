"""Which tables are stacked, and that no row is lost or moved."""

import pytest

from prepsql.profile.rules import header_drift
from prepsql.profile.stack import stack

ROWS = [["1", "Oslo", "x"], ["2", "Rome", ""]]


def test_tables_of_one_shape_are_stacked_in_order_with_columns_by_name(con, tabled):
    one = tabled(["Id", "City", "Note"], ROWS)
    other = tabled(["city ", "ID", "note"], [["Bonn", "3", "y"]])
    [subject] = stack(con, [one, other])
    assert subject.columns == ("Id", "City", "Note")
    assert subject.offsets == (0, 2)
    rows = con.execute(f'SELECT rowid, * FROM "{subject.name}" ORDER BY rowid').fetchall()
    assert rows == [(0, "1", "Oslo", "x"), (1, "2", "Rome", ""), (2, "3", "Bonn", "y")]
    assert subject.place(2) == (other.name, 2)
    assert subject.place(1) == (one.name, 3)


@pytest.mark.parametrize(
    ("header", "rows", "together"),
    [
        (["Id", "Town", "Note"], [["3", "Oslo", ""], ["4", "Rome", ""]], True),  # another name, the same texts
        (["Id", "Town", "Note"], [["3", "Lima", ""]], False),
        (["Id", "City name", "Note"], [["3", "Lima", ""]], True),  # a name that begins with the other
        (["Id", "Ctiy", "Note"], [["3", "Lima", ""]], True),  # a letter apart
        (["Id", "City"], [["3", "Lima"]], False),
        (["Id", "City", "Note", "More"], [["3", "Lima", "", ""]], False),
        (["Note", "Town", "Sum"], [["3", "Lima", "5"]], False),
    ],
)
def test_a_drifting_name_is_the_same_column_only_if_near_or_of_the_same_texts(con, tabled, header, rows, together):
    tables = [tabled(["Id", "City", "Note"], ROWS), tabled(header, rows)]
    assert len(stack(con, tables)) == (1 if together else 2)


def test_lookups_and_lists_are_not_stacked_by_chance(con, tabled):
    lookups = [tabled(["Code", "City"], ROWS[0:0]), tabled(["Sub-Code", "Sub-City"], ROWS[0:0])]
    assert len(stack(con, lookups)) == 2
    assert len(stack(con, [tabled(["Name"], [["a"]]), tabled(["Name"], [["a"]])])) == 2
    unnamed = [tabled(["Report A", "", ""], ROWS), tabled(["Summary", "", ""], ROWS)]
    assert len(stack(con, unnamed)) == 2


def test_a_column_called_rowid_does_not_hide_the_rows_numbers(con, tabled):
    [subject] = stack(con, [tabled(["RowID", "row id"], [["7", "a"], ["8", "b"]])])
    assert subject.columns == ("RowID", "row id")
    rows = con.execute(f'SELECT rowid, {subject.field(0)}, {subject.field(1)} FROM "{subject.name}"').fetchall()
    assert rows == [(0, "7", "a"), (1, "8", "b")]


def test_a_table_alone_is_not_copied_even_if_empty(con, tabled):
    table = tabled(["a", "b"], [])
    [subject] = stack(con, [table])
    assert (subject.name, subject.rows, subject.fields) == (table.name, 0, ("a", "b"))


def test_header_drift_of_stacked_tables_is_told_once_and_mended_by_a_union(con, tabled, scanned):
    one, other = tabled(["Id", "City"], [["1", "Oslo"]]), tabled(["ID", "*City"], [["2", "Rome"]])
    scans = scanned(one, other)
    [found] = header_drift.find(scans)
    assert (found.kind, found.count, found.total, found.tables) == ("header drift", 2, 2, (one.name, other.name))
    relation = con.sql(found.mend)
    assert relation.columns == ["Id", "City"]
    assert relation.fetchall() == [("1", "Oslo"), ("2", "Rome")]
    assert not list(header_drift.find(scanned(tabled(["Id", "City"], [["1", "Oslo"]]), one)))


def test_header_drift_between_other_tables_is_told_of_the_later_one(con, tabled, scanned):
    tables = tabled(["Student ID", "Name"], [["1", "a"]]), tabled(["student_id", "Mark", "Name"], [["1", "5", "a"]])
    [found] = header_drift.find(scanned(*tables))
    assert (found.table, found.count, found.total) == (tables[1].name, 1, 3)
    assert con.sql(found.mend).columns == ["Student ID", "Mark", "Name"]

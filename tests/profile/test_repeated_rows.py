import csv

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from prepsql import profile
from prepsql.macros import install
from prepsql.session import session
from prepsql.tables import read, write_csv

KIND = "repeated rows"


def write(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file, lineterminator="\n").writerows([["order", "day", "item", "pieces"], *rows])


def found(path):
    return [finding for finding in profile(path).findings if finding.kind == KIND]


@settings(max_examples=10, deadline=None)
@given(again=st.lists(st.integers(0, 59), min_size=1, max_size=12))
def test_rows_that_come_again_are_counted_and_taken_away(tmp_path_factory, again):
    path = tmp_path_factory.mktemp("rows") / "orders.csv"
    rows = [[7000 + n, f"2024-01-{1 + n % 28:02}", f"item {n % 7}", n % 5] for n in range(60)]
    write(path, [*rows, *(rows[n] for n in again)])
    [finding] = found(path)
    assert (finding.pattern, finding.count, finding.total) == ("RI", len(again), 60 + len(again))
    assert all(example.line > 61 for example in finding.examples)
    with session("prepsql-test-") as con:
        install(con)
        read(path, con, "orders")
        con.execute(f"CREATE TABLE mended AS {finding.mend}").fetchall()
        mended = path.with_name("mended.csv")
        write_csv(con.table("mended"), mended)
    assert read(mended).relation.fetchall() == [tuple(map(str, row)) for row in rows]
    assert not found(mended)


@pytest.mark.parametrize("columns", [2, 4])
def test_rows_of_few_values_are_equal_by_chance(tmp_path, columns):
    path = tmp_path / "orders.csv"
    with path.open("w", encoding="utf-8") as file:
        file.write(",".join("abcd"[:columns]) + "\n")
        file.writelines(",".join(str((n >> k) % 2) for k in range(columns)) + "\n" for n in range(100))
    assert not found(path)

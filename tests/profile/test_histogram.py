"""Histograms: every number in one bin, whatever the range."""

import duckdb
import pytest

from prepsql.profile.histogram import BINS, fences, histograms
from tests.profile.made import numbers


@pytest.fixture
def counted():
    with duckdb.connect() as con:
        con.execute("CREATE TABLE found (position INTEGER, number DOUBLE, n BIGINT)").fetchall()

        def counted(*columns):
            con.execute("DELETE FROM found").fetchall()
            facts = {}
            for position, values in enumerate(columns):
                for value, n in values.items():
                    con.execute("INSERT INTO found VALUES (?, ?, ?)", [position, value, n]).fetchall()
                low, quarter, high_quarter, high = con.execute(
                    "SELECT min(number), quantile_cont(number, 0.25), quantile_cont(number, 0.75), max(number)"
                    " FROM (SELECT number, unnest(range(n)) FROM found WHERE position = ?)", [position]
                ).fetchall()[0]  # fmt: skip
                facts[position] = numbers(minimum=low, quarter=quarter, three_quarters=high_quarter, maximum=high)
            return histograms(con, "FROM found", facts)

        yield counted


def test_equal_widths_from_the_least_to_the_greatest(counted):
    assert counted({float(i): 2 for i in range(BINS)}) == {0: (2,) * BINS}
    assert counted({0.0: 5, 1.0: 7})[0] == (5, *[0] * (BINS - 2), 7)


@pytest.mark.parametrize(
    "values",
    [
        {7.0: 9}, {0.0: 3}, {1e300: 1, 1.0: 5, 2.0: 5, 3.0: 5}, {-1.7e308: 2, 1.7e308: 3}, {5e-324: 1, 0.0: 4},
        {-5.0: 1, 0.1 + 0.2: 3, 0.3: 3},
    ],
)  # fmt: skip
def test_every_number_is_in_one_bin(counted, values):
    (got,) = counted(values).values()
    assert len(got) == BINS
    assert sum(got) == sum(values.values())


def test_numbers_far_off_do_not_press_the_others_into_one_bin(counted):
    values = {float(i): 1 for i in range(100)} | {1e300: 1, -1e300: 2}
    (got,) = counted(values).values()
    assert sum(cells > 0 for cells in got) > 5
    assert (got[0], got[-1]) == (2, 1)
    assert fences(numbers(minimum=0.0, quarter=4.0, three_quarters=4.0, maximum=8.0)) == (0.0, 8.0)


def test_all_columns_come_from_one_query_and_none_from_none(counted):
    assert [sum(cells) for cells in counted({1.0: 1, 2.0: 1}, {5.0: 3}).values()] == [2, 3]
    assert counted() == {}

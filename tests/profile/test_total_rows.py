"""Rows of totals and averages: which are told, and which words are values like others."""

import pytest

from prepsql.profile.rules import total_rows

TOWNS = ["Rome", "Oslo", "Lima"]
SALES = [[f"Week {week}", town, str(week + at)] for week in (35, 36) for at, town in enumerate(TOWNS)]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        ([["Week 36 total", "", "9"], ["Page total", "", "3"]], 2),
        ([["Sub-total", "", "9"], ["Grand Total", "", "18"], ["Average", "", "3"], ["mean of weeks", "", "3"]], 4),
        ([["Week 35", "Rome average", "3"]], 1),
        ([["Average", "Rome", "3"]], 0),
        ([["Average", "", "3"], *SALES], 0),
        ([["Total recall", "Oslo", "3"], ["Meanwhile", "", "3"]], 0),
    ],
)
def test_totals_and_averages(con, tabled, scanned, more, told):
    [scan] = scanned(tabled(["period", "town", "sales"], [*SALES, *more]))
    found = list(total_rows.find(scan))
    assert sum(finding.count for finding in found) == told
    for finding in found:
        assert len(con.sql(finding.mend).fetchall()) == len(SALES) + len(more) - told

"""Moments as counts: seconds since 1970, or thousandths of them, in a column that is called like a time."""

from __future__ import annotations

import re
from collections.abc import Iterator

from prepsql.profile.finding import Finding
from prepsql.profile.rules.writing import column_finding, replaced
from prepsql.profile.subject import Scan

_CALLED = re.compile(
    r"(?:^|_)(?:time|timestamp|ts|date|datetime|epoch|unix|utc|at|on|created|updated|modified|seen|start|started|end"
    r"|ended|expires?|when|since|until|last|logged|posted|published)(?:_|$)"
)
# what may be such a count: from 1980 to 2040
_FROM, _TO = 315_532_800, 2_208_988_800
_UNITS = {1: "seconds", 1_000: "thousandths of a second", 1_000_000: "millionths of a second"}


def find(scan: Scan) -> Iterator[Finding]:
    """Yield a finding for each column of whole numbers all of which can be such counts."""
    for column in scan.columns:
        numbers = column.numbers
        name = re.sub(r"[\W_]+", "_", re.sub("([a-z])([A-Z])", r"\1_\2", column.name)).lower()
        if column.type != "integer" or numbers is None or not _CALLED.search(name):
            continue
        # 0 stands for no moment where there are others
        least = numbers.minimum or numbers.quarter
        unit = next((unit for unit in _UNITS if _FROM * unit <= least and numbers.maximum <= _TO * unit), None)
        if unit:
            cells = column.cells("integer")
            found = [(shape.example, shape.row) for shape in column.shapes if shape.kind == "integer"]
            mend = replaced(scan, column, "coalesce(CAST(unix_to_timestamp(cell) AS VARCHAR), cell)")
            yield column_finding(scan, "unix times", column, cells, f"{_UNITS[unit]} since 1970, in UTC", found, mend)

"""What a figure is: a statement over the tables of a report, and the interval of its value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import duckdb

from prepsql.evaluate.statistics import interval


@dataclass(frozen=True)
class Metric:
    """A figure: `sql` has one row a run and whatever else its columns before the numbers name.

    A column `sample`, a list of pairs of numbers, one a task, isn't shown: the figure's value is the sum of the first
    over the sum of the second numbers, and `low` and `high`, its 95 % bootstrap interval, come in its place.
    """

    name: str
    title: str
    definition: str
    sql: str

    def rows(self, con: duckdb.DuckDBPyConnection, labels: Mapping[int, str]) -> list[dict[str, Any]]:
        """Return the figure's rows, each run by its label; nulls are None: not known, or of nothing."""
        found = con.execute(self.sql)
        names = [column[0] for column in found.description or ()]
        return [_row(dict(zip(names, row, strict=True)), labels) for row in found.fetchall()]


def _row(row: dict[str, Any], labels: Mapping[int, str]) -> dict[str, Any]:
    row["run"] = labels[row["run"]]
    if "sample" in row:
        sample = row.pop("sample")
        row["low"], row["high"] = (sample and interval(sample)) or (None, None)
    return row

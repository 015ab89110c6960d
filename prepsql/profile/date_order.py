"""The order of day, month and year in which the dates of a column are read."""

from __future__ import annotations

from dataclasses import dataclass

from prepsql.profile.result import Column


@dataclass(frozen=True)
class Order:
    """The order in which the dates in digits of a column are read, and what says so.

    `minority` counts the cells that only the other order fits.
    """

    parts: str
    said: str = ""
    decided: bool = True
    minority: int = 0


def order_of(column: Column) -> Order:
    """Return how the dates in digits of a column are to be read: 'dmy', 'mdy' or, with the year first, 'ymd'."""
    readings = {reading.order: reading for reading in column.readings}
    day, month = readings.get("dmy"), readings.get("mdy")
    if day is None and month is None:
        return Order("ymd")
    if day is None or month is None:
        return Order("dmy" if day else "mdy", f"{'day' if day else 'month'} first, the only order that fits")
    first, other = (day, month) if day.cells >= month.cells else (month, day)
    named = "day first" if first is day else "month first"
    if not first.only:
        return Order(first.order, "no row decides between day and month first; day first is taken", False)
    said = f"{named}, as {first.only:,} cells decide (line {first.line})"
    if other.only:
        where = f" of {other.table}" if other.table != first.table else ""
        said += f", against {other.only:,} (line {other.line}{where})"
    return Order(first.order, said, True, other.only)

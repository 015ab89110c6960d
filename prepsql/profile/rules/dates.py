"""Dates: more than one notation in a column, an order of day and month that no row decides, dates that are not ISO."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from prepsql.profile.finding import Finding
from prepsql.profile.result import DATES, Column
from prepsql.profile.rules.forms import Form, first_reading, forms, or_as_it_is, readable, unread_apart
from prepsql.profile.rules.writing import column_finding, listed, replaced
from prepsql.profile.subject import Scan
from prepsql.sqltext import fill, literal

# a column has dates, not only a text that happens to be one
_SHARE = 0.1
_FEW = 3
# what is written in one way is told of columns of dates
_MOST = 0.6
_DATE, _TIMESTAMP = "parse_any_date(cell, order)", "parse_any_timestamp(cell, order)"
_MONTH = "CASE WHEN cell_kind(cell) = 'month' THEN parse_month(cell) END"
_ISO = ("yyyy-n-n", "yyyy-n-n time", "yyyy-n")


def find(scan: Scan) -> Iterator[Finding]:
    """Yield at most one finding a column: the gravest."""
    some = [column for column in scan.columns if column.cells(*DATES) >= max(_FEW, _SHARE * column.said)]
    written = forms(scan, DATES, some)
    kinds = {at: told for at, one in sorted(written.items()) if (told := _kind(scan.columns[at], one))}
    mends = _mends(scan, {at: written[at] for at in kinds})
    for at, (kind, count) in kinds.items():
        column, one = scan.columns[at], written[at]
        detail = listed((form.example, form.cells) for form in one)
        order = order_of(column)
        if order.said:
            detail = f"{detail}; {order.said}"
        yield column_finding(scan, kind, column, count, detail, _examples(column, one), mends.get(at, ""))


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


def _kind(column: Column, written: list[Form]) -> tuple[str, int] | None:
    """Return the kind of finding that these forms are, and its count."""
    notations = {form.notation for form in written}
    cells = sum(form.cells for form in written)
    order = order_of(column)
    if len(notations) > 1:
        return "mixed date formats", cells - written[0].cells
    if order.minority:
        return "mixed date formats", order.minority
    if cells < _MOST * column.said:
        return None
    if not order.decided and column.distinct > 1:
        return "ambiguous day and month", cells
    if "zone" in written[0].notation:
        return "offset timestamps", cells
    return None if written[0].notation in _ISO else ("date text", cells)


def _mends(scan: Scan, found: dict[int, list[Form]]) -> dict[int, str]:
    """Return by position the SELECT that writes dates as ISO, where some can be read.

    Where others can't, such as the 31st of a short month, those get a column of their own.
    """
    examples: dict[tuple[str, ...], dict[int, list[str]]] = {}
    for at, written in found.items():
        column = scan.columns[at]
        shown = [shape.example for shape in column.shapes if shape.kind in DATES]
        examples.setdefault(_readers(column, written), {})[at] = shown
    mends = {}
    for readers, values in examples.items():
        whole = {at: some for at, some in values.items() if not _unreal(scan.columns[at], found[at])}
        for at, expression in first_reading(scan, whole, readers).items():
            column = scan.columns[at]
            mends[at] = replaced(scan, column, or_as_it_is(column, expression, column.cells(*DATES)))
        partly = readable(scan, {at: some for at, some in values.items() if at not in mends}, readers)
        for at, expression in first_reading(scan, partly, readers).items():
            mends[at] = unread_apart(scan, scan.columns[at], expression, DATES)
    return mends


def _unreal(column: Column, written: list[Form]) -> int:
    """Return how many of the dates in digits are no days in any order, such as 31/02/2024."""
    cells = sum(form.cells for form in written if re.match(r"(?:n|y+)\Wn\W(?:n|y+)", form.notation))
    orders = {reading.order: reading for reading in column.readings}
    if not orders:
        return 0
    day, month = (orders.get(order) for order in ("dmy", "mdy"))
    fit = day.cells + (month.only if month else 0) if day else month.cells if month else 0
    return cells - fit - (orders["ymd"].cells if "ymd" in orders else 0)


def _readers(column: Column, written: list[Form]) -> tuple[str, ...]:
    order = order_of(column)
    reader = _TIMESTAMP if any(form.kind == "timestamp" for form in written) else _DATE
    cell = fill(reader, order=literal(order.parts))
    if order.minority:
        other = fill(reader, order=literal("mdy" if order.parts == "dmy" else "dmy"))
        return (f"coalesce({cell}, {other})",)
    if not any(form.kind == "month" for form in written):
        return (cell,)
    return (_MONTH, f"coalesce({cell}, {_MONTH})")


def _examples(column: Column, written: list[Form]) -> list[tuple[str, int]]:
    """Return one example of each form, what is unlike the most first."""
    if len(written) > 1:
        return [(form.example, form.row) for form in [*written[1:], written[0]]]
    return [(shape.example, shape.row) for shape in column.shapes if shape.kind in DATES]

"""Dates: more than one notation in a column, an order of day and month that no row decides, dates that are not ISO."""

from __future__ import annotations

from collections.abc import Iterator

from prepsql.profile.date_order import order_of
from prepsql.profile.finding import Finding
from prepsql.profile.result import DATES, Column
from prepsql.profile.rules.forms import Form, first_reading, forms, or_as_it_is, readable, unread_apart
from prepsql.profile.rules.impossible_dates import Impossible, findings, impossible
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
    """Yield at most one finding a column, the gravest, and one about dates that no calendar has."""
    never = impossible(scan, scan.columns)
    yield from findings(scan, never)
    some = [column for column in scan.columns if column.cells(*DATES) >= max(_FEW, _SHARE * column.said)]
    written = forms(scan, DATES, some)
    kinds = {at: told for at, one in sorted(written.items()) if (told := _kind(scan.columns[at], one))}
    mends = _mends(scan, {at: written[at] for at in kinds}, never)
    for at, (kind, count) in kinds.items():
        column, one = scan.columns[at], written[at]
        detail = listed((form.example, form.cells) for form in one)
        order = order_of(column)
        if order.said:
            detail = f"{detail}; {order.said}"
        yield column_finding(scan, kind, column, count, detail, _examples(column, one), mends.get(at, ""))


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


def _mends(scan: Scan, found: dict[int, list[Form]], never: Impossible) -> dict[int, str]:
    """Return by position the SELECT that writes dates as ISO, where some can be read.

    Those that can't, as no calendar has them or they lack a part, get a column of their own.
    """
    examples: dict[tuple[str, ...], dict[int, list[str]]] = {}
    for at, written in found.items():
        column = scan.columns[at]
        shown = [shape.example for shape in column.shapes if shape.kind in DATES]
        examples.setdefault(_readers(column, written), {})[at] = shown
    mends = {}
    for readers, some in examples.items():
        whole = {at: values for at, values in some.items() if at not in never}
        for at, expression in first_reading(scan, whole, readers).items():
            column = scan.columns[at]
            mends[at] = replaced(scan, column, or_as_it_is(column, expression, column.cells(*DATES)))
        partly = readable(scan, {at: values for at, values in some.items() if at not in mends}, readers)
        for at, expression in first_reading(scan, partly, readers).items():
            mends[at] = unread_apart(scan, scan.columns[at], expression, DATES)
    return mends


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

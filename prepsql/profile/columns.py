"""The facts of a subject's columns: a few queries over its cells, each for all columns at once."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from string import Template
from typing import Any

import duckdb

from prepsql.profile.attempts import words_of
from prepsql.profile.cells import cells_name, column_types, make_cells, mostly_distinct, values_name
from prepsql.profile.extents import DAYS_SQL, extent, orders, unread
from prepsql.profile.facts_sql import (
    APPROXIMATE,
    COUNTS_SQL,
    DOUBLED,
    FREQUENT,
    FREQUENT_SQL,
    INVISIBLE,
    KEPT_SQL,
    KINDS_SQL,
    NULL_WORDS_SQL,
    NUMBERS_SQL,
    PADDED,
    QUANTILES,
    READINGS_SQL,
    SHAPES,
    SHAPES_SQL,
    SIGNS_SQL,
    STATISTICS_SQL,
)
from prepsql.profile.histogram import histograms
from prepsql.profile.masks import mask_sql
from prepsql.profile.result import DATES, MISSING, NUMBERS, Column, Frequent, Numbers, Reading, Shape
from prepsql.profile.subject import Scan, Subject, helper, positions
from prepsql.sqltext import create_as, quote

# a column is of the kind that so many of its cells have, of those that say something
_MOST = 0.8
# exact quantiles hold every number in memory
_EXACT = 1_000_000
_LETTER = re.compile("[aA…]")
_ONE_COLUMN = Template("(FROM $cells WHERE position = $position)")
# what COUNTS_SQL gives, in its order
_COUNTED = (
    "first_text", "last_text", "shortest", "longest", "mean_length", "padded", "doubled", "invisible", "non_ascii",
)  # fmt: skip
Rows = dict[int, list[tuple[Any, ...]]]


class _Asker:
    """Asks a query about all columns at once, and about each alone where one of them makes it fail."""

    def __init__(self, subject: Subject, errors: dict[int, str]) -> None:
        self._con = subject.con
        self._name = subject.name
        self._positions = range(len(subject.columns))
        self.errors = errors

    def ask(self, query: Template, source: str = "cells", **parts: str) -> Rows:
        """Return the rows of each position, without the position, of a query over cells or `shapes`."""
        try:
            found = self._con.execute(query.substitute(cells=self._all(source), **parts)).fetchall()
        except duckdb.Error:
            each = (self._alone(at, query.substitute(cells=self._one(source, at), **parts)) for at in self._positions)
            found = [row for rows in each for row in rows]
        rows: Rows = defaultdict(list)
        for position, *facts in found:
            rows[position].append(tuple(facts))
        return rows

    def make(self, name: str, query: Template, **parts: str) -> None:
        """Make a table of what a query over the cells gives."""
        table = helper(self._name, name)
        try:
            self._con.execute(create_as(table, query.substitute(cells=self._all("cells"), **parts))).fetchall()
        except duckdb.Error:
            nothing = query.substitute(cells=self._one("cells", -1), **parts)
            self._con.execute(create_as(table, nothing)).fetchall()
            insert = Template("INSERT INTO $table $query")
            for at in self._positions:
                self._alone(
                    at,
                    insert.substitute(
                        table=quote(table), query=query.substitute(cells=self._one("cells", at), **parts)
                    ),
                )

    def _alone(self, at: int, statement: str) -> list[tuple[Any, ...]]:
        """Return the rows of a statement about one column, none where it fails."""
        try:
            return self._con.execute(statement).fetchall()
        except duckdb.Error as bad:
            self.errors[at] = words_of(bad)
            return []

    def _all(self, source: str) -> str:
        return quote(helper(self._name, source))

    def _one(self, source: str, at: int) -> str:
        return _ONE_COLUMN.substitute(cells=self._all(source), position=at)


def scan(subject: Subject) -> Scan:
    """Make the view of the subject's cells and return the facts of its columns; one that fails has only `error`."""
    types = column_types(subject)
    apart = mostly_distinct(subject, types)
    asker = _Asker(subject, make_cells(subject, apart, types))
    mask = mask_sql(subject, types)
    asker.make("shapes", SHAPES_SQL, mask=mask, invisible=INVISIBLE, padded=PADDED, doubled=DOUBLED)
    counted = _counted(subject, asker, apart)
    numbers, readings = _numbers(subject, counted, asker), _readings(subject, counted, asker)
    known = [replace(c, numbers=numbers.get(c.position), readings=readings.get(c.position, ())) for c in counted]
    days = asker.ask(DAYS_SQL, **orders(some)) if (some := unread(known)) else {}
    columns = (
        Column(column.name, column.position, column.rows, error=asker.errors[column.position])
        if column.position in asker.errors
        else _with_ends(column, days.get(column.position, []))
        for column in known
    )
    return Scan(subject, tuple(columns), cells_name(subject), values_name(subject))


def _with_ends(column: Column, days: Sequence[tuple[str, str]]) -> Column:
    minimum, maximum = extent(column) or next(iter(days), (None, None))
    return replace(column, minimum=minimum, maximum=maximum)


def _counted(subject: Subject, asker: _Asker, apart: Mapping[int, int]) -> list[Column]:
    """Return the columns with all that is counted."""
    kinds = asker.ask(KINDS_SQL, "shapes")
    counts = asker.ask(COUNTS_SQL, "shapes")
    shapes = asker.ask(KEPT_SQL, "shapes", kept=str(SHAPES))
    worded = [at for at, found in kinds.items() if any(kind == "null word" for kind, *_ in found)]
    words = asker.ask(NULL_WORDS_SQL, positions=", ".join(map(str, worded))) if worded else {}
    frequent = asker.ask(FREQUENT_SQL, kept=str(FREQUENT))
    columns = []
    for at, name in enumerate(subject.columns):
        by_kind = {kind: cells for kind, cells, _ in kinds.get(at, [])}
        values = sum(values for kind, _, values in kinds.get(at, []) if kind != "empty")
        columns.append(
            Column(
                name,
                at,
                subject.rows,
                _type(by_kind),
                by_kind,
                tuple(Frequent(*pair) for pair in words.get(at, [])[:FREQUENT]),
                apart.get(at, values),
                at not in apart,
                **dict(zip(_COUNTED, counts.get(at, [()])[0], strict=False)),
                frequent=tuple(Frequent(*pair) for pair in frequent.get(at, [])),
                shapes=tuple(_shape(subject, *facts) for facts in shapes.get(at, [])),
            )
        )
    return columns


def _shape(subject: Subject, kind: str, form: str, mask: str, cells: int, values: int, example: str, row: int) -> Shape:
    return Shape(kind, form, mask, cells, values, example, row, *subject.place(row))


def _type(kinds: Mapping[str, int]) -> str:
    """Return the kind of most cells that say something."""
    said = {kind: cells for kind, cells in kinds.items() if kind not in MISSING}
    total = sum(said.values())
    if not total:
        return "empty"
    for kind in said:
        if said[kind] >= _MOST * total:
            return kind
    for family in (NUMBERS, DATES):
        if sum(said.get(kind, 0) for kind in family) >= _MOST * total:
            # of a mixture the wider kind: decimals hold integers, timestamps hold dates
            return next(kind for kind in reversed(family[:2] if "number" not in said else family) if kind in said)
    # codes of digits some of which have zeros in front
    return "digits" if "digits" in said and said["digits"] + said.get("integer", 0) >= _MOST * total else "text"


def _numbers(subject: Subject, columns: Sequence[Column], asker: _Asker) -> dict[int, Numbers]:
    """Return the statistics of the columns of which some cells are numbers."""
    numeric = [column for column in columns if column.cells(*NUMBERS)]
    if not numeric:
        return {}
    plain = positions(column for column in numeric if not column.cells("number"))
    dressed = positions(column for column in numeric if column.cells("number"))
    exact = numeric[0].rows <= _EXACT
    asker.make("numbers", NUMBERS_SQL, plain=plain, dressed=dressed)
    statistics = asker.ask(STATISTICS_SQL, "numbers", quantiles=QUANTILES if exact else APPROXIMATE)
    lettered = (c for c in numeric if any(s.kind == "number" and _LETTER.search(s.mask) for s in c.shapes))
    shapes = quote(helper(subject.name, "shapes"))
    signs = asker.ask(SIGNS_SQL, positions=dressed, lettered=positions(lettered), shapes=shapes) if dressed else {}
    numbers = {}
    for at, [(cells, minimum, quarter, median, three_quarters, maximum, mean)] in statistics.items():
        found: dict[str, dict[str, int]] = defaultdict(dict)
        for kind, sign, count in signs.get(at, []):
            found[kind][sign] = count
        numbers[at] = Numbers(
            cells,
            minimum,
            quarter,
            median,
            three_quarters,
            maximum,
            mean,
            exact,
            decimal_sign=next(iter(found["decimal"]), None),
            thousands_sign=next(iter(found["thousands"]), None),
            currencies=found["currency"],
            units=found["unit"],
        )
    spread = histograms(
        subject.con, Template("FROM $table").substitute(table=quote(helper(subject.name, "numbers"))), numbers
    )
    return {at: replace(facts, histogram=spread.get(at, ())) for at, facts in numbers.items()}


def _readings(subject: Subject, columns: Sequence[Column], asker: _Asker) -> dict[int, tuple[Reading, ...]]:
    """Return in which orders of day, month and year the dates in digits of each column can be read."""
    dated = positions(
        column for column in columns if any(s.kind in DATES and s.form.startswith("n") for s in column.shapes)
    )
    return {
        at: tuple(
            Reading(order, cells, only, example or "", *(("", 0) if row is None else subject.place(row)), first, last)
            for order, cells, only, example, row, first, last in readings
        )
        for at, readings in asker.ask(READINGS_SQL, positions=dated).items()
    }
